//! Opens a pool of connections to the database of a URL, each set up the same way.

mod encryption;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

#[cfg(any(feature = "postgres", feature = "mysql"))]
use std::io;
use std::time::{Duration, Instant};

use sea_orm::sqlx::Error as SqlxError;
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr, RuntimeErr};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::database_url::{Kind, address, parameter, unusable, without_url};

/// How long a request waits for a free connection before it is told that the database is busy.
const WAIT_FOR_CONNECTION: Duration = Duration::from_secs(5);

/// How long a connection that is given back has to answer. It answers only after the statement of a request that was given up,
/// which goes on at the server: much shorter, and there would be more statements there than connections may be.
#[cfg(any(feature = "postgres", feature = "mysql"))]
const WAIT_FOR_ANSWER: Duration = Duration::from_secs(15);

/// The driver's own threshold for slow statements.
const SLOW: Duration = Duration::from_secs(1);

const TIME_BETWEEN_TRIES: Duration = Duration::from_millis(500);

/// The beginning of an error about a server's address.
const UNREACHABLE: &str = "cannot reach";

/// Opens a pool of at most `max_connections` connections to a `sqlite:`, `postgres://` or `mysql://` URL.
///
/// A SQLite file that does not exist is created, unless the URL has a `mode` of its own. A database in memory lives in
/// one connection that is never closed, whatever `max_connections` says: it would vanish with it.
///
/// Writes to a SQLite file are on the disk before they are acknowledged (b341). With `synchronous=normal` in the URL a crash
/// of the machine, though not of the program, can lose the last of them, and writing takes a fraction of the time.
///
/// PostgreSQL may be reached through a pooler, such as PgBouncer in transaction mode. If the pooler keeps no prepared statements,
/// neither does the pool (b592).
///
/// ```no_run
/// # async fn example(config: listing_axum::Config) -> Result<(), sea_orm::DbErr> {
/// let db = listing_axum::database::connect(config.database.expose(), config.database_connections).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the URL names no known database, or the database does not answer: at once if the connection is refused (b220).
/// The text never holds the URL, which may hold a password.
pub async fn connect(url: &str, max_connections: u32) -> Result<DatabaseConnection, DbErr> {
    let kind = Kind::of(url)?;
    encryption::is_possible(url)?;
    has_driver(url)?;
    reach(url).await?;
    // A parameter of ours, which the driver does not know.
    let is_normal = parameter(url, &["synchronous"]) == Some("normal");
    let bare = url.replace("&synchronous=normal", "");
    let bare = bare
        .replace("?synchronous=normal&", "?")
        .replace("?synchronous=normal", "");
    let mut options = ConnectOptions::new(bare);
    options
        .max_connections(max_connections)
        .connect_timeout(WAIT_FOR_CONNECTION)
        .acquire_timeout(WAIT_FOR_CONNECTION);
    // Statements are logged for those who ask for it, slow ones too: a line repeats the whole statement (b625).
    if let Ok(level) = "debug".parse() {
        options
            .sqlx_logging_level(level)
            .sqlx_slow_statements_logging_settings(level, SLOW);
    }
    match kind {
        // The drivers themselves keep a session in UTC.
        Kind::Server { .. } => {
            postgres::server(&mut options, false);
            mysql::server(&mut options);
        }
        Kind::SqliteFile { create } => sqlite::file(&mut options, create, is_normal),
        Kind::SqliteMemory => sqlite::memory(&mut options),
    }
    let connected = match Database::connect(options.clone()).await {
        Err(error) if encryption::is_worth_a_try(url, &error) => {
            postgres::server(&mut options, true);
            Database::connect(options.clone()).await
        }
        connected => connected,
    };
    let connected = match connected {
        Ok(db) => postgres::through_pooler(db, options).await,
        refused => refused,
    };
    connected.map_err(|error| without_url(error, url))
}

/// As [`connect`], for a database that may still be starting: a server that cannot be reached is tried again until `time` is over.
///
/// # Errors
/// As [`connect`]; mistakes in the URL are reported at once.
pub async fn connect_within(
    url: &str,
    max_connections: u32,
    time: Duration,
) -> Result<DatabaseConnection, DbErr> {
    // Logs the first try, and then every tenth.
    const SAID_EVERY: u32 = 10;
    let begun = Instant::now();
    let mut tries = 0_u32;
    loop {
        match connect(url, max_connections).await {
            Err(error) if is_starting(&error) && begun.elapsed() < time => {
                if tries.is_multiple_of(SAID_EVERY) {
                    let seconds = time.saturating_sub(begun.elapsed()).as_secs();
                    tracing::warn!(%error, "waiting for the database for up to {seconds} s");
                }
                tries = tries.wrapping_add(1);
                sleep(TIME_BETWEEN_TRIES).await;
            }
            connected => return connected,
        }
    }
}

/// Whether a server may take connections a little later: nothing listens yet, or it says that it is not ready.
fn is_starting(error: &DbErr) -> bool {
    match error {
        DbErr::Conn(RuntimeErr::Internal(reason)) => reason.starts_with(UNREACHABLE),
        DbErr::Conn(RuntimeErr::SqlxError(error)) => match error.as_database_error() {
            // PostgreSQL is starting, stopping or recovering, or has no room.
            Some(error) => error
                .code()
                .is_some_and(|code| code.starts_with("57P") || code == "53300"),
            None => !matches!(**error, SqlxError::Configuration(_) | SqlxError::Tls(_)),
        },
        _ => false,
    }
}

/// Whether a server listens at the address of a URL; a file is always reached. A pool takes a refusal for a server that
/// is still starting, and asks again until its time is over; then it says "timed out", and not why.
///
/// # Errors
/// When the connection is refused, or nothing answers within five seconds.
pub async fn reach(url: &str) -> Result<(), DbErr> {
    let Kind::Server { port } = Kind::of(url)? else {
        return Ok(());
    };
    let Some(address) = address(url, port)? else {
        return Ok(());
    };
    let failed = |why: String| unusable(&format!("{UNREACHABLE} {address}: {why}"));
    match timeout(WAIT_FOR_CONNECTION, TcpStream::connect(&address)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Err(_) => Err(failed("no answer".to_owned())),
    }
}

/// Whether the program was built with the driver of a URL's database: otherwise there is nothing to wait for.
fn has_driver(url: &str) -> Result<(), DbErr> {
    let (feature, is_on) = match url.split(':').next() {
        Some("mysql") => ("mysql", cfg!(feature = "mysql")),
        Some("sqlite") => ("sqlite", cfg!(feature = "sqlite")),
        _ => ("postgres", cfg!(feature = "postgres")),
    };
    if is_on {
        return Ok(());
    }
    Err(unusable(&format!(
        "the feature `{feature}` of `listing-axum` is not enabled"
    )))
}

/// Without the feature SeaORM itself says that it cannot connect.
#[cfg(not(feature = "postgres"))]
mod postgres {
    use sea_orm::{ConnectOptions, DatabaseConnection, DbErr};

    pub(super) fn server(_: &mut ConnectOptions, _is_encrypted: bool) {}

    pub(super) async fn through_pooler(
        db: DatabaseConnection,
        _: ConnectOptions,
    ) -> Result<DatabaseConnection, DbErr> {
        Ok(db)
    }
}

#[cfg(not(feature = "mysql"))]
mod mysql {
    pub(super) fn server(_: &mut sea_orm::ConnectOptions) {}
}

/// Whether a connection that is given back can be used again (b524).
///
/// The pool asks too, but waits for as long as the system does, which is a quarter of an hour for a machine that has vanished
/// without notice: during that time the connection's place could not be used.
#[cfg(any(feature = "postgres", feature = "mysql"))]
async fn answers(ping: impl Future<Output = Result<(), SqlxError>>) -> Result<bool, SqlxError> {
    match timeout(WAIT_FOR_ANSWER, ping).await {
        Ok(answered) => answered.map(|()| true),
        Err(_) => Err(SqlxError::Io(io::Error::new(
            io::ErrorKind::TimedOut,
            "the database does not answer",
        ))),
    }
}

/// Without the feature SeaORM itself says that it cannot open SQLite.
#[cfg(not(feature = "sqlite"))]
mod sqlite {
    pub(super) fn file(_: &mut sea_orm::ConnectOptions, _create: bool, _is_normal: bool) {}
    pub(super) fn memory(_: &mut sea_orm::ConnectOptions) {}
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// Rule b144.
    #[tokio::test]
    async fn a_password_that_is_not_encoded_is_reported_at_once_and_without_it() {
        for url in [
            "postgres://shop:Qm9v/x1@db/shop",
            "postgres://shop:5432/x1@db/shop",
            "postgres://shop:Qm9v?x1@db/shop",
            "postgres://shop:Qm9v#x1=@db/shop?sslmode=disable",
            "mysql://shop:%zz/Qm9v@db/shop",
            "postgres://shop:p@db:Qm9v/shop",
        ] {
            let begun = Instant::now();
            let error = connect_within(url, 1, Duration::from_secs(30)).await;
            let error = error.unwrap_err().to_string();
            assert!(error.contains("malformed"), "{url}: {error}");
            assert!(!error.contains("Qm9v") && !error.contains("x1"), "{error}");
            assert!(begun.elapsed() < Duration::from_secs(5), "{url}");
        }
    }

    /// Rule b518.
    #[tokio::test]
    async fn no_time_to_wait_is_too_long() {
        let connected = connect_within("postgres://db:port/shop", 1, Duration::MAX);
        connected.await.unwrap_err();
    }

    /// Rule b220.
    #[tokio::test]
    async fn a_server_that_does_not_listen_is_told_at_once_and_without_the_password() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let begun = Instant::now();
        let error = connect(&format!("postgres://scott:tiger@{address}/db"), 1)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains("refused"), "{error}");
        assert!(error.contains(&address.to_string()), "{error}");
        assert!(!error.contains("tiger"), "{error}");
        assert!(begun.elapsed() < WAIT_FOR_CONNECTION, "{error}");
    }
}
