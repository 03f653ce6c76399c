//! Lends connections to a database, one statement at a time on each, and keeps them for the next.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::lanes::{Lanes, Place};
use super::options::ReadOptions;
use crate::execute::ExecuteError;
use crate::sql::Statement;

/// Opens connections to a database.
pub(super) trait Server: Send + Sync + 'static {
    type Connection: Send + 'static;

    /// The number of connections for indexed statements for each connection for unindexed ones, unless the options set both.
    const PART: usize = 1;

    fn open(&self) -> impl Future<Output = Result<Self::Connection, ExecuteError>> + Send;

    /// Whether a connection is known to be lost, or leads to another host than new ones.
    fn is_lost(&self, _: &Self::Connection) -> bool {
        false
    }
}

/// How long a connection is used; unlimited if `None`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ages {
    pub(super) most: Option<Duration>,
    pub(super) most_idle: Option<Duration>,
}

#[cfg(feature = "sqlite")]
impl Ages {
    pub(super) const NONE: Self = Self {
        most: None,
        most_idle: None,
    };
}

impl Default for Ages {
    /// The same limits as in sqlx's pools.
    fn default() -> Self {
        Self {
            most: Some(Duration::from_mins(30)),
            most_idle: Some(Duration::from_mins(10)),
        }
    }
}

/// The connections of a pool, at most as many as its lanes have places.
pub(super) struct Lender<S: Server> {
    pub(super) server: S,
    lanes: Lanes,
    ages: Ages,
    /// The most recently used connection is used next, so that unneeded ones grow old.
    idle: Mutex<VecDeque<Idle<S::Connection>>>,
}

struct Idle<C> {
    connection: C,
    opened: Instant,
    since: Instant,
}

/// A connection for one statement. If it is dropped without being given back, it is closed, because its next answer could belong
/// to an earlier statement.
pub(super) struct Lent<S: Server> {
    pub(super) connection: S::Connection,
    pub(super) lender: Arc<Lender<S>>,
    opened: Instant,
    place: Place,
}

impl<S: Server> Lender<S> {
    /// The options set the number of connections for each lane; the default for the first is `connections`.
    pub(super) fn new(server: S, options: &ReadOptions, connections: usize, ages: Ages) -> Self {
        Self {
            server,
            lanes: Lanes::new(options, connections, S::PART),
            ages,
            idle: Mutex::default(),
        }
    }

    /// A connection, when it is the statement's turn.
    pub(super) async fn lend(
        self: &Arc<Self>,
        statement: &Statement,
    ) -> Result<Lent<S>, ExecuteError> {
        let lent = async {
            let place = self.lanes.place(statement).await?;
            match self.take() {
                Some((connection, opened)) => Ok(self.lent(connection, opened, place)),
                None => self.open(place).await,
            }
        };
        self.lanes.in_time(lent).await
    }

    /// A new connection for a statement whose connection was lost, because idle connections may be lost as well. A file is never
    /// lost.
    #[cfg(any(test, feature = "postgres", feature = "mysql"))]
    pub(super) async fn lend_new(
        self: &Arc<Self>,
        statement: &Statement,
    ) -> Result<Lent<S>, ExecuteError> {
        let lent = async { self.open(self.lanes.place(statement).await?).await };
        self.lanes.in_time(lent).await
    }

    async fn open(self: &Arc<Self>, place: Place) -> Result<Lent<S>, ExecuteError> {
        // Boxed: otherwise the future of every statement would be as large as this one.
        let connection = Box::pin(self.server.open()).await?;
        Ok(self.lent(connection, Instant::now(), place))
    }

    fn lent(self: &Arc<Self>, connection: S::Connection, opened: Instant, place: Place) -> Lent<S> {
        Lent {
            connection,
            opened,
            lender: Arc::clone(self),
            place,
        }
    }

    /// The most recently used connection, and when it was opened.
    pub(super) fn take(&self) -> Option<(S::Connection, Instant)> {
        let now = Instant::now();
        let mut idle = self.idle();
        while let Some(one) = idle.pop_back() {
            if !self.is_over(&one, now) && !self.server.is_lost(&one.connection) {
                return Some((one.connection, one.opened));
            }
        }
        None
    }

    /// Keeps a connection for the next statement, and closes the one that has been idle for the longest time if it has expired.
    pub(super) fn keep(&self, connection: S::Connection, opened: Instant) {
        let since = Instant::now();
        let mut idle = self.idle();
        idle.push_back(Idle {
            connection,
            opened,
            since,
        });
        let oldest = idle.pop_front_if(|oldest| self.is_over(oldest, since));
        drop(idle);
        drop(oldest);
    }

    fn is_over(&self, one: &Idle<S::Connection>, now: Instant) -> bool {
        let is_over = |since, most: Option<_>| most.is_some_and(|most| now - since > most);
        is_over(one.opened, self.ages.most) || is_over(one.since, self.ages.most_idle)
    }

    fn idle(&self) -> MutexGuard<'_, VecDeque<Idle<S::Connection>>> {
        // No code panics while holding this lock.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Server> Lent<S> {
    /// Returns the connection for the next statement.
    pub(super) fn give_back(self) {
        self.lender.keep(self.connection, self.opened);
        // Dropped last, so that the next statement that gets the place finds the connection.
        drop(self.place);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Numbers its connections.
    #[derive(Default)]
    struct Numbers(AtomicUsize);

    impl Server for Numbers {
        type Connection = usize;

        async fn open(&self) -> Result<usize, ExecuteError> {
            Ok(self.0.fetch_add(1, Ordering::Relaxed))
        }
    }

    fn lender(ages: Ages) -> Arc<Lender<Numbers>> {
        let options = ReadOptions::new().connections(2);
        Arc::new(Lender::new(Numbers::default(), &options, 1, ages))
    }

    async fn lend(lender: &Arc<Lender<Numbers>>) -> Lent<Numbers> {
        let statement = Statement::new("SELECT 1", Vec::new());
        lender.lend(&statement).await.unwrap()
    }

    /// Rule b672.
    #[tokio::test]
    async fn the_connection_that_was_used_last_is_used_first_and_one_that_is_dropped_is_not() {
        let lender = lender(Ages::default());
        let (first, second) = (lend(&lender).await, lend(&lender).await);
        second.give_back();
        first.give_back();
        let first = lend(&lender).await;
        assert_eq!(first.connection, 0);
        drop(first);
        assert_eq!(lend(&lender).await.connection, 1);
        assert_eq!(lend(&lender).await.connection, 2);
    }

    /// Rule b672.
    #[tokio::test]
    async fn a_connection_that_is_too_old_is_not_used_again() {
        let lender = lender(Ages {
            most: Some(Duration::ZERO),
            most_idle: None,
        });
        lend(&lender).await.give_back();
        assert_eq!(lend(&lender).await.connection, 1);
        let lost = Statement::new("SELECT 1", Vec::new());
        let new = lender.lend_new(&lost).await.unwrap();
        assert_eq!(new.connection, 2);
    }
}
