//! Reads quick statements of SQLite on the thread that asks for them.
//!
//! Written by hand because it decides speed: handing a statement to another thread, and its rows back, takes about as long as
//! reading a page. A thread of the application must not be held up, though: a statement that is not over after so many steps of
//! SQLite's machine is stopped, and is for the reading threads from then on, until it is quick there.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::super::long_running::LongRunning;
use super::super::options::ReadOptions;
use super::connection::{Failed, open, read};
use super::setup::SessionSetup;
use crate::render::{Batch, Shape};
use crate::sql::Statement;

/// A page of 100 articles of the blog takes about 1,500.
const MOST_STEPS: i32 = 20_000;
const STEPS_BETWEEN_LOOKS: i32 = 1_000;

/// Some steps are long: they look through a long text, or read from a disk.
const MOST_TIME: Duration = Duration::from_millis(2);

/// Connections for statements that are read in place.
pub(super) struct InPlace {
    file: PathBuf,
    setup: SessionSetup,
    options: ReadOptions,
    /// Each is opened by the first statement that finds its place.
    connections: Box<[Mutex<Option<Connection>>]>,
    /// What has taken too long here, or on a reading thread.
    long: LongRunning,
}

thread_local! {
    /// Where this thread looks first: what its processor still knows of a connection is not far away.
    static OWN: usize = NEXT.fetch_add(1, Ordering::Relaxed);
}

static NEXT: AtomicUsize = AtomicUsize::new(0);

impl InPlace {
    pub(super) fn new(
        file: &Path,
        setup: &SessionSetup,
        options: &ReadOptions,
        connections: usize,
    ) -> Self {
        Self {
            file: file.to_path_buf(),
            setup: setup.clone(),
            options: options.clone(),
            connections: (0..connections).map(|_| Mutex::default()).collect(),
            long: LongRunning::than(MOST_TIME),
        }
    }

    /// The rows of a statement; none when it is for the reading threads, which also tell what is wrong with it.
    pub(super) fn read(&self, statement: &Statement, shape: &Shape) -> Option<Batch> {
        if self.long.contains(&statement.text) {
            return None;
        }
        let mut place = self.free_place()?;
        let connection = match place.take() {
            Some(connection) => connection,
            None => self.open().ok()?,
        };
        let began = Instant::now();
        let done = read_some(&connection, statement, shape, began + MOST_TIME);
        let took = match &done {
            Ok(_) => began.elapsed(),
            Err(_) => Duration::MAX,
        };
        self.long.ran(&statement.text, took);
        let is_broken = done.as_ref().err().is_some_and(Failed::is_broken);
        *place = (!is_broken).then_some(connection);
        done.ok()
    }

    /// Learns how long a statement ran on a reading thread.
    pub(super) fn ran(&self, text: &str, time: Duration) {
        self.long.ran(text, time);
    }

    /// The place of a connection that nobody uses; a statement that finds none does not wait for one.
    fn free_place(&self) -> Option<MutexGuard<'_, Option<Connection>>> {
        let own = OWN.with(|own| own.checked_rem(self.connections.len()))?;
        let (others, from_own) = self.connections.split_at(own);
        let mut places = from_own.iter().chain(others);
        places.find_map(|place| match place.try_lock() {
            Ok(place) => Some(place),
            // The connection was dropped where somebody panicked.
            Err(TryLockError::Poisoned(place)) => Some(place.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        })
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let connection = open(&self.file, &self.setup, &self.options)?;
        // Only a reading thread waits for a lock.
        connection.busy_timeout(Duration::ZERO)?;
        Ok(connection)
    }
}

/// Reads until it is over, or has taken too long.
fn read_some(
    connection: &Connection,
    statement: &Statement,
    shape: &Shape,
    until: Instant,
) -> Result<Batch, Failed> {
    let mut looks = 0;
    let is_over = move || {
        looks += 1;
        looks >= MOST_STEPS / STEPS_BETWEEN_LOOKS || Instant::now() > until
    };
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(is_over))?;
    read(connection, statement, shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting_to(number: u32) -> Statement {
        let text = format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {number}) SELECT max(i) FROM n"
        );
        Statement::new(text, Vec::new())
    }

    #[test]
    fn b440_only_quick_statements_are_read_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("here.sqlite");
        drop(Connection::open(&file).unwrap());
        let (setup, options) = (SessionSetup::default(), ReadOptions::new());
        let in_place = InPlace::new(&file, &setup, &options, 1);
        let is_read = |statement: &Statement| {
            let shape = Shape::default();
            in_place.read(statement, &shape).is_some()
        };
        let (quick, long) = (counting_to(10), counting_to(10_000_000));
        // The machine may have stood still while it was read.
        let known_as_quick = || in_place.ran(&quick.text, Duration::ZERO);
        assert!(is_read(&quick));
        let began = Instant::now();
        assert!(!is_read(&long));
        assert!(began.elapsed() < Duration::from_secs(1));
        // It is known, and the connection is free again.
        assert!(in_place.long.contains(&long.text));
        known_as_quick();
        assert!(is_read(&quick));
        // What proves to be quick on a reading thread comes back.
        in_place.ran(&quick.text, MOST_TIME * 2);
        assert!(!is_read(&quick));
        in_place.ran(&quick.text, MOST_TIME / 4);
        assert!(is_read(&quick));
        // As many connections as there may be; a statement that finds none does not wait.
        known_as_quick();
        let taken = in_place.free_place();
        assert!(taken.is_some());
        assert!(!is_read(&quick));
        drop(taken);
        assert!(is_read(&quick));
    }

    #[test]
    fn b440_what_cannot_be_read_in_place_is_left_to_the_threads() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("missing").join("here.sqlite");
        let (setup, options) = (SessionSetup::default(), ReadOptions::new());
        let in_place = InPlace::new(&file, &setup, &options, 1);
        let shape = Shape::default();
        assert!(in_place.read(&counting_to(10), &shape).is_none());
        std::fs::create_dir(folder.path().join("missing")).unwrap();
        drop(Connection::open(&file).unwrap());
        let wrong = Statement::new("SELECT missing", Vec::new());
        assert!(in_place.read(&wrong, &shape).is_none());
        assert!(in_place.read(&counting_to(10), &shape).is_some());
    }
}
