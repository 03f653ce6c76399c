//! The faults, one after the other, on one database.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::database::Database;
use super::load::Load;
use super::service::Service;
use crate::databases::{Engine, Sources};
use crate::interrupt;
use crate::machine::relay::Relay;

/// For how long a database is slow: long enough that requests wait, shorter than they may take.
const SLOW: Duration = Duration::from_secs(2);

/// For how long it stands still: longer than a request may take, and longer than one waits for a connection.
const STILL: Duration = Duration::from_secs(12);

/// For how long a database is away, and a disk is full.
const AWAY: Duration = Duration::from_secs(1);

/// The time in which the application must be told of all that was written: long enough for another copy to take over.
const LONGEST_TELLING: Duration = Duration::from_secs(60);

/// How often all connections to the database are reset, and how many clients leave.
const TIMES: usize = 20;

/// How many clients do nothing at the same time.
const CROWD: usize = 10_000;

type Errors = BTreeMap<String, u64>;

/// What became of all requests to one service.
#[derive(Default)]
pub(super) struct Total {
    pub(super) requests: u64,
    pub(super) wrong: u64,
    /// Answers that broke off, which they may when a service is killed.
    pub(super) cut: u64,
    pub(super) acknowledged: usize,
    pub(super) lost: usize,
    /// Batches of which only a part was written.
    pub(super) half_written: usize,
    /// Writes whose events never reached the application.
    pub(super) untold: usize,
}

impl Total {
    /// Ends a load, and looks for what was acknowledged.
    fn count(&mut self, load: Load, service: &Service) -> Result<()> {
        let finished = load.finish()?;
        self.requests += finished.seen.requests.load(Ordering::Relaxed);
        self.wrong += finished.seen.wrong.load(Ordering::Relaxed);
        self.acknowledged += finished.acknowledged.len();
        self.lost += finished.lost;
        self.half_written += finished.half_written;
        self.untold += untold(&finished.acknowledged, service)?;
        Ok(())
    }
}

/// Of how many of these the application was not told, once it had the time for it.
fn untold(acknowledged: &[u64], service: &Service) -> Result<usize> {
    let begun = Instant::now();
    loop {
        let told = service.told();
        let untold = acknowledged.iter().filter(|id| !told.contains(id)).count();
        if untold == 0 || begun.elapsed() > LONGEST_TELLING {
            return Ok(untold);
        }
        interrupt::check()?;
        thread::sleep(AWAY);
    }
}

/// A service on its database.
pub(super) struct Scenario {
    engine: Engine,
    database: Database,
    service: Service,
    total: Total,
}

impl Scenario {
    pub(super) fn start(engine: Engine, sources: &Sources, program: &Path) -> Result<Self> {
        let database = Database::start(engine, sources)?;
        let service = Service::new(program.to_path_buf(), &database.url)?;
        Ok(Self {
            engine,
            database,
            service,
            total: Total::default(),
        })
    }

    /// All faults. The short form leaves out those that take long by their nature.
    pub(super) fn run(mut self, program: &Path, kills: usize, is_short: bool) -> Result<Total> {
        let has_server = self.engine != Engine::Sqlite;
        if has_server {
            self.away_at_the_start()?;
        } else {
            self.service.start()?;
        }
        let load = Load::start(self.service.address)?;
        load.recovered()?;
        if has_server {
            self.restarted(&load)?;
            if !is_short {
                self.slow(&load)?;
            }
        }
        self.clients_left(&load)?;
        if !is_short {
            self.crowded(&load)?;
        }
        self.service_killed(&load, kills)?;
        if has_server {
            self.database_killed(&load, kills)?;
        }
        self.terminated(&load)?;
        if has_server {
            self.reset_and_still(&load, is_short)?;
        }
        self.total.count(load, &self.service)?;
        if !has_server {
            self.disk_full(program)?;
        }
        Ok(self.total)
    }

    /// The service waits, and is not ready.
    fn away_at_the_start(&mut self) -> Result<()> {
        self.database.stop();
        self.service.launch()?;
        thread::sleep(AWAY);
        ensure!(!self.service.is_ready(), "ready without a database");
        self.database.up()?;
        let begun = Instant::now();
        self.service.wait_until_ready()?;
        self.tell(
            "database away at the start: not ready",
            &Errors::new(),
            begun.elapsed(),
        );
        Ok(())
    }

    fn restarted(&mut self, load: &Load) -> Result<()> {
        self.database.stop();
        thread::sleep(AWAY);
        self.database.up()?;
        let after = load.recovered()?;
        let errors = load.seen.take_errors();
        none(&errors, &["500", "cut"])?;
        self.tell("database stopped and started", &errors, after);
        Ok(())
    }

    fn slow(&mut self, load: &Load) -> Result<()> {
        self.database.freeze()?;
        thread::sleep(SLOW);
        self.database.thaw()?;
        let after = load.recovered()?;
        let errors = load.seen.take_errors();
        ensure!(
            errors.is_empty(),
            "errors where one only had to wait: {errors:?}"
        );
        self.tell("database still for 2 s", &errors, after);
        Ok(())
    }

    /// Some in the middle of a request, some before its answer.
    fn clients_left(&mut self, load: &Load) -> Result<()> {
        let whole = "GET /api/articles?populate=*&pagination[pageSize]=100 HTTP/1.1\r\nhost: faults\r\n\r\n";
        let half = "POST /api/articles HTTP/1.1\r\nhost: faults\r\ncontent-type: application/json\r\n\
                    content-length: 1000\r\n\r\n{\"title\":";
        for at in 0..TIMES * 5 {
            let mut client = TcpStream::connect(self.service.address)?;
            client.write_all(if at % 2 == 0 { whole } else { half }.as_bytes())?;
        }
        let after = load.recovered()?;
        let errors = load.seen.take_errors();
        ensure!(errors.is_empty(), "errors because others left: {errors:?}");
        self.tell(&format!("clients left, {} ×", TIMES * 5), &errors, after);
        Ok(())
    }

    /// Clients that are connected and say nothing, or half of what they have to say.
    fn crowded(&mut self, load: &Load) -> Result<()> {
        let half = b"GET /api/articles HTTP/1.1\r\nhost: fau";
        let mut crowd = Vec::with_capacity(CROWD);
        for at in 0..CROWD {
            let mut client = TcpStream::connect(self.service.address)?;
            if at % 2 == 0 {
                client.write_all(half)?;
            }
            crowd.push(client);
        }
        let after = load.recovered()?;
        drop(crowd);
        load.recovered()?;
        let errors = load.seen.take_errors();
        // A connection of ours may have to make room between two requests.
        none(&errors, &["500", "503", "504", "cut"])?;
        self.tell(&format!("{CROWD} idle and slow clients"), &errors, after);
        Ok(())
    }

    fn service_killed(&mut self, load: &Load, times: usize) -> Result<()> {
        let mut longest = Duration::ZERO;
        for _ in 0..times {
            interrupt::check()?;
            self.service.kill();
            self.service.start()?;
            longest = longest.max(load.recovered()?);
        }
        let errors = load.seen.take_errors();
        none(&errors, &["500"])?;
        self.tell(&format!("service killed, {times} ×"), &errors, longest);
        Ok(())
    }

    fn database_killed(&mut self, load: &Load, times: usize) -> Result<()> {
        let mut longest = Duration::ZERO;
        for _ in 0..times {
            interrupt::check()?;
            self.database.kill()?;
            self.database.up()?;
            longest = longest.max(load.recovered()?);
        }
        let errors = load.seen.take_errors();
        none(&errors, &["500", "cut"])?;
        self.tell(&format!("database killed, {times} ×"), &errors, longest);
        Ok(())
    }

    fn terminated(&mut self, load: &Load) -> Result<()> {
        let took = self.service.terminate()?;
        self.service.start()?;
        let after = load.recovered()?;
        let errors = load.seen.take_errors();
        // What was under way is answered; the next request finds nobody.
        none(&errors, &["500", "503", "cut"])?;
        let took = took.as_secs_f64();
        self.tell(&format!("SIGTERM, ended after {took:.2} s"), &errors, after);
        Ok(())
    }

    /// With one connection for writing, through a proxy.
    fn reset_and_still(&mut self, load: &Load, is_short: bool) -> Result<()> {
        let address = self.database.address()?;
        let proxy = Relay::start(address)?;
        let proxied = proxy.address.to_string();
        self.service.database = (self.service.database).replace(&address.to_string(), &proxied);
        self.service.connections = Some(1);
        self.service.terminate()?;
        self.service.start()?;
        load.recovered()?;
        load.seen.take_errors();
        let mut reset = 0;
        for _ in 0..TIMES {
            reset += proxy.reset();
            load.recovered()?;
        }
        let after = load.recovered()?;
        let errors = load.seen.take_errors();
        none(&errors, &["500", "cut", "no answer"])?;
        self.tell(&format!("connections reset, {reset} ×"), &errors, after);
        if !is_short {
            self.database.freeze()?;
            thread::sleep(STILL);
            self.database.thaw()?;
            let after = load.recovered()?;
            let errors = load.seen.take_errors();
            none(&errors, &["500", "cut", "no answer"])?;
            let what = "database still for 12 s, one connection for writing";
            self.tell(what, &errors, after);
        }
        // Before the proxy ends.
        self.service.database = (self.service.database).replace(&proxied, &address.to_string());
        self.service.terminate()?;
        self.service.start()?;
        load.recovered()?;
        Ok(())
    }

    /// On a disk of its own, where the system lets this user have one.
    fn disk_full(&mut self, program: &Path) -> Result<()> {
        let service = Service::on_small_disk(program.to_path_buf(), "32m")?;
        let Some(mut service) = service else {
            println!("| sqlite | disk full | not tried: this user cannot mount one | |");
            return Ok(());
        };
        service.start()?;
        let load = Load::start(service.address)?;
        load.recovered()?;
        let filler = service.on_disk("filler")?;
        let mut file = File::create(&filler).context("cannot fill the disk")?;
        while file.write_all(&[0; 4096]).is_ok() {}
        thread::sleep(AWAY);
        let before = load.reads();
        thread::sleep(AWAY);
        ensure!(
            load.reads() > before,
            "nothing can be read from a full disk"
        );
        fs::remove_file(filler)?;
        drop(file);
        let after = load.recovered()?;
        let errors = load.seen.take_errors();
        ensure!(
            errors.contains_key("503"),
            "the disk was not full: {errors:?}"
        );
        none(&errors, &["500", "cut", "no answer"])?;
        self.tell("disk full for 2 s", &errors, after);
        self.total.count(load, &service)
    }

    fn tell(&mut self, fault: &str, errors: &Errors, after: Duration) {
        self.total.cut += errors.get("cut").copied().unwrap_or_default();
        let shown: Vec<_> = errors
            .iter()
            .map(|(kind, times)| format!("{times} × {kind}"))
            .collect();
        let shown = match shown.is_empty() {
            true => "none".to_owned(),
            false => shown.join(", "),
        };
        let (engine, after) = (self.engine.name(), after.as_secs_f64());
        println!("| {engine} | {fault} | {shown} | {after:.2} s |");
    }
}

/// Fails if there are errors of these kinds.
fn none(errors: &Errors, kinds: &[&str]) -> Result<()> {
    let wrong = kinds.iter().find(|kind| errors.contains_key(**kind));
    ensure!(wrong.is_none(), "errors that should not be: {errors:?}");
    Ok(())
}
