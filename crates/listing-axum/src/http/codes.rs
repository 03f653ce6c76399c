//! The codes of errors that are neither those of lists nor those of statuses, with their causes and remedies.

use listing::ErrorCode;

pub(super) const MALFORMED_BODY: ErrorCode = ErrorCode {
    code: "malformed_body",
    cause: "The body is not a JSON object, or has a key twice (d61).",
    remedy: "Correct the JSON as the message says; send an object with the record's fields.",
};

pub(super) const INVALID_TOKEN: ErrorCode = ErrorCode {
    code: "invalid_token",
    cause: "A token was sent that is forged, expired, or not for this service (d64).",
    remedy: "Get a new token, or send none.",
};

/// What is said of a `force` that is not a boolean.
pub(crate) const WRONG_FORCE: ErrorCode = ErrorCode {
    code: "wrong_force",
    cause: "`force` is not a boolean, or is sent twice (d62).",
    remedy: "Send `force=true` to delete for good, or leave it out.",
};

/// What is said where no route matches, as opposed to a record that does not exist.
pub(super) const ROUTE_NOT_FOUND: ErrorCode = ErrorCode {
    code: "route_not_found",
    cause: "No route matches the path.",
    remedy: "Check the path; `listing routes` lists the routes of an application.",
};

pub(super) const OVERLOADED: ErrorCode = ErrorCode {
    code: "overloaded",
    cause: "More requests arrive than can be answered (b335).",
    remedy: "Wait as long as the header `Retry-After` says.",
};

pub(super) const OUTCOME_UNKNOWN: ErrorCode = ErrorCode {
    code: "outcome_unknown",
    cause: "The connection to the database was lost before it answered a write, which may have been carried out or not (b593).",
    remedy: "Read the record, or look for it in the list, before you send the request again: repeating it may write twice.",
};
