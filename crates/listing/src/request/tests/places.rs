//! An error names the place that is wrong, as the client wrote it, and what would be right (b449, b450).

use crate::request::{RequestError, parse_json, parse_query};
use crate::vocabulary::Bounds;

fn by_text(query: &str) -> RequestError {
    parse_query(query, &Bounds::default()).unwrap_err()
}

fn by_json(body: &str) -> RequestError {
    parse_json(body.as_bytes(), &Bounds::default()).unwrap_err()
}

/// Rule b449.
#[test]
fn every_relation_has_no_options() {
    for query in [
        "populate[*][filters][title]=x",
        "populate[*][fields]=id",
        "populate[*][count]=true",
        "populate[*]=*",
        "populate[author][populate][*][sort]=id",
        "populate[author.*][pagination][limit]=2",
    ] {
        let error = by_text(query);
        assert_eq!(error.code(), "populate_all_options", "{query}");
        let (place, _) = query.split_once("*").unwrap();
        let parameter = error.complaint().parameter;
        assert_eq!(parameter, format!("{place}*]"), "{query}");
    }
    for query in ["populate[*]=true", "populate[*]=1&populate[author]=false"] {
        let asked = parse_query(query, &Bounds::default()).unwrap();
        assert!(asked.populate.unwrap().all, "{query}");
    }
    let asked = parse_json(br#"{"populate": {"*": {}}}"#, &Bounds::default());
    assert!(asked.unwrap().populate.unwrap().all);
}

/// Rule b450.
#[test]
fn a_value_next_to_brackets_is_named_without_them() {
    for (query, parameter) in [
        ("filters[id]=5&filters[id][$ne]=4", "filters[id]"),
        ("filters[id][$ne]=4&filters[id]=5", "filters[id]"),
        ("fields=title&fields[0]=slug", "fields"),
        ("fields[0]=slug&fields=title", "fields"),
        (
            "populate[author]=true&populate[author][fields][0]=name",
            "populate[author]",
        ),
    ] {
        let error = by_text(query);
        assert_eq!(error.code(), "scalar_and_object", "{query}");
        assert_eq!(error.complaint().parameter, parameter, "{query}");
    }
}

/// Rule b450.
#[test]
fn what_is_wrong_in_a_list_is_named_by_its_index() {
    for (body, code, parameter) in [
        (
            r#"{"fields": ["id", ["title"]]}"#,
            "plain_value_expected",
            "fields[1]",
        ),
        (r#"{"fields": [null]}"#, "null_value", "fields[0]"),
        (
            r#"{"filters": {"id": {"$in": [[1]]}}}"#,
            "plain_value_expected",
            "filters[id][$in][0]",
        ),
        (
            r#"{"filters": {"id": {"$in": [1, null]}}}"#,
            "null_filter",
            "filters[id][$in][1]",
        ),
        (
            r#"{"populate": [{"author": true}]}"#,
            "plain_value_expected",
            "populate[0]",
        ),
        (
            r#"{"sort": ["id", "title:up"]}"#,
            "bad_direction",
            "sort[1]",
        ),
        (r#"{"fields": ["id", "a\u0000"]}"#, "nul", "fields[1]"),
        (
            r#"{"filters": {"$or": [{"a": 1}, {"b": 1, "b": 2}]}}"#,
            "duplicate_key",
            "filters[$or][1][b]",
        ),
    ] {
        let error = by_json(body);
        assert_eq!(error.code(), code, "{body}");
        assert_eq!(error.complaint().parameter, parameter, "{body}");
    }
    let error = by_json(r#"{"pagination": {"cursor": null}}"#);
    assert_eq!(
        error.to_string(),
        "`pagination[cursor]` is null: leave it out, or give it a value."
    );
}

/// Rule b450.
#[test]
fn a_wrong_sort_is_named_as_it_was_sent() {
    for (query, parameter) in [
        ("sort=title:up", "sort"),
        ("sort=id,title:up", "sort"),
        ("sort[0]=id&sort[1]=title:up", "sort[1]"),
        ("sort[7]=title:up&sort[3]=id", "sort[7]"),
        ("sort[]=id&sort[]=title:up", "sort[]"),
        ("sort=id&sort=title:up", "sort[1]"),
        ("sort[0][title]=up", "sort[0][title]"),
    ] {
        let error = by_text(query);
        assert_eq!(error.code(), "bad_direction", "{query}");
        assert_eq!(error.complaint().parameter, parameter, "{query}");
    }
    let error = by_json(r#"{"fields": ["id", "\ud800"]}"#);
    assert!(error.to_string().contains("in `fields[1]`"), "{error}");
}

/// Rule b450.
#[test]
fn a_misspelt_group_is_known_for_it() {
    for (query, meant) in [
        ("filters[or][0][title]=x", "filters[$or]"),
        ("filters[$OR][0][title]=x", "filters[$or]"),
        ("filters[And][0][title]=x", "filters[$and]"),
        ("filters[$or][0][and][0][title]=x", "filters[$or][0][$and]"),
        ("filters[title][$OR][0][$eq]=a", "filters[title][$or]"),
        ("filters[title][$Not][$eq]=a", "filters[title][$not]"),
        ("filters[title][or][0][$eq]=a", "filters[title][$or]"),
    ] {
        let error = by_text(query);
        assert_eq!(error.code(), "misspelt_parameter", "{query}: {error}");
        let complaint = error.complaint();
        assert_eq!(complaint.nearest.as_deref(), Some(meant), "{query}");
        assert_eq!(complaint.allowed, ["$and", "$or", "$not"], "{query}");
    }
    let error = by_text("filters[title][0]=x");
    assert_eq!(error.code(), "filter_list_without_operator");
}

/// Rule b450.
#[test]
fn a_group_is_a_list_of_objects() {
    for query in ["filters[$or]=x", "filters[$or][title]=x"] {
        let error = by_text(query);
        assert_eq!(error.code(), "list_expected", "{query}");
        let told = error.to_string();
        assert!(told.contains("`filters[$or][0][name]=value`"), "{told}");
    }
    assert_eq!(
        by_json(r#"{"filters": {"$and": {"title": "x"}}}"#).code(),
        "list_expected"
    );
}

/// Rule b450.
#[test]
fn other_places_are_named_as_they_were_sent() {
    let error = by_text("populate[comments][sort]=id:up");
    assert_eq!(error.complaint().parameter, "populate[comments][sort]");
    let error = by_text("page[size]=2");
    let nearest = error.complaint().nearest;
    assert_eq!(nearest.as_deref(), Some("pagination[pageSize]"));
    let error = by_json(r#"{"filters[title]": "x"}"#);
    assert_eq!(error.code(), "misspelt_parameter");
    let error = by_json("{\"sort\": [],\n \"filters\": {\"title\": \"\\ud800\"}}");
    assert_eq!(
        error.to_string(),
        "The body is not JSON: unexpected end of hex escape in `filters[title]`."
    );
    assert_eq!(error.complaint().token, r#""\ud800""#);
}
