//! Settings that SQLite forgets with each connection, so that every connection of the pool gets them.

use std::time::Duration;

use sea_orm::ConnectOptions;
use sea_orm::sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous,
};
use sea_orm::sqlx::{Connection as _, Error, Executor as _};

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
            // The next statement also shows whether a connection is alive.
            .test_before_acquire(false)
            .before_acquire(|connection, _| Box::pin(knows_the_schema(connection)))
    });
}

/// Makes a connection read the schema again if it has changed since the last time (b562).
///
/// Every statement does that itself. But if it is an `UPDATE` or `DELETE`, foreign keys are on, and a trigger writes to a
/// full-text index, SQLite 3.51 forgets the old schema while it prepares the statement, and reports "no such table".
async fn knows_the_schema(connection: &mut SqliteConnection) -> Result<bool, Error> {
    connection
        .execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        .await?;
    Ok(true)
}

/// Whether a connection can be used again (b346).
///
/// SQLite ends a transaction by itself when the disk is full. The driver then fails to roll it back and counts it as open from
/// then on: later transactions would be parts of it, and be acknowledged without ever being committed.
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
        // Readers continue while one connection writes.
        .journal_mode(SqliteJournalMode::Wal)
        // Acknowledged writes survive a crash of the machine. `normal` would lose the last commits then.
        .synchronous(synchronous)
        .busy_timeout(WAIT_FOR_LOCK)
        .foreign_keys(true)
        // Reads straight from the page cache of the operating system: about twice as many a second.
        .pragma("mmap_size", "268435456")
        // 16 MiB for each connection, in KiB; negative because positive means pages.
        .pragma("cache_size", "-16384")
}
