//! One connection to PostgreSQL with its prepared statements.

#![cfg_attr(
    not(feature = "tls"),
    allow(
        clippy::clone_on_copy,
        reason = "with the feature, a connector is not `Copy`"
    )
)]

use std::error::Error as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::TryStreamExt as _;
use futures_util::future::try_join;
use hashlink::LruCache;
use sea_orm::sea_query::Value;
use sea_orm::{DbErr, RuntimeErr};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Connection, Error, RowStream, Socket};

use super::super::failure::{is_over_time_sqlstate, is_passing_sqlstate, refused, unavailable};
use super::super::options::ReadOptions;
use super::super::prepared::is_kept;
use super::row::{FastRow, Wires};
use super::setup::SessionSetup;
use super::tls::{Connector, Encryption};
use super::value::{Bound, type_of};
use crate::execute::ExecuteError;
use crate::render::{Batch, Shape};
use crate::sql::Statement;
use crate::vocabulary::Plans;

/// Longer texts contain long lists of values and are rarely repeated. They would only displace others.
const LONGEST_KEPT_TEXT: usize = 16 * 1024;

/// Gives a session the settings of the application's sessions.
const COPY: &str =
    "SELECT set_config(name, value, false) FROM unnest($1, $2) AS setting (name, value)";

/// The time between two cancellations.
const CANCELLED_AGAIN_AFTER: Duration = Duration::from_millis(20);

/// A connection. The driver discards rows of requests that are gone.
pub(super) struct Session {
    client: Client,
    connector: Connector,
    /// The options with which it was opened.
    pub(super) opened_with: Arc<PgConnectOptions>,
    /// Whether the server was asked to cancel what it is running here.
    is_cancelled: AtomicBool,
    statements: Mutex<LruCache<String, Prepared>>,
}

/// A statement that the server has prepared. The server closes it when the last of these is dropped.
#[derive(Clone)]
struct Prepared {
    statement: tokio_postgres::Statement,
    wires: Wires,
}

/// Why a statement returned no rows.
pub(super) enum Failure {
    /// The connection is lost, and the statement with it.
    Lost(ExecuteError),
    /// A cancellation of another statement hit this one.
    Cancelled(ExecuteError),
    /// The prepared statement no longer fits the tables.
    Outdated(ExecuteError),
    Other(ExecuteError),
}

impl Session {
    pub(super) async fn open(
        (config, opened_with): (Config, Arc<PgConnectOptions>),
        encryption: &Encryption,
        setup: &SessionSetup,
        options: &ReadOptions,
    ) -> Result<Self, ExecuteError> {
        let connector = encryption.connector().await;
        let connector = connector.map_err(|error| unavailable(&error.to_string()))?;
        let connected = connect(&config, encryption.mode(), connector.clone()).await;
        let (client, connection) = connected.map_err(|error| execute_error(&error))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::warn!(error = %execute_error(&error), "a connection for reading was lost");
            }
        });
        let (names, values) = (&setup.names, &setup.values);
        let copied: [(&(dyn ToSql + Sync), Type); 2] =
            [(names, Type::TEXT_ARRAY), (values, Type::TEXT_ARRAY)];
        let copied = client.query_typed(COPY, &copied);
        let ours = settings("SET", setup, options);
        // Both are sent at once, in this order.
        let told = try_join(copied, client.batch_execute(&ours)).await;
        told.map_err(|error| execute_error(&error))?;
        Ok(Self {
            client,
            connector,
            opened_with,
            is_cancelled: AtomicBool::new(false),
            statements: Mutex::new(LruCache::new(options.statements)),
        })
    }

    pub(super) fn is_lost(&self) -> bool {
        self.client.is_closed()
    }

    /// Runs a statement without rows.
    pub(super) async fn run(&self, statement: &str) -> Result<(), ExecuteError> {
        let done = self.client.batch_execute(statement).await;
        done.map_err(|error| execute_error(&error))
    }

    /// Cancels what the session is doing, repeatedly until it has settled. A cancellation that arrives before its statement
    /// begins has no effect, and each one cancels only one statement.
    pub(super) async fn cancel_until(&self, mut settled: impl Future<Output = ()> + Unpin) {
        loop {
            self.cancel().await;
            if timeout(CANCELLED_AGAIN_AFTER, &mut settled).await.is_ok() {
                return;
            }
        }
    }

    /// Waits until everything that was sent before has been answered, or the connection is lost.
    pub(super) async fn settle(&self) {
        let _ = self.client.batch_execute("").await;
    }

    /// Asks the server to cancel what it is running here. The answer to the statement shows whether it did.
    pub(super) async fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
        let token = self.client.cancel_token();
        if let Err(error) = token.cancel_query(self.connector.clone()).await {
            tracing::debug!(error = %execute_error(&error), "a statement could not be cancelled");
        }
    }

    /// Runs a statement, and keeps it prepared if it may be repeated.
    pub(super) async fn read(
        self: &Arc<Self>,
        statement: &Statement,
        shape: &Shape,
    ) -> Result<Batch, Failure> {
        if statement.plans == Plans::ForEachRequest {
            return self.rows_unprepared(statement, shape).await;
        }
        if let Some(kept) = self.kept(statement) {
            match self.rows(&kept, &statement.values, shape).await {
                Err(Failure::Outdated(_)) => self.forget(&statement.text),
                done => return done,
            }
        }
        let prepared = self.prepare(statement).await?;
        self.rows(&prepared, &statement.values, shape).await
    }

    async fn rows(
        &self,
        prepared: &Prepared,
        values: &[Value],
        shape: &Shape,
    ) -> Result<Batch, Failure> {
        let mut batch = Batch::for_shape(shape);
        let rows = self
            .client
            .query_raw(&prepared.statement, values.iter().map(Bound));
        let failed = |error| self.failure(&error);
        let mut rows = std::pin::pin!(rows.await.map_err(failed)?);
        while let Some(row) = rows.try_next().await.map_err(failed)? {
            let row = FastRow {
                row: &row,
                wires: &prepared.wires,
            };
            let read = batch.push(shape, &row);
            read.map_err(|error| Failure::Other(error.into()))?;
        }
        Ok(batch)
    }

    /// Runs a statement without keeping it prepared, so that the server plans it for these values.
    async fn rows_unprepared(
        &self,
        statement: &Statement,
        shape: &Shape,
    ) -> Result<Batch, Failure> {
        let types = types_of(&statement.values)?;
        let values = statement.values.iter().map(Bound).zip(types);
        let failed = |error| self.failure(&error);
        let rows = self.client.query_typed_raw(&statement.text, values).await;
        let mut rows = std::pin::pin!(rows.map_err(failed)?);
        let mut batch = Batch::for_shape(shape);
        let mut wires = None;
        while let Some(row) = rows.try_next().await.map_err(failed)? {
            let wires = wires.get_or_insert_with(|| Wires::of(row.columns()));
            let row = FastRow { row: &row, wires };
            let read = batch.push(shape, &row);
            read.map_err(|error| Failure::Other(error.into()))?;
        }
        Ok(batch)
    }

    /// Starts reading the rows of a statement, as many as the caller takes. It is prepared first, because the types of its
    /// columns may have to be queried, which is not possible between its rows.
    pub(super) async fn open_rows(
        &self,
        statement: &Statement,
    ) -> Result<(RowStream, Wires), ExecuteError> {
        let types = types_of(&statement.values)?;
        let failed = |error: Error| ExecuteError::from(self.failure(&error));
        let prepared = self.client.prepare_typed(&statement.text, &types).await;
        let prepared = prepared.map_err(failed)?;
        let values = statement.values.iter().map(Bound);
        let rows = self.client.query_raw(&prepared, values).await;
        Ok((rows.map_err(failed)?, Wires::of(prepared.columns())))
    }

    /// The prepared statement for this text and values of these types.
    fn kept(&self, statement: &Statement) -> Option<Prepared> {
        let mut statements = self.statements();
        let kept = statements.get(&statement.text)?;
        let types = statement.values.iter().map(type_of);
        let fits = kept.statement.params().iter().cloned().map(Some).eq(types);
        fits.then(|| kept.clone())
    }

    /// Prepares the statement in a separate task. If that were abandoned half-way, the server would keep a statement that is
    /// never closed.
    async fn prepare(self: &Arc<Self>, statement: &Statement) -> Result<Prepared, Failure> {
        let types = types_of(&statement.values)?;
        let (session, text) = (Arc::clone(self), statement.text.clone());
        let is_kept = is_kept(statement, LONGEST_KEPT_TEXT);
        let task = tokio::spawn(async move {
            let statement = session.client.prepare_typed(&text, &types).await?;
            let prepared = Prepared {
                wires: Wires::of(statement.columns()),
                statement,
            };
            if is_kept {
                // The statement that is replaced is closed after its last use.
                session.statements().insert(text, prepared.clone());
            }
            Ok(prepared)
        });
        match task.await {
            Ok(prepared) => prepared.map_err(|error: Error| self.failure(&error)),
            Err(error) => Err(Failure::Other(refused(&error.to_string()))),
        }
    }

    pub(super) fn failure(&self, error: &Error) -> Failure {
        match error.code() {
            // A column has another type now, or the server dropped its prepared statements.
            Some(&SqlState::FEATURE_NOT_SUPPORTED | &SqlState::INVALID_SQL_STATEMENT_NAME) => {
                Failure::Outdated(execute_error(error))
            }
            Some(&SqlState::QUERY_CANCELED) if self.is_cancelled.load(Ordering::Acquire) => {
                Failure::Cancelled(execute_error(error))
            }
            // The server announces that it closes the connection, just before it does.
            Some(
                &SqlState::ADMIN_SHUTDOWN
                | &SqlState::CRASH_SHUTDOWN
                | &SqlState::CANNOT_CONNECT_NOW,
            ) => Failure::Lost(execute_error(error)),
            None if error.is_closed() || self.is_lost() => Failure::Lost(execute_error(error)),
            _ => Failure::Other(execute_error(error)),
        }
    }

    fn forget(&self, text: &str) {
        self.statements().remove(text);
    }

    fn statements(&self) -> std::sync::MutexGuard<'_, LruCache<String, Prepared>> {
        // No code panics while holding the lock, and a cache would still be valid after a panic.
        self.statements
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) type Connected = (
    Client,
    Connection<Socket, <Connector as MakeTlsConnect<Socket>>::Stream>,
);

/// With `allow`, encryption is tried if the server refuses unencrypted connections.
pub(super) async fn connect(
    config: &Config,
    mode: PgSslMode,
    tls: Connector,
) -> Result<Connected, Error> {
    let mut config = config.clone();
    let is_socket = matches!(config.get_hosts(), [Host::Unix(_)]);
    config.ssl_mode(match mode {
        _ if is_socket => SslMode::Disable,
        PgSslMode::Disable | PgSslMode::Allow => SslMode::Disable,
        PgSslMode::Prefer => SslMode::Prefer,
        PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull => SslMode::Require,
    });
    let refused = match config.connect(tls.clone()).await {
        Err(error) if matches!(mode, PgSslMode::Allow) && !is_socket => error,
        connected => return connected,
    };
    match refused.code() {
        Some(&SqlState::INVALID_AUTHORIZATION_SPECIFICATION) => {
            config.ssl_mode(SslMode::Require).connect(tls).await
        }
        _ => Err(refused),
    }
}

fn types_of(values: &[Value]) -> Result<Vec<Type>, Failure> {
    let types: Option<_> = values.iter().map(type_of).collect();
    types.ok_or_else(|| {
        Failure::Other(refused(
            "a value has a type that only `ReadPool::from(DatabaseConnection)` can bind",
        ))
    })
}

/// The settings of every session, applied after those of the application's sessions; or of every transaction if other clients use
/// the session too (`SET LOCAL`).
///
/// JIT is off: a list takes less time than the compilation of its statement, and no time limit applies during compilation (b264).
pub(super) fn settings(set: &str, setup: &SessionSetup, options: &ReadOptions) -> String {
    let limit = match (options.statement_timeout, setup.statement_timeout) {
        // The server accepts no longer time, and 0 means no limit.
        (Some(limit), _) => limit.as_millis().clamp(1, i32::MAX as u128),
        (None, Some(limit)) => limit.into(),
        (None, None) => ReadOptions::STATEMENT_TIMEOUT.as_millis(),
    };
    format!(
        "{set} default_transaction_read_only = on; \
         {set} plan_cache_mode = auto; \
         {set} jit = off; \
         {set} statement_timeout = {limit}"
    )
}

impl From<Failure> for ExecuteError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Lost(error)
            | Failure::Cancelled(error)
            | Failure::Outdated(error)
            | Failure::Other(error) => error,
        }
    }
}

/// The error with the same codes as on SeaORM's connections.
pub(super) fn execute_error(error: &Error) -> ExecuteError {
    // The driver's own text leaves the reason to its source.
    let text = match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    };
    match error.code() {
        Some(code) if is_over_time_sqlstate(code.code()) => {
            ExecuteError::OverTime(DbErr::Query(RuntimeErr::Internal(text)))
        }
        Some(code) if !is_passing_sqlstate(code.code()) => refused(&text),
        Some(_) => unavailable(&text),
        // A value that cannot be serialized is not the connection's fault.
        None if text.starts_with("error serializing") => refused(&text),
        None => unavailable(&text),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_statement_timeout_is_one_that_the_server_knows() {
        let limit = |time| {
            let options = ReadOptions::new().statement_timeout(time);
            let settings = settings("SET", &SessionSetup::alone(), &options);
            let (_, limit) = settings.rsplit_once("statement_timeout = ").unwrap();
            limit.to_owned()
        };
        // 0 would mean no limit.
        assert_eq!(limit(Duration::ZERO), "1");
        assert_eq!(limit(Duration::from_nanos(1)), "1");
        assert_eq!(limit(Duration::from_millis(1_500)), "1500");
        assert_eq!(limit(Duration::MAX), "2147483647");
    }
}
