//! Wraps a reader and records every statement that it runs.

use std::sync::Mutex;

use listing::execute::{ReadFuture, Reader};
use listing::render::Shape;
use listing::{Dialect, ExecuteError, Statement};
use sea_orm::DatabaseConnection;

/// A connection that remembers its statements.
#[derive(Debug)]
pub struct Recorder {
    db: DatabaseConnection,
    statements: Mutex<Vec<Statement>>,
}

impl Recorder {
    /// Remembers what is run on `db`.
    #[must_use]
    pub fn new(db: DatabaseConnection) -> Self {
        Self {
            db,
            statements: Mutex::default(),
        }
    }

    /// The statements since the last call.
    pub fn take(&self) -> Vec<Statement> {
        std::mem::take(&mut self.statements.lock().unwrap())
    }
}

impl Reader for Recorder {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        self.db.dialect()
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        self.statements.lock().unwrap().push(statement.clone());
        self.db.read(statement, shape)
    }
}
