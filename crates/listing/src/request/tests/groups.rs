//! Groups, negations and filters through relations, as text and as JSON (d65 to d76).

use crate::request::{AskedFilter, AskedValues, RequestError, parse_json, parse_query};
use crate::vocabulary::Bounds;

/// The tree in short: `all(a $eq 1, any(..))`, each comparison with its path in front of it.
fn say(filter: &AskedFilter) -> String {
    let parts = |parts: &[AskedFilter]| parts.iter().map(say).collect::<Vec<_>>().join(", ");
    match filter {
        AskedFilter::All(all) => format!("all({})", parts(all)),
        AskedFilter::Any(any) => format!("any({})", parts(any)),
        AskedFilter::Not(part) => format!("not({})", say(part)),
        AskedFilter::Related(related) => {
            let quantifier = related.quantifier.map(|quantifier| quantifier.wire());
            let (key, quantifier) = (&related.key, quantifier.unwrap_or_default());
            format!("{key}{quantifier}({})", say(&related.filter))
        }
        AskedFilter::Counted(related) => {
            format!("{}#({})", related.key, say(&related.filter))
        }
        AskedFilter::Compare(compare) => {
            let values = match &compare.values {
                AskedValues::One(value) => value.to_string(),
                AskedValues::Many(values) => values.join("|"),
            };
            let path = compare.path().map(|path| format!("<{path}> "));
            let (field, operator) = (&compare.field, &compare.operator);
            format!("{}{field} {operator} {values}", path.unwrap_or_default())
        }
    }
}

pub(super) fn text(query: &str) -> Result<String, RequestError> {
    parse_query(query, &Bounds::default()).map(|request| say(&request.filters))
}

pub(super) fn json(filters: &str) -> Result<String, RequestError> {
    let body = format!("{{\"filters\": {filters}}}");
    parse_json(body.as_bytes(), &Bounds::default()).map(|request| say(&request.filters))
}

/// Rules d65, d70, b205.
#[test]
fn groups_stand_at_any_level() {
    for (query, body, tree) in [
        (
            "filters[$or][0][title][$contains]=rust&filters[$or][1][views][$gt]=500",
            r#"{"$or": [{"title": {"$contains": "rust"}}, {"views": {"$gt": 500}}]}"#,
            "all(any(<$or.0> title $contains rust, <$or.1> views $gt 500))",
        ),
        (
            "filters[a]=1&filters[$and][0][b]=2&filters[$and][0][c]=3&filters[$and][1][d]=4",
            r#"{"a": 1, "$and": [{"b": 2, "c": 3}, {"d": 4}]}"#,
            "all(a $eq 1, all(all(<$and.0> b $eq 2, <$and.0> c $eq 3), <$and.1> d $eq 4))",
        ),
        (
            "filters[$not][a][$gt]=1&filters[$not][b]=2",
            r#"{"$not": {"a": {"$gt": 1}, "b": 2}}"#,
            "all(not(all(<$not> a $gt 1, <$not> b $eq 2)))",
        ),
        (
            "filters[title][$not][$contains]=draft",
            r#"{"title": {"$not": {"$contains": "draft"}}}"#,
            "all(not(<$not> title $contains draft))",
        ),
        (
            "filters[title][$or][0][$eq]=a&filters[title][$or][1][$contains]=b&filters[title][$ne]=c",
            r#"{"title": {"$or": [{"$eq": "a"}, {"$contains": "b"}], "$ne": "c"}}"#,
            "all(any(<$or.0> title $eq a, <$or.1> title $contains b), title $ne c)",
        ),
        (
            "filters[$or][0][$and][0][$not][a]=1&filters[$or][1][b]=2",
            r#"{"$or": [{"$and": [{"$not": {"a": 1}}]}, {"b": 2}]}"#,
            "all(any(all(not(<$or.0.$and.0.$not> a $eq 1)), <$or.1> b $eq 2))",
        ),
        (
            // In the order of the numbers.
            "filters[$or][7][b]=2&filters[$or][3][a]=1",
            r#"{"$or": {"7": {"b": 2}, "3": {"a": 1}}}"#,
            "all(any(<$or.3> a $eq 1, <$or.7> b $eq 2))",
        ),
    ] {
        assert_eq!(text(query).as_deref(), Ok(tree), "{query}");
        assert_eq!(json(body).as_deref(), Ok(tree), "{body}");
    }
}

/// Rules d72, d74, d75, b205.
#[test]
fn a_filter_on_related_rows_keeps_its_conditions_together() {
    for (query, body, tree) in [
        (
            "filters[author][name][$eq]=Ada&filters[author][country]=FR",
            r#"{"author": {"name": {"$eq": "Ada"}, "country": "FR"}}"#,
            "all(author(all(<author> name $eq Ada, <author> country $eq FR)))",
        ),
        (
            "filters[a][b][c][$in][]=1&filters[a][b][c][$in][]=2",
            r#"{"a": {"b": {"c": {"$in": [1, 2]}}}}"#,
            "all(a(b(<a.b> c $in 1|2)))",
        ),
        (
            "filters[comments][$none][author_name][$eq]=Bot",
            r#"{"comments": {"$none": {"author_name": {"$eq": "Bot"}}}}"#,
            "all(comments$none(<comments.$none> author_name $eq Bot))",
        ),
        (
            "filters[comments][$some][a]=1&filters[comments][$every][b]=2",
            r#"{"comments": {"$some": {"a": 1}, "$every": {"b": 2}}}"#,
            "all(comments$some(<comments.$some> a $eq 1), comments$every(<comments.$every> b $eq 2))",
        ),
        (
            "filters[author][$null]=true&filters[author][$notNull]=",
            r#"{"author": {"$null": true, "$notNull": ""}}"#,
            "all(author $null true, author $notNull )",
        ),
        (
            "filters[$not][comments][body][$contains]=x",
            r#"{"$not": {"comments": {"body": {"$contains": "x"}}}}"#,
            "all(not(comments(<$not.comments> body $contains x)))",
        ),
        (
            // A group inside a relation is about one related row.
            "filters[author][$or][0][name]=a&filters[author][$or][1][country]=b&filters[author][x]=c",
            r#"{"author": {"$or": [{"name": "a"}, {"country": "b"}], "x": "c"}}"#,
            "all(author(all(any(<author.$or.0> name $eq a, <author.$or.1> country $eq b), <author> x $eq c)))",
        ),
        (
            "filters[comments][$not][$some][a]=1",
            r#"{"comments": {"$not": {"$some": {"a": 1}}}}"#,
            "all(not(comments$some(<$not.comments.$some> a $eq 1)))",
        ),
    ] {
        assert_eq!(text(query).as_deref(), Ok(tree), "{query}");
        assert_eq!(json(body).as_deref(), Ok(tree), "{body}");
    }
}

/// Rules d1, b205.
#[test]
fn an_operator_anywhere_in_a_group_makes_it_one_of_operators() {
    for (query, body, tree) in [
        (
            "filters[author][$or][0][name]=a&filters[author][$or][1][$null]=true",
            r#"{"author": {"$or": [{"name": "a"}, {"$null": "true"}]}}"#,
            "all(any(author(<$or.0.author> name $eq a), <$or.1> author $null true))",
        ),
        (
            // The order in which the objects were sent does not matter.
            "filters[author][$or][1][$null]=true&filters[author][$or][0][name]=a",
            r#"{"author": {"$or": {"1": {"$null": "true"}, "0": {"name": "a"}}}}"#,
            "all(any(author(<$or.0.author> name $eq a), <$or.1> author $null true))",
        ),
        (
            "filters[author][$not][name]=a&filters[author][$not][$null]=true",
            r#"{"author": {"$not": {"name": "a", "$null": "true"}}}"#,
            "all(not(all(<$not> author $null true, author(<$not.author> name $eq a))))",
        ),
        (
            "filters[author][$or][0][$not][name]=a&filters[author][$or][1][$some][name]=b",
            r#"{"author": {"$or": [{"$not": {"name": "a"}}, {"$some": {"name": "b"}}]}}"#,
            "all(any(author(not(<$or.0.author.$not> name $eq a)), author$some(<$or.1.author.$some> name $eq b)))",
        ),
    ] {
        assert_eq!(text(query).as_deref(), Ok(tree), "{query}");
        assert_eq!(json(body).as_deref(), Ok(tree), "{body}");
    }
}

/// Rule d68.
#[test]
fn an_empty_group_is_an_error() {
    for (body, parameter) in [
        (r#"{"$or": []}"#, "filters[$or]"),
        (r#"{"$and": []}"#, "filters[$and]"),
        (r#"{"$or": {}}"#, "filters[$or]"),
        (r#"{"$or": null}"#, "filters[$or]"),
        (r#"{"$or": ""}"#, "filters[$or]"),
        (r#"{"$and": [{}]}"#, "filters[$and][0]"),
        (r#"{"$or": [{"a": 1}, {}]}"#, "filters[$or][1]"),
        (r#"{"$or": [null]}"#, "filters[$or][0]"),
        (r#"{"$not": {}}"#, "filters[$not]"),
        (r#"{"$not": null}"#, "filters[$not]"),
        (r#"{"$not": {"$or": []}}"#, "filters[$not][$or]"),
        (r#"{"a": {"$not": {}}}"#, "filters[a][$not]"),
        (r#"{"a": {"$or": []}}"#, "filters[a][$or]"),
        (r#"{"a": {"$some": {}}}"#, "filters[a][$some]"),
        (r#"{"a": {"$none": null}}"#, "filters[a][$none]"),
    ] {
        let complaint = json(body).expect_err(body).complaint();
        assert_eq!(
            (complaint.code, &*complaint.parameter),
            ("empty_group", parameter),
            "{body}"
        );
    }
    for query in [
        "filters[$or]=",
        "filters[$or][0]=",
        "filters[$not]=",
        "filters[a][$not]",
    ] {
        assert_eq!(code(text(query)), "empty_group", "{query}");
    }
}

/// Rules d65, b204.
#[test]
fn a_group_of_another_shape_is_an_error() {
    for (query, is, parameter) in [
        ("filters[$or]=x", "list_expected", "filters[$or]"),
        ("filters[$or][0]=x", "object_expected", "filters[$or][0]"),
        ("filters[$or][title]=x", "list_expected", "filters[$or]"),
        ("filters[$or][][title]=x", "index_needed", "filters[$or][]"),
        ("filters[$not]=x", "object_expected", "filters[$not]"),
        ("filters[a][$or]=x", "list_expected", "filters[a][$or]"),
        (
            "filters[a][$some]=x",
            "object_expected",
            "filters[a][$some]",
        ),
        (
            "filters[$or][0][a][0]=x",
            "filter_list_without_operator",
            "filters[$or][0][a]",
        ),
        (
            "filters[$or][0][]=x",
            "filter_without_field",
            "filters[$or][0][]",
        ),
    ] {
        let complaint = text(query).expect_err(query).complaint();
        assert_eq!(
            (complaint.code, &*complaint.parameter),
            (is, parameter),
            "{query}"
        );
    }
}

/// Rule d8.
#[test]
fn what_looks_like_a_group_and_is_none_is_an_operator_that_nobody_knows() {
    for (query, body) in [
        (
            "filters[a][$xor][0][$eq]=1&filters[a][$xor][1][$eq]=2",
            r#"{"a": {"$xor": [{"$eq": 1}, {"$eq": 2}]}}"#,
        ),
        ("filters[a][$xor][$eq]=1", r#"{"a": {"$xor": {"$eq": 1}}}"#),
    ] {
        // The whitelist refuses it by its name.
        assert_eq!(text(query).as_deref(), Ok("all(a $xor )"), "{query}");
        assert_eq!(json(body).as_deref(), Ok("all(a $xor )"), "{body}");
    }
}

/// Rule d66.
#[test]
fn groups_and_conditions_are_bounded() {
    let nested = |levels: usize| format!("filters{}[a]=1", "[$or][0]".repeat(levels));
    assert!(text(&nested(5)).is_ok());
    assert_eq!(code(text(&nested(6))), "groups_too_deep");
    let not = |levels: usize| format!("filters{}[a][$not][$eq]=1", "[$not]".repeat(levels));
    assert!(text(&not(4)).is_ok());
    assert_eq!(code(text(&not(5))), "groups_too_deep");
    // Levels, not groups: groups next to each other are as many as there are conditions.
    let wide = |count: usize| {
        let pairs = (0..count).map(|at| format!("filters[$or][{at}][$not][a]=1"));
        pairs.collect::<Vec<_>>().join("&")
    };
    assert!(text(&wide(100)).is_ok());
    assert_eq!(code(text(&wide(101))), "too_many_conditions");
    let spread = |count: usize| {
        let pairs = (0..count).map(|at| format!("filters[a{at}][$gt]=1"));
        format!(
            "{}&populate[b][filters][c]=1",
            pairs.collect::<Vec<_>>().join("&")
        )
    };
    assert!(text(&spread(99)).is_ok());
    assert_eq!(code(text(&spread(100))), "too_many_conditions");
}

/// Rule d70.
#[test]
fn an_error_names_the_whole_way() {
    let request = parse_query(
        "filters[$or][0][author][name][$eq]=x&populate[c][filters][a][$gt]=1",
        &Bounds::default(),
    )
    .expect("accepted");
    let AskedFilter::All(all) = &request.filters else {
        panic!()
    };
    let AskedFilter::Any(any) = &all[0] else {
        panic!()
    };
    let AskedFilter::Related(related) = &any[0] else {
        panic!()
    };
    assert_eq!(related.parameter().as_str(), "filters[$or][0][author]");
    assert_eq!(related.path(), Some("$or.0"));
    let AskedFilter::Compare(compare) = &*related.filter else {
        panic!()
    };
    let whole = "filters[$or][0][author][name][$eq]";
    assert_eq!(compare.parameter().as_str(), whole);
    let populate = request.populate.expect("sent");
    let AskedFilter::All(all) = &populate.relations[0].filters else {
        panic!()
    };
    let AskedFilter::Compare(compare) = &all[0] else {
        panic!()
    };
    assert_eq!(compare.parameter().as_str(), "populate[c][filters][a][$gt]");
    assert_eq!(compare.path(), None);
}

pub(super) fn code(sent: Result<String, RequestError>) -> &'static str {
    sent.expect_err("an error").code()
}
