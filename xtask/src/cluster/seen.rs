//! What has become of requests so far.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::machine::client::Answer;

/// Statuses that a fault explains: the client is asked to come again, or a proxy had nobody to turn to.
const TEMPORARY: [u16; 4] = [409, 502, 503, 504];

/// How many mistakes are shown, so that one that is made all the time does not bury the others.
const SHOWN: u64 = 20;

pub(super) type Errors = BTreeMap<String, u64>;

#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) requests: AtomicU64,
    /// Bodies that are not what was asked for.
    pub(super) wrong: AtomicU64,
    /// Reads that did not show what their client had written before.
    pub(super) stale: AtomicU64,
    /// Errors that no fault explains.
    pub(super) unexpected: AtomicU64,
    /// Reads of own writes.
    pub(super) own: AtomicU64,
    shown: AtomicU64,
    /// By status, or by what happened instead.
    errors: Mutex<Errors>,
    all_errors: Mutex<Errors>,
}

impl Seen {
    /// An answer that is an error.
    pub(super) fn failed(&self, request: &str, answer: &Answer) {
        let kind = match answer {
            Answer::Whole { status, body, .. } => format!("{status} {}", who_says(body)),
            Answer::None => "no answer".to_owned(),
            Answer::Cut => "cut".to_owned(),
        };
        for errors in [&self.errors, &self.all_errors] {
            *lock(errors).entry(kind.clone()).or_default() += 1;
        }
        if let Answer::Whole { status, body, .. } = answer
            && !TEMPORARY.contains(status)
        {
            self.unexpected.fetch_add(1, Ordering::Relaxed);
            self.show(&format!("{request}: {status} {}", text(body)));
        }
    }

    pub(super) fn wrong(&self, request: &str, body: &[u8]) {
        self.wrong.fetch_add(1, Ordering::Relaxed);
        self.show(&format!("{request}: wrong: {}", text(body)));
    }

    pub(super) fn stale(&self, request: &str, what: &str) {
        self.stale.fetch_add(1, Ordering::Relaxed);
        self.show(&format!("{request}: stale: {what}"));
    }

    fn show(&self, mistake: &str) {
        if self.shown.fetch_add(1, Ordering::Relaxed) < SHOWN {
            eprintln!("\n{mistake}");
        }
    }

    /// The errors since this was last asked.
    pub(super) fn take_errors(&self) -> Errors {
        std::mem::take(&mut *lock(&self.errors))
    }

    pub(super) fn all_errors(&self) -> Errors {
        lock(&self.all_errors).clone()
    }
}

/// For how long at most a client went without a right answer.
#[derive(Debug)]
pub(super) struct Pulse(Mutex<Beats>);

#[derive(Debug)]
struct Beats {
    number: u64,
    last: Instant,
    longest: Duration,
}

impl Default for Pulse {
    fn default() -> Self {
        Self(Mutex::new(Beats {
            number: 0,
            last: Instant::now(),
            longest: Duration::ZERO,
        }))
    }
}

impl Pulse {
    /// A right answer.
    pub(super) fn beat(&self) {
        self.beat_at(Instant::now());
    }

    fn beat_at(&self, now: Instant) {
        let mut beats = lock(&self.0);
        let silent = now.saturating_duration_since(beats.last);
        beats.longest = beats.longest.max(silent);
        beats.last = now;
        beats.number += 1;
    }

    /// Forgets what was before.
    pub(super) fn start(&self) {
        let mut beats = lock(&self.0);
        beats.longest = Duration::ZERO;
        beats.last = Instant::now();
    }

    pub(super) fn longest(&self) -> Duration {
        lock(&self.0).longest
    }

    pub(super) fn number(&self) -> u64 {
        lock(&self.0).number
    }
}

/// Errors as people read them.
pub(super) fn listed(errors: &Errors) -> String {
    let listed = errors
        .iter()
        .map(|(kind, times)| format!("{times} × {kind}"));
    match listed.collect::<Vec<_>>() {
        none if none.is_empty() => "none".to_owned(),
        some => some.join(", "),
    }
}

/// The code of an error of the service, or else that a proxy has answered.
fn who_says(body: &[u8]) -> String {
    let body: Option<Value> = serde_json::from_slice(body).ok();
    let code = body.and_then(|body| Some(body["error"]["code"].as_str()?.to_owned()));
    code.unwrap_or_else(|| "(proxy)".to_owned())
}

fn text(body: &[u8]) -> String {
    String::from_utf8_lossy(body).chars().take(400).collect()
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b1171.
    #[test]
    fn an_error_that_no_fault_explains_is_unexpected() {
        let seen = Seen::default();
        let answer = |status| Answer::Whole {
            status,
            head: String::new(),
            body: br#"{"error":{"code":"busy"}}"#.to_vec(),
        };
        for status in TEMPORARY {
            seen.failed("GET /", &answer(status));
        }
        seen.failed("GET /", &Answer::None);
        assert_eq!(seen.unexpected.load(Ordering::Relaxed), 0);
        for status in [404, 422, 500] {
            seen.failed("GET /", &answer(status));
        }
        assert_eq!(seen.unexpected.load(Ordering::Relaxed), 3);
        assert_eq!(
            listed(&seen.take_errors()),
            "1 × 404 busy, 1 × 409 busy, 1 × 422 busy, 1 × 500 busy, 1 × 502 busy, 1 × 503 busy, 1 × 504 busy, 1 × no answer"
        );
        assert_eq!(listed(&seen.take_errors()), "none");
        assert_eq!(seen.all_errors().len(), 8);
        assert_eq!(who_says(b"<html>"), "(proxy)");
    }

    #[test]
    fn a_pulse_tells_the_longest_time_without_an_answer() {
        let pulse = Pulse::default();
        let now = Instant::now();
        for seconds in [1, 21, 22] {
            pulse.beat_at(now + Duration::from_secs(seconds));
        }
        assert_eq!(pulse.longest(), Duration::from_secs(20));
        pulse.start();
        assert_eq!(pulse.longest(), Duration::ZERO);
        assert_eq!(pulse.number(), 3);
    }
}
