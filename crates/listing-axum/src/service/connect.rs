//! Opens a pool of connections to the database of a URL, each set up the same way.

use std::time::{Duration, Instant};

use sea_orm::sqlx::Error as SqlxError;
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr, RuntimeErr};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::database_url::{Kind, address, parameter, unusable, without_url};

/// How long a request waits for a free connection before it is told that the database is busy.
const WAIT_FOR_CONNECTION: Duration = Duration::from_secs(5);

const TIME_BETWEEN_TRIES: Duration = Duration::from_millis(500);

/// What an error begins with that is about a server's address.
const UNREACHABLE: &str = "cannot reach";

/// Opens a pool of at most `max_connections` connections to a `sqlite:`, `postgres://` or `mysql://` URL.
///
/// A SQLite file that does not exist is created, unless the URL has a `mode` of its own. A database in memory lives in
/// one connection that is never closed, whatever `max_connections` says: it would vanish with it.
///
/// Writes to a SQLite file are on the disk before they are acknowledged (b341). With `synchronous=normal` in the URL a crash
/// of the machine, though not of the program, can lose the last of them, and writing takes a fraction of the time.
///
/// ```no_run
/// # async fn example(config: listing_axum::Config) -> Result<(), sea_orm::DbErr> {
/// let db = listing_axum::connect(config.database.expose(), config.database_connections).await?;
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
    // Statements are logged for those who ask for it; one that takes over a second is a warning all the same.
    if let Ok(level) = "debug".parse() {
        options.sqlx_logging_level(level);
    }
    match kind {
        // The drivers themselves keep a session in UTC.
        Kind::Server { .. } => encryption::set_up(&mut options, url),
        Kind::SqliteFile { create } => sqlite::file(&mut options, create, is_normal),
        Kind::SqliteMemory => sqlite::memory(&mut options),
    }
    let connected = match Database::connect(options.clone()).await {
        Err(error) if encryption::is_worth_a_try(url, &error) => {
            encryption::require(&mut options);
            Database::connect(options).await
        }
        connected => connected,
    };
    connected.map_err(|error| without_url(error, url))
}

/// As [`connect`], for a database that may still be starting: a server that cannot be reached is tried again for so long.
///
/// # Errors
/// As [`connect`]; what is wrong with the URL is told at once.
pub async fn connect_within(
    url: &str,
    max_connections: u32,
    time: Duration,
) -> Result<DatabaseConnection, DbErr> {
    // One line at once, and then one in so many tries.
    const SAID_EVERY: u32 = 10;
    let until = Instant::now() + time;
    let mut tries = 0_u32;
    loop {
        match connect(url, max_connections).await {
            Err(error) if is_starting(&error) && Instant::now() < until => {
                if tries.is_multiple_of(SAID_EVERY) {
                    let seconds = (until - Instant::now()).as_secs();
                    tracing::warn!(%error, "waiting for the database for up to {seconds} s");
                }
                tries = tries.wrapping_add(1);
                sleep(TIME_BETWEEN_TRIES).await;
            }
            connected => return connected,
        }
    }
}

/// Whether a server may take connections a little later: nobody listens yet, or it says that it is not ready.
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

mod encryption {
    //! What a URL says about TLS, where the driver does something else than PostgreSQL's own library.

    use sea_orm::{ConnectOptions, DbErr, RuntimeErr};

    use super::{parameter, unusable};

    const MODE: [&str; 2] = ["sslmode", "ssl-mode"];

    /// Refuses a URL that asks for TLS where there is none.
    pub(super) fn is_possible(url: &str) -> Result<(), DbErr> {
        let mode = mode(url);
        let is_required = mode.starts_with("require") || mode.starts_with("verify");
        if is_required && !cfg!(feature = "tls") {
            return Err(unusable(
                "the database's URL asks for TLS, which this program was built without: turn on the feature `tls` of the \
                 crate `listing-axum`",
            ));
        }
        Ok(())
    }

    /// `require` with a root certificate verifies the server by it (b326).
    pub(super) fn set_up(options: &mut ConnectOptions, url: &str) {
        let root = parameter(url, &["sslrootcert", "ssl-root-cert", "sslca", "ssl-ca"]);
        if mode(url).starts_with("require") && root.is_some() {
            verify_authority(options);
        }
    }

    fn mode(url: &str) -> String {
        let mode = parameter(url, &MODE).unwrap_or_default();
        mode.to_ascii_lowercase()
    }

    /// With `allow`, a server that does not take plain connections is asked for an encrypted one.
    pub(super) fn is_worth_a_try(url: &str, error: &DbErr) -> bool {
        let DbErr::Conn(RuntimeErr::SqlxError(error)) = error else {
            return false;
        };
        let code = error.as_database_error().and_then(|error| error.code());
        cfg!(feature = "tls")
            && parameter(url, &MODE) == Some("allow")
            && code.as_deref() == Some("28000")
    }

    #[cfg(feature = "postgres")]
    pub(super) fn require(options: &mut ConnectOptions) {
        use sea_orm::sqlx::postgres::PgSslMode;
        options.map_sqlx_postgres_opts(|server| server.ssl_mode(PgSslMode::Require));
    }

    #[cfg(not(feature = "postgres"))]
    pub(super) fn require(_: &mut ConnectOptions) {}

    fn verify_authority(options: &mut ConnectOptions) {
        #[cfg(feature = "postgres")]
        options.map_sqlx_postgres_opts(|server| {
            server.ssl_mode(sea_orm::sqlx::postgres::PgSslMode::VerifyCa)
        });
        #[cfg(feature = "mysql")]
        options.map_sqlx_mysql_opts(|server| {
            server.ssl_mode(sea_orm::sqlx::mysql::MySqlSslMode::VerifyCa)
        });
        #[cfg(not(any(feature = "postgres", feature = "mysql")))]
        let _ = options;
    }
}

#[cfg(feature = "sqlite")]
mod sqlite {
    //! Settings that SQLite forgets with each connection, so that every connection of the pool gets them.

    use std::time::Duration;

    use sea_orm::ConnectOptions;
    use sea_orm::sqlx::sqlite::{
        SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous,
    };
    use sea_orm::sqlx::{Connection as _, Error};

    /// How long SQLite waits for another writer: longer than a write takes, shorter than a client waits.
    const WAIT_FOR_LOCK: Duration = Duration::from_secs(5);

    pub(super) fn file(options: &mut ConnectOptions, create: bool, is_normal: bool) {
        let synchronous = if is_normal {
            SqliteSynchronous::Normal
        } else {
            SqliteSynchronous::Full
        };
        options.map_sqlx_sqlite_opts(move |sqlite| {
            with_pragmas(sqlite, synchronous).create_if_missing(create)
        });
        options.map_sqlx_sqlite_pool_opts(|pool| {
            pool.after_release(|connection, _| Box::pin(is_out_of_transactions(connection)))
        });
    }

    /// Whether a connection can be used again (b346).
    ///
    /// SQLite ends a transaction by itself when the disk is full. The driver then fails to roll it back and counts it as open
    /// from then on: later transactions would be parts of it, and be acknowledged without ever being committed.
    async fn is_out_of_transactions(connection: &mut SqliteConnection) -> Result<bool, Error> {
        if connection.is_in_transaction() {
            // A rollback may be on its way, and is over when this is answered.
            connection.ping().await?;
        }
        Ok(!connection.is_in_transaction())
    }

    pub(super) fn memory(options: &mut ConnectOptions) {
        options
            .max_connections(1)
            .min_connections(1)
            .idle_timeout(None::<Duration>)
            .max_lifetime(None::<Duration>)
            .map_sqlx_sqlite_opts(|sqlite| sqlite.foreign_keys(true));
    }

    fn with_pragmas(
        sqlite: SqliteConnectOptions,
        synchronous: SqliteSynchronous,
    ) -> SqliteConnectOptions {
        sqlite
            // Readers go on while one writes.
            .journal_mode(SqliteJournalMode::Wal)
            // What was acknowledged survives a crash of the machine. `normal` would lose the last commits then.
            .synchronous(synchronous)
            .busy_timeout(WAIT_FOR_LOCK)
            .foreign_keys(true)
            // Reads straight from the page cache of the operating system: about twice as many a second.
            .pragma("mmap_size", "268435456")
            // 16 MiB for each connection, in KiB; negative because positive means pages.
            .pragma("cache_size", "-16384")
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

    #[tokio::test]
    async fn b144_a_password_that_is_not_encoded_is_reported_at_once_and_without_it() {
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

    #[tokio::test]
    async fn b220_a_server_that_does_not_listen_is_told_at_once_and_without_the_password() {
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
