//! Operators on text: starts, ends, any case, and what does not contain (d86).

use crate::model::{Row, Tree};
use crate::world::{ids, on_each_world, project, task};

const OPERATORS: [&str; 9] = [
    "$startsWith",
    "$endsWith",
    "$startsWithi",
    "$endsWithi",
    "$eqi",
    "$nei",
    "$contains",
    "$notContains",
    "$eq",
];

/// Rules d86, b185.
#[test]
fn wildcards_are_literal_and_case_counts_where_it_should() {
    let values: &[&'static str] = &[
        "At",
        "at",
        "AT",
        "Atlas",
        "ATLAS",
        "two",
        "TWO",
        "%",
        "_",
        "\\",
        "100%",
        "100_",
        "!",
        "l%s",
        "_\\",
        "100% wool_\\",
        "Ä",
        "",
        " ",
        "'; DROP TABLE projects; --",
        "\u{10FFFF}",
    ];
    on_each_world(async |world| {
        for operator in OPERATORS {
            for value in values {
                let tree = Tree::Compare("name", operator, vec![*value]);
                let expected: Vec<_> = Row::projects()
                    .into_iter()
                    .filter(|row| tree.holds(*row))
                    .map(Row::id)
                    .collect();
                let body = serde_json::json!({ "filters": tree.json(), "sort": "id" });
                let reply = world.post::<project::Entity>(&body).await;
                assert_eq!(
                    ids(&reply),
                    expected,
                    "{operator} {value:?}: {}",
                    reply.text()
                );
            }
        }
    });
}

/// Rule d86.
#[test]
fn nulls_do_not_contain_and_are_not_equal() {
    on_each_world(async |world| {
        for (query, expected) in [
            ("filters[title][$notContains]=pl", &[2, 3, 7, 8][..]),
            ("filters[title][$notContainsi]=PL", &[2, 3, 7, 8]),
            ("filters[title][$nei]=PLAN", &[2, 3, 7, 8]),
            ("filters[title][$startsWith]=", &[1, 2, 4, 7, 8, 9]),
            ("filters[title][$endsWithi]=", &[1, 2, 4, 7, 8, 9]),
            ("filters[title][$not][$startsWith]=p", &[2, 3, 7, 8]),
        ] {
            let reply = world.list::<task::Entity>(query).await;
            assert_eq!(ids(&reply), expected, "{query}: {}", reply.text());
        }
        let reply = world
            .list::<task::Entity>("filters[title][$notContainsi]=x")
            .await;
        assert_eq!(reply.meta()["filters"][0]["operator"], "$notContains");
    });
}

/// Rule d86.
#[test]
fn long_texts_are_no_failure() {
    on_each_world(async |world| {
        let long = "%_x".repeat(20_000);
        for operator in OPERATORS {
            let body = serde_json::json!({ "filters": { "name": { operator: long } } });
            let expected = if operator.starts_with("$n") { 6 } else { 0 };
            let reply = world.post::<project::Entity>(&body).await;
            assert_eq!(reply.total(), expected, "{operator}");
        }
    });
}
