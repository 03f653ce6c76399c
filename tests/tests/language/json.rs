//! Filters inside JSON columns, and on what arrays hold (d149): the model says which rows, and negation finds all others.

use serde_json::json;

use crate::model::{Row, Tree};
use crate::world::{ids, on_each_world, project};

/// Rules d149, b960, b961, b962.
#[test]
fn paths_and_arrays_are_filtered_by_as_the_model_says() {
    let texts = [
        "Atlas",
        "atlas two",
        "a",
        "A",
        "7",
        "true",
        "Ä",
        "%",
        "100% wool_\\",
        "",
    ];
    let mut trees = Vec::new();
    for text in texts {
        for operator in [
            "$eq",
            "$ne",
            "$in",
            "$notIn",
            "$contains",
            "$notContains",
            "$startsWith",
            "$endsWithi",
            "$eqi",
            "$nei",
        ] {
            trees.push(Tree::Compare("data.city", operator, vec![text]));
        }
        for operator in ["$contains", "$notContains", "$in", "$notIn"] {
            for key in ["tags", "data.notes"] {
                trees.push(Tree::Compare(key, operator, vec![text]));
                trees.push(Tree::Compare(key, operator, vec![text, "a"]));
            }
        }
    }
    for number in ["0", "2", "-1", "9223372036854775807"] {
        for operator in ["$eq", "$ne", "$lt", "$gte", "$in", "$notIn"] {
            trees.push(Tree::Compare("data.size.beds", operator, vec![number]));
        }
    }
    for truth in ["true", "false"] {
        trees.push(Tree::Compare("data.open", "$eq", vec![truth]));
        trees.push(Tree::Compare("data.open", "$ne", vec![truth]));
        for key in [
            "data.city",
            "data.size.beds",
            "data.open",
            "data.notes",
            "tags",
        ] {
            trees.push(Tree::Compare(key, "$null", vec![truth]));
            trees.push(Tree::Compare(key, "$notNull", vec![truth]));
        }
    }
    trees.push(Tree::Compare("tags", "$in", vec![]));
    trees.push(Tree::Compare("tags", "$notIn", vec![]));
    on_each_world(async |world| {
        for tree in &trees {
            for tree in [tree.clone(), Tree::Not(Box::new(tree.clone()))] {
                let rows = Row::projects().into_iter();
                let expected: Vec<_> = rows.filter(|row| tree.holds(*row)).map(Row::id).collect();
                let body = json!({ "filters": tree.json(), "sort": "id" });
                let reply = world.post::<project::Entity>(&body).await;
                assert_eq!(reply.status, 200, "{body}: {}", reply.text());
                assert_eq!(ids(&reply), expected, "{body}");
            }
        }
    });
}

/// Rules d149, b960.
#[test]
fn paths_stand_in_brackets_and_in_groups() {
    on_each_world(async |world| {
        for (query, expected) in [
            ("filters[data][city]=Atlas", &[1][..]),
            (
                "filters[data][city][$eq]=Atlas&filters[data][open]=true",
                &[1],
            ),
            ("filters[data][size][beds][$gte]=0", &[1, 5]),
            ("filters[data][size][area]=10.50", &[1]),
            (
                "filters[data][size][area][$between][]=10.4&filters[data][size][area][$between][]=10.6",
                &[1],
            ),
            (
                "filters[data][$or][0][city]=Atlas&filters[data][$or][1][open]=false",
                &[1, 3],
            ),
            ("filters[data][$not][city]=Atlas", &[2, 3, 4, 5, 7]),
            ("filters[data][city][$not]=Atlas", &[2, 3, 4, 5, 7]),
            (
                "filters[$or][0][data][city]=Atlas&filters[$or][1][tags][$contains]=A",
                &[1, 7],
            ),
            (
                "filters[tags][$contains][]=a&filters[tags][$contains][]=Atlas",
                &[1],
            ),
            ("filters[tags][$in][]=A&filters[tags][$in][]=Atlas", &[1, 7]),
            ("filters[tags][$null]=true", &[3, 5]),
            ("filters[data][notes][$notNull]=true", &[1, 2]),
        ] {
            let reply = world.list::<project::Entity>(query).await;
            assert_eq!(ids(&reply), expected, "{query}: {}", reply.text());
        }
        let reply = world
            .list::<project::Entity>("filters[data][size][beds]=2")
            .await;
        assert_eq!(
            reply.meta()["filters"],
            json!([{ "key": "beds", "value": "2", "label": "2", "operator": "$eq", "path": "data.size" }])
        );
    });
}

/// Rules d149, b960.
#[test]
fn what_is_not_opened_inside_is_refused_by_name() {
    on_each_world(async |world| {
        for (query, code, parameter, allowed) in [
            (
                "filters[data][zip]=1",
                "filter_unknown_field",
                "filters[data][zip]",
                json!(["city", "size", "open", "notes"]),
            ),
            (
                "filters[data][size][rooms][$gt]=1",
                "filter_unknown_field",
                "filters[data][size][rooms][$gt]",
                json!(["beds", "area"]),
            ),
            (
                "filters[data]=x",
                "filter_unknown_field",
                "filters[data]",
                json!(["city", "size", "open", "notes"]),
            ),
            (
                "filters[data][$eq]=x",
                "filter_unknown_field",
                "filters[data][$eq]",
                json!(["city", "size", "open", "notes"]),
            ),
            (
                "filters[data][size][$null]=true",
                "filter_unknown_field",
                "filters[data][size][$null]",
                json!(["beds", "area"]),
            ),
            (
                "filters[data][$some][city]=x",
                "filter_unknown_field",
                "filters[data]",
                json!(["city", "size", "open", "notes"]),
            ),
            (
                "filters[data][$count]=1",
                "filter_unknown_field",
                "filters[data]",
                json!(["city", "size", "open", "notes"]),
            ),
            (
                "filters[data][size][beds]=two",
                "filter_wrong_value",
                "filters[data][size][beds]",
                json!([]),
            ),
            (
                "filters[name][$contains][]=a&filters[name][$contains][]=b",
                "filter_wrong_number_of_values",
                "filters[name][$contains]",
                json!(["one value"]),
            ),
            (
                "filters[tags]=a",
                "filter_operator_not_allowed",
                "filters[tags]",
                json!([
                    "$contains",
                    "$notContains",
                    "$in",
                    "$notIn",
                    "$null",
                    "$notNull"
                ]),
            ),
        ] {
            let error = world.list::<project::Entity>(query).await.error(400);
            assert_eq!(error["code"], code, "{query}: {error}");
            assert_eq!(error["details"]["parameter"], parameter, "{query}: {error}");
            assert_eq!(error["details"]["allowed"], allowed, "{query}: {error}");
        }
        // A key is not a path: there is one way to write it.
        let error = world
            .list::<project::Entity>("filters[data.city]=x")
            .await
            .error(400);
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .contains("`filters[data][city]`"),
            "{error}"
        );
        let body = json!({ "filters": { "tags": { "$contains": [] } } });
        let error = world.post::<project::Entity>(&body).await.error(400);
        assert_eq!(
            error["details"]["allowed"],
            json!(["at least one value"]),
            "{error}"
        );
    });
}
