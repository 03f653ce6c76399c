//! Keeps connections on the current options of the application's own pool.

use std::fmt;
use std::sync::Arc;

use sqlx::{Connection, Database, Pool};

/// Connection options that can change while the application runs, for example after a failover to another host (b1152).
pub(super) struct Followed<D: Database> {
    given: Arc<OptionsOf<D>>,
    pool: Option<Pool<D>>,
}

pub(super) type OptionsOf<D> = <<D as Database>::Connection as Connection>::Options;

impl<D: Database> Followed<D> {
    /// Options that never change.
    pub(super) fn fixed(given: OptionsOf<D>) -> Self {
        Self {
            given: Arc::new(given),
            pool: None,
        }
    }

    /// The options of a pool, whatever they currently are.
    pub(super) fn of(pool: &Pool<D>) -> Self {
        Self {
            given: pool.connect_options(),
            pool: Some(pool.clone()),
        }
    }

    /// The options for a new connection.
    pub(super) fn now(&self) -> Arc<OptionsOf<D>> {
        match &self.pool {
            Some(pool) => pool.connect_options(),
            None => Arc::clone(&self.given),
        }
    }
}

/// Whether a connection was opened with other options than the current ones. It is not used again, because it may lead to another
/// host.
pub(super) fn is_left<O>(opened_with: &Arc<O>, now: &Arc<O>) -> bool {
    !Arc::ptr_eq(opened_with, now)
}

impl<D: Database> Clone for Followed<D> {
    fn clone(&self) -> Self {
        Self {
            given: Arc::clone(&self.given),
            pool: self.pool.clone(),
        }
    }
}

impl<D: Database> fmt::Debug for Followed<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The options contain a password.
        f.debug_struct("Followed").finish_non_exhaustive()
    }
}
