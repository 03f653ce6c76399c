//! Tests JSON bodies, valid and invalid.

use crate::request::{AskedFilter, AskedValues, Request, RequestError, parse_json};
use crate::vocabulary::Bounds;

fn parse(body: &str) -> Result<Request, RequestError> {
    parse_json(body.as_bytes(), &Bounds::default())
}

/// Rules d13, b10.
#[test]
fn scalars_keep_their_exact_text() {
    for (scalar, text) in [
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
        ("9007199254740993", "9007199254740993"),
        ("0.10", "0.10"),
        ("-1.50e+3", "-1.50e+3"),
        ("1E400", "1E400"),
        ("-0", "-0"),
        ("true", "true"),
        ("false", "false"),
        ("\"\"", ""),
        ("\" 5 \"", " 5 "),
        (r#""a\"b\u00e9\n\ud83d\ude00""#, "a\"bé\n😀"),
    ] {
        let sent = parse(&format!(
            "{{\"filters\": {{\"x\": {{\"$in\": [ {scalar} ]}}}}}}"
        ));
        let AskedFilter::All(all) = sent.expect(scalar).filters else {
            panic!()
        };
        let AskedFilter::Compare(compare) = &all[0] else {
            panic!()
        };
        assert_eq!(
            compare.values,
            AskedValues::Many(vec![text.into()]),
            "{scalar}"
        );
    }
}

/// Rules d13, b8.
#[test]
fn an_empty_object_is_a_request_for_the_defaults() {
    assert_eq!(parse(" { } \n"), Ok(Request::default()));
    let nulls = r#"{"fields": null, "populate": null, "filters": null, "sort": null, "pagination": null, "trashed": null}"#;
    assert_eq!(parse(nulls), Ok(Request::default()));
}

/// Rule d13.
#[test]
fn escaped_keys_are_the_same_keys() {
    assert_eq!(
        parse(r#"{"\u0066ields": ["a"]}"#),
        parse(r#"{"fields": ["a"]}"#)
    );
}

/// Rule d13.
#[test]
fn what_is_no_json_object_is_an_error() {
    for (body, code) in [
        ("", "empty_body"),
        (" \r\n\t", "empty_body"),
        ("[]", "body_not_an_object"),
        ("5", "body_not_an_object"),
        ("null", "body_not_an_object"),
        ("\"fields\"", "body_not_an_object"),
        ("{", "malformed_json"),
        ("fields=a", "malformed_json"),
        ("{} {}", "malformed_json"),
        ("{\"a\": 01}", "malformed_json"),
        ("{\"a\": NaN}", "malformed_json"),
        ("{'a': 1}", "malformed_json"),
        ("{\"a\": 1,}", "malformed_json"),
        ("{\"a\": \"\t\"}", "malformed_json"),
        ("{\"x\": {\"a\" 1}}", "malformed_json"),
        ("\u{feff}{}", "malformed_json"),
        (r#"{"fields": "\ud800"}"#, "malformed_json"),
        (r#"{"\ud800": 1}"#, "malformed_json"),
        (r#"{"fields": ["a\u0000b"]}"#, "nul"),
        (r#"{"filters": {"a\u0000b": 1}}"#, "nul"),
        (r#"{"a\u0000b": 1}"#, "nul"),
    ] {
        let error = parse(body).expect_err(body);
        assert_eq!(error.code(), code, "{body}");
    }
}

/// Rule d4.
#[test]
fn malformed_json_is_quoted_at_its_place() {
    let complaint = parse("{\n \"sort\": oops}")
        .expect_err("malformed")
        .complaint();
    assert_eq!(complaint.token, "oops}");
    assert!(
        complaint.message.contains("line 2 column 10"),
        "{}",
        complaint.message
    );
}

/// Rule d4.
#[test]
fn a_body_that_is_not_utf8_is_an_error() {
    let error = parse_json(b"{\"fields\": \"a\xff\"}", &Bounds::default()).expect_err("not UTF-8");
    assert_eq!(error.code(), "invalid_utf8");
    assert_eq!(error.complaint().token, "\\xff\\\"}");
}

/// Rule d13.
#[test]
fn duplicate_keys_are_an_error() {
    for (body, parameter) in [
        (r#"{"sort": "a", "fields": "b", "sort": "a"}"#, "sort"),
        (r#"{"x": 1, "x": 2}"#, "x"),
        (r#"{"filters": {"a": 1, "\u0061": 2}}"#, "filters[a]"),
        (
            r#"{"filters": {"a": {"$eq": 1, "$eq": 1}}}"#,
            "filters[a][$eq]",
        ),
        (
            r#"{"pagination": {"page": 1, "page": 1}}"#,
            "pagination[page]",
        ),
    ] {
        let complaint = parse(body).expect_err(body).complaint();
        assert_eq!(
            (complaint.code, &*complaint.parameter),
            ("duplicate_key", parameter)
        );
    }
}

/// Rule d13.
#[test]
fn a_body_over_its_bytes_is_an_error_of_its_own() {
    let bounds = Bounds {
        body_bytes: 4,
        ..Bounds::default()
    };
    assert!(parse_json(b"{  }", &bounds).is_ok());
    let error = parse_json(b"{   }", &bounds).expect_err("too large");
    assert_eq!(
        error,
        RequestError::BodyTooLarge {
            length: 5,
            limit: 4
        }
    );
}

/// Rule d13.
#[test]
fn a_body_has_room_for_more_values_and_not_for_any_number() {
    let body = |count| {
        let values = vec!["1"; count].join(",");
        format!("{{\"filters\": {{\"id\": {{\"$in\": [{values}]}}}}}}")
    };
    assert!(parse(&body(10_000)).is_ok());
    let error = parse(&body(10_001)).expect_err("too many");
    assert_eq!(error.code(), "too_many_values");
    assert!(!error.to_string().contains("QUERY"), "{error}");
}

/// Rule d3.
#[test]
fn levels_of_json_are_bounded() {
    let nested = |depth: usize| {
        format!(
            "{{\"filters\": {}1{}}}",
            "{\"a\":".repeat(depth),
            "}".repeat(depth)
        )
    };
    assert!(parse(&nested(25)).is_ok());
    assert_eq!(parse(&nested(26)).expect_err("deep").code(), "too_deep");
    assert_eq!(
        parse(&nested(100_000)).expect_err("deep").code(),
        "too_deep"
    );
    let lists = format!(
        "{{\"sort\": {}{}}}",
        "[".repeat(300_000),
        "]".repeat(300_000)
    );
    assert_eq!(parse(&lists).expect_err("deep").code(), "too_deep");
    assert_eq!(
        parse(&"[".repeat(1_000_000)).expect_err("deep").code(),
        "malformed_json"
    );
}

/// Rule b547.
#[test]
fn a_name_has_at_most_512_bytes() {
    let code = |body: &str, name: &str| {
        let body = body.replace('N', name);
        parse(&body).err().map(|error| error.code())
    };
    for body in [
        r#"{"filters": {"N": {"$eq": 1}}}"#,
        r#"{"filters": {"author": {"N": {"$eq": 1}}}}"#,
        r#"{"filters": {"title": {"N": 1}}}"#,
        r#"{"sort": {"N": "asc"}}"#,
        r#"{"populate": {"N": true}}"#,
        r#"{"populate": {"author": {"sort": [{"N": "asc"}]}}}"#,
    ] {
        assert_eq!(code(body, &"n".repeat(512)), None, "{body}");
        assert_eq!(
            code(body, &"n".repeat(513)),
            Some("name_too_long"),
            "{body}"
        );
    }
    // The name of a relation is copied for each sort below it: what counts is both together.
    let sort = r#"{"sort": {"N": {"name": "asc"}}}"#;
    assert_eq!(code(sort, &"n".repeat(507)), None);
    assert_eq!(code(sort, &"n".repeat(508)), Some("name_too_long"));
    // What no list has is not looked at.
    assert_eq!(code(r#"{"N": {"N": 1}}"#, &"n".repeat(5_000)), None);
    let error = parse(&sort.replace('N', &"n".repeat(600_000))).expect_err("too long");
    assert!(error.to_string().len() < 200, "{error}");
    assert!(error.complaint().parameter.starts_with("sort[nnn"));
}

/// Rule b548.
#[test]
fn a_body_has_as_many_parameters_as_a_query_string_has_pairs() {
    let body = |count: usize| {
        let keys = (0..count).map(|at| format!("\"x{at}\":0"));
        format!("{{{}}}", keys.collect::<Vec<_>>().join(","))
    };
    let sent = parse(&body(1_000)).expect("accepted");
    assert_eq!(sent.unknown.len(), 1_000);
    for count in [1_001, 50_000] {
        let error = parse(&body(count)).expect_err("too many");
        assert_eq!(error, RequestError::TooManyParameters { limit: 1_000 });
    }
}

/// Rule b13.
#[test]
fn a_sort_of_objects_has_as_many_names_as_a_list() {
    let body = |count: usize| {
        let names = (0..count).map(|at| format!("\"n{at}\": \"asc\""));
        let names = names.collect::<Vec<_>>().join(",");
        format!("{{\"sort\": {{\"author\": {{{names}}}}}}}")
    };
    assert!(parse(&body(10_000)).is_ok());
    let complaint = parse(&body(10_001)).expect_err("too many").complaint();
    assert_eq!(
        (complaint.code, &*complaint.parameter),
        ("too_many_values", "sort")
    );
}
