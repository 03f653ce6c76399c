//! Runs a count that several requests need only once, and caches it where the listing allows that.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, WeakShared};

use super::total::read_number;
use super::{ExecuteError, Reader};
use crate::sql::Statement;
use crate::vocabulary::{Fingerprint, fingerprint};

/// A reader that outlives a request, and the counts that requests share on it.
#[derive(Clone)]
pub struct SharedReader {
    reader: Arc<dyn Reader + Send + Sync>,
    counts: Arc<Counts>,
}

/// The counts of one database: those that are under way, and those that are kept.
///
/// A reader that shares makes one of these when it is made and hands it out with every [`SharedReader`].
#[derive(Default)]
pub struct Counts {
    under_way: Mutex<HashMap<Fingerprint, Running>>,
    kept: Mutex<HashMap<Fingerprint, Kept>>,
}

type Number = Result<u64, Arc<ExecuteError>>;
type Count = Shared<BoxFuture<'static, Number>>;

/// A count that is under way. The requests that wait for it own it: without them it ends.
struct Running {
    /// Tells it from a later count of the same statement.
    number: u64,
    count: WeakShared<BoxFuture<'static, Number>>,
}

struct Kept {
    total: u64,
    since: Instant,
    until: Instant,
}

impl SharedReader {
    /// What is read through `reader` may be shared by everybody who shares `counts`: all of them must see the same rows.
    pub fn new(reader: Arc<dyn Reader + Send + Sync>, counts: Arc<Counts>) -> Self {
        Self { reader, counts }
    }

    /// The number that a statement gives. While it is found, others who want the same wait for it instead of asking again.
    pub(super) async fn once(&self, statement: Statement) -> Result<u64, ExecuteError> {
        let count = self.join_or_begin(statement);
        count.await.map_err(ExecuteError::Shared)
    }

    /// The same, unless it was found before and is kept still; and whether it was.
    pub(super) async fn once_in(
        &self,
        seconds: u64,
        statement: Statement,
    ) -> Result<(u64, bool), ExecuteError> {
        let key = key(&statement);
        if let Some(total) = self.counts.kept(&key, Instant::now()) {
            return Ok((total, true));
        }
        let total = self.once(statement).await?;
        self.counts.keep(key, total, Instant::now(), seconds);
        Ok((total, false))
    }

    fn join_or_begin(&self, statement: Statement) -> Count {
        let key = key(&statement);
        let mut under_way = lock(&self.counts.under_way);
        let running = under_way.get(&key);
        if let Some(count) = running.and_then(|running| running.count.upgrade()) {
            return count;
        }
        let number = running.map_or(0, |running| running.number + 1);
        let (reader, end) = (
            self.reader.clone(),
            End {
                counts: self.counts.clone(),
                key,
                number,
            },
        );
        let count = async move {
            let _end = end;
            read_number(&*reader, statement).await.map_err(Arc::new)
        };
        let count = count.boxed().shared();
        // None only when it is over, and it has not begun.
        if let Some(weak) = count.downgrade() {
            let running = Running {
                number,
                count: weak,
            };
            under_way.insert(key, running);
        }
        count
    }
}

impl Counts {
    /// Totals are small, and a project that has more different ones asked at a time gains little by keeping them.
    const MOST_KEPT: usize = 1_000;

    fn kept(&self, key: &Fingerprint, now: Instant) -> Option<u64> {
        let kept = lock(&self.kept);
        let found = kept.get(key)?;
        (now < found.until).then_some(found.total)
    }

    fn keep(&self, key: Fingerprint, total: u64, now: Instant, seconds: u64) {
        let mut kept = lock(&self.kept);
        if kept.len() >= Self::MOST_KEPT {
            kept.retain(|_, kept| now < kept.until);
        }
        if kept.len() >= Self::MOST_KEPT {
            let oldest = kept.iter().min_by_key(|(_, kept)| kept.since);
            if let Some(oldest) = oldest.map(|(key, _)| *key) {
                kept.remove(&oldest);
            }
        }
        let until = now + Duration::from_secs(seconds);
        let since = now;
        kept.insert(
            key,
            Kept {
                total,
                since,
                until,
            },
        );
    }
}

/// Forgets a count when it is over, and when everybody who waited for it is gone.
struct End {
    counts: Arc<Counts>,
    key: Fingerprint,
    number: u64,
}

impl Drop for End {
    fn drop(&mut self) {
        let mut under_way = lock(&self.counts.under_way);
        let is_it = |running: &Running| running.number == self.number;
        if under_way.get(&self.key).is_some_and(is_it) {
            under_way.remove(&self.key);
        }
    }
}

/// Text and values: the conditions of scopes are among them, so who sees other rows has another key.
fn key(statement: &Statement) -> Fingerprint {
    fingerprint(format_args!("{}\0{:?}", statement.text, statement.values))
}

/// Nobody panics while holding one of these; were somebody to, the map would be whole still.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for SharedReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = &self.counts;
        f.debug_struct("SharedReader")
            .field("counts", counts)
            .finish_non_exhaustive()
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn so_many_totals_are_kept_and_no_more() {
        let (counts, now) = (Counts::default(), Instant::now());
        let later = |millis| now + Duration::from_millis(millis);
        let key = |at: usize| fingerprint(format_args!("{at}"));
        for at in 0..=Counts::MOST_KEPT {
            counts.keep(key(at), 1, later(at as u64), 100);
        }
        assert_eq!(lock(&counts.kept).len(), Counts::MOST_KEPT);
        assert_eq!(counts.kept(&key(0), now), None, "the oldest goes first");
        assert_eq!(counts.kept(&key(1), now), Some(1));
        // All are over by now, and go together.
        counts.keep(key(0), 1, later(1_000_000), 100);
        assert_eq!(lock(&counts.kept).len(), 1);
    }
}
