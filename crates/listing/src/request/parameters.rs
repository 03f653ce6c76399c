//! The top-level parameters of a list, and which unknown ones can only be a misspelling of them.

use std::borrow::Cow;

use super::error::RequestError;
use super::foreign::{self, AskedUnknown};
use super::node::Node;
use super::percent;
use super::quote::Quote;

/// The top-level parameters.
pub(super) const PARAMETERS: &[&str] = &[
    "fields",
    "populate",
    "filters",
    "sort",
    "pagination",
    "search",
    "_q",
    "timezone",
    "facets",
    "totals",
    "trashed",
];

/// Those that a request for groups has in addition.
pub(super) const OF_GROUPS: &[&str] = &["by", "having"];

/// Those that an export has in addition.
pub(super) const OF_EXPORTS: &[&str] = &["header", "labels", "delimiter", "bom", "formulas"];

/// Parameters that no other word is taken for: without them every row is returned anyway, and `total` may be an application's
/// own.
const NEVER_MEANT: [&str; 3] = ["_q", "facets", "totals"];

/// The names that other interfaces use for our parameters, in lower case and without `_`, `-` and `$`. Words that an application
/// or a proxy might send for other reasons (`_`, `utm_source`, `locale`, `status`, `size`, `expand`) are not among them.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("filter", "filters"),
    ("where", "filters"),
    ("field", "fields"),
    ("select", "fields"),
    ("include", "populate"),
    ("includes", "populate"),
    ("sorts", "sort"),
    ("sorting", "sort"),
    ("sortby", "sort"),
    ("sortorder", "sort"),
    ("sortdirection", "sort"),
    ("order", "sort"),
    ("orderby", "sort"),
    ("ordering", "sort"),
    ("page", "pagination[page]"),
    ("pagenumber", "pagination[page]"),
    ("pagesize", "pagination[pageSize]"),
    ("perpage", "pagination[pageSize]"),
    ("limit", "pagination[limit]"),
    ("start", "pagination[start]"),
    ("offset", "pagination[start]"),
    ("cursor", "pagination[cursor]"),
    ("withcount", "pagination[withCount]"),
    ("q", "search"),
];

/// The text that can be between a misspelt name and the content of its brackets: dots, other brackets, our own in a JSON key, or
/// our own if they were encoded twice.
const SEPARATORS: [char; 9] = ['.', ':', '(', ')', '{', '}', '[', ']', '%'];

/// A parameter that a list does not have; `None` if it has no name. One that can only be a misspelling is
/// an error: `filter[title]=x` would otherwise return every row.
pub(super) fn unknown(name: &str, node: &Node<'_>) -> Result<Option<AskedUnknown>, RequestError> {
    if name.is_empty() {
        let Node::Map(entries) = node else {
            return Ok(None);
        };
        // `[filters][title]=x`
        let mut names = entries.iter().map(|(name, _)| name);
        return match names.find_map(|name| Some((name, meant(name)?))) {
            Some((name, meant)) => Err(misspelt(&format!("[{name}]"), &meant)),
            None => Ok(None),
        };
    }
    // `page[size]=10`, as JSON:API has it.
    if let ("page", Node::Map(entries)) = (name, node)
        && entries.iter().any(|(key, _)| key == "size")
    {
        return Err(misspelt("page[size]", "pagination[pageSize]"));
    }
    match meant(name) {
        Some(meant) => Err(misspelt(name, &meant)),
        None => Ok(Some(foreign::unknown(name, node))),
    }
}

fn misspelt(name: &str, meant: &str) -> RequestError {
    RequestError::MisspeltParameter {
        token: Quote::new(name),
        meant: Quote::new(meant),
        allowed: PARAMETERS,
    }
}

/// The parameter that was certainly meant by an unknown name. Its first word decides: `Filter.title` is `filters[title]`. The
/// names of other interfaces must be alone (`start.date` is an application's own), unless every row would be returned without
/// them.
fn meant(name: &str) -> Option<String> {
    let name = name.trim_start_matches(SEPARATORS);
    let end = name.find(SEPARATORS).unwrap_or(name.len());
    let (word, rest) = name.split_at(end);
    let (known, parameter) = parameter_of(word)?;
    let full = in_full(parameter, rest);
    let is_certain = rest.is_empty()
        || known == parameter
        || parameter == "filters"
        || (parameter == "pagination[page]" && full != parameter);
    is_certain.then_some(full)
}

/// The parameter with what stands after its misspelling, in brackets.
fn in_full(parameter: &str, rest: &str) -> String {
    let rest = percent::decode(rest, rest).unwrap_or(Cow::Borrowed(rest));
    let pieces = rest.split(SEPARATORS);
    let pieces: Vec<_> = pieces.filter(|piece| !piece.is_empty()).collect();
    match (parameter, &pieces[..]) {
        ("pagination[page]", ["size"]) => "pagination[pageSize]".to_owned(),
        ("fields" | "populate" | "filters" | "sort" | "pagination", [_, ..]) => {
            format!("{parameter}[{}]", pieces.join("]["))
        }
        _ => parameter.to_owned(),
    }
}

/// The parameter that a word certainly means, after the word that is known.
fn parameter_of(word: &str) -> Option<(&'static str, &'static str)> {
    // Nothing that is much longer can be one of our words misspelt.
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return None;
    }
    let plain: String = word
        .trim()
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | '$'))
        .flat_map(char::to_lowercase)
        .collect();
    let words = OTHER_WORDS.iter().copied();
    let owns = PARAMETERS.iter().map(|own| (*own, *own));
    let mut words = words.chain(owns.filter(|(own, _)| !NEVER_MEANT.contains(own)));
    words.find(|(word, meant)| plain == *word || is_slip(&plain, word, meant))
}

/// Whether `plain` differs from a word by a typing error. Short words have too many neighbours: for those, only two swapped
/// letters count. For words that mean a parameter and are ordinary English, only one letter may differ.
fn is_slip(plain: &str, word: &str, meant: &str) -> bool {
    // Cheap checks come first: a request can have a thousand unknown parameters.
    let within = |most: usize| strsim::osa_distance(plain, word) <= most;
    match word.len() {
        0..=3 => false,
        4 | 5 => has_same_letters(plain, word) && within(1),
        length => {
            let most = if word == meant && length > 7 { 2 } else { 1 };
            plain.starts_with(&word[..1])
                && plain.chars().count().abs_diff(length) <= most
                && within(most)
        }
    }
}

fn has_same_letters(plain: &str, word: &str) -> bool {
    let count = |text: &str, letter: u8| text.bytes().filter(|byte| *byte == letter).count();
    let mut letters = word.bytes();
    plain.len() == word.len() && letters.all(|letter| count(plain, letter) == count(word, letter))
}

#[cfg(test)]
mod tests {
    use super::meant;

    /// Rule b200.
    #[test]
    fn what_can_only_be_one_of_our_parameters_is_known_for_it() {
        for (name, right) in [
            ("filter", "filters"),
            ("fiters", "filters"),
            ("fliters", "filters"),
            ("filtres", "filters"),
            ("Filters", "filters"),
            ("FILTER", "filters"),
            ("filters ", "filters"),
            ("filters.name", "filters[name]"),
            ("filters.author.name", "filters[author][name]"),
            ("filters(name)", "filters[name]"),
            ("pagination.page", "pagination[page]"),
            ("filters[author][name]", "filters[author][name]"),
            ("[filters][title]", "filters[title]"),
            ("filter.title", "filters[title]"),
            ("Filters.title", "filters[title]"),
            ("fiters.title", "filters[title]"),
            ("where.title", "filters[title]"),
            ("filters%5Btitle%5D%5B$ne%5D", "filters[title][$ne]"),
            ("filters%", "filters"),
            ("Sort:views", "sort[views]"),
            ("page.size", "pagination[pageSize]"),
            ("where", "filters"),
            ("_where", "filters"),
            ("$filter", "filters"),
            ("$orderby", "sort"),
            ("page", "pagination[page]"),
            ("Page", "pagination[page]"),
            ("pageSize", "pagination[pageSize]"),
            ("page_size", "pagination[pageSize]"),
            ("per_page", "pagination[pageSize]"),
            ("per-page", "pagination[pageSize]"),
            ("limit", "pagination[limit]"),
            ("_limit", "pagination[limit]"),
            ("start", "pagination[start]"),
            ("offset", "pagination[start]"),
            ("pagnation", "pagination"),
            ("paginations", "pagination"),
            ("orderBy", "sort"),
            ("order_by", "sort"),
            ("order", "sort"),
            ("sorts", "sort"),
            ("sotr", "sort"),
            ("_sort", "sort"),
            ("sort.views", "sort[views]"),
            ("include", "populate"),
            ("populat", "populate"),
            ("popluate", "populate"),
            ("select", "fields"),
            ("field", "fields"),
            ("feilds", "fields"),
            ("serach", "search"),
            ("q", "search"),
            ("trashd", "trashed"),
        ] {
            assert_eq!(meant(name).as_deref(), Some(right), "{name}");
        }
    }

    /// Rule b200.
    #[test]
    fn what_others_send_for_reasons_of_their_own_is_left_alone() {
        for name in [
            "_",
            "__",
            "utm_source",
            "utm_medium",
            "gclid",
            "fbclid",
            "ref",
            "locale",
            "lang",
            "status",
            "state",
            "publicationState",
            "v",
            "version",
            "t",
            "ts",
            "timestamp",
            "nocache",
            "cb",
            "token",
            "access_token",
            "api_key",
            "key",
            "id",
            "ids",
            "format",
            "callback",
            "force",
            "debug",
            "scope",
            "tenant",
            "sport",
            "port",
            "short",
            "support",
            "soft",
            "store",
            "stage",
            "image",
            "package",
            "light",
            "unlimited",
            "borders",
            "orders",
            "crashed",
            "size",
            "expand",
            "embed",
            "with",
            "view",
            "tab",
            "theme",
            "date",
            "from",
            "to",
            "type",
            "name",
            "title",
            "x",
            "a",
            "_method",
            "__proto__",
            "constructor",
            "é",
            "",
            ".",
            "%",
            "a.b",
            "utm.source",
            "start.date",
            "order.id",
            "q.title",
            "my.filters",
            "session[page]",
            "x%5Bfilters%5D",
        ] {
            assert_eq!(meant(name), None, "{name}");
        }
    }

    /// Rule b200.
    #[test]
    fn a_long_word_is_not_measured() {
        assert_eq!(meant(&"filters".repeat(5_000)), None);
        // The text after a word may be long.
        let long = format!("filters[{}]", "x".repeat(5_000));
        assert_eq!(meant(&long), Some(long));
    }
}
