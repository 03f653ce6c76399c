//! The line that says how far a run is.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::seen::{Seen, listed};
use crate::interrupt;

/// How often the line is written where it can be written over, and where it cannot.
const OFTEN: Duration = Duration::from_secs(1);
const SELDOM: Duration = Duration::from_secs(15);

pub(super) struct Progress {
    begun: Instant,
    /// For how long faults happen, if there is a time for that.
    planned: Option<Duration>,
    written: Instant,
    requests: u64,
    is_terminal: bool,
}

impl Progress {
    pub(super) fn new(planned: Option<Duration>) -> Self {
        Self {
            begun: Instant::now(),
            planned,
            written: Instant::now(),
            requests: 0,
            is_terminal: stderr().is_terminal(),
        }
    }

    /// How long the run has taken so far.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Lets time pass, and says what happens meanwhile.
    pub(super) fn pass(&mut self, time: Duration, seen: &Seen, what: &str) -> Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < time {
            interrupt::check()?;
            self.tell(seen, what);
            thread::sleep(interrupt::POLL.min(time));
        }
        Ok(())
    }

    pub(super) fn tell(&mut self, seen: &Seen, what: &str) {
        let since = self.written.elapsed();
        if since < if self.is_terminal { OFTEN } else { SELDOM } {
            return;
        }
        self.written = Instant::now();
        let requests = seen.requests.load(Ordering::Relaxed);
        let rate = u128::from(requests - self.requests) * 1000 / since.as_millis().max(1);
        self.requests = requests;
        let planned = self.planned.map(|time| format!(" of {}", clock(time)));
        let line = format!(
            "{}{} · {rate} requests/s · errors: {} · wrong {} · stale {} · {what}",
            clock(self.begun.elapsed()),
            planned.unwrap_or_default(),
            listed(&seen.all_errors()),
            seen.wrong.load(Ordering::Relaxed),
            seen.stale.load(Ordering::Relaxed),
        );
        if self.is_terminal {
            eprint!("\r{line}\x1b[K");
            let _ = stderr().flush();
        } else {
            eprintln!("{line}");
        }
    }

    /// Makes room for a line of the results.
    pub(super) fn clear(&self) {
        if self.is_terminal {
            eprint!("\r\x1b[K");
        }
    }
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
