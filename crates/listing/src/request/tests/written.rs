//! Groups and filters as clients write them elsewhere, and how errors tell what was written (b760 to b763, d146).

use super::groups::{code, json, text};
use crate::request::{AskedFilter, parse_query};
use crate::vocabulary::Bounds;

/// Rule b760.
#[test]
fn a_list_inside_a_group_is_one_object_of_which_all_must_hold() {
    for (query, body, tree) in [
        (
            "filters[$or][0][0][a]=1&filters[$or][0][1][b][$gt]=2&filters[$or][1][c]=3",
            r#"{"$or": [[{"a": 1}, {"b": {"$gt": 2}}], {"c": 3}]}"#,
            "all(any(all(<$or.0.0> a $eq 1, <$or.0.1> b $gt 2), <$or.1> c $eq 3))",
        ),
        (
            "filters[$not][0][a]=1&filters[$not][1][b]=2",
            r#"{"$not": [{"a": 1}, {"b": 2}]}"#,
            "all(not(all(<$not.0> a $eq 1, <$not.1> b $eq 2)))",
        ),
        (
            "filters[a][$or][0][0][$gt]=1&filters[a][$or][0][1][$lt]=3&filters[a][$or][1][$eq]=9",
            r#"{"a": {"$or": [[{"$gt": 1}, {"$lt": 3}], {"$eq": 9}]}}"#,
            "all(any(all(<$or.0.0> a $gt 1, <$or.0.1> a $lt 3), <$or.1> a $eq 9))",
        ),
        (
            "filters[$or][0][0][0][a]=1",
            r#"{"$or": [[[{"a": 1}]]]}"#,
            "all(any(all(all(<$or.0.0.0> a $eq 1))))",
        ),
        // A field can have a number for its name: then a value or an operator comes after it.
        (
            "filters[$or][0][2024]=1&filters[$or][1][2025][$gt]=2",
            r#"{"$or": [{"2024": 1}, {"2025": {"$gt": 2}}]}"#,
            "all(any(<$or.0> 2024 $eq 1, <$or.1> 2025 $gt 2))",
        ),
    ] {
        assert_eq!(text(query).as_deref(), Ok(tree), "{query}");
        assert_eq!(json(body).as_deref(), Ok(tree), "{body}");
    }
    let query = "filters[$or][0][][a]=1";
    let complaint = text(query).expect_err(query).complaint();
    assert_eq!(complaint.code, "index_needed");
    assert_eq!(
        json(r#"{"$or": [[]]}"#).map_err(|e| e.code()),
        Err("empty_group")
    );
    let nested = format!("filters[$or][0]{}[a]=1", "[0]".repeat(5));
    assert_eq!(code(text(&nested)), "groups_too_deep");
}

/// Rule b761.
#[test]
fn not_of_a_plain_value_is_not_equal() {
    let tree = "all(not(<$not> price $eq 10.99))";
    let query = "filters[price][$not]=10.99";
    assert_eq!(text(query).as_deref(), Ok(tree));
    assert_eq!(json(r#"{"price": {"$not": 10.99}}"#).as_deref(), Ok(tree));
    assert_eq!(parameter(query), "filters[price][$not]");
    let query = "filters[$or][0][author][name][$not]=x";
    let tree = "all(any(author(not(<$or.0.author.$not> name $eq x))))";
    assert_eq!(text(query).as_deref(), Ok(tree));
}

/// Rule d146.
#[test]
fn the_rows_of_a_relation_are_counted() {
    for (query, body, tree) in [
        (
            "filters[comments][$count][$gte]=3",
            r#"{"comments": {"$count": {"$gte": 3}}}"#,
            "all(comments#(<comments> $count $gte 3))",
        ),
        (
            "filters[comments][$count]=3&filters[comments][body]=x",
            r#"{"comments": {"$count": 3, "body": "x"}}"#,
            "all(comments#(<comments> $count $eq 3), comments(<comments> body $eq x))",
        ),
        (
            "filters[$or][0][a][b][$count][$not][$in][]=1",
            r#"{"$or": [{"a": {"b": {"$count": {"$not": {"$in": [1]}}}}}]}"#,
            "all(any(a(b#(not(<$or.0.a.b.$not> $count $in 1)))))",
        ),
    ] {
        assert_eq!(text(query).as_deref(), Ok(tree), "{query}");
        assert_eq!(json(body).as_deref(), Ok(tree), "{body}");
    }
    assert_eq!(
        parameter("filters[a][$count][$gt]=1"),
        "filters[a][$count][$gt]"
    );
    let complaint = json(r#"{"a": {"$count": {}}}"#)
        .expect_err("empty")
        .complaint();
    assert_eq!(complaint.parameter, "filters[a][$count]");
}

/// The way to the first comparison of a request.
fn parameter(query: &str) -> String {
    fn first(filter: &AskedFilter) -> String {
        match filter {
            AskedFilter::All(parts) | AskedFilter::Any(parts) => first(&parts[0]),
            AskedFilter::Not(part) => first(part),
            AskedFilter::Related(related) | AskedFilter::Counted(related) => first(&related.filter),
            AskedFilter::Compare(compare) => compare.parameter().to_string(),
        }
    }
    first(
        &parse_query(query, &Bounds::default())
            .expect("accepted")
            .filters,
    )
}

/// Rule b762.
#[test]
fn a_filter_is_told_as_it_was_written() {
    for (query, told) in [
        ("filters[titel]=x", "filters[titel]"),
        ("filters[titel][$eq]=x", "filters[titel][$eq]"),
        ("filters[$or][0][titel]=x", "filters[$or][0][titel]"),
        ("filters[author][nmae]=x", "filters[author][nmae]"),
    ] {
        assert_eq!(parameter(query), told, "{query}");
    }
}

/// Rule b763.
#[test]
fn a_misspelt_group_is_named_with_the_right_one() {
    for (query, is, parameter, nearest) in [
        (
            "filters[$nor][0][a]=1",
            "misspelt_parameter",
            "filters[$nor]",
            Some("filters[$not][$or]"),
        ),
        (
            "filters[a][$nor][0][$eq]=1",
            "misspelt_parameter",
            "filters[a][$nor]",
            Some("filters[a][$not][$or]"),
        ),
        (
            "filters[_or][0][a]=1",
            "misspelt_parameter",
            "filters[_or]",
            Some("filters[$or]"),
        ),
        (
            "filters[title][_or][0][$eq]=1",
            "misspelt_parameter",
            "filters[title][_or]",
            Some("filters[title][$or]"),
        ),
        (
            "filters[$andd][0][a]=1",
            "unknown_group",
            "filters[$andd]",
            Some("$and"),
        ),
        (
            "filters[$xyzzy]=1",
            "unknown_group",
            "filters[$xyzzy]",
            None,
        ),
        (
            "filters[$contains]=1",
            "filter_without_field",
            "filters[$contains]",
            None,
        ),
        (
            "filters[$some][a]=1",
            "filter_without_field",
            "filters[$some]",
            None,
        ),
    ] {
        let complaint = text(query).expect_err(query).complaint();
        assert_eq!(
            (
                complaint.code,
                &*complaint.parameter,
                complaint.nearest.as_deref()
            ),
            (is, parameter, nearest),
            "{query}"
        );
    }
}
