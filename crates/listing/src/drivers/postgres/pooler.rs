//! Finds out whether a pooler such as PgBouncer is between this program and PostgreSQL, and what it supports.

use std::sync::Arc;

use sea_orm::{DatabaseConnection, DbErr, RuntimeErr};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgSslMode};
use sqlx::{Connection as _, Error, Executor as _, Row as _, raw_sql};
use tokio::time::timeout;
use tokio_postgres::SimpleQueryMessage;

use super::super::failure::{no_connection_in_time, unavailable};
use super::super::options::ReadOptions;
use super::super::server::forgets_statements;
use super::reader::config;
use super::session::{self, execute_error};
use super::tls::Encryption;
use crate::execute::ExecuteError;

/// A setting without a meaning. Only a session that was opened for us has it: a pooler refuses settings that it cannot restore
/// for each client, or leaves them out.
const MARK: (&str, &str) = ("listing.session", "own");

const IS_MARKED: &str = "SELECT coalesce(current_setting('listing.session', true), '')";

/// The server's name for this statement, if it is the one that the driver chose. A pooler that keeps statements for its clients
/// gives them other names.
const GIVEN_NAMES: &str =
    "SELECT name FROM pg_catalog.pg_prepared_statements WHERE name LIKE 'sqlx\\_s\\_%'";

/// The pooler between this program and PostgreSQL, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostgresPooler {
    /// Nothing: a connection is a session of the server.
    Absent,
    /// A pooler that keeps the prepared statements of each client.
    KeepsStatements,
    /// A pooler that does not: the next transaction may get a session without them, or with those of another client.
    KeepsNone,
}

impl PostgresPooler {
    /// Finds out on a separate connection, and leaves nothing in a session.
    ///
    /// # Errors
    /// When no connection can be opened.
    pub async fn find(server: &PgConnectOptions) -> Result<Self, Error> {
        let server = server.clone().extra_float_digits(None);
        match connect(&server.clone().options([MARK])).await {
            Ok(mut connection) => {
                let mark = raw_sql(IS_MARKED).fetch_one(&mut connection).await?;
                let mark: String = mark.try_get(0)?;
                connection.close().await?;
                if mark == MARK.1 {
                    return Ok(Self::Absent);
                }
            }
            Err(error) if is_refused_parameter(&error) => {}
            Err(error) => return Err(error),
        }
        keeps(connect(&server).await?).await
    }

    /// Whether the connections of `db` keep nothing prepared, so that they can be used through any pooler.
    #[must_use]
    pub fn is_expected_by(db: &DatabaseConnection) -> bool {
        forgets_statements(&db.get_postgres_connection_pool().connect_options())
    }
}

/// The same by the readers' own driver, which binds passwords to connections (b327).
pub(super) async fn found(
    server: &PgConnectOptions,
    encryption: &Encryption,
    options: &ReadOptions,
) -> Result<PostgresPooler, ExecuteError> {
    let found = async {
        if is_own(server, encryption, options).await? {
            return Ok(PostgresPooler::Absent);
        }
        let server = server.clone().extra_float_digits(None);
        let kept = async { keeps(connect(&server).await?).await };
        kept.await
            .map_err(|error| DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))).into())
    };
    match timeout(options.acquire_timeout, found).await {
        Ok(found) => found,
        Err(_) => Err(no_connection_in_time()),
    }
}

/// Whether a connection is a session that was opened for us.
async fn is_own(
    server: &PgConnectOptions,
    encryption: &Encryption,
    options: &ReadOptions,
) -> Result<bool, ExecuteError> {
    let mut config = config(server, options);
    let given = config.get_options().unwrap_or_default();
    let marked = format!("{given} -c {}={}", MARK.0, MARK.1);
    config.options(marked.trim_start());
    let connector = encryption.connector().await;
    let connector = connector.map_err(|error| unavailable(&error.to_string()))?;
    let (client, connection) = match session::connect(&config, encryption.mode(), connector).await {
        Ok(connected) => connected,
        Err(error) => {
            let told = error.as_db_error();
            let is_refused =
                told.is_some_and(|told| is_refusal(told.code().code(), told.message()));
            return if is_refused {
                Ok(false)
            } else {
                Err(execute_error(&error))
            };
        }
    };
    // Ends with the client.
    tokio::spawn(connection);
    let told = client.simple_query(IS_MARKED).await;
    let told = told.map_err(|error| execute_error(&error))?;
    Ok(told.iter().any(
        |message| matches!(message, SimpleQueryMessage::Row(row) if row.get(0) == Some(MARK.1)),
    ))
}

/// With `allow`, encryption is tried where the server refuses to go without.
async fn connect(server: &PgConnectOptions) -> Result<PgConnection, Error> {
    let connected = PgConnection::connect_with(server).await;
    match (connected, server.get_ssl_mode()) {
        (Err(error), PgSslMode::Allow) if code(&error).as_deref() == Some("28000") => {
            let encrypted = server.clone().ssl_mode(PgSslMode::Require);
            PgConnection::connect_with(&encrypted).await
        }
        (connected, _) => connected,
    }
}

/// Whether a pooler keeps prepared statements. In one transaction, so that one session answers.
async fn keeps(mut connection: PgConnection) -> Result<PostgresPooler, Error> {
    connection.execute("BEGIN").await?;
    let names = sqlx::query(GIVEN_NAMES).fetch_all(&mut connection).await;
    let (pooler, end) = match names {
        Ok(names) if names.is_empty() => (PostgresPooler::KeepsStatements, "ROLLBACK"),
        // In one message, so that both meet the same session.
        Ok(_) => (PostgresPooler::KeepsNone, "ROLLBACK; DEALLOCATE ALL"),
        // Another client left a statement of the same name.
        Err(error) if code(&error).as_deref() == Some("42P05") => {
            (PostgresPooler::KeepsNone, "ROLLBACK; DEALLOCATE ALL")
        }
        Err(error) => return Err(error),
    };
    raw_sql(end).execute(&mut connection).await?;
    connection.close().await?;
    Ok(pooler)
}

fn is_refused_parameter(error: &Error) -> bool {
    let text = error.as_database_error().map(|error| error.message());
    code(error)
        .zip(text)
        .is_some_and(|(code, text)| is_refusal(&code, text))
}

/// Whether this is a pooler's error about a parameter that it cannot restore for each client.
fn is_refusal(code: &str, text: &str) -> bool {
    code == "08P01" && text.contains("unsupported startup parameter")
}

fn code(error: &Error) -> Option<String> {
    Some(error.as_database_error()?.code()?.into_owned())
}
