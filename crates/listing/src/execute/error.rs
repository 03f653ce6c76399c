//! Why rows could not be read; the database's message is logged, and never sent to a client.

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
    /// The database cancelled a statement that exceeded its time limit.
    #[error("the database cancelled a statement that ran too long: {0}")]
    OverTime(DbErr),
    /// A value could not be read.
    #[error("a value could not be read: {0}")]
    Decode(#[from] DecodeError),
    /// The connection is to a database that is not supported.
    #[error("no dialect for this database")]
    UnknownDatabase,
    /// The driver of the database is not included in this program.
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
    /// A row of the page has a value in a sorted column that is too long for a cursor.
    #[error("a value of the sort is too long for a cursor")]
    CursorTooLong,
    /// The client's values exceed the number that one statement can bind.
    #[error("{given} values are more than the {most} that the database takes in one statement")]
    TooManyValues {
        /// The number of values.
        given: usize,
        /// The largest possible number.
        most: usize,
    },
    /// This reader cannot stream rows.
    #[error("this reader cannot export: read through a `ReadPool`")]
    NoStream,
    /// The maximum number of exports is already running.
    #[error("too many exports are running")]
    TooManyExports,
    /// More rows match than an export may contain.
    #[error("more than {most} rows match, which is the most that an export has")]
    TooManyRows {
        /// The most rows.
        most: u64,
    },
    /// The labels of an export could not be read. The reason is in the log.
    #[error("the labels of `{filter}` could not be read")]
    NoLabels {
        /// The filter that defines the labels.
        filter: String,
    },
    /// The writer accepts no more rows.
    #[error("the rows could not be written: {0}")]
    Write(#[source] Arc<std::io::Error>),
    /// A text is too long for a cell of the file format.
    #[error(
        "`{field}` of the record `{record}` has more than {most} characters, which do not fit into a cell"
    )]
    TextTooLong {
        /// The `id` of the row.
        record: String,
        /// The name of the column.
        field: String,
        /// The most characters.
        most: usize,
    },
    /// A temporary file of an export cannot be created, written or read.
    #[error("a temporary file of an export cannot be used: {0}")]
    TemporaryFile(#[source] Arc<std::io::Error>),
    /// There are more groups, or values of a facet, than the limit.
    #[error("more than {most} groups in {parameter}")]
    TooManyGroups {
        /// The parameter that requests them.
        parameter: String,
        /// The limit.
        most: u64,
    },
    /// A calendar has more units than the limit.
    #[error("more than {most} units of {unit} in the facet {key}")]
    TooManyBuckets {
        /// The facet.
        key: String,
        /// The requested unit.
        unit: &'static str,
        /// The next larger one, if there is one.
        larger: Option<&'static str>,
        /// The limit.
        most: u64,
    },
}

impl ExecuteError {
    /// Every code that clients can see, with its cause and its remedy.
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
            code: "text_too_long",
            cause: "A text is longer than a cell of XLSX can be, which is never cut.",
            remedy: "Leave the field out with `fields`, leave the record out, or export as CSV or lines of JSON.",
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

    /// The message for the client, if the mistake is its own.
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
            Self::TextTooLong {
                record,
                field,
                most,
            } => Some(Complaint {
                code: "text_too_long",
                message: format!(
                    "`{field}` of the record `{}` has more than {most} characters, which do not fit into a cell; leave it out with `fields`, or export as CSV.",
                    Complaint::shorten(record)
                ),
                parameter: "fields".to_owned(),
                token: field.clone(),
                allowed: vec![format!("at most {most} characters")],
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

    /// The error itself, if several requests share it.
    #[must_use]
    pub fn cause(&self) -> &Self {
        match self {
            Self::Shared(error) => error.cause(),
            _ => self,
        }
    }
}
