//! Clients that read, write and read what they wrote, and verify every answer.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use super::seen::{Pulse, Seen, lock};
use super::writer::{Writer, Written};
use crate::interrupt;
use crate::machine::client::{Answer, Client};

const READERS: usize = 3;
const WRITERS: usize = 3;

/// Nothing writes to these.
const TARGETS: [&str; 5] = [
    "/api/authors?fields=name&sort=id&filters[country]=DE",
    "/api/authors?sort=id&pagination[pageSize]=5",
    "/api/tags?sort=id&pagination[page]=2&pagination[pageSize]=10",
    "/api/authors/3",
    "/api/comments?sort=id&pagination[pageSize]=20",
];

/// Between two requests of a client. It leaves processors to the cluster, which is on the same machine: what is measured
/// is not speed.
pub(super) const PACE: Duration = Duration::from_millis(5);

/// A client that is refused comes again a little later, as one that minds `Retry-After` would.
pub(super) const PAUSE: Duration = Duration::from_millis(50);

/// Clients at work; they end when it is dropped.
pub(super) struct Load {
    pub(super) seen: Arc<Seen>,
    readers: Arc<Vec<Pulse>>,
    writers: Arc<Vec<Pulse>>,
    written: Arc<Mutex<Vec<Written>>>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// The seed makes the names of what is written, and the keys of the requests, other ones in each run.
    pub(super) fn start(address: SocketAddr, seed: u64) -> Result<Self> {
        let mut known = Vec::new();
        let mut client = Client::new(address);
        for target in TARGETS {
            match client.get(target) {
                Answer::Whole {
                    status: 200, body, ..
                } => known.push((target, body)),
                Answer::Whole { status, .. } => bail!("{target} was answered with {status}"),
                Answer::None | Answer::Cut => bail!("{target} was not answered"),
            }
        }
        let pulses = |number| Arc::new((0..number).map(|_| Pulse::default()).collect::<Vec<_>>());
        let mut load = Self {
            seen: Arc::default(),
            readers: pulses(READERS),
            writers: pulses(WRITERS),
            written: Arc::default(),
            stop: Arc::default(),
            threads: Vec::new(),
        };
        let known = Arc::new(known);
        for number in 0..READERS {
            let (seen, stop) = (Arc::clone(&load.seen), Arc::clone(&load.stop));
            let (known, pulses) = (Arc::clone(&known), Arc::clone(&load.readers));
            load.threads.push(thread::spawn(move || {
                let mut client = Client::new(address);
                let targets = known.iter().cycle().skip(number);
                for (target, expected) in targets.take_while(|_| !stop.load(Ordering::Relaxed)) {
                    read(&mut client, target, expected, &seen, &pulses[number]);
                }
            }));
        }
        for number in 0..WRITERS {
            let mut writer = Writer::new(
                address,
                format!("cluster-{seed}-{number}"),
                Arc::clone(&load.seen),
                Arc::clone(&load.stop),
            );
            let (pulses, written) = (Arc::clone(&load.writers), Arc::clone(&load.written));
            load.threads.push(thread::spawn(move || {
                writer.work(&pulses[number]);
                lock(&written).append(&mut writer.written);
            }));
        }
        Ok(load)
    }

    /// From now on it is measured for how long clients go without an answer.
    pub(super) fn mark(&self) {
        self.pulses().for_each(Pulse::start);
    }

    /// Waits until reading and writing have worked for every client from now on.
    pub(super) fn wait_until_recovered(&self, limit: Duration) -> Result<()> {
        let begun = Instant::now();
        let before: Vec<_> = self.pulses().map(Pulse::number).collect();
        let works = |(pulse, before): (&Pulse, &u64)| pulse.number() > before + 2;
        while !self.pulses().zip(&before).all(works) {
            interrupt::check()?;
            let seconds = limit.as_secs();
            ensure!(
                begun.elapsed() < limit,
                "some client has no answer {seconds} s after the fault is over; {:?}",
                self.seen
            );
            thread::sleep(interrupt::POLL);
        }
        Ok(())
    }

    /// The longest times without an answer, of those that read and of those that write.
    pub(super) fn silence(&self) -> (Duration, Duration) {
        let longest =
            |pulses: &[Pulse]| pulses.iter().map(Pulse::longest).max().unwrap_or_default();
        (longest(&self.readers), longest(&self.writers))
    }

    /// Ends the clients, and gives all that was acknowledged to them.
    pub(super) fn finish(mut self) -> Vec<Written> {
        self.end();
        std::mem::take(&mut *lock(&self.written))
    }

    fn pulses(&self) -> impl Iterator<Item = &Pulse> {
        self.readers.iter().chain(self.writers.iter())
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.end();
    }
}

fn read(client: &mut Client, target: &str, expected: &[u8], seen: &Seen, pulse: &Pulse) {
    seen.requests.fetch_add(1, Ordering::Relaxed);
    match client.get(target) {
        Answer::Whole {
            status: 200, body, ..
        } => {
            if body == expected {
                pulse.beat();
            } else {
                seen.wrong(target, &body);
            }
            thread::sleep(PACE);
        }
        other => {
            seen.failed(target, &other);
            thread::sleep(PAUSE);
        }
    }
}
