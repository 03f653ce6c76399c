//! In: statements that took long. Out: which statements PostgreSQL should plan for their values each time.
//!
//! Left to itself PostgreSQL plans a prepared statement five times for its values, and then keeps one plan for all values
//! if that is as cheap on average. Planning takes as long as reading a page, so this is what we want, but for statements
//! whose plan depends on rare values: of 900,100 articles, 100 of which were of a rare kind and old, the newest 25 of that
//! kind took a thousand times longer with the kept plan, which walks an index by date, than with one made for the kind.
//! Whether a statement is such a one is not told by its text, but it shows: by the first time that it takes long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hashlink::LruCache;

/// When PostgreSQL plans a prepared statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plans {
    /// As it thinks best: mostly one for all values.
    Kept,
    /// For the values of each run.
    Fresh,
    /// One for all values, whatever it thinks of it.
    One,
}

impl Plans {
    /// The value of `plan_cache_mode`.
    pub(super) fn mode(self) -> &'static str {
        match self {
            Self::Kept => "auto",
            Self::Fresh => "force_custom_plan",
            Self::One => "force_generic_plan",
        }
    }
}

/// Who takes longer than this may have the wrong plan.
pub(super) const LONG: Duration = Duration::from_millis(5);

/// So many times longer with one plan for all values than with its own, and a statement is planned each time.
const FAR_LONGER: u32 = 3;

/// A text is not looked into again before that.
const PAUSE: Duration = Duration::from_secs(60);

/// What is known of statements, by their texts.
pub(super) struct Suspects {
    known: Mutex<LruCache<String, Known>>,
    /// Whether there is any that is planned each time: until then there is nothing to look up.
    any_fresh: AtomicBool,
    /// One is looked into at a time: whoever is slow because the database is busy should not make it busier.
    is_looking: AtomicBool,
}

enum Known {
    /// No fault of its plan, when it was looked into.
    Innocent(Instant),
    /// To be planned for its values each time.
    Fresh,
}

impl Suspects {
    /// Remembers so many texts.
    pub(super) fn new(texts: usize) -> Self {
        Self {
            known: Mutex::new(LruCache::new(texts)),
            any_fresh: AtomicBool::new(false),
            is_looking: AtomicBool::new(false),
        }
    }

    /// How a statement is planned.
    pub(super) fn plans_for(&self, text: &str) -> Plans {
        let is_fresh = self.any_fresh.load(Ordering::Relaxed)
            && matches!(self.known().get(text), Some(Known::Fresh));
        if is_fresh { Plans::Fresh } else { Plans::Kept }
    }

    /// Whether a statement that took long should be looked into now; then [`Suspects::judge`] must follow.
    pub(super) fn begin(&self, text: &str, now: Instant) -> bool {
        let is_known = match self.known().get(text) {
            Some(Known::Innocent(since)) => now.saturating_duration_since(*since) < PAUSE,
            Some(Known::Fresh) => true,
            None => false,
        };
        !is_known && !self.is_looking.swap(true, Ordering::Relaxed)
    }

    /// Ends a look, with the times that a statement took with one plan for all values and with a fresh one, if they
    /// could be had. Whether it is planned each time from now on.
    pub(super) fn judge(
        &self,
        text: &str,
        times: Option<(Duration, Duration)>,
        now: Instant,
    ) -> bool {
        let is_fresh = times.is_some_and(|(one, fresh)| one > LONG && one > fresh * FAR_LONGER);
        let known = if is_fresh {
            Known::Fresh
        } else {
            Known::Innocent(now)
        };
        self.known().insert(text.to_owned(), known);
        self.any_fresh.fetch_or(is_fresh, Ordering::Relaxed);
        self.is_looking.store(false, Ordering::Relaxed);
        is_fresh
    }

    fn known(&self) -> MutexGuard<'_, LruCache<String, Known>> {
        // Nothing panics while it is held.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn b73_a_statement_is_planned_each_time_once_that_is_far_faster() {
        let now = Instant::now();
        let suspects = Suspects::new(10);
        for (one, fresh, plans) in [
            (400 * MS, MS, Plans::Fresh),
            (16 * MS, 5 * MS, Plans::Fresh),
            // The statement is slow by itself, or the database is.
            (400 * MS, 399 * MS, Plans::Kept),
            (15 * MS, 5 * MS, Plans::Kept),
            // Too little to gain.
            (5 * MS, MS, Plans::Kept),
        ] {
            let text = format!("{one:?} {fresh:?}");
            assert!(suspects.begin(&text, now));
            assert_eq!(
                suspects.judge(&text, Some((one, fresh)), now),
                plans == Plans::Fresh
            );
            assert_eq!(suspects.plans_for(&text), plans, "{text}");
        }
        assert_eq!(suspects.plans_for("another"), Plans::Kept);
    }

    #[test]
    fn b73_one_is_looked_into_at_a_time_and_not_again_soon() {
        let now = Instant::now();
        let suspects = Suspects::new(10);
        assert!(suspects.begin("a", now));
        assert!(!suspects.begin("b", now));
        assert!(!suspects.judge("a", None, now));
        assert!(suspects.begin("b", now));
        assert!(suspects.judge("b", Some((9 * MS, MS)), now));
        // Innocent for a while, and the other one is known for good.
        assert!(!suspects.begin("a", now + PAUSE - MS));
        assert!(!suspects.begin("b", now + 2 * PAUSE));
        assert!(suspects.begin("a", now + PAUSE));
    }
}
