//! Tests pagination in every spelling, as text and as JSON.

use crate::request::{AskedPage, Request, parse_json, parse_query};
use crate::vocabulary::Bounds;

fn text(query: &str) -> Result<Request, &'static str> {
    parse_query(query, &Bounds::default()).map_err(|error| error.code())
}

fn json(pagination: &str) -> Result<Request, &'static str> {
    let body = format!("{{\"pagination\": {pagination}}}");
    parse_json(body.as_bytes(), &Bounds::default()).map_err(|error| error.code())
}

const fn page(page: Option<u64>, size: Option<u64>) -> AskedPage {
    AskedPage::Page { page, size }
}

const fn offset(start: Option<u64>, limit: Option<u64>) -> AskedPage {
    AskedPage::Offset { start, limit }
}

#[test]
fn c4_1_page_and_offset_modes_are_read() {
    for (query, body, asked) in [
        ("", "{}", page(None, None)),
        ("pagination=", "null", page(None, None)),
        ("pagination[page]=2", r#"{"page": 2}"#, page(Some(2), None)),
        (
            "pagination[pageSize]=007",
            r#"{"pageSize": "007"}"#,
            page(None, Some(7)),
        ),
        (
            "pagination[pageSize]=5&pagination[page]=3",
            r#"{"pageSize": 5, "page": "3"}"#,
            page(Some(3), Some(5)),
        ),
        (
            "pagination[start]=0",
            r#"{"start": 0}"#,
            offset(Some(0), None),
        ),
        (
            "pagination[limit]=9",
            r#"{"limit": 9}"#,
            offset(None, Some(9)),
        ),
        (
            "pagination[limit]=1&pagination[start]=20",
            r#"{"limit": 1, "start": 20}"#,
            offset(Some(20), Some(1)),
        ),
    ] {
        assert_eq!(
            text(query).map(|request| request.page),
            Ok(asked),
            "{query}"
        );
        assert_eq!(json(body).map(|request| request.page), Ok(asked), "{body}");
    }
}

/// Rule d6.
#[test]
fn an_unknown_key_is_an_error_with_the_nearest_name() {
    for key in ["pagesize", "", "0", "Page"] {
        assert_eq!(
            text(&format!("pagination[{key}]=1")),
            Err("unknown_pagination_key"),
            "{key}"
        );
        assert_eq!(
            json(&format!("{{\"{key}\": 1}}")),
            Err("unknown_pagination_key"),
            "{key}"
        );
    }
    let error = parse_query("pagination[pagesize]=1", &Bounds::default()).expect_err("unknown");
    assert_eq!(error.complaint().nearest.as_deref(), Some("pageSize"));
}

/// Rule d14.
#[test]
fn page_or_page_size_with_start_or_limit_is_an_error() {
    for page in ["page", "pageSize"] {
        for offset in ["start", "limit"] {
            for (first, second) in [(page, offset), (offset, page)] {
                let query = format!("pagination[{first}]=1&pagination[{second}]=1");
                assert_eq!(text(&query), Err("page_with_offset"), "{query}");
                let body = format!("{{\"{first}\": 1, \"{second}\": 1}}");
                assert_eq!(json(&body), Err("page_with_offset"), "{body}");
            }
        }
    }
}

/// Rules d16, d18.
#[test]
fn a_number_however_long_is_the_largest() {
    let long = "9".repeat(5000);
    for number in ["18446744073709551615", "18446744073709551616", &long] {
        let largest = Some(u64::MAX);
        for (key, asked) in [
            ("page", page(largest, None)),
            ("pageSize", page(None, largest)),
            ("start", offset(largest, None)),
            ("limit", offset(None, largest)),
        ] {
            let sent = text(&format!("pagination[{key}]={number}"));
            assert_eq!(sent.map(|request| request.page), Ok(asked), "{key}");
            let sent = json(&format!("{{\"{key}\": {number}}}"));
            assert_eq!(sent.map(|request| request.page), Ok(asked), "{key}");
        }
    }
}

/// Rules d12, d17, b10.
#[test]
fn what_is_no_whole_number_of_the_right_size_is_an_error() {
    for key in ["page", "pageSize", "start", "limit"] {
        for number in [
            "", "-1", "-0", "1e3", "1.5", "1.0", "abc", "%2B5", "+5", "5+", "0x1", "٣", "1,000",
            "true", "null",
        ] {
            let query = format!("pagination[{key}]={number}");
            assert_eq!(text(&query), Err("bad_number"), "{query}");
        }
        for number in ["-1", "1e3", "1.5", "1.0", "true", "\"\"", "\"abc\""] {
            let body = format!("{{\"{key}\": {number}}}");
            assert_eq!(json(&body), Err("bad_number"), "{body}");
        }
    }
}

/// Rule d17.
#[test]
fn zero_is_an_error_but_for_start() {
    for key in ["page", "pageSize", "limit"] {
        for zero in ["0", "000"] {
            assert_eq!(
                text(&format!("pagination[{key}]={zero}")),
                Err("bad_number"),
                "{key}"
            );
        }
        assert_eq!(
            json(&format!("{{\"{key}\": 0}}")),
            Err("bad_number"),
            "{key}"
        );
    }
    let sent = text("pagination[start]=000").map(|request| request.page);
    assert_eq!(sent, Ok(offset(Some(0), None)));
}

/// Rule d20.
#[test]
fn with_count_is_a_boolean() {
    for word in ["true", "1", "t", "yes", "on", "TRUE", "Yes"] {
        let sent = text(&format!("pagination[withCount]={word}"));
        assert_eq!(
            sent.map(|request| request.with_count),
            Ok(Some(true)),
            "{word}"
        );
    }
    for word in ["false", "0", "f", "no", "off", "OFF", "False"] {
        let sent = text(&format!("pagination[withCount]={word}"));
        assert_eq!(
            sent.map(|request| request.with_count),
            Ok(Some(false)),
            "{word}"
        );
    }
    for word in ["", "maybe", "2", "tr", "true+"] {
        let sent = text(&format!("pagination[withCount]={word}"));
        assert_eq!(sent, Err("bad_boolean"), "{word}");
    }
    assert_eq!(text("").map(|request| request.with_count), Ok(None));
    assert_eq!(
        json(r#"{"withCount": false}"#).map(|sent| sent.with_count),
        Ok(Some(false))
    );
    assert_eq!(
        json(r#"{"withCount": 1}"#).map(|sent| sent.with_count),
        Ok(Some(true))
    );
}

/// Rule d153.
#[test]
fn count_asks_for_an_exact_total() {
    let exact = |sent: Result<Request, _>| sent.map(|sent| sent.exact_count);
    assert_eq!(exact(text("")), Ok(false));
    assert_eq!(exact(text("pagination[count]=exact")), Ok(true));
    assert_eq!(
        exact(text("pagination[count]=exact&pagination[withCount]=true")),
        Ok(true)
    );
    assert_eq!(
        exact(text("pagination[count]=exact&pagination[cursor]=")),
        Ok(true)
    );
    assert_eq!(exact(json(r#"{"count": "exact"}"#)), Ok(true));
    for word in ["", "Exact", "true", "capped", "none"] {
        assert_eq!(
            text(&format!("pagination[count]={word}")),
            Err("bad_count"),
            "{word}"
        );
    }
    assert_eq!(json(r#"{"count": true}"#), Err("bad_count"));
    let both = "pagination[count]=exact&pagination[withCount]=false";
    assert_eq!(text(both), Err("count_without_count"));
}

/// Rule d1.
#[test]
fn repeated_keys_are_an_error_where_one_value_is_expected() {
    for key in ["page", "pageSize", "start", "limit", "withCount", "count"] {
        for query in [
            format!("pagination[{key}]=1&pagination[{key}]=1"),
            format!("pagination[{key}][]=1"),
            format!("pagination[{key}][0]=1"),
            format!("pagination[{key}][a]=1"),
        ] {
            assert_eq!(text(&query), Err("one_value_expected"), "{query}");
        }
        assert_eq!(
            json(&format!("{{\"{key}\": [1]}}")),
            Err("one_value_expected")
        );
        assert_eq!(json(&format!("{{\"{key}\": null}}")), Err("null_value"));
    }
}

/// Rule b9.
#[test]
fn pagination_that_is_no_object_is_an_error() {
    for query in ["pagination=5", "pagination=1&pagination=2"] {
        assert_eq!(text(query), Err("object_expected"), "{query}");
    }
    for body in ["5", "\"x\"", "[1]", "false"] {
        assert_eq!(json(body), Err("object_expected"), "{body}");
    }
}

/// Rule b88.
#[test]
fn a_cursor_stands_with_a_size_alone() {
    for (query, body, cursor, size) in [
        ("pagination[cursor]=", r#"{"cursor": ""}"#, "", None),
        (
            "pagination[cursor]=Ab-_9&pagination[pageSize]=5",
            r#"{"cursor": "Ab-_9", "pageSize": 5}"#,
            "Ab-_9",
            Some(5),
        ),
    ] {
        for sent in [text(query), json(body)] {
            let request = sent.unwrap();
            assert_eq!(request.cursor.as_deref(), Some(cursor));
            assert_eq!(request.page, page(None, size));
        }
    }
    assert_eq!(text("").unwrap().cursor, None);
    for other in ["page", "start", "limit"] {
        let query = format!("pagination[{other}]=1&pagination[cursor]=");
        assert_eq!(text(&query), Err("cursor_with_page"), "{query}");
        let body = format!("{{\"cursor\": \"\", \"{other}\": 1}}");
        assert_eq!(json(&body), Err("cursor_with_page"), "{body}");
    }
    assert_eq!(json(r#"{"cursor": null}"#), Err("null_value"));
    let twice = "pagination[cursor]=a&pagination[cursor]=b";
    assert_eq!(text(twice), Err("one_value_expected"));
}
