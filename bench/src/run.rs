//! Runs the chosen measurements and reports the ratios.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::cpu::{DatabaseProcess, time_of};
use crate::data::{self, Databases, Engine};
use crate::load::{Load, Slice};
use crate::report::{Cost, Measured, Report, median};
use crate::servers::Servers;
use crate::works::{Same, Side, Work, works};
use crate::wrk::Wrk;

pub use crate::data::Places;

/// What to measure.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where databases may be created.
    pub places: Places,
    /// Articles in each.
    pub rows: u64,
    /// How many times the two sides take turns.
    pub rounds: usize,
    /// For how long each time.
    pub slice: Duration,
    /// Whether `wrk` sends the requests.
    pub wrk: bool,
    /// The names of the works; empty for all.
    pub only: Vec<String>,
    /// Where the ratios are written.
    pub json: PathBuf,
    /// A document whose results are replaced.
    pub document: Option<PathBuf>,
    /// The command that is named there.
    pub command: String,
}

/// Measures and reports.
///
/// # Errors
/// When a name is unknown, a database or a server does not come up, or two sides do not answer alike.
pub async fn run(options: &Options) -> Result<()> {
    let works = chosen(&options.only)?;
    let mut engines: Vec<Engine> = Vec::new();
    for work in &works {
        let engine = work.ours.server.engine;
        if !engines.contains(&engine) {
            engines.push(engine);
        }
    }
    let databases = data::load(&options.places, options.rows, &engines).await?;
    let mut servers = Servers::default();
    let mut report = Report::default();
    let mut failed = Vec::new();
    for work in &works {
        eprintln!("{}: {}", work.name, work.what);
        match measure(work, &mut servers, &databases, options).await {
            Ok(measured) => report.add(measured),
            // The others are still measured.
            Err(error) => failed.push(format!("{}: {error:#}", work.name)),
        }
    }
    report.print();
    report.write_json(&options.json)?;
    if let Some(document) = &options.document {
        report.write_document(document, options.rows, &options.command)?;
    }
    ensure!(failed.is_empty(), "{}", failed.join("\n"));
    Ok(())
}

fn chosen(only: &[String]) -> Result<Vec<Work>> {
    let all = works();
    for name in only {
        if !all.iter().any(|work| work.name == name) {
            let names: Vec<_> = all.iter().map(|work| work.name).collect();
            bail!("unknown work `{name}`; the works are {}", names.join(", "));
        }
    }
    let mut works = all;
    works.retain(|work| only.is_empty() || only.iter().any(|name| name == work.name));
    Ok(works)
}

/// One side of a work during the measurement.
struct Asked {
    load: Load,
    wrk: Option<Wrk>,
    pid: u32,
    slices: Vec<Slice>,
    server: Duration,
    database: Duration,
}

impl Asked {
    async fn start(
        side: &Side,
        connections: usize,
        servers: &mut Servers,
        databases: &Databases,
        is_wrk: bool,
    ) -> Result<Self> {
        let running = servers.get(&side.server, databases)?;
        let targets = side
            .requests
            .targets(databases.rows, running.address)
            .await?;
        let (wrk, own) = match is_wrk {
            true => (Some(Wrk::new(running.address, &targets, connections)?), 1),
            false => (None, connections),
        };
        Ok(Self {
            load: Load::start(running.address, &targets, own).await?,
            wrk,
            pid: running.pid,
            slices: Vec::new(),
            server: Duration::ZERO,
            database: Duration::ZERO,
        })
    }

    async fn ask(&mut self, length: Duration) -> Result<Slice> {
        match &self.wrk {
            Some(wrk) => wrk.slice(length),
            None => self.load.slice(length).await,
        }
    }

    async fn slice(&mut self, length: Duration, database: DatabaseProcess) -> Result<f64> {
        let before = (time_of(self.pid), database.time());
        let slice = self.ask(length).await?;
        self.server += time_of(self.pid).saturating_sub(before.0);
        self.database += database.time().saturating_sub(before.1);
        let per_second = slice.per_second();
        self.slices.push(slice);
        Ok(per_second)
    }

    fn cost(&self) -> Cost {
        let requests: u64 = self.slices.iter().map(|slice| slice.requests).sum();
        let of_each = |time: Duration| time / u32::try_from(requests).unwrap_or(u32::MAX).max(1);
        let mut rates: Vec<_> = self.slices.iter().map(Slice::per_second).collect();
        Cost {
            per_second: median(&mut rates),
            server: of_each(self.server),
            database: of_each(self.database),
        }
    }
}

async fn measure(
    work: &Work,
    servers: &mut Servers,
    databases: &Databases,
    options: &Options,
) -> Result<Measured> {
    let (connections, wrk) = (work.connections, options.wrk);
    let mut ours = Asked::start(&work.ours, connections, servers, databases, wrk).await?;
    let mut baseline = Asked::start(&work.baseline, connections, servers, databases, wrk).await?;
    compare(work.same, &ours.load, &baseline.load)?;
    let database = DatabaseProcess::find(databases, work.ours.server.engine).await;
    // Both fill their caches: plans, statements, the allocator's pages.
    ours.ask(options.slice / 2).await?;
    baseline.ask(options.slice / 2).await?;
    let mut ratios = Vec::with_capacity(options.rounds);
    for round in 0..options.rounds {
        // In turns, and each goes first equally often, so that whatever else the machine does affects both.
        let (a, b);
        if round % 2 == 0 {
            a = ours.slice(options.slice, database).await?;
            b = baseline.slice(options.slice, database).await?;
        } else {
            b = baseline.slice(options.slice, database).await?;
            a = ours.slice(options.slice, database).await?;
        }
        ratios.push(a / b);
    }
    Ok(Measured::new(work, ours.cost(), baseline.cost(), ratios))
}

fn compare(same: Same, ours: &Load, baseline: &Load) -> Result<()> {
    for (ours, baseline) in ours.targets().iter().zip(baseline.targets()) {
        let equal = match same {
            Same::Nothing => true,
            Same::Bytes => ours.body == baseline.body,
            Same::Ids => ids(&ours.body)? == ids(&baseline.body)?,
        };
        ensure!(
            equal,
            "the two sides answer differently:\n{}\n{}",
            String::from_utf8_lossy(&ours.body),
            String::from_utf8_lossy(&baseline.body)
        );
    }
    Ok(())
}

fn ids(body: &[u8]) -> Result<Vec<Value>> {
    let body: Value = serde_json::from_slice(body)?;
    let items = body["data"].as_array().context("no items")?;
    Ok(items.iter().map(|item| item["id"].clone()).collect())
}
