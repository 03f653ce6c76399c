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
};
use super::known::known;
use super::reply::json;

/// An error that is on its way to a client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// A list request that was not answered.
    #[error(transparent)]
    List(#[from] Error),
    /// No such record.
    #[error("Not found: there is no such record.")]
    NotFound,
    /// The route exists, but not for this method.
    #[error("This route does not support this method.")]
    MethodNotAllowed,
    /// The body is not JSON.
    #[error("The body must be JSON: send it with the content type `application/json`.")]
    UnsupportedMediaType,
    /// A request over HTTP/1.1 that does not say which host it is for.
    #[error("A request over HTTP/1.1 needs the header `Host`.")]
    MissingHost,
    /// A file is asked for over a version of HTTP in which the end of a file cannot be told from a broken connection.
    #[error("Exports need HTTP/1.1 or newer: HTTP/1.0 cannot tell a whole file from a broken one.")]
    OldProtocol,
    /// The body is larger than is read.
    #[error("The body is too large: at most {limit} bytes are allowed.")]
    PayloadTooLarge {
        /// How many bytes are read.
        limit: usize,
    },
    /// The body is not a JSON object.
    #[error("{0}")]
    Malformed(String),
    /// The caller is not known, or may not do this.
    #[error(transparent)]
    Denied(Denied),
    /// A token was sent, and it is not valid. Why, a forger is not told.
    #[error("The token is not valid.")]
    InvalidToken,
    /// The record has changed since it was read.
    #[error("The record has changed since it was read.")]
    Stale,
    /// A change that must say which version of the record it is about, and does not.
    #[error("A change of this record needs the header `If-Match`.")]
    VersionMissing,
    /// One of many records cannot be written, for a reason that is not about its fields.
    #[error("{place}: {error}")]
    Item {
        /// Where it is in the request: `update.3`.
        place: String,
        /// Why.
        error: Box<ApiError>,
    },
    /// A request that would write more records than one may.
    #[error("A request can write {most} records at most.")]
    TooManyRecords {
        /// How many one request may write.
        most: u64,
    },
    /// A write by filter that would write every record.
    #[error("`filters` must name a condition: without one, every record would be written.")]
    FiltersMissing,
    /// A write by filter that would write another number of records than its client has said.
    #[error(
        "The filters match {found} records, and {expected} were expected; nothing was written."
    )]
    OtherNumber {
        /// How many records there are.
        found: u64,
        /// How many the client has said.
        expected: u64,
    },
    /// Another request had the same key.
    #[error("This `Idempotency-Key` belongs to another request.")]
    KeyReused,
    /// The first request with the same key has not been answered yet.
    #[error("The first request with this `Idempotency-Key` is still being answered.")]
    KeyUnderWay,
    /// Fields of the payload are not valid.
    #[error("The data is not valid.")]
    Invalid(FieldErrors),
    /// The body could not be read to its end.
    #[error("The request body is incomplete.")]
    BodyUnreadable,
    /// The client sends more requests than it may.
    #[error("Too many requests; try again later.")]
    TooManyRequests {
        /// In how many seconds it may try again.
        retry_after: u64,
    },
    /// There are more requests than can be worked on.
    #[error("The service is overloaded; try again later.")]
    Overloaded,
    /// The connection to the database ended before the answer to a write came: it may have been carried out, or not.
    #[error(
        "The connection to the database was lost during the write: it may or may not have been carried out."
    )]
    OutcomeUnknown(#[source] DbErr),
    /// The record holds a value that its field cannot hold. The client is not told which.
    #[error("record `{id}` of `{table}` cannot be read: {error}")]
    UnreadableRecord {
        /// The table.
        table: String,
        /// The record's id, as in the path.
        id: String,
        /// What SeaORM says of the value, with the name of its column.
        error: DbErr,
    },
    /// Our fault.
    #[error("Something went wrong on our side.")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl ApiError {
    /// Every code that a client can see apart from those of lists and of statuses, with its cause and its remedy.
    pub const CODES: &'static [ErrorCode] = &[
        MALFORMED_BODY,
        WRONG_FORCE,
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

    /// Our fault: the error is for the log, not for the client.
    pub fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(error.into())
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::List(error) => list_status(error),
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::PayloadTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Malformed(_)
            | Self::BodyUnreadable
            | Self::MissingHost
            | Self::OldProtocol
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
            Self::Overloaded | Self::OutcomeUnknown(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) | Self::UnreadableRecord { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn complaint(&self) -> Option<Complaint> {
        match self {
            Self::List(error) => error.complaint(),
            _ => None,
        }
    }

    /// What we do not tell a client we tell the log.
    fn log(&self, status: StatusCode) {
        match self {
            Self::Internal(error) => tracing::error!(%error, "a request failed"),
            Self::OutcomeUnknown(error) => {
                tracing::error!(%error, "the outcome of a write is not known");
            }
            // There are many of them, just when there is no time to write them down.
            Self::Overloaded => tracing::debug!("request rejected: overloaded"),
            error if status.is_server_error() => tracing::error!(%error, "a request failed"),
            error => tracing::debug!(%error, %status, "a request was refused"),
        }
    }
}

impl From<DbErr> for ApiError {
    /// A statement that changes rows outside a transaction, and whose answer was lost, may have been carried out.
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
            | Self::PayloadTooLarge { .. }
            | Self::BodyUnreadable => body(known.code, self.to_string(), None),
            Self::Overloaded => body(OVERLOADED.code, self.to_string(), None),
            Self::OutcomeUnknown(_) => {
                let mut response = body(OUTCOME_UNKNOWN.code, self.to_string(), None);
                // To repeat it may write twice.
                response.headers_mut().remove(header::RETRY_AFTER);
                response
            }
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
                // RFC 6750, 3.1: a client may get a new token and try again.
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
            error if error.complaint().is_some() => StatusCode::BAD_REQUEST,
            ExecuteError::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            ExecuteError::OverTime(_) => StatusCode::GATEWAY_TIMEOUT,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        },
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// The body of an error that the framework made itself, of which only the status is known. Its 404 is about a route.
pub(super) fn of_framework(status: StatusCode) -> Response {
    let known = known(status);
    let (code, message) = match status {
        StatusCode::NOT_FOUND => (
            ROUTE_NOT_FOUND.code,
            "Not found: no route matches this path.",
        ),
        // It may have nothing to do with the database.
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
