//! Measures what a list costs a service that reads it from a replica, next to the same service without one.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sea_orm::{ConnectionTrait, Database, Statement};
use tokio::time::{Instant, sleep};

use crate::cpu::time_of;
use crate::data::{self, Databases, Engine, at_database};
use crate::load::Load;
use crate::report::{median, spread};
use crate::requests::Requests;
use crate::run::Places;
use crate::servers::{Running, built_with_this, start_program};

const ROUNDS: usize = 15;
const SLICE: Duration = Duration::from_millis(1500);
const CLIENTS: usize = 16;
/// How much more processor time of the service a request may take.
const MOST: f64 = 1.05;
/// How long a replica may take to copy the rows.
const PATIENCE: Duration = Duration::from_secs(300);

/// Asks both for the same lists in turns.
///
/// # Errors
/// When a request takes the service with a replica much more processor time, or the replica is not read from.
pub async fn replicas(places: &Places, rows: u64, replica: &str) -> Result<()> {
    let databases = data::load(places, rows, &[Engine::Postgres]).await?;
    let replica = copied(&databases, replica).await?;
    let alone = service(&databases, None)?;
    let replicated = service(&databases, Some(&replica))?;
    let mut missed = Vec::new();
    println!("| list | with a replica, µs | without, µs | ratio | spread |");
    println!("|---|---|---|---|---|");
    for (what, requests) in [
        ("page", Requests::Pages),
        ("filtered, counted", Requests::ByAuthor),
        ("with relations", Requests::Populated),
    ] {
        let targets = requests.targets(rows, alone.address).await?;
        let mut with = Side::start(&replicated, &targets).await?;
        let mut without = Side::start(&alone, &targets).await?;
        let before = transactions(&replica).await?;
        let (mut ratios, mut times) = (Vec::new(), (Vec::new(), Vec::new()));
        let mut asked = 0;
        for round in 0..=ROUNDS {
            let (a, b);
            if round % 2 == 0 {
                a = with.slice().await?;
                b = without.slice().await?;
            } else {
                b = without.slice().await?;
                a = with.slice().await?;
            }
            asked += a.requests;
            if round > 0 {
                ratios.push(a.time / b.time);
                times.0.push(a.time);
                times.1.push(b.time);
            }
        }
        let run = transactions(&replica).await? - before;
        ensure!(
            run >= i64::try_from(asked)?,
            "{what}: {run} transactions on the replica for {asked} lists"
        );
        let ratio = median(&mut ratios);
        println!(
            "| {what} | {:.1} | {:.1} | {ratio:.2} | {} |",
            median(&mut times.0),
            median(&mut times.1),
            spread(&ratios)
        );
        if ratio > MOST {
            missed.push(format!("{what}: {ratio:.2}"));
        }
    }
    ensure!(
        missed.is_empty(),
        "more than {MOST} times the processor time: {}",
        missed.join("; ")
    );
    Ok(())
}

/// The database on the replica, once it has all rows.
async fn copied(databases: &Databases, replica: &str) -> Result<String> {
    let (_, name) = databases
        .url(Engine::Postgres)
        .rsplit_once('/')
        .context("no database")?;
    let url = at_database(replica, name)?;
    let until = Instant::now() + PATIENCE;
    let rows = i64::try_from(databases.rows)?;
    while number(&url, "SELECT COUNT(*) FROM articles").await.ok() != Some(rows) {
        ensure!(
            Instant::now() < until,
            "the replica has not copied the rows"
        );
        sleep(Duration::from_millis(500)).await;
    }
    Ok(url)
}

fn service(databases: &Databases, replica: Option<&str>) -> Result<Running> {
    let mut blog = built_with_this("blog")?;
    if let Some(replica) = replica {
        blog.env("LISTING_DATABASE_REPLICAS", replica);
    }
    start_program(blog, databases.url(Engine::Postgres))
}

async fn transactions(url: &str) -> Result<i64> {
    let sql = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()";
    // What a session has done is counted a little later.
    sleep(Duration::from_secs(2)).await;
    number(url, sql).await
}

async fn number(url: &str, sql: &str) -> Result<i64> {
    let db = Database::connect(url).await?;
    let asked = Statement::from_string(db.get_database_backend(), sql);
    let row = db.query_one_raw(asked).await?.context("no row")?;
    let number = row.try_get_by_index(0)?;
    db.close().await?;
    Ok(number)
}

struct Side {
    load: Load,
    pid: u32,
}

struct Taken {
    requests: u64,
    /// Microseconds of processor time for each request.
    time: f64,
}

impl Side {
    async fn start(running: &Running, targets: &[String]) -> Result<Self> {
        Ok(Self {
            load: Load::start(running.address, targets, CLIENTS).await?,
            pid: running.pid,
        })
    }

    async fn slice(&mut self) -> Result<Taken> {
        let before = time_of(self.pid);
        let requests = self.load.slice(SLICE).await?.requests;
        let time = (time_of(self.pid) - before).as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 requests")]
        let time = time * 1e6 / requests as f64;
        Ok(Taken { requests, time })
    }
}
