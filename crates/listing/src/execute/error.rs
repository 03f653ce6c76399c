//! Why rows could not be read; the database's text goes to the log, never to a client.

use std::sync::Arc;

use sea_orm::DbErr;

use crate::render::DecodeError;
use crate::vocabulary::{Complaint, ErrorCode};

/// Why rows could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExecuteError {
    /// The database is unavailable or busy, and may answer later.
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
    /// The connection is to a database that is not supported.
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
    /// This reader cannot give rows as they come.
    #[error("this reader cannot export: read through a `ReadPool`")]
    NoStream,
    /// As many exports are running as may run at the same time.
    #[error("too many exports are running")]
    TooManyExports,
    /// More rows match than an export may have.
    #[error("more than {most} rows match, which is the most that an export has")]
    TooManyRows {
        /// How many it may have.
        most: u64,
    },
    /// What took the rows does not take any more.
    #[error("the rows could not be written: {0}")]
    Write(#[source] Arc<std::io::Error>),
    /// There are more groups, or values of a facet, than are looked through.
    #[error("more than {most} groups in {parameter}")]
    TooManyGroups {
        /// What asks for them.
        parameter: String,
        /// How many are looked through.
        most: u64,
    },
    /// A calendar has more units than are answered.
    #[error("more than {most} units of {unit} in the facet {key}")]
    TooManyBuckets {
        /// The facet.
        key: String,
        /// The unit that was asked for.
        unit: &'static str,
        /// The next larger one, if there is one.
        larger: Option<&'static str>,
        /// How many are answered.
        most: u64,
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
        ErrorCode {
            code: "too_many_rows",
            cause: "More rows match than an export may have.",
            remedy: "Filter for fewer rows, ask for the first ones with `pagination[limit]`, or export them in parts.",
        },
        ErrorCode {
            code: "too_many_groups",
            cause: "There are more groups, or more values of a facet whose labels are searched or sorted by, than are looked through.",
            remedy: "Filter for fewer rows, or group by something that has fewer values.",
        },
        ErrorCode {
            code: "too_many_buckets",
            cause: "The rows lie in more units of the calendar than are answered.",
            remedy: "Ask for the larger unit that the error names, or filter for a shorter time.",
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
            Self::TooManyRows { most } => Some(Complaint {
                code: "too_many_rows",
                message: format!(
                    "More than {most} rows match, which is the most that an export has; filter for fewer, or ask for the first ones with `pagination[limit]`."
                ),
                parameter: "pagination[limit]".to_owned(),
                token: String::new(),
                allowed: vec![format!("at most {most} rows")],
                nearest: None,
            }),
            Self::TooManyGroups { parameter, most } => Some(Complaint {
                code: "too_many_groups",
                message: format!(
                    "`{parameter}` has more than {most} different values here; filter for fewer rows."
                ),
                parameter: parameter.clone(),
                token: String::new(),
                allowed: vec![format!("at most {most} groups")],
                nearest: None,
            }),
            Self::TooManyBuckets {
                key,
                unit,
                larger,
                most,
            } => Some(Complaint {
                code: "too_many_buckets",
                message: match larger {
                    Some(larger) => format!(
                        "The facet `{key}` has more than {most} units of `{unit}` here; ask for `{larger}`, or filter for a shorter time."
                    ),
                    None => format!(
                        "The facet `{key}` has more than {most} units of `{unit}` here; filter for a shorter time."
                    ),
                },
                parameter: format!("facets[{key}][unit]"),
                token: (*unit).to_owned(),
                allowed: larger.iter().map(|unit| (*unit).to_owned()).collect(),
                nearest: larger.map(str::to_owned),
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
