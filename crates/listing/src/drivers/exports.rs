//! How many exports run at the same time, and for how long.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::DbErr;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::options::ReadOptions;
use crate::execute::{ExecuteError, StreamFuture};

/// The exports of a pool. They are few and long, so that they have connections of
/// their own and never wait for, or hold up, the statements of pages.
pub(super) struct Exports {
    places: Semaphore,
    wait: Duration,
    time: Duration,
}

impl Exports {
    pub(super) fn of(options: &ReadOptions) -> Arc<Self> {
        Arc::new(Self {
            places: Semaphore::new(options.exports.min(Semaphore::MAX_PERMITS)),
            wait: options.acquire_timeout,
            time: options.export_timeout,
        })
    }

    /// Runs one when it is its turn, and drops it when its time is over.
    pub(super) async fn run(&self, export: StreamFuture<'_>) -> Result<(), ExecuteError> {
        let place = timeout(self.wait, self.places.acquire()).await;
        let Ok(Ok(_place)) = place else {
            return Err(ExecuteError::TooManyExports);
        };
        match timeout(self.time, export).await {
            Ok(done) => done,
            Err(_) => {
                let over = "an export took longer than it may".to_owned();
                Err(ExecuteError::OverTime(DbErr::Custom(over)))
            }
        }
    }
}
