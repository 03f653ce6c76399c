//! Knows which connections are open, closes idle ones when there are too many, and tells all of them to stop.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_util::task::AtomicWaker;
use tokio::sync::Notify;

/// Descriptors that are not for clients: connections to the database, files, and what an application opens.
const RESERVED: usize = 128;

/// The connections of one server.
pub(super) struct Connections {
    most: usize,
    open: Mutex<Numbered>,
    /// Whenever the last one has ended.
    ended: Notify,
}

#[derive(Default)]
struct Numbered {
    next: u64,
    /// From the oldest to the newest.
    open: BTreeMap<u64, Arc<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// Requests that are under way.
    busy: AtomicUsize,
    told: AtomicU8,
    waker: AtomicWaker,
}

impl State {
    /// Ends after the answer that is under way.
    const STOP: u8 = 1;
    /// Ends at once.
    const CLOSE: u8 = 2;

    fn tell(&self, what: u8) {
        self.told.fetch_max(what, Ordering::Relaxed);
        self.waker.wake();
    }
}

impl Connections {
    /// At most `most` connections, and no more than the system has descriptors for.
    pub(super) fn new(most: usize) -> Self {
        let possible = descriptors().map_or(most, |all| all.saturating_sub(RESERVED).max(1));
        if possible < most {
            tracing::warn!(
                "at most {possible} clients can be connected: the limit of open files of this process is too low for \
                 {most} (`ulimit -n`, `LimitNOFILE` of systemd)"
            );
        }
        Self {
            most: most.min(possible),
            open: Mutex::default(),
            ended: Notify::new(),
        }
    }

    /// Counts one more; the oldest that is idle is closed if there are too many.
    pub(super) fn open(self: &Arc<Self>) -> Open {
        let mut open = self.lock();
        while open.open.len() >= self.most && open.close_oldest() {}
        let number = open.next;
        open.next += 1;
        let state = Arc::<State>::default();
        open.open.insert(number, Arc::clone(&state));
        Open {
            connections: Arc::clone(self),
            number,
            state,
        }
    }

    /// Closes the oldest that is idle.
    pub(super) fn make_room(&self) {
        self.lock().close_oldest();
    }

    /// Tells all to end after the answers that are under way, and waits until they have.
    pub(super) async fn stop_all(&self) {
        self.tell_all(State::STOP);
        let ended = self.ended.notified();
        if !self.lock().open.is_empty() {
            ended.await;
        }
    }

    /// Closes all connections, and returns how many there were.
    pub(super) fn close_all(&self) -> usize {
        self.tell_all(State::CLOSE)
    }

    fn tell_all(&self, what: u8) -> usize {
        let open = self.lock();
        for state in open.open.values() {
            state.tell(what);
        }
        open.open.len()
    }

    fn lock(&self) -> MutexGuard<'_, Numbered> {
        // Nothing panics while it is held.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Numbered {
    /// Whether there was an idle one.
    fn close_oldest(&mut self) -> bool {
        let mut idle = self.open.iter();
        let idle = idle.find(|(_, state)| state.busy.load(Ordering::Relaxed) == 0);
        let number = idle.map(|(number, _)| *number);
        match number.and_then(|number| self.open.remove(&number)) {
            Some(state) => {
                state.tell(State::CLOSE);
                true
            }
            None => false,
        }
    }
}

/// A connection that is open until this is dropped.
pub(super) struct Open {
    connections: Arc<Connections>,
    number: u64,
    state: Arc<State>,
}

impl Open {
    /// A request is under way as long as the result is held.
    pub(super) fn busy(&self) -> Busy {
        self.state.busy.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(&self.state))
    }

    /// Whether a request is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.state.busy.load(Ordering::Acquire) > 0
    }

    /// Is done when the connection should end after the answers that are under way, or at once.
    pub(super) async fn stopped(&self) {
        self.told(State::STOP).await;
    }

    /// Is done when the connection should be closed at once.
    pub(super) async fn closed(&self) {
        self.told(State::CLOSE).await;
    }

    async fn told(&self, what: u8) {
        let told = |context: &mut Context<'_>| {
            self.state.waker.register(context.waker());
            if self.state.told.load(Ordering::Relaxed) >= what {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        };
        poll_fn(told).await;
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        open.open.remove(&self.number);
        if open.open.is_empty() {
            self.connections.ended.notify_waiters();
        }
    }
}

/// A request that is under way.
#[derive(Debug)]
pub(super) struct Busy(Arc<State>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Release);
    }
}

/// How many files and connections this process may have open, if the system has a limit.
fn descriptors() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    async fn is_closed(open: &Open) -> bool {
        timeout(Duration::ZERO, open.closed()).await.is_ok()
    }

    /// Rule b336.
    #[test]
    fn there_are_no_more_connections_than_descriptors() {
        assert_eq!(Connections::new(2).most, 2);
        if let Some(descriptors) = descriptors() {
            assert!(Connections::new(usize::MAX).most < descriptors);
        }
    }

    /// Rule b336.
    #[tokio::test]
    async fn the_oldest_idle_connection_makes_room_for_a_new_one() {
        let connections = Arc::new(Connections::new(2));
        let (first, second) = (connections.open(), connections.open());
        let busy = first.busy();
        let third = connections.open();
        assert!(!is_closed(&first).await);
        assert!(is_closed(&second).await);
        drop(second);
        drop(busy);
        drop(connections.open());
        assert!(is_closed(&first).await);
        assert!(!is_closed(&third).await);
        // All are busy: one more is accepted anyway, and is the first to be closed.
        let busy = [third.busy(), connections.open().busy()];
        drop(connections.open());
        assert!(!is_closed(&third).await);
        drop(busy);
    }
}
