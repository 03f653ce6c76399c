//! In: a record as it is shown. Out: its `ETag`, and whether a client's condition holds.

use std::hash::{DefaultHasher, Hasher};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The tag of a record's JSON: it changes whenever anything that is shown changes.
pub(super) fn etag(json: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(json);
    format!("\"{:016x}\"", hasher.finish())
}

/// The header's value; the tag is made of digits.
pub(super) fn header(tag: &str) -> HeaderValue {
    HeaderValue::from_str(tag).unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}

/// Whether a list of tags, such as `If-Match`, names this one; none where it was not sent.
/// A proxy that compresses makes a tag weak, so the mark of weakness is passed over.
pub(super) fn names(headers: &HeaderMap, name: HeaderName, tag: &str) -> Option<bool> {
    let mut sent = headers.get_all(name).iter().peekable();
    sent.peek()?;
    Some(
        sent.filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|one| {
                let one = one.trim();
                one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag
            }),
    )
}
