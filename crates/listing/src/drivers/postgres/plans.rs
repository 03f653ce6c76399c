//! Which statements PostgreSQL should plan for their values each time.
//!
//! Left to itself PostgreSQL plans a prepared statement five times for its values, and then keeps one plan for all values
//! if that is as cheap on average. Planning takes as long as reading a page, so this is what we want, but for statements
//! whose plan depends on rare values: of 900,100 articles, 100 of which were of a rare kind and old, the newest 25 of that
//! kind took a thousand times longer with the kept plan, which walks an index by date, than with one made for the kind.
//! Whether a statement is such a one is not told by its text, but it shows: by the first time that it takes long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// A text that was innocent is not looked into again before that, unless it takes far longer than it did then: other
/// values may be rare ones.
const PAUSE: Duration = Duration::from_secs(60);

/// Between two looks, and so many times as long as the last one took: whoever is slow because the database is busy
/// should not make it busier.
const REST: (Duration, u32) = (Duration::from_secs(1), 20);

/// What is known of statements, by their texts.
pub(super) struct Suspects {
    state: Mutex<State>,
    /// Whether there is any that is planned each time: until then there is nothing to look up.
    any_fresh: AtomicBool,
}

struct State {
    known: LruCache<String, Known>,
    is_looking: bool,
    rest_until: Option<Instant>,
}

enum Known {
    /// No fault of its plan, when it took so long.
    Innocent { since: Instant, took: Duration },
    /// To be planned for its values each time.
    Fresh,
}

impl Suspects {
    /// Remembers so many texts.
    pub(super) fn new(texts: usize) -> Self {
        Self {
            state: Mutex::new(State {
                known: LruCache::new(texts),
                is_looking: false,
                rest_until: None,
            }),
            any_fresh: AtomicBool::new(false),
        }
    }

    /// How a statement is planned.
    pub(super) fn plans_for(&self, text: &str) -> Plans {
        let is_fresh = self.any_fresh.load(Ordering::Relaxed)
            && matches!(self.state().known.get(text), Some(Known::Fresh));
        if is_fresh { Plans::Fresh } else { Plans::Kept }
    }

    /// A look into a statement that took so long, if it is time for one. There is one look at a time.
    pub(super) fn begin(
        self: &Arc<Self>,
        text: &str,
        took: Duration,
        now: Instant,
    ) -> Option<Look> {
        let mut state = self.state();
        if state.is_looking || state.rest_until.is_some_and(|until| now < until) {
            return None;
        }
        let is_known = match state.known.get(text) {
            Some(Known::Innocent { since, took: then }) => {
                now.saturating_duration_since(*since) < PAUSE && took <= *then * FAR_LONGER
            }
            Some(Known::Fresh) => true,
            None => false,
        };
        if is_known {
            return None;
        }
        state.is_looking = true;
        Some(Look {
            suspects: Arc::clone(self),
            text: text.to_owned(),
            took,
            began: now,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A look into one statement. It ends when it is dropped, whatever became of it.
pub(super) struct Look {
    suspects: Arc<Suspects>,
    text: String,
    took: Duration,
    began: Instant,
}

impl Look {
    /// Whether a statement may suffer from its plan, if it takes so long with a fresh one.
    pub(super) fn may_be_guilty(&self, fresh: Duration) -> bool {
        self.took > fresh * FAR_LONGER
    }

    /// Ends it with the times that the statement took with one plan for all values and with a fresh one, if they could
    /// be had. Whether it is planned each time from now on.
    pub(super) fn judge(self, times: Option<(Duration, Duration)>) -> bool {
        let is_fresh = times.is_some_and(|(one, fresh)| one > LONG && one > fresh * FAR_LONGER);
        let known = if is_fresh {
            Known::Fresh
        } else {
            Known::Innocent {
                since: Instant::now(),
                took: self.took,
            }
        };
        let text = self.text.clone();
        self.suspects.state().known.insert(text, known);
        let any_fresh = &self.suspects.any_fresh;
        any_fresh.fetch_or(is_fresh, Ordering::Relaxed);
        is_fresh
    }
}

impl Drop for Look {
    fn drop(&mut self) {
        let (least, times) = REST;
        let rest = least.max(self.began.elapsed().saturating_mul(times));
        let mut state = self.suspects.state();
        state.is_looking = false;
        state.rest_until = Instant::now().checked_add(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn suspects() -> Arc<Suspects> {
        Arc::new(Suspects::new(10))
    }

    /// Later than the rest after a look that took no time.
    fn later() -> Instant {
        Instant::now() + 2 * REST.0
    }

    #[test]
    fn b73_a_statement_is_planned_each_time_once_that_is_far_faster() {
        let suspects = suspects();
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
            let look = suspects.begin(&text, one, later()).unwrap();
            assert_eq!(look.judge(Some((one, fresh))), plans == Plans::Fresh);
            assert_eq!(suspects.plans_for(&text), plans, "{text}");
        }
        assert_eq!(suspects.plans_for("another"), Plans::Kept);
    }

    #[test]
    fn b73_one_is_looked_into_at_a_time_and_then_there_is_a_rest() {
        let suspects = suspects();
        let look = suspects.begin("a", 9 * MS, Instant::now()).unwrap();
        assert!(suspects.begin("b", 9 * MS, later()).is_none());
        // Also when nothing comes of it.
        drop(look);
        assert!(suspects.begin("b", 9 * MS, Instant::now()).is_none());
        assert!(suspects.begin("b", 9 * MS, later()).is_some());
    }

    #[test]
    fn b73_an_innocent_is_not_looked_into_again_soon_unless_it_takes_far_longer() {
        let suspects = suspects();
        let look = |took, now| suspects.begin("a", took, now);
        assert!(!look(9 * MS, later()).unwrap().judge(None));
        assert!(look(27 * MS, later()).is_none());
        assert!(look(28 * MS, later()).is_some());
        assert!(look(9 * MS, Instant::now() + PAUSE + REST.0).is_some());
        let guilty = look(99 * MS, later()).unwrap();
        assert!(guilty.may_be_guilty(32 * MS) && !guilty.may_be_guilty(33 * MS));
        assert!(guilty.judge(Some((99 * MS, MS))));
        // And one that is known is not looked into at all.
        assert!(look(999 * MS, Instant::now() + 2 * PAUSE).is_none());
    }
}
