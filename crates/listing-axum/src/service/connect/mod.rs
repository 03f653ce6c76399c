//! Opens a pool of connections to the database of a URL, with the same settings for each.

mod encryption;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod follow;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod hosts;
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

#[cfg(any(feature = "postgres", feature = "mysql"))]
use self::follow::Moves;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use self::hosts::Hosts;
use super::database_url::{Kind, address, parameter, unusable, without, without_url};

/// How long a request waits for a free connection before it is answered that the database is busy.
const WAIT_FOR_CONNECTION: Duration = Duration::from_secs(5);

/// How long a connection that is returned to the pool has to answer. It answers only after the statement of an abandoned request,
/// which is still running on the server. With a much shorter limit, the server could run more statements than there may be
/// connections.
#[cfg(any(feature = "postgres", feature = "mysql"))]
const WAIT_FOR_ANSWER: Duration = Duration::from_secs(15);

const TIME_BETWEEN_TRIES: Duration = Duration::from_millis(500);

/// The beginning of an error about a server's address.
const UNREACHABLE: &str = "cannot reach";

/// Opens a pool of at most `max_connections` connections to a `sqlite:`, `postgres://` or `mysql://` URL.
///
/// Creates a SQLite file that does not exist, unless the URL has its own `mode`. An in-memory database has a single connection
/// that is never closed, whatever `max_connections` says: the database would vanish with it.
///
/// Writes to a SQLite file are on disk before they are acknowledged (b341). With `synchronous=normal` in the URL, a crash of the
/// machine, though not of the program, can lose the last of them, and writes take a fraction of the time.
///
/// PostgreSQL can be behind a pooler, such as PgBouncer in transaction mode. If the pooler does not support prepared statements,
/// the pool does not use them (b592).
///
/// The URL of a server can name several hosts, as in `postgres://shop@db1:5432,db2:5432/shop` or `mysql://shop@db1,db2/shop`. The
/// first one that accepts writes is used, and asked once a second whether it still does. If it does not and another one does,
/// connections move there (b1150 to b1152). `target_session_attrs` sets the required state of a host: `read-write`, `primary` or
/// `any`.
///
/// ```no_run
/// # async fn example(config: listing_axum::Config) -> Result<(), sea_orm::DbErr> {
/// let db = listing_axum::database::connect(config.database.expose(), config.database_connections).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the URL names an unknown kind of database, or the database does not answer; at once if the connection is refused (b220).
/// The message never contains the URL, which may contain a password.
pub async fn connect(url: &str, max_connections: u32) -> Result<DatabaseConnection, DbErr> {
    Kind::of(url)?;
    encryption::is_possible(url)?;
    has_driver(url)?;
    waits_for_galera(url)?;
    #[cfg(any(feature = "postgres", feature = "mysql"))]
    if let Kind::Server { port } = Kind::of(url)?
        && let Some(hosts) = Hosts::of(url, port)?
    {
        return match url.starts_with("postgres") {
            true => postgres::several(hosts, max_connections).await,
            false => mysql::several(hosts, max_connections).await,
        };
    }
    one(url, max_connections, None).await
}

/// Opens a pool to the only host of a URL. If there are several hosts, this is the chosen one.
async fn one(
    url: &str,
    max_connections: u32,
    moves: Option<&Moves>,
) -> Result<DatabaseConnection, DbErr> {
    let kind = Kind::of(url)?;
    reach(url).await?;
    // Our own parameters, which the drivers do not know.
    let is_normal = parameter(url, &["synchronous"]) == Some("normal");
    let sync_wait = waits_for_galera(url)?;
    let bare = without(
        url,
        &[
            "synchronous=normal",
            "galera_sync_wait=true",
            "galera_sync_wait=false",
        ],
    );
    let mut options = ConnectOptions::new(bare);
    options
        .max_connections(max_connections)
        .connect_timeout(WAIT_FOR_CONNECTION)
        .acquire_timeout(WAIT_FOR_CONNECTION);
    // Statements are logged only on request, including slow ones, because a line repeats the whole statement (b625).
    if let Ok(level) = "debug".parse() {
        options
            .sqlx_logging_level(level)
            .sqlx_slow_statements_logging_settings(level, listing::SLOW_STATEMENT);
    }
    match kind {
        // The drivers set the session to UTC.
        Kind::Server { .. } => {
            postgres::server(&mut options, false, moves);
            mysql::server(&mut options, moves, sync_wait);
        }
        Kind::SqliteFile { create } => sqlite::file(&mut options, create, is_normal),
        Kind::SqliteMemory => sqlite::memory(&mut options),
    }
    let connected = match Database::connect(options.clone()).await {
        Err(error) if encryption::is_worth_a_try(url, &error) => {
            postgres::server(&mut options, true, moves);
            Database::connect(options.clone()).await
        }
        connected => connected,
    };
    let connected = match connected {
        Ok(db) if sync_wait => mysql::is_node(db).await,
        Ok(db) => postgres::through_pooler(db, options).await,
        refused => refused,
    };
    connected.map_err(|error| without_url(error, url))
}

/// Whether the URL has the parameter `galera_sync_wait`, which only works on MariaDB and MySQL.
fn waits_for_galera(url: &str) -> Result<bool, DbErr> {
    match parameter(url, &["galera_sync_wait"]) {
        None | Some("false") => Ok(false),
        Some("true") if url.starts_with("mysql:") => Ok(true),
        Some("true") => Err(unusable(
            "`galera_sync_wait` is for a Galera cluster of MariaDB or MySQL, whose URL starts with `mysql://`",
        )),
        Some(_) => Err(unusable("`galera_sync_wait` must be `true` or `false`")),
    }
}

/// Like [`connect`], but for a database that may still be starting: retries until `time` is over if the server cannot be reached.
///
/// # Errors
/// Like [`connect`]. Mistakes in the URL are reported at once.
pub async fn connect_within(
    url: &str,
    max_connections: u32,
    time: Duration,
) -> Result<DatabaseConnection, DbErr> {
    // Logs the first attempt, and then every tenth.
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

/// Whether a server may accept connections a little later: nothing listens yet, or it says that it is not ready.
fn is_starting(error: &DbErr) -> bool {
    match error {
        DbErr::Conn(RuntimeErr::Internal(reason)) => reason.starts_with(UNREACHABLE),
        DbErr::Conn(RuntimeErr::SqlxError(error)) => may_pass(error),
        _ => false,
    }
}

fn may_pass(error: &SqlxError) -> bool {
    match error.as_database_error() {
        // PostgreSQL is starting, stopping or recovering, or has no room.
        Some(error) => error
            .code()
            .is_some_and(|code| code.starts_with("57P") || code == "53300"),
        None => !matches!(error, SqlxError::Configuration(_) | SqlxError::Tls(_)),
    }
}

/// Whether a server listens at the address of a URL. A file can always be reached. A pool treats a refused connection as a server
/// that is still starting and retries until its time is over. Its error would then be "timed out", without the reason.
///
/// # Errors
/// When the connection is refused, or nothing answers within five seconds.
pub async fn reach(url: &str) -> Result<(), DbErr> {
    let Kind::Server { port } = Kind::of(url)? else {
        return Ok(());
    };
    #[cfg(any(feature = "postgres", feature = "mysql"))]
    if let Some(hosts) = Hosts::of(url, port)? {
        return hosts.reach().await;
    }
    reach_one(url, port).await
}

async fn reach_one(url: &str, port: u16) -> Result<(), DbErr> {
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

/// Checks that the program includes the driver of a URL's database. Otherwise there is nothing to wait for.
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

/// Without server drivers, there are no hosts to choose from.
#[cfg(not(any(feature = "postgres", feature = "mysql")))]
type Moves = std::convert::Infallible;

/// Without the feature SeaORM itself says that it cannot connect.
#[cfg(not(feature = "postgres"))]
mod postgres {
    use sea_orm::{ConnectOptions, DatabaseConnection, DbErr};

    use super::Moves;

    pub(super) fn server(_: &mut ConnectOptions, _is_encrypted: bool, _: Option<&Moves>) {}

    #[cfg(feature = "mysql")]
    pub(super) async fn several(_: super::Hosts, _: u32) -> Result<DatabaseConnection, DbErr> {
        Err(super::unusable(
            "the feature `postgres` of `listing-axum` is not enabled",
        ))
    }

    pub(super) async fn through_pooler(
        db: DatabaseConnection,
        _: ConnectOptions,
    ) -> Result<DatabaseConnection, DbErr> {
        Ok(db)
    }
}

#[cfg(not(feature = "mysql"))]
mod mysql {
    use super::Moves;

    pub(super) fn server(_: &mut sea_orm::ConnectOptions, _: Option<&Moves>, _sync_wait: bool) {}

    pub(super) async fn is_node(
        db: sea_orm::DatabaseConnection,
    ) -> Result<sea_orm::DatabaseConnection, sea_orm::DbErr> {
        Ok(db)
    }

    #[cfg(feature = "postgres")]
    pub(super) async fn several(
        _: super::Hosts,
        _: u32,
    ) -> Result<sea_orm::DatabaseConnection, sea_orm::DbErr> {
        Err(super::unusable(
            "the feature `mysql` of `listing-axum` is not enabled",
        ))
    }
}

/// Whether a connection that is returned to the pool can be used again (b524).
///
/// The pool checks it as well, but waits as long as the system does. For a machine that has vanished without notice, that is a
/// quarter of an hour in which the connection's place could not be used.
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
