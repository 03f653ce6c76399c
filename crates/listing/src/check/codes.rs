//! The codes of this stage's errors, with their causes and remedies.

use super::CheckError;
use crate::vocabulary::ErrorCode;

impl CheckError {
    /// Every code, with its cause and its remedy.
    pub const CODES: &'static [ErrorCode] = &[
        ErrorCode {
            code: "populate_of_one",
            cause: "`withCount` or `pagination[start]` stands under a relation that leads to one row.",
            remedy: "Leave the option out.",
        },
        ErrorCode {
            code: "populate_without_key",
            cause: "`withCount` is asked for the relations of rows that have no key.",
            remedy: "Use `count=true`, which stands in the rows themselves.",
        },
        ErrorCode {
            code: "filter_unknown_field",
            cause: "The listing has no filter of that name, or none that clients can use.",
            remedy: "Use one of the filters that the error lists.",
        },
        ErrorCode {
            code: "filter_unknown_operator",
            cause: "There is no such operator; operators are case-sensitive.",
            remedy: "Use one of the operators that the error lists.",
        },
        ErrorCode {
            code: "filter_operator_not_allowed",
            cause: "The operator exists, but this filter does not allow it.",
            remedy: "Use one of the operators that the error lists.",
        },
        ErrorCode {
            code: "filter_too_many_relations",
            cause: "The filter goes through more relations than a request may.",
            remedy: "Filter through fewer relations, or start from an entity that is nearer.",
        },
        ErrorCode {
            code: "misplaced_filter",
            cause: "A parameter is a filter that is not under `filters`, or looks like a condition of another interface.",
            remedy: "Use the spelling that the error gives.",
        },
        ErrorCode {
            code: "nested_filter",
            cause: "The filter goes through a relation that cannot be filtered through.",
            remedy: "Use one of the filters that the error lists.",
        },
        ErrorCode {
            code: "filter_wrong_value",
            cause: "The value is not of the filter's type.",
            remedy: "Send a value as the error describes it.",
        },
        ErrorCode {
            code: "filter_wrong_number_of_values",
            cause: "The operator takes another number of values.",
            remedy: "Send two values to `$between`, any number to `$in` and `$notIn`, one to every other.",
        },
        ErrorCode {
            code: "unknown_field",
            cause: "The listing has no such field, and the project is strict.",
            remedy: "Ask for one of the fields that the error lists.",
        },
        ErrorCode {
            code: "unknown_relation",
            cause: "The listing has no such relation, and the project is strict.",
            remedy: "Populate one of the relations that the error lists.",
        },
        ErrorCode {
            code: "unknown_sort",
            cause: "The listing has no such sort, and the project is strict.",
            remedy: "Sort by one of the names that the error lists.",
        },
        ErrorCode {
            code: "unknown_facet",
            cause: "The listing has no such facet, and the project is strict.",
            remedy: "Ask for one of the facets that the error lists.",
        },
        ErrorCode {
            code: "too_many_facets",
            cause: "More facets are asked for than one request may have.",
            remedy: "Ask for fewer, or ask several times at `_facets`.",
        },
        ErrorCode {
            code: "facet_option",
            cause: "The facet does not have the option, or does not take its value.",
            remedy: "Use what the error lists, or leave the option out.",
        },
        ErrorCode {
            code: "total_not_allowed",
            cause: "The listing does not give this number about the field.",
            remedy: "Ask for one of the totals that the error lists.",
        },
        ErrorCode {
            code: "group_key",
            cause: "`by` names no key, too many, or something that rows cannot be grouped by.",
            remedy: "Group by up to three of the facets that the error lists.",
        },
        ErrorCode {
            code: "group_number",
            cause: "A sort or a condition of groups names something that is not known of them.",
            remedy: "Use `count`, a key of `by`, or a total that is asked for, such as `views.sum`.",
        },
        ErrorCode {
            code: "having",
            cause: "A condition of `having` has another operator than a comparison, or a value that its number cannot be compared with.",
            remedy: "Write a comparison such as `having[count][$gte]=10`.",
        },
        ErrorCode {
            code: "unknown_parameter",
            cause: "There is no such parameter here, and the project is strict.",
            remedy: "Leave the parameter out, or use one of those that the error lists.",
        },
        ErrorCode {
            code: "too_many_relations",
            cause: "`populate` leads to more relations than are allowed.",
            remedy: "Populate fewer relations, on all levels together.",
        },
        ErrorCode {
            code: "too_many_items",
            cause: "The page size and the limits of `populate`, multiplied, are more items than a request may return.",
            remedy: "Lower the page size or the limit that the error names, or populate fewer relations.",
        },
        ErrorCode {
            code: "wrong_trashed",
            cause: "`trashed` is neither `with` nor `only`.",
            remedy: "Send one of the two, or leave it out.",
        },
        ErrorCode {
            code: "no_exact_count",
            cause: "`pagination[count]=exact` is sent to a list that does not allow it.",
            remedy: "Leave `pagination[count]` out: the answer then has the total that the list gives.",
        },
        ErrorCode {
            code: "no_search",
            cause: "The listing does not define a search.",
            remedy: "Leave `search` out, or use a filter.",
        },
        ErrorCode {
            code: "search_too_long",
            cause: "The text of `search` is longer than any search needs to be.",
            remedy: "Search for fewer or shorter words.",
        },
        ErrorCode {
            code: "too_many_words",
            cause: "`search` has more words and phrases than the service looks for at once.",
            remedy: "Search for fewer words.",
        },
        ErrorCode {
            code: "unindexed",
            cause: "No index serves the filter, the sort or the search, the table is large, and the project refuses to read all of it.",
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
            cause: "The rows of the list have no key, so that no cursor can point at one of them.",
            remedy: "Use `page` and `pageSize`.",
        },
        ErrorCode {
            code: "cursor_sort",
            cause: "The list is sorted by something that no cursor can point into.",
            remedy: "Use `page` and `pageSize`, or another sort.",
        },
        ErrorCode {
            code: "no_export",
            cause: "The listing does not allow its rows to be taken away as a file.",
            remedy: "Read the list page by page, or ask the operator for the export.",
        },
        ErrorCode {
            code: "not_in_exports",
            cause: "An export was asked for with facets, totals, or a part of `pagination` other than `limit`.",
            remedy: "Leave the parameter out; `pagination[limit]` gives the first rows alone.",
        },
        ErrorCode {
            code: "many_in_export",
            cause: "An export was asked for with a relation that leads to many rows.",
            remedy: "Ask for their number with `count=true`, or read the list page by page.",
        },
        ErrorCode {
            code: "unauthorized",
            cause: "A default filter needs to know the caller, and the request has no identity.",
            remedy: "Send the request with an identity.",
        },
    ];
}
