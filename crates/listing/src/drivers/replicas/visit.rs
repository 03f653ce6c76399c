//! Reads everything for one request from a single server that has reached the position the request needs.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::OnceCell;

use super::Replicas;
use super::position::Position;
use super::replica::Replica;

/// The reads of one request from a pool with replicas. All of them use one server, which has reached the positions that the
/// request [sends](crate::ReadPool::visit).
///
/// Without a visit, each statement goes to the server that is running the fewest.
pub struct Visit {
    pool: Arc<Replicas>,
    needed: Vec<Position>,
    writes: bool,
    /// Chosen by the first statement; `None` for the primary.
    place: OnceCell<Option<Arc<Replica>>>,
    /// Whether the replica has failed, so that the rest is read from the primary.
    has_left: AtomicBool,
}

tokio::task_local! {
    static CURRENT: Arc<Visit>;
}

impl Visit {
    pub(in crate::drivers) fn new(
        pool: Arc<Replicas>,
        needed: Vec<Position>,
        writes: bool,
    ) -> Self {
        Self {
            pool,
            needed,
            writes,
            place: OnceCell::new(),
            has_left: AtomicBool::new(false),
        }
    }

    /// Runs the request.
    pub async fn around<F: Future>(self: Arc<Self>, request: F) -> F::Output {
        CURRENT.scope(self, request).await
    }

    /// The visit of the current request, if there is one. Use it for parts of the request that run in their own tasks.
    #[must_use]
    pub fn current() -> Option<Arc<Self>> {
        CURRENT.try_with(Arc::clone).ok()
    }

    /// A position that includes everything that the request has read or written so far.
    pub async fn position(&self) -> Position {
        let replica = match self.place.get() {
            Some(Some(replica)) if !self.has_left.load(Ordering::Relaxed) => Some(replica),
            _ => None,
        };
        let server = replica.map_or(&*self.pool.primary, |replica| &replica.watched);
        let position = server.position_from_now().await;
        position.unwrap_or(Position::Primary)
    }

    /// Whether it belongs to this pool.
    pub(super) fn is_of(&self, pool: &Replicas) -> bool {
        std::ptr::eq(&raw const *self.pool, pool)
    }

    /// Whether its reads need a server that has reached certain positions.
    pub(super) fn is_particular(&self) -> bool {
        self.writes || !self.needed.is_empty()
    }

    /// The server for its statements; `None` for the primary.
    pub(super) async fn place(&self) -> Option<Arc<Replica>> {
        if self.writes || self.has_left.load(Ordering::Relaxed) {
            return None;
        }
        let place = self.place.get_or_init(|| self.pool.reached(&self.needed));
        place.await.clone()
    }

    pub(super) fn leave(&self) {
        self.has_left.store(true, Ordering::Relaxed);
    }
}

impl std::fmt::Debug for Visit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visit")
            .field("needed", &self.needed)
            .field("writes", &self.writes)
            .finish_non_exhaustive()
    }
}
