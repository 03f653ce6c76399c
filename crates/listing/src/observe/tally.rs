//! Counters of the whole process, which cost one addition each: the only place for numbers that a service wants to show.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that only grows.
#[derive(Debug, Default)]
pub struct TallyCounter(AtomicU64);

impl TallyCounter {
    /// A counter at zero.
    pub const fn zero() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Adds one.
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// The current value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number of things that exist at the moment.
#[derive(Debug, Default)]
pub struct TallyLevel(AtomicU64);

impl TallyLevel {
    /// A level of zero.
    pub const fn zero() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Adds one until the returned value is dropped.
    #[must_use = "it counts until this is dropped"]
    pub fn enter(&self) -> TallyEntered<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        TallyEntered(self)
    }

    /// The current value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counted by a [`TallyLevel`] until it is dropped.
#[derive(Debug)]
pub struct TallyEntered<'l>(&'l TallyLevel);

impl Drop for TallyEntered<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The activity of this process: [`TALLY`].
#[derive(Debug)]
pub struct Tally {
    /// Statements that lists and records ran.
    pub statements: TallyCounter,
    /// Those of them that ran on the primary although there are replicas.
    pub statements_primary: TallyCounter,
    /// Statements that were cancelled because their requests were gone.
    pub statements_cancelled: TallyCounter,
    /// Statements that are running.
    pub statements_running: TallyLevel,
    /// Counts that a request got from another request.
    pub counts_shared: TallyCounter,
}

/// The counters of this process.
pub static TALLY: Tally = Tally {
    statements: TallyCounter::zero(),
    statements_primary: TallyCounter::zero(),
    statements_cancelled: TallyCounter::zero(),
    statements_running: TallyLevel::zero(),
    counts_shared: TallyCounter::zero(),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_falls_when_what_entered_is_dropped() {
        let level = TallyLevel::default();
        let (one, two) = (level.enter(), level.enter());
        assert_eq!(level.get(), 2);
        drop(one);
        assert_eq!(level.get(), 1);
        drop(two);
        assert_eq!(level.get(), 0);
    }
}
