//! One run: the cluster in health, the faults one after the other, and what is there in the end.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::Engine;
use super::draw::Draw;
use super::fault::{self, Fault};
use super::load::Load;
use super::progress::Progress;
use super::seen::listed;
use super::shares;
use super::system::System;
use super::total::Total;
use super::verify;
use crate::interrupt;

/// How long everything works before the first fault.
const HEALTHY: Duration = Duration::from_secs(10);

/// Between two faults.
const REST: Duration = Duration::from_secs(2);

/// The time in which every client must have right answers again, once everything else is in order.
const LONGEST_RECOVERY: Duration = Duration::from_secs(60);

/// How long a node that is in order may take to carry out the last writes.
const CATCH_UP: Duration = Duration::from_secs(3);

pub(super) struct Scenario {
    engine: Engine,
    seed: u64,
    system: System,
    load: Load,
    progress: Progress,
    total: Total,
}

impl Scenario {
    pub(super) fn start(engine: Engine, program: &Path, seed: u64) -> Result<Self> {
        eprintln!("starting the cluster");
        let system = System::start(engine, program)?;
        let load = Load::start(system.address, seed)?;
        Ok(Self {
            engine,
            seed,
            system,
            load,
            progress: Progress::new(None),
            total: Total::default(),
        })
    }

    /// With faults for this time, or with the few of the short form.
    pub(super) fn run(mut self, time: Option<Duration>) -> Result<Total> {
        let done = self.all(time);
        self.progress.clear();
        let Err(error) = done else {
            self.system.wait_until_healthy(|| ())?;
            return self.count();
        };
        eprintln!("{}", self.system.last_words());
        // What was acknowledged is there even if the cluster is not in order; somebody who ends the run does not ask.
        if interrupt::check().is_ok() {
            match self.count() {
                Ok(total) => print!("{total}"),
                Err(error) => eprintln!("what clients wrote could not be counted: {error:#}"),
            }
        }
        Err(error)
    }

    fn all(&mut self, time: Option<Duration>) -> Result<()> {
        self.healthy()?;
        self.progress = Progress::new(time);
        println!(
            "| fault | errors | reads without an answer | writes without an answer | everything in order after |"
        );
        println!("|---|---|---|---|---|");
        let mut draw = Draw::new(self.seed);
        if let Some(time) = time {
            for fault in fault::faults(self.engine, self.seed) {
                self.fault(fault, draw.below(usize::MAX))?;
                if self.progress.elapsed() > time {
                    break;
                }
            }
        } else {
            for fault in fault::SHORT {
                self.fault(fault, draw.below(usize::MAX))?;
            }
        }
        Ok(())
    }

    /// How fast it is, and who reads, while nothing is wrong.
    fn healthy(&mut self) -> Result<()> {
        self.load.wait_until_recovered(LONGEST_RECOVERY)?;
        let primary = self.system.primary()?;
        shares::reset(&self.system.nodes)?;
        let requests = self.requests();
        self.progress = Progress::new(Some(HEALTHY));
        self.progress.pass(HEALTHY, &self.load.seen, "healthy")?;
        let passed = (self.requests() - requests) as f64;
        self.total.healthy_rate = passed / self.progress.elapsed().as_secs_f64();
        self.total.share = shares::of_primary(&self.system.nodes, primary)?;
        Ok(())
    }

    fn fault(&mut self, fault: Fault, number: usize) -> Result<()> {
        self.load.seen.take_errors();
        self.load.mark();
        let begun = Instant::now();
        let what = fault.to_string();
        let hit = self.system.begin(fault, number);
        let hit = hit.with_context(|| what.clone())?;
        self.progress.pass(fault.away, &self.load.seen, &what)?;
        self.system.end(fault, hit).with_context(|| what.clone())?;
        self.wait_until_healthy(&what)?;
        let after = begun.elapsed().saturating_sub(fault.away);
        self.load
            .wait_until_recovered(LONGEST_RECOVERY)
            .with_context(|| what.clone())?;
        let (reads, writes) = self.load.silence();
        let errors = listed(&self.load.seen.take_errors());
        self.progress.clear();
        let [reads, writes, after] = [reads, writes, after].map(|time| time.as_secs_f64());
        println!("| {what} | {errors} | {reads:.1} s | {writes:.1} s | {after:.1} s |");
        self.total.told(reads, writes);
        self.progress.pass(REST, &self.load.seen, "rest")
    }

    fn wait_until_healthy(&mut self, what: &str) -> Result<()> {
        let Self {
            system,
            progress,
            load,
            ..
        } = self;
        system
            .wait_until_healthy(|| progress.tell(&load.seen, what))
            .with_context(|| what.to_owned())
    }

    fn requests(&self) -> u64 {
        self.load.seen.requests.load(Ordering::Relaxed)
    }

    /// Ends the clients, and looks for what they wrote.
    fn count(mut self) -> Result<Total> {
        let seen = self.load.seen.clone();
        let written = self.load.finish();
        thread::sleep(CATCH_UP);
        let number = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        self.total.requests = number(&seen.requests);
        self.total.wrong = number(&seen.wrong);
        self.total.stale = number(&seen.stale);
        self.total.own = number(&seen.own);
        self.total.unexpected = number(&seen.unexpected);
        self.total.errors = seen.all_errors();
        self.total.acknowledged = written.len();
        self.total.lost = verify::lost(&self.system, &written)?;
        Ok(self.total)
    }
}
