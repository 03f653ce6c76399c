//! One error for each kind of mistake in a request's text, with its code, cause and remedy.

use super::quote::Quote;
use crate::vocabulary::ErrorCode;

/// Where a request that does not fit into a URL goes.
const AS_BODY: &str = "`QUERY` or `POST .../query` takes the same request as a JSON body";

/// By which way a request came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// A query string.
    Query,
    /// A JSON body.
    Body,
}

impl Door {
    const fn advice(self) -> &'static str {
        match self {
            Self::Query => AS_BODY,
            Self::Body => "ask for fewer at a time",
        }
    }
}

/// What is wrong with the brackets of a key, from there on.
fn stray(token: &Quote) -> &'static str {
    match token.as_str().starts_with(']') {
        true => "a closing bracket without its opening one",
        false => "text after a closing bracket",
    }
}

/// The doc comment of a variant is the cause that the documentation shows, so that each error is described once.
macro_rules! request_errors {
    ($(
        #[doc = $cause:literal]
        #[error($($message:tt)*)]
        $variant:ident { $($field:ident: $type:ty),* }
        $code:literal => $remedy:expr;
    )+) => {
        /// Why a request cannot be understood.
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        #[non_exhaustive]
        pub enum RequestError {$(
            #[doc = $cause]
            #[error($($message)*)]
            $variant {$(
                #[doc = concat!("The ", stringify!($field), " that the message names.")]
                $field: $type,
            )*},
        )+}

        impl RequestError {
            /// Every code, with its cause and its remedy.
            pub const CODES: &'static [ErrorCode] = &[
                $(ErrorCode { code: $code, cause: $cause.trim_ascii(), remedy: $remedy },)+
            ];

            /// The stable name of this kind of error.
            #[must_use]
            pub const fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)+
                }
            }
        }
    };
}

request_errors! {
    /// The query string has more bytes than are allowed.
    #[error("The query string is {length} bytes long, but at most {limit} are allowed; {AS_BODY}.")]
    QueryTooLong { length: usize, limit: usize }
    "query_too_long" => "Send the request as a JSON body, by `QUERY` or `POST .../query`.";

    /// The query string has more `key=value` pairs than are allowed.
    #[error("The query string has more than {limit} pairs; {AS_BODY}.")]
    TooManyPairs { limit: usize }
    "too_many_pairs" => "Send the request as a JSON body, by `QUERY` or `POST .../query`.";

    /// The JSON body has more keys at its top than a query string may have pairs.
    #[error("The body has more than {limit} parameters.")]
    TooManyParameters { limit: usize }
    "too_many_parameters" => "Leave out what lists do not have.";

    /// One list has more values than are allowed.
    #[error("`{parameter}` has {count} values, but at most {limit} are allowed; {}.", .door.advice())]
    TooManyValues { parameter: Quote, count: usize, limit: usize, door: Door }
    "too_many_values" => "Send the request as a JSON body, by `QUERY` or `POST .../query`, or ask several times.";

    /// Brackets, or JSON objects and arrays, are nested deeper than is allowed.
    #[error("`{parameter}` is nested deeper than {limit} levels.")]
    TooDeep { parameter: Quote, limit: usize }
    "too_deep" => "No list parameter is nested this deeply; check for an extra bracket.";

    /// A name in brackets, or in a JSON object, has more bytes than are allowed.
    #[error("`{parameter}` has a name of more than {limit} bytes.")]
    NameTooLong { parameter: Quote, limit: usize }
    "name_too_long" => "Nothing has a name of this length; check that it is a name, and not a value.";

    /// The JSON body has more bytes than are allowed.
    #[error("The body is {length} bytes long, but at most {limit} are allowed.")]
    BodyTooLarge { length: usize, limit: usize }
    "body_too_large" => "Ask for less at a time.";

    /// A `%` is not followed by two hexadecimal digits.
    #[error("`{parameter}` has a broken percent-encoding at `{token}`.")]
    BadPercentEncoding { parameter: Quote, token: Quote }
    "bad_percent_encoding" => "Write a percent sign itself as `%25`.";

    /// The text is not UTF-8 once it is decoded.
    #[error("`{parameter}` is not UTF-8 at `{token}`.")]
    InvalidUtf8 { parameter: Quote, token: Quote }
    "invalid_utf8" => "Encode the text as UTF-8 before percent-encoding it.";

    /// The text has a NUL character in it.
    #[error("`{parameter}` has a NUL character at `{token}`.")]
    Nul { parameter: Quote, token: Quote }
    "nul" => "Leave the NUL character out: no database takes it in text.";

    /// A bracket in a key is opened and not closed.
    #[error("`{parameter}` has a bracket that is not closed, at `{token}`.")]
    UnclosedBracket { parameter: Quote, token: Quote }
    "unclosed_bracket" => "Close every `[` of a key with a `]`, as in `filters[views][$gt]`.";

    /// A key has a `]` without its `[`, or text after a `]`.
    #[error("`{parameter}` has {} at `{token}`.", stray(.token))]
    StrayBracket { parameter: Quote, token: Quote }
    "stray_bracket" => "Write keys as a name and then brackets only, as in `filters[views][$gt]`.";

    /// One key is used both with a value of its own and with brackets after it.
    #[error("`{parameter}` is sent both as a single value and with brackets after it.")]
    ScalarAndObject { parameter: Quote }
    "scalar_and_object" => "Use one of the two spellings.";

    /// What stands in the brackets of a list is not an index.
    #[error("`{parameter}` is a list, and `{token}` is not a valid index.")]
    BadIndex { parameter: Quote, token: Quote }
    "bad_index" => "Write `[]` or a whole number in the brackets: `fields[0]=title`.";

    /// Several values, or an object, stand where one value is expected.
    #[error("`{parameter}` takes one value.")]
    OneValueExpected { parameter: Quote }
    "one_value_expected" => "Send the parameter once; for a list of values in a filter use `$in`.";

    /// An object or a list stands in a list of plain values.
    #[error("`{parameter}` must be a plain value.")]
    PlainValueExpected { parameter: Quote }
    "plain_value_expected" => "Put texts, numbers or booleans into the list, nothing nested.";

    /// A single value or a list stands where an object is expected.
    #[error("`{parameter}` must be an object: use names in brackets in a query string, or an object in JSON.")]
    ObjectExpected { parameter: Quote, token: Quote }
    "object_expected" => "Write `filters[<field>][<operator>]=<value>` and `pagination[<key>]=<number>`.";

    /// Something else stands where a list of objects is expected: under `$and`, `$or`, or a sort of objects.
    #[error("`{parameter}` takes a list of objects, as in `{parameter}[0][name]=value`, not `{token}`.")]
    ListExpected { parameter: Quote, token: Quote }
    "list_expected" => "Number the objects: `filters[$or][0][title][$eq]=a&filters[$or][1][views][$gt]=5`; in JSON write an array.";

    /// A JSON null stands in a list or under `pagination`.
    #[error("`{parameter}` is null: leave it out, or give it a value.")]
    NullValue { parameter: Quote }
    "null_value" => "Leave out what you do not ask for.";

    /// A JSON null stands as the value of a filter.
    #[error("`{parameter}` is null: use `$null` to ask for what has no value, `$notNull` for what has one.")]
    NullFilter { parameter: Quote }
    "null_filter" => "Write `{\"$null\": true}`.";

    /// A filter names no field.
    #[error("`{parameter}` names no field.")]
    FilterWithoutField { parameter: Quote }
    "filter_without_field" => "Write `filters[<field>][<operator>]=<value>`.";

    /// A name that begins with `$` stands where a field or a group is expected, and is not a group.
    #[error("`{parameter}`: there is no group `{token}`; groups are `$and`, `$or` and `$not`.")]
    UnknownGroup { parameter: Quote, token: Quote }
    "unknown_group" => "Use one of the three groups, or name the field first: `filters[<field>][<operator>]=<value>`.";

    /// A filter's object is empty.
    #[error("`{parameter}` has no operator.")]
    FilterWithoutOperator { parameter: Quote }
    "filter_without_operator" => "Name an operator, or leave the field out.";

    /// A filter has several values and no operator.
    #[error("`{parameter}` has a list of values and no operator: `{parameter}[$in]` takes a list.")]
    FilterListWithoutOperator { parameter: Quote }
    "filter_list_without_operator" => "Name the operator: `filters[<field>][$in][]=<value>`.";

    /// A group of filters, or a filter on related rows, is empty.
    #[error("`{parameter}` is empty: a group needs at least one condition in each of its objects.")]
    EmptyGroup { parameter: Quote }
    "empty_group" => "Leave the group out, or put a condition into it.";

    /// The objects of a list have no numbers, so that their keys cannot be told apart.
    #[error("`{parameter}` is an object in a list: number it, as in `filters[$or][0]`, because `[]` does not say which keys belong together.")]
    IndexNeeded { parameter: Quote }
    "index_needed" => "Write a number in the brackets: `filters[$or][0][title][$eq]=a&filters[$or][1][views][$gt]=5`.";

    /// Groups of filters are nested deeper than is allowed.
    #[error("`{parameter}`: groups of filters are nested deeper than {limit} levels.")]
    GroupsTooDeep { parameter: Quote, limit: usize }
    "groups_too_deep" => "Say the same with fewer levels of `$and`, `$or` and `$not`.";

    /// A request has more conditions than are allowed.
    #[error("The request has more than {limit} conditions in its filters.")]
    TooManyConditions { limit: usize }
    "too_many_conditions" => "Use `$in` for many values of one field, or ask several times.";

    /// One parameter is sent both as a list and as an object.
    #[error("`{parameter}` is sent both as a list and as an object.")]
    ListAndObject { parameter: Quote }
    "list_and_object" => "Use one of the two spellings.";

    /// `populate` goes deeper than is allowed.
    #[error("`{parameter}` goes deeper than {limit} levels of relations; lower the number of levels.")]
    PopulateTooDeep { parameter: Quote, limit: usize }
    "populate_too_deep" => "Populate fewer levels, and ask for what is further away at its own endpoint.";

    /// `populate` names more relations than are allowed.
    #[error("`populate` names more than {limit} relations; lower the number of relations.")]
    TooManyRelations { limit: usize }
    "too_many_relations" => "Populate fewer relations, on all levels together.";

    /// The value of a relation under `populate` is not one that it takes.
    #[error("`{parameter}` takes `true`, `false`, `*` or options in brackets, not {}.", .token.in_words())]
    BadPopulate { parameter: Quote, token: Quote }
    "bad_populate" => "Write `populate[author]=true`, or `populate[author][populate]=articles` for a relation of the relation.";

    /// A path of `populate` has an empty name, or goes on after `*`.
    #[error("`{token}` in `{parameter}` is not a path of relations: names have dots between them, and `*` can only be the last. Use `{meant}`.")]
    BadPopulatePath { parameter: Quote, token: Quote, meant: Quote }
    "bad_populate_path" => "Write `populate=author.articles`, or `populate=author.*` for every relation of the author.";

    /// Options stand under `*`, which is every relation.
    #[error("`{parameter}` means every relation and takes no options; set options under a relation's own name.")]
    PopulateAllOptions { parameter: Quote }
    "populate_all_options" => "Write `populate[*]=true`, and the options of a relation under its own name: `populate[comments][sort]=id`.";

    /// A key under a relation of `populate` is unknown.
    #[error("`{parameter}`: a relation has no option `{token}`; it has `fields`, `filters`, `sort`, `pagination`, `populate`, `count` and `withCount`.")]
    UnknownPopulateKey { parameter: Quote, token: Quote }
    "unknown_populate_key" => "Use one of the options that the error lists; the limit is `populate[comments][pagination][limit]`.";

    /// A key under a facet is unknown.
    #[error("`{parameter}`: a facet has no option `{token}`; it has `limit`, `sort`, `search`, `unit` and `offset`.")]
    UnknownFacetKey { parameter: Quote, token: Quote }
    "unknown_facet_key" => "Use one of the options that the error lists.";

    /// Related rows are asked for by page.
    #[error("`{parameter}`: related rows have `pagination[start]` and `pagination[limit]`, not `{token}`.")]
    PopulatePage { parameter: Quote, token: Quote }
    "populate_page" => "Use `pagination[start]` and `pagination[limit]`, or ask at the endpoint of the related rows.";

    /// An option stands next to `count=true`, which replaces the rows.
    #[error("`{parameter}` has no effect: `count` replaces the rows. Leave `{token}` or `count` out, or use `withCount` for rows and numbers.")]
    PopulateCountOptions { parameter: Quote, token: Quote }
    "populate_count_options" => "Next to `count=true`, use `filters` alone; `withCount=true` gives the rows and their number.";

    /// `timezone` is not an offset.
    #[error("`timezone` must be an offset from UTC such as `+02:00`, not {}.", .token.in_words())]
    BadTimezone { token: Quote }
    "bad_timezone" => "Write `%2B02:00`, `-05:30` or `Z`; names such as `Europe/Berlin` are not known.";

    /// `search` and `_q` are sent together.
    #[error("`search` and `_q` mean the same and cannot be used together.")]
    SearchTwice {}
    "search_twice" => "Send one of the two.";

    /// A parameter of lists is sent where one record is asked for.
    #[error("`{parameter}` is for lists; one record takes `fields` and `populate`.")]
    ForLists { parameter: &'static str }
    "for_lists" => "Leave the parameter out, or ask the list.";

    /// A request for a record's history has another parameter than `pagination`, or asks there for a cursor or a count.
    #[error("`{parameter}` is not for a history, which takes `page` and `pageSize`, or `start` and `limit`, of `pagination`.")]
    NotOfHistory { parameter: Quote }
    "not_of_history" => "Leave the parameter out.";

    /// A parameter is unknown and can only be a misspelling of one of ours.
    #[error("Unknown parameter `{token}`; use `{meant}`.")]
    MisspeltParameter { token: Quote, meant: Quote, allowed: &'static [&'static str] }
    "misspelt_parameter" => "Use the spelling that the error gives.";

    /// A sort's direction is neither `asc` nor `desc`.
    #[error("The direction of `{name}` in `{parameter}` must be `asc` or `desc`, not {}.", .token.in_words())]
    BadDirection { parameter: Quote, name: Quote, token: Quote }
    "bad_direction" => "Write `<name>:asc` or `<name>:desc`; no direction means `asc`.";

    /// A sort has a direction both before and after its name.
    #[error("`{token}` in `{parameter}` has two directions.")]
    TwoDirections { parameter: Quote, token: Quote }
    "two_directions" => "Write `-<name>` or `<name>:desc`; for the other direction `<name>`.";

    /// A key under `pagination` is unknown.
    #[error("`pagination` has no key `{token}`; it has `page`, `pageSize`, `start`, `limit`, `cursor`, `withCount` and `count`.")]
    UnknownPaginationKey { token: Quote }
    "unknown_pagination_key" => "Use `page` and `pageSize`, `start` and `limit`, or `cursor` and `pageSize`; and `withCount` or `count`.";

    /// A number of pagination is not a whole number, or too small.
    #[error("`{parameter}` must be a whole number, {least} or more, not {}.", .token.in_words())]
    BadNumber { parameter: Quote, token: Quote, least: u64 }
    "bad_number" => "Write digits only; `start` begins at 0, the others at 1.";

    /// `withCount` or `count` is not a boolean.
    #[error("`{parameter}` must be a boolean such as `true` or `false`, not {}.", .token.in_words())]
    BadBoolean { parameter: Quote, token: Quote }
    "bad_boolean" => "Write `true` or `false`.";

    /// `pagination[count]` is not `exact`.
    #[error("`pagination[count]` must be `exact`, not {}.", .token.in_words())]
    BadCount { token: Quote }
    "bad_count" => "Write `exact`, or leave it out for the total that the list gives by itself.";

    /// A parameter of an export has a value that it does not know.
    #[error("`{parameter}` must be one of {allowed}, not {}.", .token.in_words())]
    BadExportOption { parameter: Quote, token: Quote, allowed: &'static str }
    "bad_export_option" => "Use one of the values that the message lists, or leave the parameter out.";

    /// `count=exact` is sent together with `withCount=false`.
    #[error("`pagination[count]` and `pagination[withCount]=false` cannot be used together.")]
    CountWithoutCount {}
    "count_without_count" => "Send one of the two.";

    /// `page` or `pageSize` is sent together with `start` or `limit`.
    #[error("`pagination[{page}]` and `pagination[{offset}]` cannot be used together.")]
    PageWithOffset { page: &'static str, offset: &'static str }
    "page_with_offset" => "Use `page` and `pageSize`, or `start` and `limit`.";

    /// `cursor` is sent together with `page`, `start` or `limit`.
    #[error("`pagination[cursor]` and `pagination[{other}]` cannot be used together.")]
    CursorWithPage { other: &'static str }
    "cursor_with_page" => "Use `cursor` with `pageSize` alone; an empty `cursor` begins at the first page.";

    /// A parameter of the list stands in the query string of a request that has a body.
    #[error("`{parameter}` is in the query string, but the body of this request says what to list: put it there.")]
    QueryAndBody { parameter: &'static str }
    "query_and_body" => "Move the parameter into the body, or ask by `GET`.";

    /// The JSON body is empty.
    #[error("The body is empty; `{{}}` asks for the list with its defaults.")]
    EmptyBody {}
    "empty_body" => "Send a JSON object; `{}` asks for the list with its defaults.";

    /// The body is not JSON.
    #[error("The body is not JSON: {detail}.")]
    MalformedJson { detail: String, token: Quote }
    "malformed_json" => "Correct the JSON at the place that the message names.";

    /// The JSON body is not an object.
    #[error("The body must be a JSON object, not `{token}`.")]
    BodyNotAnObject { token: Quote }
    "body_not_an_object" => "Send `{\"fields\": [..], \"populate\": [..], \"filters\": {..}, \"sort\": [..], \"pagination\": {..}}`.";

    /// A JSON object has the same key twice.
    #[error("The key `{parameter}` occurs twice.")]
    DuplicateKey { parameter: Quote }
    "duplicate_key" => "Send each key of a JSON object once.";
}

#[cfg(test)]
mod tests {
    use super::RequestError;

    #[test]
    fn every_code_is_there_once_with_cause_and_remedy() {
        let mut codes: Vec<_> = RequestError::CODES.iter().map(|row| row.code).collect();
        codes.sort_unstable();
        let all = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), all);
        for row in RequestError::CODES {
            assert!(
                row.code
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b"_8".contains(&b)),
                "{row:?}"
            );
            assert!(
                row.cause.ends_with('.') && row.remedy.ends_with('.'),
                "{row:?}"
            );
        }
    }
}
