//! Tests the errors of query strings that are malformed or exceed a bound.

use crate::request::{Request, RequestError, parse_query};
use crate::vocabulary::Bounds;

fn code(query: &str) -> &'static str {
    parse_query(query, &Bounds::default())
        .expect_err(query)
        .code()
}

/// Rule d3.
#[test]
fn a_query_over_its_bytes_is_an_error_that_points_to_the_body() {
    let bounds = Bounds {
        query_bytes: 12,
        ..Bounds::default()
    };
    assert!(parse_query("fields=title", &bounds).is_ok());
    let error = parse_query("fields=titles", &bounds).expect_err("too long");
    assert_eq!(
        error,
        RequestError::QueryTooLong {
            length: 13,
            limit: 12
        }
    );
    assert_points_to_the_body(&error);

    let longest = format!("fields={}", "a".repeat(32 * 1024 - 7));
    assert!(parse_query(&longest, &Bounds::default()).is_ok());
    assert_eq!(code(&format!("{longest}a")), "query_too_long");
}

/// Rule d3.
#[test]
fn pairs_are_bounded() {
    let bounds = Bounds {
        pairs: 3,
        ..Bounds::default()
    };
    assert!(parse_query("&a=1&&b&c=&", &bounds).is_ok());
    let error = parse_query("a=1&b=2&c=3&d=4", &bounds).expect_err("too many");
    assert_eq!(error, RequestError::TooManyPairs { limit: 3 });
    assert_points_to_the_body(&error);
    let pairs = |count| vec!["a=1"; count].join("&");
    assert!(parse_query(&pairs(1000), &Bounds::default()).is_ok());
    assert_eq!(code(&pairs(1001)), "too_many_pairs");
}

/// Rule d3.
#[test]
fn values_of_one_list_are_bounded_and_never_cut_short() {
    let bounds = Bounds {
        pairs: 5000,
        ..Bounds::default()
    };
    for spelling in [
        "filters[id][$in]=V",
        "filters[id][$in][]=V",
        "filters[id][$in][V]=V",
    ] {
        let query = |count: usize| {
            let pairs = (0..count).map(|value| spelling.replace('V', &value.to_string()));
            pairs.collect::<Vec<_>>().join("&")
        };
        assert!(parse_query(&query(1000), &bounds).is_ok());
        let error = parse_query(&query(1001), &bounds).expect_err("too many");
        assert_eq!(error.code(), "too_many_values");
        assert_eq!(error.complaint().parameter, "filters[id][$in]");
        assert_points_to_the_body(&error);
    }
}

/// Rule b13.
#[test]
fn values_are_bounded_in_every_list() {
    let bounds = Bounds {
        in_values: 2,
        ..Bounds::default()
    };
    for list in [
        "fields",
        "populate",
        "sort",
        "filters[id][$notIn]",
        "filters[id][$between]",
    ] {
        let query = |count: usize| {
            let pairs = (0..count).map(|at| format!("{list}[{at}]=a"));
            pairs.collect::<Vec<_>>().join("&")
        };
        assert!(parse_query(&query(2), &bounds).is_ok(), "{list}");
        let error = parse_query(&query(3), &bounds).expect_err(list);
        assert_eq!(error.code(), "too_many_values", "{list}");
    }
}

/// Rule d3.
#[test]
fn levels_of_brackets_are_bounded() {
    let nested = |depth: usize| format!("x{}=1", "[a]".repeat(depth));
    assert!(parse_query(&nested(25), &Bounds::default()).is_ok());
    assert_eq!(code(&nested(26)), "too_deep");
    assert_eq!(code(&format!("x{}=1", "[a]".repeat(10_000))), "too_deep");
}

/// Rule b547.
#[test]
fn a_name_in_brackets_has_at_most_512_bytes() {
    for query in [
        "filters[N][$ne]=1",
        "sort[N]=asc",
        "populate[N]=true",
        "x[N]=1",
    ] {
        let of_length = |bytes: usize| query.replace('N', &"n".repeat(bytes));
        assert!(parse_query(&of_length(512), &Bounds::default()).is_ok());
        assert_eq!(code(&of_length(513)), "name_too_long", "{query}");
    }
    let top = format!("{}=1", "n".repeat(5_000));
    assert!(parse_query(&top, &Bounds::default()).is_ok());
}

/// Rules d4, b1.
#[test]
fn malformed_text_is_an_error_even_where_it_has_no_effect() {
    for (query, code, parameter, token) in [
        ("fields[0=a", "unclosed_bracket", "fields[0", "[0"),
        ("x%5Ba=1", "unclosed_bracket", "x[a", "[a"),
        ("a[b=c]=d", "unclosed_bracket", "a[b", "[b"),
        ("fields]=a", "stray_bracket", "fields]", "]"),
        ("fields[0]x=a", "stray_bracket", "fields[0]x", "x"),
        ("x=100%", "bad_percent_encoding", "x", "%"),
        ("x=50%&y=1", "bad_percent_encoding", "x", "%"),
        ("x%=1", "bad_percent_encoding", "x%", "%"),
        ("filters[a]=%FF", "invalid_utf8", "filters[a]", "%FF"),
        ("%FF=a", "invalid_utf8", "%FF", "%FF"),
        ("filters[a]=x%00y", "nul", "filters[a]", "%00y"),
        ("x%00=a", "nul", "x%00", "%00"),
    ] {
        let complaint = parse_query(query, &Bounds::default())
            .expect_err(query)
            .complaint();
        assert_eq!(complaint.code, code, "{query}");
        assert_eq!(
            (&*complaint.parameter, &*complaint.token),
            (parameter, token),
            "{query}"
        );
        assert!(complaint.message.contains(token), "{}", complaint.message);
    }
}

/// Rules d4, d12.
#[test]
fn an_error_says_what_is_wrong_in_words() {
    for (query, message) in [
        (
            "fields]=a",
            "`fields]` has a closing bracket without its opening one at `]`.",
        ),
        (
            "fields[0]]=a",
            "`fields[0]]` has a closing bracket without its opening one at `]`.",
        ),
        (
            "fields[0]x=a",
            "`fields[0]x` has text after a closing bracket at `x`.",
        ),
        (
            "pagination[page]=",
            "`pagination[page]` must be a whole number, 1 or more, not an empty text.",
        ),
        (
            "pagination[withCount]=",
            "`pagination[withCount]` must be a boolean such as `true` or `false`, not an empty text.",
        ),
        (
            "populate[author]=",
            "`populate[author]` takes `true`, `false`, `*` or options in brackets, not an empty text.",
        ),
        (
            "sort=title:",
            "The direction of `title` in `sort` must be `asc` or `desc`, not an empty text.",
        ),
        (
            "sort=title:up",
            "The direction of `title` in `sort` must be `asc` or `desc`, not `up`.",
        ),
    ] {
        let error = parse_query(query, &Bounds::default()).expect_err(query);
        assert_eq!(error.to_string(), message);
    }
}

/// Rule d4.
#[test]
fn what_is_echoed_is_short() {
    for query in [
        "A[",
        "A=%zz",
        "A=%FF",
        "A=1&A[A]=1",
        "filters[A]=1&filters[A]=2",
        "filters[A][$or][0]=1",
        "filters[$or][A]=1",
        "fields[A]=1",
        "sort=A:A",
        "populate[A]=A",
        "pagination[A]=1",
        "pagination[page]=A",
    ] {
        // The first is as long as a name may be.
        for long in ["a".repeat(512), "é".repeat(2000)] {
            let query = query.replace('A', &long);
            let complaint = parse_query(&query, &Bounds::default())
                .expect_err("an error")
                .complaint();
            for text in [&complaint.message, &complaint.parameter, &complaint.token] {
                assert!(text.chars().count() < 350, "{text}");
            }
        }
    }
}

/// Rules d5, b2.
#[test]
fn one_key_as_both_scalar_and_object_is_an_error() {
    for query in [
        "a=1&a[b]=2",
        "a[b]=2&a=1",
        "a=1&a=2&a[b]=3",
        "a[b]=1&a[b][c]=2",
        "a[b][c]=2&a[b]=1",
        "fields=a&fields[0]=b",
        "fields[]=a&fields=b",
        "filters[views]=5&filters[views][$gt]=3",
        "filters[id][$in]=5&filters[id][$in][]=3",
        "filters=&filters[a]=1",
        "pagination[page]=1&pagination[page][x]=1",
    ] {
        assert_eq!(code(query), "scalar_and_object", "{query}");
    }
}

/// Rule d1.
#[test]
fn stray_ampersands_are_nothing() {
    for query in ["", "&", "&&&"] {
        assert_eq!(
            parse_query(query, &Bounds::default()),
            Ok(Request::default())
        );
    }
}

fn assert_points_to_the_body(error: &RequestError) {
    let message = error.complaint().message;
    assert!(message.contains("`QUERY` or `POST .../query`"), "{message}");
    assert!(message.contains("JSON body"), "{message}");
}
