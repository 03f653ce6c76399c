//! Opens a pool of connections to the database of a URL, each set up the same way.

use std::time::Duration;

use sea_orm::{
    ConnectOptions, Database, DatabaseConnection, DbErr, RuntimeErr,
    sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

/// How long a request waits for a free connection before it is told that the database is busy.
const WAIT_FOR_CONNECTION: Duration = Duration::from_secs(5);

/// How long SQLite waits for another writer. Longer than a write takes, shorter than a client's patience.
const WAIT_FOR_LOCK: Duration = Duration::from_secs(5);

/// Opens a pool of at most `max_connections` connections to a `sqlite:`, `postgres://` or `mysql://` URL.
///
/// A SQLite file that does not exist is created, unless the URL has a `mode` of its own. A database in memory lives in
/// one connection that is never closed, whatever `max_connections` says: it would vanish with it.
///
/// # Errors
///
/// When the URL names no known database, or the database does not answer. The text never holds the URL: it may hold a
/// password.
pub async fn connect(url: &str, max_connections: u32) -> Result<DatabaseConnection, DbErr> {
    let kind = Kind::of(url)?;

    let mut options = ConnectOptions::new(url);
    options
        .max_connections(max_connections)
        .connect_timeout(WAIT_FOR_CONNECTION)
        .acquire_timeout(WAIT_FOR_CONNECTION);
    // One line a statement is for those who ask for it. (A statement of over a second is still a warning.)
    if let Ok(level) = "debug".parse() {
        options.sqlx_logging_level(level);
    }
    match kind {
        // The driver itself keeps a session in UTC, on both.
        Kind::Server => {}
        Kind::SqliteFile { create } => {
            options
                .map_sqlx_sqlite_opts(move |sqlite| with_pragmas(sqlite).create_if_missing(create));
        }
        Kind::SqliteMemory => {
            options
                .max_connections(1)
                .min_connections(1)
                .idle_timeout(None::<Duration>)
                .max_lifetime(None::<Duration>)
                .map_sqlx_sqlite_opts(|sqlite| sqlite.foreign_keys(true));
        }
    }
    Database::connect(options)
        .await
        .map_err(|error| without_url(error, url))
}

/// SeaORM quotes a URL that it cannot parse, password and all.
fn without_url(error: DbErr, url: &str) -> DbErr {
    if error.to_string().contains(url) {
        return unusable("the database URL is malformed");
    }
    error
}

fn unusable(reason: &str) -> DbErr {
    DbErr::Conn(RuntimeErr::Internal(reason.to_owned()))
}

/// What a URL asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Server,
    SqliteFile { create: bool },
    SqliteMemory,
}

impl Kind {
    fn of(url: &str) -> Result<Self, DbErr> {
        let (scheme, rest) = url.split_once(':').unwrap_or_default();
        match scheme {
            "postgres" | "postgresql" | "mysql" => Ok(Self::Server),
            "sqlite" => {
                let (path, parameters) = rest.split_once('?').unwrap_or((rest, ""));
                let mode = parameters
                    .split('&')
                    .find_map(|pair| pair.strip_prefix("mode="));
                if path.trim_start_matches('/') == ":memory:" || mode == Some("memory") {
                    Ok(Self::SqliteMemory)
                } else {
                    // `rw` and `ro` mean that a missing file is an error: leave them be.
                    Ok(Self::SqliteFile {
                        create: matches!(mode, None | Some("rwc")),
                    })
                }
            }
            _ => Err(unusable(
                "the database URL must start with `sqlite:`, `postgres://` or `mysql://` (MariaDB too)",
            )),
        }
    }
}

/// Settings that SQLite forgets with each connection, so that every connection of the pool gets them.
fn with_pragmas(sqlite: SqliteConnectOptions) -> SqliteConnectOptions {
    sqlite
        // Readers go on while one writes.
        .journal_mode(SqliteJournalMode::Wal)
        // With WAL a crash of the machine can lose the last commits but never damages the file.
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(WAIT_FOR_LOCK)
        .foreign_keys(true)
        // Reads straight from the page cache of the operating system: about twice as many a second.
        .pragma("mmap_size", "268435456")
        // 16 MiB each connection, in KiB and negative because positive means pages.
        .pragma("cache_size", "-16384")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_tells_its_kind() {
        let file = |create| Kind::SqliteFile { create };
        for (url, kind) in [
            ("postgres://u:p@host/db", Kind::Server),
            ("postgresql://host/db", Kind::Server),
            ("mysql://u:p@host/db", Kind::Server),
            ("sqlite::memory:", Kind::SqliteMemory),
            ("sqlite://:memory:", Kind::SqliteMemory),
            ("sqlite://?mode=memory&cache=private", Kind::SqliteMemory),
            ("sqlite:blog.sqlite", file(true)),
            ("sqlite:///var/blog.sqlite?mode=rwc", file(true)),
            ("sqlite:blog.sqlite?mode=rw", file(false)),
            ("sqlite:blog.sqlite?cache=shared&mode=ro", file(false)),
        ] {
            assert_eq!(Kind::of(url).unwrap(), kind, "{url}");
        }
    }

    #[test]
    fn an_unknown_url_is_refused_without_its_password() {
        let error = Kind::of("oracle://scott:tiger@host")
            .unwrap_err()
            .to_string();
        assert!(error.contains("postgres://"), "{error}");
        assert!(!error.contains("tiger"), "{error}");
    }

    #[tokio::test]
    async fn a_malformed_url_is_refused_without_its_password() {
        let error = connect("postgres://scott:tiger@host:port/db", 1)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains("malformed"), "{error}");
        assert!(!error.contains("tiger"), "{error}");
    }
}
