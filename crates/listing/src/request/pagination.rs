//! Parses `pagination`: the requested part of the rows, and whether to count them (d14 to d20, d153).

use super::AskedPage;
use super::error::RequestError;
use super::node::Node;
use super::place::Place;
use super::quote::Quote;

/// The keys that are allowed under `pagination`.
pub(super) const KEYS: &[&str] = &[
    "page",
    "pageSize",
    "start",
    "limit",
    "cursor",
    "withCount",
    "count",
];

/// The words for a boolean, in any case: true and false by turns.
pub(super) const BOOLEANS: &[&str] = &[
    "true", "false", "1", "0", "t", "f", "yes", "no", "on", "off",
];

/// The parsed content.
pub(super) struct Pagination {
    pub(super) page: AskedPage,
    pub(super) cursor: Option<String>,
    pub(super) with_count: Option<bool>,
    pub(super) exact_count: bool,
}

/// Reads the keys of `pagination`.
pub(super) fn pagination(node: Node<'_>, place: &Place<'_>) -> Result<Pagination, RequestError> {
    let (mut page, mut size, mut start, mut limit) = (None, None, None, None);
    let (mut cursor, mut with_count, mut exact_count) = (None, None, false);
    for (key, node) in node.into_map(place)? {
        let place = place.at(&key);
        match &*key {
            "page" => page = Some(number(node, &place, 1)?),
            "pageSize" => size = Some(number(node, &place, 1)?),
            "start" => start = Some(number(node, &place, 0)?),
            "limit" => limit = Some(number(node, &place, 1)?),
            "cursor" => cursor = Some(node.into_one(&place)?.into_owned()),
            "withCount" => with_count = Some(boolean(node, &place)?),
            "count" => exact_count = exact(node, &place)?,
            _ => {
                return Err(RequestError::UnknownPaginationKey {
                    token: Quote::new(&key),
                });
            }
        }
    }
    let others = [
        page.map(|_| "page"),
        start.map(|_| "start"),
        limit.map(|_| "limit"),
    ];
    if let (Some(_), Some(other)) = (&cursor, others.into_iter().flatten().next()) {
        return Err(RequestError::CursorWithPage { other });
    }
    if exact_count && with_count == Some(false) {
        return Err(RequestError::CountWithoutCount {});
    }
    let by_page = page.map(|_| "page").or(size.map(|_| "pageSize"));
    let by_offset = start.map(|_| "start").or(limit.map(|_| "limit"));
    let asked = match (by_page, by_offset) {
        (Some(page), Some(offset)) => return Err(RequestError::PageWithOffset { page, offset }),
        (None, Some(_)) => AskedPage::Offset { start, limit },
        (_, None) => AskedPage::Page { page, size },
    };
    Ok(Pagination {
        page: asked,
        cursor,
        with_count,
        exact_count,
    })
}

/// A whole number, `least` or more; one too long for 64 bits is the largest (d16, d18).
pub(super) fn number(node: Node<'_>, place: &Place<'_>, least: u64) -> Result<u64, RequestError> {
    let text = node.into_one(place)?;
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Digits alone fail to parse only because there are too many.
    let number = digits.then(|| text.parse().unwrap_or(u64::MAX));
    number
        .filter(|number| *number >= least)
        .ok_or_else(|| RequestError::BadNumber {
            parameter: place.quote(),
            token: Quote::new(&text),
            least,
        })
}

/// `exact`, the only way of counting that a client can ask for.
fn exact(node: Node<'_>, place: &Place<'_>) -> Result<bool, RequestError> {
    let text = node.into_one(place)?;
    match &*text {
        "exact" => Ok(true),
        text => Err(RequestError::BadCount {
            token: Quote::new(text),
        }),
    }
}

pub(super) fn boolean(node: Node<'_>, place: &Place<'_>) -> Result<bool, RequestError> {
    let text = node.into_one(place)?;
    as_boolean(&text).ok_or_else(|| RequestError::BadBoolean {
        parameter: place.quote(),
        token: Quote::new(&text),
    })
}

/// The boolean that a word means, in any case.
pub(super) fn as_boolean(text: &str) -> Option<bool> {
    let word = |word: &&str| text.eq_ignore_ascii_case(word);
    BOOLEANS.iter().position(word).map(|at| at % 2 == 0)
}
