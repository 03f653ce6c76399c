//! The two lanes of a pool: how many statements run at the same time, and how many of those that no index serves.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::failure::{no_connection_in_time, unavailable};
use super::options::ReadOptions;
use crate::execute::ExecuteError;
use crate::sql::Statement;

/// Decides which statements may run. They wait in the order of arrival, each in its lane (b670).
pub(super) struct Lanes {
    indexed: Arc<Semaphore>,
    unindexed: Arc<Semaphore>,
    acquire_timeout: Duration,
}

/// The right to run a statement, until it is dropped.
pub(super) type Place = OwnedSemaphorePermit;

impl Lanes {
    /// Lanes of the sizes in the options. By default, the first has `connections` places, and the second has one for each
    /// `part` of those.
    pub(super) fn new(options: &ReadOptions, connections: usize, part: usize) -> Self {
        let (indexed, unindexed) = options.lanes(connections, part);
        let places = |number: usize| Arc::new(Semaphore::new(number.min(Semaphore::MAX_PERMITS)));
        Self {
            indexed: places(indexed),
            unindexed: places(unindexed),
            acquire_timeout: options.acquire_timeout,
        }
    }

    /// A place in the statement's lane.
    pub(super) async fn place(&self, statement: &Statement) -> Result<Place, ExecuteError> {
        let lane = match statement.is_unindexed {
            true => &self.unindexed,
            false => &self.indexed,
        };
        let place = Arc::clone(lane).acquire_owned().await;
        place.map_err(|_| unavailable("the connections are closed"))
    }

    /// Waits for `found`, but no longer than `acquire_timeout`.
    pub(super) async fn in_time<T>(
        &self,
        found: impl Future<Output = Result<T, ExecuteError>>,
    ) -> Result<T, ExecuteError> {
        let found = timeout(self.acquire_timeout, found).await;
        found.unwrap_or_else(|_| Err(no_connection_in_time()))
    }
}
