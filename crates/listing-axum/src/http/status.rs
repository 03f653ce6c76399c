//! The only place that decides the status, code and body of an error (d53).

use std::borrow::Cow;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use listing::reply::{ErrorBody, ErrorDetails, FieldErrors};
use listing::request::RequestError;
use listing::{CheckError, Complaint, Error, ErrorCode, ExecuteError, is_outcome_unknown};
use sea_orm::DbErr;

use super::Denied;
use super::codes::{
    FILTERS_MISSING, INVALID_TOKEN, KEY_REUSED, KEY_UNDER_WAY, MALFORMED_BODY, OTHER_NUMBER,
    OUTCOME_UNKNOWN, OVERLOADED, ROUTE_NOT_FOUND, TOO_MANY_RECORDS, UNREADABLE_RECORD, WRONG_FORCE,
    WRONG_IMPORT, WRONG_POSITION,
};
use super::known::known;
use super::reply::json;

/// An error that is returned to a client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// A list request that failed.
    #[error(transparent)]
    List(#[from] Error),
    /// There is no such record.
    #[error("Not found: there is no such record.")]
    NotFound,
    /// The route exists, but not for this method.
    #[error("This route does not support this method.")]
    MethodNotAllowed,
    /// The body is not JSON.
    #[error("The body must be JSON: send it with the content type `application/json`.")]
    UnsupportedMediaType,
    /// A file that is neither CSV nor lines of JSON.
    #[error(
        "The file must be CSV or lines of JSON: send it with the content type `text/csv` or `application/x-ndjson`."
    )]
    ImportMediaType,
    /// An HTTP/1.1 request that does not name its host.
    #[error("A request over HTTP/1.1 needs the header `Host`.")]
    MissingHost,
    /// A file is requested with a version of HTTP in which the end of a file looks like a broken connection.
    #[error("Exports need HTTP/1.1 or newer: HTTP/1.0 cannot tell a whole file from a broken one.")]
    OldProtocol,
    /// The header `Listing-Position` is malformed.
    #[error(
        "The header `Listing-Position` must hold positions that answers have told, such as `pg.6c5f0a1b2c3d4e5f.1.16b374d8` or `primary`: at most 64, separated by commas."
    )]
    WrongPosition,
    /// The body is larger than allowed.
    #[error("The body is too large: at most {limit} bytes are allowed.")]
    PayloadTooLarge {
        /// The largest allowed size in bytes.
        limit: usize,
    },
    /// The body is not a JSON object.
    #[error("{0}")]
    Malformed(String),
    /// The caller is unknown, or may not do this.
    #[error(transparent)]
    Denied(Denied),
    /// A token was sent that is not valid. The reason is not told, because it would help a forger.
    #[error("The token is not valid.")]
    InvalidToken,
    /// The record has changed since it was read.
    #[error("The record has changed since it was read.")]
    Stale,
    /// A write without the version of the record, where it is required.
    #[error("A change of this record needs the header `If-Match`.")]
    VersionMissing,
    /// One of many records cannot be written, for a reason that does not concern its fields.
    #[error("{place}: {error}")]
    Item {
        /// Its position in the request: `update.3`.
        place: String,
        /// The reason.
        error: Box<ApiError>,
    },
    /// A request for more records than one may write.
    #[error("A request can write {most} records at most.")]
    TooManyRecords {
        /// The most records that a request may write.
        most: u64,
    },
    /// A write by filter that would write every record.
    #[error("`filters` must name a condition: without one, every record would be written.")]
    FiltersMissing,
    /// A write by filter that would write a different number of records than the client expects.
    #[error(
        "The filters match {found} records, and {expected} were expected; nothing was written."
    )]
    OtherNumber {
        /// The number of matching records.
        found: u64,
        /// The number that the client expects.
        expected: u64,
    },
    /// Another request used the same key.
    #[error("This `Idempotency-Key` belongs to another request.")]
    KeyReused,
    /// The first request with the same key has not been answered yet.
    #[error("The first request with this `Idempotency-Key` is still being answered.")]
    KeyUnderWay,
    /// Fields of the payload are invalid.
    #[error("The data is not valid.")]
    Invalid(FieldErrors),
    /// The body could not be read completely.
    #[error("The request body is incomplete.")]
    BodyUnreadable,
    /// The client sends too many requests.
    #[error("Too many requests; try again later.")]
    TooManyRequests {
        /// The number of seconds to wait before the next attempt.
        retry_after: u64,
    },
    /// There are more requests than the service can handle.
    #[error("The service is overloaded; try again later.")]
    Overloaded,
    /// The database connection was lost before a write was answered. It may have been carried out or not.
    #[error(
        "The connection to the database was lost during the write: it may or may not have been carried out."
    )]
    OutcomeUnknown(#[source] DbErr),
    /// The same for a request with an idempotency key, which can safely be repeated.
    #[error(
        "The connection to the database was lost during the write: send the request again with the same `Idempotency-Key`, and it \
         is carried out once."
    )]
    OutcomeUnknownOnce(#[source] DbErr),
    /// The record contains a value that its field cannot hold. The client does not learn which.
    #[error("record `{id}` of `{table}` cannot be read: {error}")]
    UnreadableRecord {
        /// The table.
        table: String,
        /// The record's id, as in the path.
        id: String,
        /// SeaORM's description of the value, with the name of its column.
        error: DbErr,
    },
    /// An error of the service itself.
    #[error("Something went wrong on our side.")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl ApiError {
    /// Every code that clients can see, apart from those of lists and of statuses, with its cause and its remedy.
    pub const CODES: &'static [ErrorCode] = &[
        MALFORMED_BODY,
        WRONG_FORCE,
        WRONG_IMPORT,
        WRONG_POSITION,
        INVALID_TOKEN,
        ROUTE_NOT_FOUND,
        OVERLOADED,
        OUTCOME_UNKNOWN,
        UNREADABLE_RECORD,
        TOO_MANY_RECORDS,
        FILTERS_MISSING,
        OTHER_NUMBER,
        KEY_REUSED,
        KEY_UNDER_WAY,
    ];

    /// An error of the service itself. It is logged, and not shown to the client.
    pub fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(error.into())
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::List(error) => list_status(error),
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::UnsupportedMediaType | Self::ImportMediaType => {
                StatusCode::UNSUPPORTED_MEDIA_TYPE
            }
            Self::PayloadTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Malformed(_)
            | Self::BodyUnreadable
            | Self::MissingHost
            | Self::OldProtocol
            | Self::WrongPosition
            | Self::TooManyRecords { .. }
            | Self::FiltersMissing => StatusCode::BAD_REQUEST,
            Self::Item { error, .. } => error.status(),
            Self::OtherNumber { .. } | Self::KeyUnderWay => StatusCode::CONFLICT,
            Self::Denied(Denied::Unauthenticated) | Self::InvalidToken => StatusCode::UNAUTHORIZED,
            Self::Denied(Denied::Forbidden) => StatusCode::FORBIDDEN,
            Self::Denied(Denied::Undecided(_)) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Stale => StatusCode::PRECONDITION_FAILED,
            Self::VersionMissing => StatusCode::PRECONDITION_REQUIRED,
            Self::Invalid(_) | Self::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Overloaded | Self::OutcomeUnknown(_) | Self::OutcomeUnknownOnce(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Internal(_) | Self::UnreadableRecord { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn complaint(&self) -> Option<Complaint> {
        match self {
            Self::List(error) => error.complaint(),
            _ => None,
        }
    }

    /// Logs details that the client does not get.
    fn log(&self, status: StatusCode) {
        match self {
            Self::Internal(error) => tracing::error!(%error, "a request failed"),
            Self::OutcomeUnknown(error) | Self::OutcomeUnknownOnce(error) => {
                tracing::error!(%error, "the outcome of a write is not known");
            }
            // These are frequent exactly when there is no time to write them to the log.
            Self::Overloaded => tracing::debug!("request rejected: overloaded"),
            error if status.is_server_error() => tracing::error!(%error, "a request failed"),
            error => tracing::debug!(%error, %status, "a request was refused"),
        }
    }
}

impl From<DbErr> for ApiError {
    /// If the answer to a statement was lost that changes rows outside a transaction, it may have been carried out.
    fn from(error: DbErr) -> Self {
        match error {
            error @ DbErr::Exec(_) if is_outcome_unknown(&error) => Self::OutcomeUnknown(error),
            error => Self::List(ExecuteError::from(error).into()),
        }
    }
}

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        Self::List(error.into())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        self.log(status);
        let known = known(status);
        if let Self::Item { place, error } = self {
            let message = match *error {
                Self::VersionMissing => "A change of this record needs the member `etag`.".into(),
                _ => Cow::Borrowed(known.message),
            };
            let message = format!("{place}: {message}");
            let errors = FieldErrors::from([(place, vec![message.clone()])]);
            return render(ErrorBody {
                status: known.status,
                name: known.name,
                code: known.code,
                message,
                details: Some(ErrorDetails::Validation(errors)),
            });
        }
        let body = |code, message, details| {
            render(ErrorBody {
                status: known.status,
                name: known.name,
                code,
                message,
                details,
            })
        };
        if let Some(complaint) = self.complaint() {
            let (code, message) = (complaint.code, complaint.message.clone());
            return body(code, message, Some(ErrorDetails::Query(complaint)));
        }
        match self {
            Self::MissingHost
            | Self::OldProtocol
            | Self::ImportMediaType
            | Self::PayloadTooLarge { .. }
            | Self::BodyUnreadable => body(known.code, self.to_string(), None),
            Self::WrongPosition => body(WRONG_POSITION.code, self.to_string(), None),
            Self::Overloaded => body(OVERLOADED.code, self.to_string(), None),
            Self::OutcomeUnknown(_) => {
                let mut response = body(OUTCOME_UNKNOWN.code, self.to_string(), None);
                // Repeating the request may write twice.
                response.headers_mut().remove(header::RETRY_AFTER);
                response
            }
            Self::OutcomeUnknownOnce(_) => body(OUTCOME_UNKNOWN.code, self.to_string(), None),
            Self::UnreadableRecord { .. } => {
                let message = "The record holds a value that cannot be read; it cannot be changed.";
                body(UNREADABLE_RECORD.code, message.to_owned(), None)
            }
            Self::Malformed(message) => body(MALFORMED_BODY.code, message, None),
            Self::TooManyRecords { .. } => body(TOO_MANY_RECORDS.code, self.to_string(), None),
            Self::KeyReused => body(KEY_REUSED.code, self.to_string(), None),
            Self::KeyUnderWay => body(KEY_UNDER_WAY.code, self.to_string(), None),
            Self::FiltersMissing => body(FILTERS_MISSING.code, self.to_string(), None),
            Self::OtherNumber { .. } => body(OTHER_NUMBER.code, self.to_string(), None),
            Self::InvalidToken => {
                let mut response = body(INVALID_TOKEN.code, self.to_string(), None);
                // RFC 6750, section 3.1: a client may get a new token and try again.
                let why = HeaderValue::from_static("Bearer error=\"invalid_token\"");
                response.headers_mut().insert(header::WWW_AUTHENTICATE, why);
                response
            }
            Self::TooManyRequests { retry_after } => {
                let mut response = body(known.code, known.message.to_owned(), None);
                let seconds = HeaderValue::from(retry_after);
                response.headers_mut().insert(header::RETRY_AFTER, seconds);
                response
            }
            Self::Invalid(errors) => {
                let message = errors.values().flatten().next().cloned();
                let message = message.unwrap_or_else(|| known.message.to_owned());
                body(known.code, message, Some(ErrorDetails::Validation(errors)))
            }
            _ => body(known.code, known.message.to_owned(), None),
        }
    }
}

fn list_status(error: &Error) -> StatusCode {
    match error {
        Error::Request(RequestError::QueryTooLong { .. }) => StatusCode::URI_TOO_LONG,
        Error::Request(RequestError::BodyTooLarge { .. }) => StatusCode::PAYLOAD_TOO_LARGE,
        Error::Check(CheckError::Unauthorized { .. }) => StatusCode::UNAUTHORIZED,
        Error::Request(_) | Error::Check(_) => StatusCode::BAD_REQUEST,
        Error::Execute(error) => match error.cause() {
            ExecuteError::TextTooLong { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            error if error.complaint().is_some() => StatusCode::BAD_REQUEST,
            ExecuteError::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            ExecuteError::OverTime(_) => StatusCode::GATEWAY_TIMEOUT,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        },
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// The body of an error that the framework created, of which only the status is known. A 404 of the framework concerns a route.
pub(super) fn of_framework(status: StatusCode) -> Response {
    let known = known(status);
    let (code, message) = match status {
        StatusCode::NOT_FOUND => (
            ROUTE_NOT_FOUND.code,
            "Not found: no route matches this path.",
        ),
        // It may be unrelated to the database.
        StatusCode::SERVICE_UNAVAILABLE => {
            (known.code, "The service is not available; try again later.")
        }
        _ => (known.code, known.message),
    };
    render(ErrorBody {
        status: known.status,
        name: known.name,
        code,
        message: message.to_owned(),
        details: None,
    })
}

fn render(body: ErrorBody) -> Response {
    let status = StatusCode::from_u16(body.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json(status, body.to_json());
    if status == StatusCode::UNAUTHORIZED {
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}
