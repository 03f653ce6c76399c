//! In which format a request wants a whole list: by its path, or by the header `Accept` (d111).

use axum::http::{HeaderMap, Uri, header};
use listing::Format;

/// Marks a response whose body is written while it is sent, in its extensions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Streamed;

/// The format by the end of the path: `/api/articles.csv`.
pub(crate) fn format_of_path(uri: &Uri) -> Option<Format> {
    let (_, extension) = uri.path().rsplit_once('.')?;
    let mut all = Format::ALL.iter().copied();
    all.find(|format| format.extension() == extension)
}

/// The format that the client prefers, if its first preference is one.
pub(crate) fn format_of_accept(headers: &HeaderMap) -> Option<Format> {
    let ranges = headers.get_all(header::ACCEPT).iter();
    let ranges = ranges.filter_map(|value| value.to_str().ok());
    let ranges = ranges.flat_map(|value| value.split(',')).map(weighed);
    // The first of equals.
    let best = ranges.reduce(|best, one| if one.1 > best.1 { one } else { best });
    let (best, weight) = best?;
    let best = match best {
        "application/ndjson" | "application/jsonl" => Format::Ndjson.media_type(),
        other => other,
    };
    let mut all = Format::ALL.iter().copied();
    all.find(|format| weight > 0.0 && format.media_type().eq_ignore_ascii_case(best))
}

/// A media range with its weight: `text/csv;q=0.5`.
fn weighed(range: &str) -> (&str, f32) {
    let mut parts = range.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
    (name, weight.unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    /// Rules d111, b945.
    #[test]
    fn the_format_is_what_the_client_likes_best() {
        for (accept, format) in [
            ("text/csv", Some(Format::Csv)),
            ("TEXT/CSV; charset=utf-8", Some(Format::Csv)),
            ("application/x-ndjson", Some(Format::Ndjson)),
            ("application/ndjson", Some(Format::Ndjson)),
            ("text/csv, application/json", Some(Format::Csv)),
            ("application/json, text/csv", None),
            ("application/json;q=0.5, text/csv", Some(Format::Csv)),
            ("text/csv;q=0", None),
            ("*/*", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            let value = HeaderValue::from_static(accept);
            headers.insert(header::ACCEPT, value);
            assert_eq!(format_of_accept(&headers), format, "{accept}");
        }
        assert_eq!(format_of_accept(&HeaderMap::new()), None);
    }
}
