//! The codes of this stage's errors, with their causes and remedies.

use super::CheckError;
use crate::vocabulary::ErrorCode;

impl CheckError {
    /// Every code, with its cause and its remedy.
    pub const CODES: &'static [ErrorCode] = &[
        ErrorCode {
            code: "filter_unknown_field",
            cause: "The listing has no filter of that name, or none that clients can use (d8).",
            remedy: "Use one of the filters that the error lists.",
        },
        ErrorCode {
            code: "filter_unknown_operator",
            cause: "There is no such operator; operators are case-sensitive (d8).",
            remedy: "Use one of the operators that the error lists.",
        },
        ErrorCode {
            code: "filter_operator_not_allowed",
            cause: "The operator exists, but this filter does not allow it (d8).",
            remedy: "Use one of the operators that the error lists.",
        },
        ErrorCode {
            code: "filter_too_many_relations",
            cause: "The filter goes through more relations than a request may (d77).",
            remedy: "Filter through fewer relations, or start from an entity that is nearer.",
        },
        ErrorCode {
            code: "misplaced_filter",
            cause: "A parameter is a filter that is not under `filters`, or looks like a condition of another interface (d151).",
            remedy: "Use the spelling that the error gives.",
        },
        ErrorCode {
            code: "nested_filter",
            cause: "The filter goes through a relation that cannot be filtered through (d72).",
            remedy: "Use one of the filters that the error lists.",
        },
        ErrorCode {
            code: "filter_wrong_value",
            cause: "The value is not of the filter's type (d9).",
            remedy: "Send a value as the error describes it.",
        },
        ErrorCode {
            code: "filter_wrong_number_of_values",
            cause: "The operator takes another number of values (d28).",
            remedy: "Send two values to `$between`, any number to `$in` and `$notIn`, one to every other.",
        },
        ErrorCode {
            code: "unknown_field",
            cause: "The listing has no such field, and the project is strict (d7).",
            remedy: "Ask for one of the fields that the error lists.",
        },
        ErrorCode {
            code: "unknown_relation",
            cause: "The listing has no such relation, and the project is strict (d7).",
            remedy: "Populate one of the relations that the error lists.",
        },
        ErrorCode {
            code: "unknown_sort",
            cause: "The listing has no such sort, and the project is strict (d7).",
            remedy: "Sort by one of the names that the error lists.",
        },
        ErrorCode {
            code: "unknown_parameter",
            cause: "There is no such parameter here, and the project is strict (d6).",
            remedy: "Leave the parameter out, or use one of those that the error lists.",
        },
        ErrorCode {
            code: "too_many_relations",
            cause: "`populate` leads to more relations than are allowed (d81).",
            remedy: "Populate fewer relations, on all levels together.",
        },
        ErrorCode {
            code: "too_many_items",
            cause: "The page size and the limits of `populate`, multiplied, are more items than a request may return (d81).",
            remedy: "Lower the page size or the limit that the error names, or populate fewer relations.",
        },
        ErrorCode {
            code: "wrong_trashed",
            cause: "`trashed` is neither `with` nor `only` (d62).",
            remedy: "Send one of the two, or leave it out.",
        },
        ErrorCode {
            code: "no_exact_count",
            cause: "`pagination[count]=exact` is sent to a list that does not allow it (d153).",
            remedy: "Leave `pagination[count]` out: the answer then has the total that the list gives.",
        },
        ErrorCode {
            code: "no_search",
            cause: "The listing does not define a search (d87).",
            remedy: "Leave `search` out, or use a filter.",
        },
        ErrorCode {
            code: "search_too_long",
            cause: "The text of `search` is longer than any search needs to be (d87).",
            remedy: "Search for fewer or shorter words.",
        },
        ErrorCode {
            code: "too_many_words",
            cause: "`search` has more words and phrases than the service looks for at once (d87).",
            remedy: "Search for fewer words.",
        },
        ErrorCode {
            code: "unindexed",
            cause: "No index serves the filter, the sort or the search, the table is large, and the project refuses to read all of it (b410).",
            remedy: "Add a filter that finds few rows: the error lists those that an index serves. Or ask the operator for the index.",
        },
        ErrorCode {
            code: "bad_cursor",
            cause: "The cursor was not made by this service, or was made before its key changed.",
            remedy: "Begin again at the first page, with an empty `pagination[cursor]`; send cursors as they were given.",
        },
        ErrorCode {
            code: "cursor_mismatch",
            cause: "The cursor was given for a list with another sort or other filters.",
            remedy: "Keep `sort`, `filters`, `search` and `trashed` as they were, or begin again with an empty `pagination[cursor]`.",
        },
        ErrorCode {
            code: "cursor_without_key",
            cause: "The rows of the list have no key, so that no cursor can point at one of them (d152).",
            remedy: "Use `page` and `pageSize`.",
        },
        ErrorCode {
            code: "cursor_sort",
            cause: "The list is sorted by something that no cursor can point into.",
            remedy: "Use `page` and `pageSize`, or another sort.",
        },
        ErrorCode {
            code: "unauthorized",
            cause: "A default filter needs to know the caller, and the request has no identity (d32).",
            remedy: "Send the request with an identity.",
        },
    ];
}
