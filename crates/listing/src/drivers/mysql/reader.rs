//! Reads MariaDB and MySQL on a pool of its own, set up for reading.
//!
//! The driver is SeaORM's own, used in two other ways. No connection is asked whether it is alive before each statement,
//! which costs a message there and back. And prepared statements are dropped all at once: the driver tells the server of
//! each one that it drops, and because it does not set TCP_NODELAY, what it sends next waits for the server's delayed
//! acknowledgement. With a full cache, where each new statement pushes an old one out, every request took 45 to 110 ms;
//! with room, 0.06 ms.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt as _;
use sea_orm::sea_query::Values;
use sea_orm::{DbErr, RuntimeErr};
use sea_query_sqlx::SqlxValues;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlDatabaseError, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, Error};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::super::failure::refused;
use super::super::lane::{SlowLane, Turn};
use super::super::options::ReadOptions;
use super::super::prepared::is_kept;
use super::pool::{Lent, Pool};
use crate::execute::{ExecuteError, ReadFuture, Reader};
use crate::render::{Batch, Shape};
use crate::sql::{Dialect, Statement};
use crate::vocabulary::{TALLY, boxed};

/// Longer texts read the relations of a large page or hold long lists of values, and hardly come again. They are dropped
/// after their answer, when nobody waits for it.
const LONGEST_KEPT_TEXT: usize = 64 * 1024;

/// A statement that nobody waits for is ended if it does not end by itself by then. Most do.
const KILLED_AFTER: Duration = Duration::from_millis(20);

/// A server that does not end a statement has other troubles: the connection is given up.
const TIME_TO_KILL: Duration = Duration::from_secs(5);

/// Reads on connections of its own.
pub(super) struct MysqlReader {
    pool: Arc<Pool>,
    lane: Arc<SlowLane>,
    /// How many a connection keeps.
    statements: usize,
}

impl MysqlReader {
    /// Connections that are set up by `setup`: as many as `options` asks for, or else as it has itself.
    pub(super) fn new(
        server: MySqlConnectOptions,
        setup: MySqlPoolOptions,
        options: &ReadOptions,
    ) -> Self {
        let asked = options.connections.map(u32::try_from);
        let connections = asked.and_then(Result::ok);
        let connections = connections.unwrap_or(setup.get_max_connections());
        // Never full: that is seen to after each statement.
        let server = server.statement_cache_capacity(options.statements.saturating_add(1));
        // Some connections are for quick statements only.
        let most_slow = usize::try_from(connections.saturating_sub(1)).unwrap_or(1);
        let slow = options.slow_statements().min(most_slow.max(1));
        Self {
            pool: Arc::new(Pool::new(server, setup, connections, options)),
            lane: Arc::new(SlowLane::new(slow)),
            statements: options.statements,
        }
    }

    /// A statement whose connection is lost, or that was ended in the place of another, is run once more: it only reads.
    async fn rows(&self, statement: Statement, shape: &Shape) -> Result<Batch, ExecuteError> {
        let mut turn = self.lane.enter(&statement.text).await?;
        let mut lent = self.pool.acquire().await.map_err(execute_error)?;
        // Others of its kind may have been slow meanwhile.
        if !turn.is_slow() && self.lane.is_slow(&statement.text) {
            drop(lent);
            turn = self.lane.enter(&statement.text).await?;
            lent = self.pool.acquire().await.map_err(execute_error)?;
        }
        let task = self.task(lent, turn.clone(), statement.clone(), shape.clone());
        let mut done = attended(task).await;
        if matches!(&done, Err(Failed::Driver(error)) if is_lost(error)) {
            let lent = self.pool.living().await.map_err(execute_error)?;
            done = attended(self.task(lent, turn, statement, shape.clone())).await;
        }
        Ok(done?)
    }

    fn task(&self, lent: Lent, turn: Turn, statement: Statement, shape: Shape) -> Task {
        Task {
            pool: Arc::clone(&self.pool),
            lane: Arc::clone(&self.lane),
            statements: self.statements,
            lent,
            turn,
            statement,
            shape,
        }
    }
}

/// Runs a statement in a task of its own, which goes on without its request: were the statement dropped half-way, the next
/// one on its connection would be given the rest of its answer.
async fn attended(task: Task) -> Result<Batch, Failed> {
    let (attended, left) = oneshot::channel();
    let done = tokio::spawn(task.run(left)).await;
    drop(attended);
    done.unwrap_or_else(|error| Err(Failed::Read(refused(&error.to_string()))))
}

/// A statement on its connection, with everything that it needs.
struct Task {
    pool: Arc<Pool>,
    lane: Arc<SlowLane>,
    statements: usize,
    lent: Lent,
    turn: Turn,
    statement: Statement,
    shape: Shape,
}

impl Task {
    /// To its end, or until nobody waits for it and the server was told to end it.
    async fn run(mut self, left: oneshot::Receiver<()>) -> Result<Batch, Failed> {
        let began = Instant::now();
        let done = self.done_or_left(left).await;
        let text = &self.statement.text;
        let done = match done {
            Ok(done) => done,
            Err(Left { has_ended }) => {
                self.lane.was_left(text, &self.turn, began.elapsed());
                // What is ended a moment too late is the next statement on its connection: let it be this one.
                if !has_ended
                    || !matches!(timeout(TIME_TO_KILL, self.lent.answers()).await, Ok(true))
                {
                    self.lent.close();
                }
                return Err(Failed::Driver(Error::PoolTimedOut));
            }
        };
        self.lane.ran(text, &self.turn, began.elapsed());
        if matches!(&done, Err(Failed::Driver(error)) if is_broken(error)) {
            self.lent.close();
        } else if done.is_ok() {
            self.make_room();
        }
        done
    }

    /// The answer, unless nobody waited for it and the server was told to end it.
    async fn done_or_left(
        &mut self,
        mut left: oneshot::Receiver<()>,
    ) -> Result<Result<Batch, Failed>, Left> {
        let Some((connection, number, make_spare)) = self.lent.parts() else {
            return Ok(Err(Failed::Driver(Error::PoolClosed)));
        };
        let mut read = std::pin::pin!(rows(connection, &self.statement, &self.shape));
        let mut slow = (!self.turn.is_slow()).then_some(make_spare);
        loop {
            tokio::select! {
                biased;
                done = &mut read => return Ok(done),
                _ = &mut left => break,
                () = sleep(SlowLane::SLOW), if slow.is_some() => {
                    self.lane.runs_long(&self.statement.text, &self.turn);
                    if let Some(make_spare) = slow.take() {
                        make_spare();
                    }
                }
            }
        }
        if let Ok(done) = timeout(KILLED_AFTER, &mut read).await {
            return Ok(done);
        }
        let killed = timeout(TIME_TO_KILL, self.pool.kill(number)).await;
        if matches!(killed, Ok(Ok(()))) {
            TALLY.statements_cancelled.add();
        } else {
            tracing::debug!("failed to cancel an abandoned statement");
        }
        let has_ended = timeout(TIME_TO_KILL, &mut read).await.is_ok();
        Err(Left { has_ended })
    }

    /// Drops all prepared statements when they are too many. Nobody waits for it; the connection is handed back when it is
    /// done.
    fn make_room(mut self) {
        let Some((connection, _)) = self.lent.connection() else {
            return;
        };
        if connection.cached_statements_size() >= self.statements {
            let (mut lent, turn) = (self.lent, self.turn);
            tokio::spawn(async move {
                if let Some((connection, _)) = lent.connection()
                    && connection.clear_cached_statements().await.is_err()
                {
                    lent.close();
                }
                drop(turn);
            });
        }
    }
}

impl Reader for MysqlReader {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        Ok(Dialect::Mysql)
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        boxed(|| self.rows(statement, shape))
    }
}

async fn rows(
    connection: &mut MySqlConnection,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failed> {
    let values = SqlxValues(Values(statement.values.clone()));
    let query = sqlx::query_with(AssertSqlSafe(statement.text.clone()), values)
        .persistent(is_kept(statement, LONGEST_KEPT_TEXT));
    let mut rows = query.fetch(connection);
    let mut batch = Batch::for_shape(shape);
    while let Some(row) = rows.try_next().await? {
        batch.push(shape, &row).map_err(ExecuteError::from)?;
    }
    Ok(batch)
}

/// Nobody waited for a statement.
struct Left {
    has_ended: bool,
}

/// Why a statement gave no rows.
enum Failed {
    Driver(Error),
    Read(ExecuteError),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Driver(error)
    }
}

impl From<ExecuteError> for Failed {
    fn from(error: ExecuteError) -> Self {
        Self::Read(error)
    }
}

impl From<Failed> for ExecuteError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Driver(error) => execute_error(error),
            Failed::Read(error) => error,
        }
    }
}

fn execute_error(error: Error) -> ExecuteError {
    DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))).into()
}

/// Whether nobody knows what the connection will answer next: only what the server itself says leaves it in order.
fn is_broken(error: &Error) -> bool {
    is_lost(error) || !matches!(error, Error::Database(_))
}

/// The server closed the connection, because it was idle for too long, was killed, or the server stopped; or the statement
/// was ended in the place of another.
fn is_lost(error: &Error) -> bool {
    match error {
        Error::Io(_) => true,
        Error::Database(error) => error
            .try_downcast_ref::<MySqlDatabaseError>()
            // Shutdown, an ended statement, killed, and idle for too long.
            .is_some_and(|error| matches!(error.number(), 1053 | 1317 | 1927 | 4031)),
        _ => false,
    }
}
