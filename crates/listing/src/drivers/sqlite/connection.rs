//! One connection to a SQLite file: how it is opened, and how it runs a statement.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::ffi::SQLITE_READONLY;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::super::failure::{is_passing_sqlite, refused, unavailable};
use super::super::options::ReadOptions;
use super::super::prepared::is_kept;
use super::row::{SqliteRow, booleans};
use super::setup::SessionSetup;
use super::value::Bound;
use crate::execute::ExecuteError;
use crate::render::{Batch, Shape};
use crate::sql::Statement;
use crate::vocabulary::Plans;

/// Longer texts hold long lists of values and are rarely sent twice: they would only displace others.
const LONGEST_KEPT_TEXT: usize = 16 * 1024;

pub(super) fn open(
    file: &Path,
    setup: &SessionSetup,
    options: &ReadOptions,
) -> rusqlite::Result<Connection> {
    // Opened for writing: after a crash the first connection must be able to repair the log.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.set_prepared_statement_cache_capacity(options.statements);
    setup.apply(&connection)?;
    connection.execute_batch(
        "PRAGMA query_only = ON; \
         PRAGMA mmap_size = 268435456; \
         PRAGMA cache_size = -16384",
    )?;
    plan_for_values(&connection, false)?;
    Ok(connection)
}

/// Whether statements are planned again for each new value, which costs as much as reading a page (b441).
fn plan_for_values(connection: &Connection, is_on: bool) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, !is_on)?;
    Ok(())
}

/// Runs a statement and renders its rows.
pub(super) fn read(
    connection: &Connection,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failed> {
    if statement.plans != Plans::ForEachRequest {
        return rows(connection, statement, shape);
    }
    plan_for_values(connection, true)?;
    let done = rows(connection, statement, shape);
    plan_for_values(connection, false)?;
    done
}

fn rows(connection: &Connection, statement: &Statement, shape: &Shape) -> Result<Batch, Failed> {
    let (mut kept, mut passing);
    let is_kept = statement.plans != Plans::ForEachRequest && is_kept(statement, LONGEST_KEPT_TEXT);
    let prepared: &mut rusqlite::Statement<'_> = if is_kept {
        kept = connection.prepare_cached(&statement.text)?;
        &mut kept
    } else {
        passing = connection.prepare(&statement.text)?;
        &mut passing
    };
    for (value, place) in statement.values.iter().zip(1..) {
        prepared.raw_bind_parameter(place, Bound(value))?;
    }
    let mut batch = Batch::for_shape(shape);
    push_rows(prepared, shape, &mut batch, |_| Ok(()))?;
    Ok(batch)
}

/// Adds the rows of a statement that is ready to a batch; `after_each` may take them out again.
pub(super) fn push_rows(
    prepared: &mut rusqlite::Statement<'_>,
    shape: &Shape,
    batch: &mut Batch,
    mut after_each: impl FnMut(&mut Batch) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let booleans = booleans(prepared, shape);
    let mut rows = prepared.raw_query();
    while let Some(row) = rows.next()? {
        let row = SqliteRow {
            row,
            booleans: &booleans,
        };
        batch.push(shape, &row).map_err(ExecuteError::from)?;
        after_each(batch)?;
    }
    Ok(())
}

/// Why a statement gave no rows.
pub(super) enum Failed {
    Sqlite(rusqlite::Error),
    Read(ExecuteError),
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
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
            Failed::Read(error) => error,
            Failed::Sqlite(error) => match error.sqlite_error() {
                // A statement that writes, which no reader may (b72); of a disk that is read-only, SQLite says more.
                Some(told) if told.extended_code == SQLITE_READONLY => refused(&error.to_string()),
                Some(told) if is_passing_sqlite(told.extended_code) => {
                    unavailable(&error.to_string())
                }
                _ => refused(&error.to_string()),
            },
        }
    }
}

impl Failed {
    /// Whether the connection must not be used again, because only a new one reads the file again.
    pub(super) fn is_broken(&self) -> bool {
        self.is_one_of(&[
            ErrorCode::SystemIoFailure,
            ErrorCode::DatabaseCorrupt,
            ErrorCode::NotADatabase,
            ErrorCode::CannotOpen,
        ])
    }

    fn is_one_of(&self, codes: &[ErrorCode]) -> bool {
        let Self::Sqlite(error) = self else {
            return false;
        };
        let code = error.sqlite_error_code();
        code.is_some_and(|code| codes.contains(&code))
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;
    use sea_orm::sea_query::Value;

    use super::*;
    use crate::render::ShapeColumn;
    use crate::vocabulary::Kind;

    /// Rule b72.
    #[test]
    fn long_lists_and_long_texts_are_not_kept() {
        let connection = Connection::open_in_memory().unwrap();
        let times_run = |values: usize, comment: usize| {
            let places = vec!["?"; values].join(",");
            let text = format!("SELECT 1 IN ({places}) /*{}*/", "x".repeat(comment));
            let statement = Statement::new(text.clone(), vec![Value::from(1); values]);
            for _ in 0..2 {
                assert!(read(&connection, &statement, &Shape::default()).is_ok());
            }
            // One that was not kept is new here.
            let statement = connection.prepare_cached(&text).unwrap();
            statement.get_status(StatementStatus::Run)
        };
        assert_eq!(times_run(256, 0), 2);
        assert_eq!(times_run(257, 0), 0);
        assert_eq!(times_run(1, 16_000), 2);
        assert_eq!(times_run(1, 17_000), 0);
    }

    /// Rule b441.
    #[test]
    fn one_plan_serves_all_values_unless_a_listing_says_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("skewed.sqlite");
        // The rare kind is the oldest.
        let skewed = "CREATE TABLE parcels (id INTEGER PRIMARY KEY, kind INTEGER, sent INTEGER);
             CREATE INDEX by_kind ON parcels (kind);
             CREATE INDEX by_sent ON parcels (sent);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
             INSERT INTO parcels SELECT i, 1 + (i <= 5), i FROM n;
             ANALYZE;";
        Connection::open(&file)
            .unwrap()
            .execute_batch(skewed)
            .unwrap();
        let connection = open(&file, &SessionSetup::default(), &ReadOptions::new()).unwrap();
        let newest = "SELECT id FROM parcels WHERE kind = ? ORDER BY sent DESC LIMIT 5";
        let run = |before: &str, kind: i64, plans| {
            let text = format!("{before}{newest}");
            let statement = Statement::new(text, vec![Value::from(kind)]).planned(plans);
            let columns =
                vec![ShapeColumn::key(Kind::Natural); if before.is_empty() { 1 } else { 4 }];
            let batch = read(&connection, &statement, &Shape { columns });
            let batch = batch.unwrap_or_else(|_| panic!("{newest}"));
            batch.keys(0).last().unwrap().to_string()
        };
        for kind in [1, 2, 1, 2] {
            run("", kind, Plans::Shared);
        }
        let kept = connection.prepare_cached(newest).unwrap();
        assert_eq!(kept.get_status(StatementStatus::Run), 4);
        assert_eq!(kept.get_status(StatementStatus::RePrepare), 0);
        for (kind, index) in [(1, "by_sent"), (2, "by_kind"), (1, "by_sent")] {
            let plan = run("EXPLAIN QUERY PLAN ", kind, Plans::ForEachRequest);
            assert!(plan.contains(index), "{kind}: {plan}");
        }
        let shared = |kind| run("EXPLAIN QUERY PLAN ", kind, Plans::Shared);
        assert_eq!(shared(1), shared(2));
    }

    /// Rule b342.
    #[test]
    fn a_disk_that_fails_is_not_the_requests_fault() {
        let told = |code| {
            let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            ExecuteError::from(Failed::Sqlite(error))
        };
        // Full, broken while it reads, read-only so that it cannot be repaired, and a file that cannot be opened.
        for passing in [13, 266, 264, 14] {
            let error = told(passing);
            assert!(matches!(error, ExecuteError::Unavailable(_)), "{error}");
        }
        assert!(matches!(told(1), ExecuteError::Refused(_)));
    }
}
