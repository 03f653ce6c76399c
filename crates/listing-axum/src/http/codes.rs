//! The error codes that belong neither to lists nor to statuses.

use listing::ErrorCode;

pub(crate) const MALFORMED_BODY: ErrorCode = ErrorCode {
    code: "malformed_body",
    cause: "The body is not a JSON object, or has a key twice; or a file is not CSV, or not lines of JSON.",
    remedy: "Correct the JSON or the file as the message says; send an object with the record's fields.",
};

pub(crate) const INVALID_TOKEN: ErrorCode = ErrorCode {
    code: "invalid_token",
    cause: "A token was sent that is forged, expired, or not for this service.",
    remedy: "Get a new token, or send none.",
};

pub(crate) const WRONG_POSITION: ErrorCode = ErrorCode {
    code: "wrong_position",
    cause: "The header `Listing-Position` holds something that no answer has told.",
    remedy: "Send the header as an answer has told it, up to 64 of them separated by commas, or leave it out.",
};

/// `force` is not a boolean.
pub(crate) const WRONG_FORCE: ErrorCode = ErrorCode {
    code: "wrong_force",
    cause: "`force` is not a boolean, or is sent twice.",
    remedy: "Send `force=true` to delete for good, or leave it out.",
};

/// A parameter of an import is wrong.
pub(crate) const WRONG_IMPORT: ErrorCode = ErrorCode {
    code: "wrong_import",
    cause: "An import has a parameter that it does not take, or one with a value that it does not have.",
    remedy: "Send `dryRun`, `delimiter` and `formulas` with the values that the message names, each at most once.",
};

/// No route matches, as opposed to a record that does not exist.
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
    remedy: "Read the record, or look for it in the list, before you send the request again: repeating it may write twice. With an `Idempotency-Key` that the resource heeds, repeat it as it was: the answer has `Retry-After` then.",
};

pub(crate) const UNREADABLE_RECORD: ErrorCode = ErrorCode {
    code: "unreadable_record",
    cause: "The record holds a value that is not of its column's type, such as text in a column of integers of SQLite. Lists show it; it can be changed when it has been corrected in the database.",
    remedy: "Nothing: report it, with the header `x-request-id` of the response. The log names the record and the column, and `listing check --database` counts such values.",
};

pub(crate) const TOO_MANY_RECORDS: ErrorCode = ErrorCode {
    code: "too_many_records",
    cause: "One request would write more records than `bounds.bulk_items` or, by filter, `bounds.bulk_matches` or, from a file, `import_max_rows` allows.",
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
