//! Why rows could not be read; the database's text goes to the log, never to a client.

use std::sync::Arc;

use sea_orm::DbErr;

use crate::render::DecodeError;
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
    #[error("the database cancelled a statement that ran too long: {0}")]
    OverTime(DbErr),
    /// A value could not be read.
    #[error("a value could not be read: {0}")]
    Decode(#[from] DecodeError),
    /// The connection is to a database that we do not speak.
    #[error("no dialect for this database")]
    UnknownDatabase,
    /// The driver of the database is not part of this program.
    #[error(
        "this program cannot read its database: turn on the feature `{feature}` of the crate `listing`"
    )]
    NoDriver {
        /// The feature that is off.
        feature: &'static str,
    },
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
    /// Every code that a client can see, with its cause and its remedy.
    pub const CODES: &'static [ErrorCode] = &[
        ErrorCode {
            code: "too_many_values",
            cause: "The filters together hold more values than the database takes in one statement.",
            remedy: "Ask several times, with fewer values each.",
        },
        ErrorCode {
            code: "cursor_too_long",
            cause: "The page begins or ends at a row whose value in the sort is too long for a cursor.",
            remedy: "Use `page` and `pageSize`, or another sort.",
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
}
