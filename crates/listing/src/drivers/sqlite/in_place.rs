//! Reads statements of SQLite that take few steps on the thread that asks for them.
//!
//! Written by hand because it decides speed: handing a statement to another thread, and its rows back, takes about as long as
//! reading a page. A thread of the application must not be held up, though: a statement that takes too many steps of SQLite's
//! machine is stopped, and run again on a thread for work that blocks.

use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::super::lend::Lender;
use super::connection::{self, Failed};
use super::reader::SqliteFile;
use crate::render::{Batch, Shape};
use crate::sql::Statement;

/// A page of 100 articles of the blog takes about 1,500. A statement that takes more pays for these steps twice, less than a
/// tenth of a millisecond.
const MOST_STEPS: i32 = 10_000;
const STEPS_BETWEEN_LOOKS: i32 = 1_000;

/// The rows of a statement; `None` if a thread has to run it, which also reports any error.
pub(super) fn read(
    lender: &Lender<SqliteFile>,
    statement: &Statement,
    shape: &Shape,
) -> Option<Batch> {
    let (connection, opened) = match lender.take() {
        Some(kept) => kept,
        None => (lender.server.open_now().ok()?, Instant::now()),
    };
    let done = read_some(&connection, statement, shape);
    if !done.as_ref().is_err_and(Failed::is_broken) {
        lender.keep(connection, opened);
    }
    done.ok()
}

/// Reads until the statement ends, or has taken too many steps.
fn read_some(
    connection: &Connection,
    statement: &Statement,
    shape: &Shape,
) -> Result<Batch, Failed> {
    let mut looks = 0;
    let is_over = move || {
        looks += 1;
        looks >= MOST_STEPS / STEPS_BETWEEN_LOOKS
    };
    // Only a thread waits for a lock.
    connection.busy_timeout(Duration::ZERO)?;
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(is_over))?;
    connection::read(connection, statement, shape)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::lend::Ages;
    use super::super::super::options::ReadOptions;
    use super::super::setup::SessionSetup;
    use super::*;

    fn lender(file: &Path) -> Lender<SqliteFile> {
        let (setup, options) = (SessionSetup::default(), ReadOptions::new());
        let server = SqliteFile::new(file, &setup, &options);
        Lender::new(server, &options, 1, Ages::NONE)
    }

    fn is_read(lender: &Lender<SqliteFile>, text: &str) -> bool {
        let statement = Statement::new(text, Vec::new());
        read(lender, &statement, &Shape::default()).is_some()
    }

    fn counting_to(number: u32) -> String {
        format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {number}) SELECT max(i) FROM n"
        )
    }

    /// Rule b440.
    #[test]
    fn only_statements_of_few_steps_are_read_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("here.sqlite");
        drop(Connection::open(&file).unwrap());
        let lender = lender(&file);
        for _ in 0..3 {
            assert!(is_read(&lender, &counting_to(10)));
            assert!(!is_read(&lender, &counting_to(10_000_000)));
        }
    }

    /// Rule b440.
    #[test]
    fn what_cannot_be_read_in_place_is_left_to_the_threads() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("missing").join("here.sqlite");
        let lender = lender(&file);
        assert!(!is_read(&lender, "SELECT 1"));
        std::fs::create_dir(folder.path().join("missing")).unwrap();
        drop(Connection::open(&file).unwrap());
        assert!(!is_read(&lender, "SELECT missing"));
        assert!(is_read(&lender, "SELECT 1"));
    }
}
