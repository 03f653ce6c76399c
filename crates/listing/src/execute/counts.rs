//! The counts of one database: those that are running, those that wait for them, and those that are kept.
//!
//! Written by hand because the single flight of a cache would be wrong here: it lets a request join a count that began before the
//! request, and that therefore may not include what the same client has just written (b85).

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use hashlink::{DefaultHashBuilder, LruCache};

use super::count_key::CountKey;
use super::error::ExecuteError;
use crate::observe::TALLY;
use crate::vocabulary::boxed;

/// The counts that requests share.
///
/// A reader that shares counts owns one of these, and hands it out with every [`SharedReader`](super::SharedReader).
pub struct Counts {
    /// With a quick hasher: the keys are hashes already.
    under_way: Mutex<HashMap<CountKey, UnderWay, DefaultHashBuilder>>,
    kept: Mutex<LruCache<CountKey, Kept>>,
}

type Counted = Result<u64, Arc<ExecuteError>>;

/// A count that several requests wait for. They own it: it ends when the last of them is gone.
pub(super) type Count = Shared<BoxFuture<'static, Counted>>;

/// The counts of one statement.
struct UnderWay {
    running: Ticket,
    /// The count that begins when the running one is over. Requests that arrive meanwhile share it.
    next: Option<Ticket>,
}

struct Ticket {
    /// Distinguishes it from other counts of the same statement.
    number: u64,
    count: WeakShared<BoxFuture<'static, Counted>>,
}

struct Kept {
    total: u64,
    until: Instant,
}

impl Counts {
    /// The most totals that are kept. They are small, and more of them would hardly ever be used again.
    const MOST_KEPT: usize = 1_000;

    /// A count that has not begun yet: `count`, or one that waits for its turn already. At most one count of the same
    /// statement runs at a time, however many requests want it.
    pub(super) fn join(
        self: &Arc<Self>,
        key: CountKey,
        count: impl Future<Output = Result<u64, ExecuteError>> + Send + 'static,
    ) -> Count {
        let mut under_way = lock(&self.under_way);
        let Some(entry) = under_way.get_mut(&key) else {
            let (count, ticket) = self.begin(key, 0, count);
            let next = None;
            under_way.extend(ticket.map(|running| (key, UnderWay { running, next })));
            return count;
        };
        if let Some(next) = entry.next.as_ref().and_then(|next| next.count.upgrade()) {
            TALLY.counts_shared.add();
            return next;
        }
        let number = entry.newest() + 1;
        let Some(running) = entry.running.count.upgrade() else {
            // It is over, and about to be removed.
            let (count, ticket) = self.begin(key, number, count);
            if let Some(running) = ticket {
                entry.running = running;
            }
            return count;
        };
        let after = async move {
            // The requests that wait for it get its result.
            let _ = running.await;
            count.await
        };
        let (count, ticket) = self.begin(key, number, after);
        entry.next = ticket;
        count
    }

    /// A count that is running, whenever it began.
    pub(super) fn running(&self, key: &CountKey) -> Option<Count> {
        let running = lock(&self.under_way).get(key)?.running.count.upgrade()?;
        TALLY.counts_shared.add();
        Some(running)
    }

    fn begin(
        self: &Arc<Self>,
        key: CountKey,
        number: u64,
        count: impl Future<Output = Result<u64, ExecuteError>> + Send + 'static,
    ) -> (Count, Option<Ticket>) {
        let end = End {
            counts: Arc::clone(self),
            key,
            number,
        };
        let count = boxed(move || async move {
            let counted = count.await.map_err(Arc::new);
            drop(end);
            counted
        });
        let count = (count as BoxFuture<'static, Counted>).shared();
        // `None` only after its end, and it has not begun.
        let weak = count.downgrade();
        (count, weak.map(|count| Ticket { number, count }))
    }

    /// The total that was kept, if it is not too old.
    pub(super) fn kept(&self, key: &CountKey, now: Instant) -> Option<u64> {
        let mut kept = lock(&self.kept);
        let found = kept.get(key)?;
        (now < found.until).then_some(found.total)
    }

    /// Keeps a total for that many `seconds`; the one that was unused for longest makes room.
    pub(super) fn keep(&self, key: CountKey, total: u64, now: Instant, seconds: u64) {
        let until = now + Duration::from_secs(seconds);
        lock(&self.kept).insert(key, Kept { total, until });
    }
}

impl UnderWay {
    fn newest(&self) -> u64 {
        self.next.as_ref().unwrap_or(&self.running).number
    }
}

/// Gives the place of a count to the next one when it is over, or when all requests that waited for it are gone.
struct End {
    counts: Arc<Counts>,
    key: CountKey,
    number: u64,
}

impl Drop for End {
    fn drop(&mut self) {
        let mut under_way = lock(&self.counts.under_way);
        let Some(entry) = under_way.get_mut(&self.key) else {
            return;
        };
        let is_this = |ticket: &Ticket| ticket.number == self.number;
        if entry.next.as_ref().is_some_and(is_this) {
            entry.next = None;
        } else if is_this(&entry.running) {
            match entry.next.take() {
                Some(next) => entry.running = next,
                None => drop(under_way.remove(&self.key)),
            }
        }
    }
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            under_way: Mutex::default(),
            kept: Mutex::new(LruCache::new(Self::MOST_KEPT)),
        }
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counts")
            .field("under_way", &lock(&self.under_way).len())
            .field("kept", &lock(&self.kept).len())
            .finish()
    }
}

/// Locks it. Nothing panics while the lock is held, and the map would still be valid after a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_is_kept_for_its_seconds() {
        let (counts, now) = (Counts::default(), Instant::now());
        let later = |seconds| now + Duration::from_secs(seconds);
        counts.keep(1, 7, now, 30);
        assert_eq!(counts.kept(&1, later(29)), Some(7));
        assert_eq!(counts.kept(&1, later(30)), None);
        assert_eq!(counts.kept(&2, now), None);
        counts.keep(1, 8, later(31), 30);
        assert_eq!(counts.kept(&1, later(60)), Some(8));
    }

    /// Rule b87.
    #[test]
    fn so_many_totals_are_kept_and_no_more() {
        let (counts, now) = (Counts::default(), Instant::now());
        let key = |at: usize| at as u64;
        for at in 0..Counts::MOST_KEPT {
            counts.keep(key(at), 1, now, 100);
        }
        // Asked for since, so that it stays.
        assert_eq!(counts.kept(&key(0), now), Some(1));
        counts.keep(key(Counts::MOST_KEPT), 1, now, 100);
        assert_eq!(lock(&counts.kept).len(), Counts::MOST_KEPT);
        assert_eq!(counts.kept(&key(1), now), None);
        assert_eq!(counts.kept(&key(0), now), Some(1));
    }
}
