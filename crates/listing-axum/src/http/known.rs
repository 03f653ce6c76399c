//! Every error status that leaves this layer, with its name, its code and its words.

use axum::http::StatusCode;

/// The name of a status, and its default message.
#[derive(Debug, Clone, Copy)]
pub struct KnownStatus {
    /// The status.
    pub status: u16,
    /// `error.name`
    pub name: &'static str,
    /// `error.code`
    pub code: &'static str,
    /// `error.message`
    pub message: &'static str,
    /// The remedy for the client.
    pub remedy: &'static str,
}

/// Every error status that leaves this layer.
pub const STATUSES: &[KnownStatus] = &[
    of(
        400,
        "BadRequest",
        "bad_request",
        "The request could not be understood.",
        "Send the whole request, as the message and `error.details` describe it.",
    ),
    of(
        401,
        "Unauthorized",
        "unauthorized",
        "Authentication is required.",
        "Send the request with credentials, such as a token.",
    ),
    of(
        403,
        "Forbidden",
        "forbidden",
        "You are not allowed to do this.",
        "Sign in as somebody who is allowed to.",
    ),
    of(
        404,
        "NotFound",
        "not_found",
        "Not found: there is no such record.",
        "Check the id; a deleted record counts as absent.",
    ),
    of(
        405,
        "MethodNotAllowed",
        "method_not_allowed",
        "This route does not support this method.",
        "Use one of the methods that the header `Allow` lists.",
    ),
    of(
        408,
        "RequestTimeout",
        "request_timeout",
        "The request took too long to arrive.",
        "Send the request again, without pauses.",
    ),
    of(
        409,
        "Conflict",
        "conflict",
        "The request does not fit the state of what it is about.",
        "Look at what there is now, and send the request again if it is still meant.",
    ),
    of(
        412,
        "PreconditionFailed",
        "stale",
        "The record has changed since it was read.",
        "Read the record again and repeat the change on what it is now.",
    ),
    of(
        413,
        "PayloadTooLarge",
        "body_too_large",
        "The body is too large.",
        "Send less at a time.",
    ),
    of(
        414,
        "UriTooLong",
        "query_too_long",
        "The URL is too long.",
        "Send the request as a JSON body, by `QUERY` or `POST .../query`.",
    ),
    of(
        415,
        "UnsupportedMediaType",
        "unsupported_media_type",
        "The body must be JSON: send it with the content type `application/json`.",
        "Send the header `Content-Type: application/json`.",
    ),
    of(
        422,
        "ValidationError",
        "validation_failed",
        "The data is not valid.",
        "Correct the fields that `errors` names.",
    ),
    of(
        428,
        "PreconditionRequired",
        "if_match_required",
        "A change of this record needs the header `If-Match`.",
        "Read the record and send its `ETag` as `If-Match`.",
    ),
    of(
        429,
        "TooManyRequests",
        "too_many_requests",
        "Too many requests; try again later.",
        "Wait as long as the header `Retry-After` says.",
    ),
    of(
        500,
        "InternalServerError",
        "internal_error",
        "Something went wrong on our side.",
        "Nothing: report it, with the header `x-request-id` of the response.",
    ),
    of(
        503,
        "ServiceUnavailable",
        "unavailable",
        "The database is not available; try again later.",
        "Wait as long as the header `Retry-After` says.",
    ),
    of(
        504,
        "GatewayTimeout",
        "timeout",
        "The request took longer than the time limit.",
        "Ask for less: a smaller page, fewer relations, no count.",
    ),
];

const fn of(
    status: u16,
    name: &'static str,
    code: &'static str,
    message: &'static str,
    remedy: &'static str,
) -> KnownStatus {
    KnownStatus {
        status,
        name,
        code,
        message,
        remedy,
    }
}

pub(super) fn known(status: StatusCode) -> KnownStatus {
    let known = STATUSES
        .iter()
        .find(|known| known.status == status.as_u16())
        .copied();
    known.unwrap_or(of(
        status.as_u16(),
        "Error",
        "error",
        "The request could not be answered.",
        "",
    ))
}
