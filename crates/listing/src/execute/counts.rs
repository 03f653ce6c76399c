//! The counts of one database: those that are running, those that wait for them, and those that are kept.
//!
//! Written by hand because the single flight of a cache would be wrong here: it lets a request join a count that began
//! before the request did, and that therefore may not know what the same client has just written (b85).

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, mem};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use hashlink::LruCache;
use tokio::sync::oneshot;

use super::error::ExecuteError;
use crate::vocabulary::{Fingerprint, TALLY};

/// Counts that requests share.
///
/// A reader that shares makes one of these when it is made and hands it out with every
/// [`SharedReader`](super::SharedReader).
pub struct Counts {
    under_way: Mutex<HashMap<Fingerprint, UnderWay>>,
    kept: Mutex<LruCache<Fingerprint, Kept>>,
}

type Counted = Result<u64, Arc<ExecuteError>>;

/// A count that several requests wait for. They own it: without them it ends.
type Together = Shared<BoxFuture<'static, Counted>>;

/// What becomes of a count that another request runs; nothing if that request is given up.
type Told = Shared<BoxFuture<'static, Option<Counted>>>;

/// The counts of one statement.
struct UnderWay {
    running: Running,
    /// Begins when the one that is running is over. Requests that come meanwhile share it.
    next: Option<Next>,
}

/// A count that has begun.
struct Running {
    /// Tells it from other counts of the same statement.
    number: u64,
    by: RunBy,
}

enum RunBy {
    /// The request that asked for it: mostly nobody else wants the same count meanwhile, and nothing has to be shared.
    One(Option<Teller>),
    /// All requests that came while the one before it ran.
    All(WeakShared<BoxFuture<'static, Counted>>),
}

/// Tells others about the count of one request.
struct Teller {
    tell: oneshot::Sender<Counted>,
    told: Told,
}

struct Next {
    number: u64,
    count: WeakShared<BoxFuture<'static, Counted>>,
}

/// How a request gets its count.
enum Turn<F> {
    /// By running it.
    Own(F, End),
    Together(Together),
}

struct Kept {
    total: u64,
    until: Instant,
}

impl Counts {
    /// Totals are small, and a project that has more different ones asked at a time gains little by keeping them.
    const MOST_KEPT: usize = 1_000;

    /// Runs a count that has not begun yet: `count`, or one that waits for its turn already. At most one count of the same
    /// statement runs at a time, however many requests want it.
    pub(super) async fn run(
        self: &Arc<Self>,
        key: Fingerprint,
        count: impl Future<Output = Result<u64, ExecuteError>> + Send + 'static,
    ) -> Counted {
        match self.turn(key, count) {
            Turn::Own(count, mut end) => {
                let counted = count.await.map_err(Arc::new);
                end.counted = Some(counted.clone());
                counted
            }
            Turn::Together(count) => count.await,
        }
    }

    fn turn<F>(self: &Arc<Self>, key: Fingerprint, count: F) -> Turn<F>
    where
        F: Future<Output = Result<u64, ExecuteError>> + Send + 'static,
    {
        let mut under_way = lock(&self.under_way);
        let entry = match under_way.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(UnderWay {
                    running: Running::by_one(0),
                    next: None,
                });
                return Turn::Own(count, self.end(key, 0));
            }
            Entry::Occupied(entry) => entry.into_mut(),
        };
        if let Some(next) = entry.next.as_ref().and_then(|next| next.count.upgrade()) {
            TALLY.counts_shared.add();
            return Turn::Together(next);
        }
        let number = entry.newest() + 1;
        let Some(running) = entry.running.told() else {
            // It is over, and about to say so.
            entry.running = Running::by_one(number);
            return Turn::Own(count, self.end(key, number));
        };
        let (asked, end) = (Instant::now(), self.end(key, number));
        let after = async move {
            // What became of it is told to those who waited for it.
            let _ = running.await;
            gather(asked.elapsed()).await;
            let counted = count.await.map_err(Arc::new);
            drop(end);
            counted
        };
        let count = after.boxed().shared();
        // None only when it is over, and it has not begun.
        entry.next = count.downgrade().map(|count| Next { number, count });
        Turn::Together(count)
    }

    /// What becomes of a count that is running, whenever it began.
    pub(super) fn running(&self, key: &Fingerprint) -> Option<Told> {
        let told = lock(&self.under_way).get_mut(key)?.running.told()?;
        TALLY.counts_shared.add();
        Some(told)
    }

    fn end(self: &Arc<Self>, key: Fingerprint, number: u64) -> End {
        End {
            counts: Arc::clone(self),
            key,
            number,
            counted: None,
        }
    }

    /// The total that was kept, if it is not too old.
    pub(super) fn kept(&self, key: &Fingerprint, now: Instant) -> Option<u64> {
        let mut kept = lock(&self.kept);
        let found = kept.get(key)?;
        (now < found.until).then_some(found.total)
    }

    /// Keeps a total for so many seconds; the one that was not asked for longest makes room.
    pub(super) fn keep(&self, key: Fingerprint, total: u64, now: Instant, seconds: u64) {
        let until = now + Duration::from_secs(seconds);
        lock(&self.kept).insert(key, Kept { total, until });
    }
}

/// Requests that were answered by the count before come back in a moment. So that they find the next one still waiting,
/// it waits for a small part of the time that its first request has waited already.
async fn gather(waited: Duration) {
    const PART: u32 = 16;
    const LEAST: Duration = Duration::from_millis(1);
    const MOST: Duration = Duration::from_millis(20);
    let moment = (waited / PART).min(MOST);
    if moment >= LEAST {
        tokio::time::sleep(moment).await;
    }
}

impl UnderWay {
    fn newest(&self) -> u64 {
        let next = self.next.as_ref().map(|next| next.number);
        next.unwrap_or(self.running.number)
    }
}

impl Running {
    const fn by_one(number: u64) -> Self {
        let by = RunBy::One(None);
        Self { number, by }
    }

    /// What becomes of it; none when it is over already.
    fn told(&mut self) -> Option<Told> {
        match &mut self.by {
            RunBy::One(teller) => Some(teller.get_or_insert_with(Teller::new).told.clone()),
            RunBy::All(count) => Some(count.upgrade()?.map(Some).boxed().shared()),
        }
    }
}

impl Teller {
    fn new() -> Self {
        let (tell, told) = oneshot::channel();
        let told = told.map(Result::ok).boxed().shared();
        Self { tell, told }
    }
}

/// Gives its place to the next count when one is over, and when everybody who waited for it is gone.
struct End {
    counts: Arc<Counts>,
    key: Fingerprint,
    number: u64,
    /// What those are told who want to know.
    counted: Option<Counted>,
}

impl Drop for End {
    fn drop(&mut self) {
        let mut under_way = lock(&self.counts.under_way);
        let Some(entry) = under_way.get_mut(&self.key) else {
            return;
        };
        if (entry.next.as_ref()).is_some_and(|next| next.number == self.number) {
            entry.next = None;
        } else if entry.running.number == self.number {
            let over = match entry.next.take() {
                Some(Next { number, count }) => {
                    let by = RunBy::All(count);
                    Some(mem::replace(&mut entry.running, Running { number, by }))
                }
                None => under_way.remove(&self.key).map(|entry| entry.running),
            };
            drop(under_way);
            let by = over.map(|over| over.by);
            if let (Some(RunBy::One(Some(teller))), Some(counted)) = (by, self.counted.take()) {
                // Nobody may want to know any more.
                let _ = teller.tell.send(counted);
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

/// Nothing panics while it is held; if something did, the map would still be whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::fingerprint;

    #[test]
    fn a_total_is_kept_for_its_seconds() {
        let (counts, now) = (Counts::default(), Instant::now());
        let later = |seconds| now + Duration::from_secs(seconds);
        counts.keep([1; 32], 7, now, 30);
        assert_eq!(counts.kept(&[1; 32], later(29)), Some(7));
        assert_eq!(counts.kept(&[1; 32], later(30)), None);
        assert_eq!(counts.kept(&[2; 32], now), None);
        counts.keep([1; 32], 8, later(31), 30);
        assert_eq!(counts.kept(&[1; 32], later(60)), Some(8));
    }

    #[test]
    fn b87_so_many_totals_are_kept_and_no_more() {
        let (counts, now) = (Counts::default(), Instant::now());
        let key = |at: usize| fingerprint(format_args!("{at}"));
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
