//! Counters of the whole process, which cost an addition each: the one place for what a service wants to show of itself.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that only grows.
#[derive(Debug, Default)]
pub struct TallyCounter(AtomicU64);

impl TallyCounter {
    /// A counter that has counted nothing.
    pub const fn zero() -> Self {
        Self(AtomicU64::new(0))
    }

    /// One more.
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// How many there were.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number of things that there are just now.
#[derive(Debug, Default)]
pub struct TallyLevel(AtomicU64);

impl TallyLevel {
    /// A level at which there is nothing.
    pub const fn zero() -> Self {
        Self(AtomicU64::new(0))
    }

    /// One more, until the answer is dropped.
    #[must_use = "it counts until this is dropped"]
    pub fn enter(&self) -> TallyEntered<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        TallyEntered(self)
    }

    /// How many there are.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// One that is counted by a [`TallyLevel`].
#[derive(Debug)]
pub struct TallyEntered<'l>(&'l TallyLevel);

impl Drop for TallyEntered<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What this process has done and is doing: [`TALLY`].
#[derive(Debug)]
pub struct Tally {
    /// Statements that lists and records have run.
    pub statements: TallyCounter,
    /// Statements that were ended because their requests were gone.
    pub statements_cancelled: TallyCounter,
    /// Statements that are being run.
    pub statements_running: TallyLevel,
    /// Counts that a request got from another request.
    pub counts_shared: TallyCounter,
}

/// The counters of this process.
pub static TALLY: Tally = Tally {
    statements: TallyCounter::zero(),
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
