//! Remembers which statements ran for longer than a bound when they ran last, by their text.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hashlink::LruCache;

/// How many are remembered; the one that was not run for longest is forgotten.
const MOST: usize = 500;

/// The statements that ran for longer than a bound.
pub(super) struct LongRunning {
    bound: Duration,
    texts: Mutex<LruCache<String, ()>>,
    /// Whether there are any: most services have none, and do not look further.
    any: AtomicBool,
}

impl LongRunning {
    pub(super) fn than(bound: Duration) -> Self {
        Self {
            bound,
            texts: Mutex::new(LruCache::new(MOST)),
            any: AtomicBool::new(false),
        }
    }

    /// Learns how long a statement ran. One that is known is forgotten when it runs for less than half of the bound.
    pub(super) fn ran(&self, text: &str, time: Duration) {
        if time > self.bound {
            self.texts().insert(text.to_owned(), ());
            self.any.store(true, Ordering::Relaxed);
        } else if time < self.bound / 2 && self.any.load(Ordering::Relaxed) {
            let mut texts = self.texts();
            texts.remove(text);
            self.any.store(!texts.is_empty(), Ordering::Relaxed);
        }
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        self.any.load(Ordering::Relaxed) && self.texts().get(text).is_some()
    }

    fn texts(&self) -> MutexGuard<'_, LruCache<String, ()>> {
        // Nothing panics while it is held.
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
