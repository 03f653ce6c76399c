//! Classifies the errors of databases and drivers; their text goes to the log, never to a client.

use std::sync::Arc;

use sea_orm::{DbErr, RuntimeErr};
use sqlx::error::DatabaseError;
use sqlx::mysql::MySqlDatabaseError;

use super::DecodeError;
use crate::vocabulary::{Complaint, ErrorCode};

/// Why rows could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExecuteError {
    /// The database is away or busy; later it may answer.
    #[error("the database is not available: {0}")]
    Unavailable(DbErr),
    /// The database refused a statement.
    #[error("the database refused a statement: {0}")]
    Refused(DbErr),
    /// The database ended a statement that ran for longer than it may.
    #[error("the database ended a statement for its time: {0}")]
    OverTime(DbErr),
    /// A value could not be read.
    #[error("a value could not be read: {0}")]
    Decode(#[from] DecodeError),
    /// The connection is to a database that we do not speak.
    #[error("no dialect for this database")]
    UnknownDatabase,
    /// A count that several requests waited for failed.
    #[error(transparent)]
    Shared(Arc<Self>),
    /// A row of the page has a value, among those that the list is sorted by, that is too long for a cursor.
    #[error("a value of the sort is too long for a cursor")]
    CursorTooLong,
    /// The client's values are more than one statement can bind.
    #[error("{given} values are more than the {most} that the database takes in one statement")]
    TooManyValues {
        /// How many there are.
        given: usize,
        /// How many there can be.
        most: usize,
    },
}

impl ExecuteError {
    /// Every code that a client can see, with its cause and its cure.
    pub const CODES: &'static [ErrorCode] = &[
        ErrorCode {
            code: "too_many_values",
            cause: "The filters together hold more values than the database takes in one statement.",
            cure: "Ask several times, with fewer values each.",
        },
        ErrorCode {
            code: "cursor_too_long",
            cause: "The page begins or ends at a row whose value in the sort is too long for a cursor.",
            cure: "Use `page` and `pageSize`, or another sort.",
        },
    ];

    /// What the client is told, where the mistake is its own.
    #[must_use]
    pub fn complaint(&self) -> Option<Complaint> {
        match self.cause() {
            Self::TooManyValues { given, most } => Some(Complaint {
                code: "too_many_values",
                message: format!(
                    "The filters hold {given} values in all; at most {most} can be answered at once."
                ),
                parameter: "filters".to_owned(),
                token: given.to_string(),
                allowed: vec![format!("at most {most} values")],
                nearest: None,
            }),
            Self::CursorTooLong => Some(Complaint {
                code: "cursor_too_long",
                message: "The page begins or ends at a row whose value in the sort is too long for a cursor; use `pagination[page]`, or another sort.".to_owned(),
                parameter: "pagination[cursor]".to_owned(),
                token: String::new(),
                allowed: Vec::new(),
                nearest: None,
            }),
            _ => None,
        }
    }

    /// The error itself, where several requests share it.
    #[must_use]
    pub fn cause(&self) -> &Self {
        match self {
            Self::Shared(error) => error.cause(),
            _ => self,
        }
    }

    /// Whether another transaction was in the way, so that the same one can succeed when it is tried again.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        let (Self::Unavailable(error) | Self::Refused(error)) = self.cause() else {
            return false;
        };
        database_error(error).is_some_and(|error| match mysql_number(error) {
            // A deadlock, and a row that changed under a snapshot.
            Some(number) => matches!(number, 1213 | 1020),
            // PostgreSQL's serialization failure and deadlock.
            None => error
                .code()
                .is_some_and(|code| matches!(&*code, "40001" | "40P01")),
        })
    }
}

impl From<DbErr> for ExecuteError {
    fn from(error: DbErr) -> Self {
        if database_error(&error).is_some_and(is_over_time) {
            Self::OverTime(error)
        } else if is_unavailable(&error) {
            Self::Unavailable(error)
        } else {
            Self::Refused(error)
        }
    }
}

fn is_unavailable(error: &DbErr) -> bool {
    if let Some(error) = database_error(error) {
        return is_passing(error);
    }
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => true,
        DbErr::Query(RuntimeErr::SqlxError(error)) | DbErr::Exec(RuntimeErr::SqlxError(error)) => {
            matches!(
                &**error,
                sqlx::Error::Io(_)
                    | sqlx::Error::Tls(_)
                    | sqlx::Error::Protocol(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::PoolClosed
                    | sqlx::Error::WorkerCrashed
            )
        }
        _ => false,
    }
}

/// What the database itself said.
fn database_error(error: &DbErr) -> Option<&dyn DatabaseError> {
    match error {
        DbErr::Query(RuntimeErr::SqlxError(error)) | DbErr::Exec(RuntimeErr::SqlxError(error)) => {
            error.as_database_error()
        }
        _ => None,
    }
}

fn mysql_number(error: &dyn DatabaseError) -> Option<u16> {
    error
        .try_downcast_ref::<MySqlDatabaseError>()
        .map(MySqlDatabaseError::number)
}

/// Codes of statements that the database ended for their time.
fn is_over_time(error: &dyn DatabaseError) -> bool {
    match mysql_number(error) {
        // MariaDB's `max_statement_time` and MySQL's `max_execution_time`.
        Some(number) => matches!(number, 1969 | 3024),
        None => error
            .code()
            .is_some_and(|code| is_over_time_sqlstate(&code)),
    }
}

/// PostgreSQL's `query_canceled`: by its `statement_timeout`, or by somebody with the right to.
pub(super) fn is_over_time_sqlstate(code: &str) -> bool {
    code == "57014"
}

/// Codes that say "not now" rather than "not so".
fn is_passing(error: &dyn DatabaseError) -> bool {
    let code = error.code().unwrap_or_default();
    // SQLite busy (5) and locked (6), with their extended codes.
    let sqlite = code.len() < 5
        && code
            .parse::<u32>()
            .is_ok_and(|code| matches!(code & 0xff, 5 | 6));
    let sqlstate = code.len() == 5 && is_passing_sqlstate(&code);
    // MySQL's lock timeout and changed row have no SQLSTATE of their own.
    let mysql = matches!(mysql_number(error), Some(1205 | 1020));
    sqlite || sqlstate || mysql
}

/// Connection exceptions, resource shortages, shutdowns, serialization failures and deadlocks.
pub(super) fn is_passing_sqlstate(code: &str) -> bool {
    // 08P01 is no lost connection but a message that the server did not understand.
    code != "08P01"
        && ["08", "53", "57P0", "40001", "40P01"]
            .iter()
            .any(|class| code.starts_with(class))
}
