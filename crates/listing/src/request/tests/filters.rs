//! Tests filters in every spelling, as text and as JSON.

use crate::request::{AskedFilter, AskedValues, RequestError, parse_json, parse_query};
use crate::vocabulary::Bounds;

/// Field, operator, values; one value stands without `|` around it.
type Row = (String, String, String);

fn rows(filters: AskedFilter) -> Vec<Row> {
    let AskedFilter::All(all) = filters else {
        panic!("{filters:?}")
    };
    let row = |filter| match filter {
        AskedFilter::Compare(compare) => {
            let values = match compare.values {
                AskedValues::One(value) => value.into_string(),
                AskedValues::Many(values) => format!("|{}|", values.join("|")),
            };
            (
                compare.field.into_string(),
                compare.operator.into_string(),
                values,
            )
        }
        other => panic!("{other:?}"),
    };
    all.into_iter().map(row).collect()
}

fn text(query: &str) -> Result<Vec<Row>, RequestError> {
    parse_query(query, &Bounds::default()).map(|request| rows(request.filters))
}

fn json(filters: &str) -> Result<Vec<Row>, RequestError> {
    let body = format!("{{\"filters\": {filters}}}");
    parse_json(body.as_bytes(), &Bounds::default()).map(|request| rows(request.filters))
}

fn row(field: &str, operator: &str, values: &str) -> Row {
    (field.to_owned(), operator.to_owned(), values.to_owned())
}

/// Rule b9.
#[test]
fn c4_1_filters_are_read_in_order() {
    for (query, body, asked) in [
        ("", "{}", vec![]),
        ("filters=", "null", vec![]),
        ("filters=&x=1", "\"\"", vec![]),
        ("", "[]", vec![]),
        (
            "filters[views][$gt]=5",
            r#"{"views": {"$gt": 5}}"#,
            vec![row("views", "$gt", "5")],
        ),
        (
            "filters[b][$gte]=1&filters[a][$ne]=x&filters[b][$lte]=2",
            r#"{"b": {"$gte": 1, "$lte": "2"}, "a": {"$ne": "x"}}"#,
            vec![
                row("b", "$gte", "1"),
                row("b", "$lte", "2"),
                row("a", "$ne", "x"),
            ],
        ),
        (
            "filters[author.name][$foo]=x",
            r#"{"author.name": {"$foo": "x"}}"#,
            vec![row("author.name", "$foo", "x")],
        ),
        (
            "filters[t][$null]&filters[t][$notNull]=",
            r#"{"t": {"$null": "", "$notNull": ""}}"#,
            vec![row("t", "$null", ""), row("t", "$notNull", "")],
        ),
        (
            "filters[a][$between]=1&filters[a][$between]=2",
            r#"{"a": {"$between": [1, 2]}}"#,
            vec![row("a", "$between", "|1|2|")],
        ),
    ] {
        assert_eq!(text(query), Ok(asked.clone()), "{query}");
        assert_eq!(json(body), Ok(asked), "{body}");
    }
}

/// Rule d2.
#[test]
fn a_value_without_an_operator_means_eq() {
    assert_eq!(text("filters[views]=5"), Ok(vec![row("views", "$eq", "5")]));
    assert_eq!(json(r#"{"views": 5}"#), Ok(vec![row("views", "$eq", "5")]));
    assert_eq!(json(r#"{"on": true}"#), Ok(vec![row("on", "$eq", "true")]));
}

/// Rule d12.
#[test]
fn an_empty_filter_value_stays_and_null_is_text() {
    assert_eq!(text("filters[a]="), Ok(vec![row("a", "$eq", "")]));
    assert_eq!(text("filters[a][$eq]"), Ok(vec![row("a", "$eq", "")]));
    assert_eq!(
        text("filters[a][$eq]=null"),
        Ok(vec![row("a", "$eq", "null")])
    );
    assert_eq!(json(r#"{"a": "null"}"#), Ok(vec![row("a", "$eq", "null")]));
}

/// Rules d1, d27.
#[test]
fn an_array_in_any_spelling_or_one_scalar() {
    for operator in ["$in", "$notIn", "$between", "$unknown"] {
        for (query, values) in [
            ("F=3", "3"),
            ("F=1,2", "1,2"),
            ("F=3&F=1", "|3|1|"),
            ("F[]=3&F[]=1", "|3|1|"),
            ("F[]=3", "|3|"),
            ("F[7]=3&F[2]=1&F[10]=2", "|1|3|2|"),
            ("F[1]=a&F[]=b&F[0]=c&F[1]=d&F[]=e", "|c|a|d|b|e|"),
            ("F[999999999]=b&F[18446744073709551615]=c&F[5]=a", "|a|b|c|"),
            ("F[]=", "||"),
        ] {
            let query = query.replace('F', &format!("filters[id][{operator}]"));
            assert_eq!(
                text(&query),
                Ok(vec![row("id", operator, values)]),
                "{query}"
            );
        }
        for (value, values) in [("3", "3"), ("[3, \"1\"]", "|3|1|"), ("[true]", "|true|")] {
            let body = format!("{{\"id\": {{\"{operator}\": {value}}}}}");
            assert_eq!(json(&body), Ok(vec![row("id", operator, values)]), "{body}");
        }
    }
}

/// Rule d27.
#[test]
fn an_empty_array_stays_an_array() {
    let request = parse_json(br#"{"filters": {"id": {"$in": []}}}"#, &Bounds::default());
    let AskedFilter::All(all) = request.expect("accepted").filters else {
        panic!()
    };
    let AskedFilter::Compare(compare) = &all[0] else {
        panic!()
    };
    assert_eq!(compare.values, AskedValues::Many(Vec::new()));
}

/// Rule d1.
#[test]
fn repeated_values_are_an_error_where_the_operator_takes_one() {
    for operator in [
        "$eq", "$ne", "$lt", "$lte", "$gt", "$gte", "$null", "$notNull",
    ] {
        for query in ["F=1&F=2", "F[]=1", "F[0]=1", "F[a]=1"] {
            let query = query.replace('F', &format!("filters[id][{operator}]"));
            assert_eq!(code(text(&query)), "one_value_expected", "{query}");
        }
        for value in ["[1]", "[]", "{}", "{\"a\": 1}"] {
            let body = format!("{{\"id\": {{\"{operator}\": {value}}}}}");
            assert_eq!(code(json(&body)), "one_value_expected", "{body}");
        }
    }
}

/// Rules d8, b6, b7, b9.
#[test]
fn a_filter_of_another_shape_is_an_error_that_names_the_place() {
    for (query, code, parameter) in [
        ("filters=x", "object_expected", "filters"),
        ("filters=x&filters=y", "object_expected", "filters"),
        ("filters[]=x", "filter_without_field", "filters[]"),
        ("filters[][a]=x", "filter_without_field", "filters[]"),
        (
            "filters[a]=1&filters[a]=2",
            "filter_list_without_operator",
            "filters[a]",
        ),
        (
            "filters[a][]=1",
            "filter_list_without_operator",
            "filters[a]",
        ),
        (
            "filters[a][0]=1",
            "filter_list_without_operator",
            "filters[a]",
        ),
        (
            "filters[a][0][$eq]=1",
            "filter_list_without_operator",
            "filters[a]",
        ),
        ("filters[id][$in][abc]=1", "bad_index", "filters[id][$in]"),
        ("filters[id][$in][-1]=1", "bad_index", "filters[id][$in]"),
        (
            "filters[id][$in][18446744073709551616]=1",
            "bad_index",
            "filters[id][$in]",
        ),
        (
            "filters[id][$in][0][a]=1",
            "plain_value_expected",
            "filters[id][$in][0]",
        ),
    ] {
        let complaint = text(query).expect_err(query).complaint();
        assert_eq!(
            (complaint.code, &*complaint.parameter),
            (code, parameter),
            "{query}"
        );
    }
    for (body, code, parameter) in [
        ("\"x\"", "object_expected", "filters"),
        ("[1]", "object_expected", "filters"),
        (r#"{"": 1}"#, "filter_without_field", "filters[]"),
        (r#"{"a": {}}"#, "filter_without_operator", "filters[a]"),
        (r#"{"a": []}"#, "filter_list_without_operator", "filters[a]"),
        (
            r#"{"a": [1, 2]}"#,
            "filter_list_without_operator",
            "filters[a]",
        ),
        (
            r#"{"a": {"$in": {"x": 1}}}"#,
            "bad_index",
            "filters[a][$in]",
        ),
        (
            r#"{"a": {"$in": [[1]]}}"#,
            "plain_value_expected",
            "filters[a][$in][0]",
        ),
        (
            r#"{"a": {"$in": [{"$eq": 1}]}}"#,
            "plain_value_expected",
            "filters[a][$in][0]",
        ),
    ] {
        let complaint = json(body).expect_err(body).complaint();
        assert_eq!(
            (complaint.code, &*complaint.parameter),
            (code, parameter),
            "{body}"
        );
    }
}

/// Rules d13, b8.
#[test]
fn null_as_a_filter_value_is_an_error_that_says_what_to_use() {
    for (body, parameter) in [
        (r#"{"a": null}"#, "filters[a]"),
        (r#"{"a": {"$eq": null}}"#, "filters[a][$eq]"),
        (r#"{"a": {"$in": [1, null]}}"#, "filters[a][$in][1]"),
    ] {
        let complaint = json(body).expect_err(body).complaint();
        assert_eq!(
            (complaint.code, &*complaint.parameter),
            ("null_filter", parameter)
        );
        assert!(
            complaint.message.contains("`$null`"),
            "{}",
            complaint.message
        );
    }
}

fn code(sent: Result<Vec<Row>, RequestError>) -> &'static str {
    sent.expect_err("an error").code()
}
