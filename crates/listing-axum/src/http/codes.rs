//! The codes of errors that are neither those of lists nor those of statuses.

use listing::ErrorCode;

pub(crate) const MALFORMED_BODY: ErrorCode = ErrorCode {
    code: "malformed_body",
    cause: "The body is not a JSON object, or has a key twice.",
    remedy: "Correct the JSON as the message says; send an object with the record's fields.",
};

pub(crate) const INVALID_TOKEN: ErrorCode = ErrorCode {
    code: "invalid_token",
    cause: "A token was sent that is forged, expired, or not for this service.",
    remedy: "Get a new token, or send none.",
};

/// What is said of a `force` that is not a boolean.
pub(crate) const WRONG_FORCE: ErrorCode = ErrorCode {
    code: "wrong_force",
    cause: "`force` is not a boolean, or is sent twice.",
    remedy: "Send `force=true` to delete for good, or leave it out.",
};

/// What is said where no route matches, as opposed to a record that does not exist.
pub(crate) const ROUTE_NOT_FOUND: ErrorCode = ErrorCode {
    code: "route_not_found",
    cause: "No route matches the path.",
    remedy: "Check the path; `listing routes` lists the routes of an application.",
};

pub(crate) const OVERLOADED: ErrorCode = ErrorCode {
    code: "overloaded",
    cause: "More requests arrive than can be answered.",
    remedy: "Wait as long as the header `Retry-After` says.",
};

pub(crate) const OUTCOME_UNKNOWN: ErrorCode = ErrorCode {
    code: "outcome_unknown",
    cause: "The connection to the database was lost before it answered a write, which may have been carried out or not.",
    remedy: "Read the record, or look for it in the list, before you send the request again: repeating it may write twice.",
};

pub(crate) const UNREADABLE_RECORD: ErrorCode = ErrorCode {
    code: "unreadable_record",
    cause: "The record holds a value that is not of its column's type, such as text in a column of integers of SQLite. Lists show it; it can be changed when it has been corrected in the database.",
    remedy: "Nothing: report it, with the header `x-request-id` of the response. The log names the record and the column, and `listing check --database` counts such values.",
};

pub(crate) const TOO_MANY_RECORDS: ErrorCode = ErrorCode {
    code: "too_many_records",
    cause: "One request would write more records than `bounds.bulk_items` or, by filter, `bounds.bulk_matches` allows.",
    remedy: "Write them in several requests.",
};

pub(crate) const FILTERS_MISSING: ErrorCode = ErrorCode {
    code: "filters_missing",
    cause: "A write by filter names no condition, so that it would write every record.",
    remedy: "Send `filters` with a condition.",
};

pub(crate) const KEY_REUSED: ErrorCode = ErrorCode {
    code: "idempotency_key_reused",
    cause: "The `Idempotency-Key` came with another request before.",
    remedy: "Send each new request with a new key, and a repeated one as it was.",
};

pub(crate) const KEY_UNDER_WAY: ErrorCode = ErrorCode {
    code: "idempotency_key_under_way",
    cause: "The first request with this `Idempotency-Key` is still being answered.",
    remedy: "Send the request again in a while, with the same key.",
};

pub(crate) const OTHER_NUMBER: ErrorCode = ErrorCode {
    code: "other_number",
    cause: "The filters of a write match another number of records than `expected` says.",
    remedy: "Read the list with these filters again, and send its total as `expected` if the change is still meant.",
};
