//! What a scope leaves of lists, counts, relations, sorts, filters and labels, computed from `tenants/data.rs`.

use listing_tests::{Client, Reply};
use serde_json::{Value, json};

use crate::tenants::{on_each_tenants, seen};

const NONE: [i64; 0] = [];

async fn ids(client: &Client, path: &str) -> Vec<i64> {
    let reply = client.get(path).await;
    let ids = reply.ids();
    assert_eq!(reply.total(), ids.len() as u64, "{path}");
    ids
}

/// The ids of each item's related items.
fn related(reply: &Reply, relation: &str) -> Vec<(i64, Vec<i64>)> {
    let id = |item: &Value| item["id"].as_i64().unwrap();
    let items = reply.items();
    let of = |item: &Value| match &item[relation] {
        Value::Array(related) => related.iter().map(id).collect(),
        Value::Null => Vec::new(),
        one => vec![id(one)],
    };
    items.iter().map(|item| (id(item), of(item))).collect()
}

#[test]
fn a_scope_holds_on_lists_and_counts() {
    on_each_tenants(async |tenants| {
        for (path, of_a, of_b) in [
            ("projects", vec![1, 2, 3], vec![7_001, 7_002, 7_003]),
            (
                "tasks",
                vec![1, 2, 3, 4, 5, 7, 8],
                vec![7_001, 7_002, 7_003, 7_004, 7_005],
            ),
            ("tags", vec![1, 2], vec![7_001, 7_002]),
        ] {
            let path = format!("/api/{path}");
            assert_eq!(ids(&tenants.a, &path).await, of_a, "{path}");
            assert_eq!(ids(&tenants.b, &path).await, of_b, "{path}");
            // A scope that is an empty `any` leaves nothing.
            assert_eq!(ids(&tenants.nobody, &path).await, NONE, "{path}");
            let by_body = tenants.a.post(&format!("{path}/query"), &json!({})).await;
            assert_eq!(by_body.ids(), of_a, "{path}");
            let first = tenants
                .a
                .get(&format!(
                    "{path}?pagination[pageSize]=1&pagination[withCount]=false"
                ))
                .await;
            assert_eq!(first.ids(), of_a[..1], "{path}");
            assert_eq!(first.meta()["pagination"]["hasMore"], true, "{path}");
            let last = format!(
                "{path}?pagination[start]={}&pagination[limit]=1&pagination[withCount]=false",
                of_a.len() - 1
            );
            let last = tenants.a.get(&last).await;
            assert_eq!(last.ids(), of_a[of_a.len() - 1..], "{path}");
            assert_eq!(last.meta()["pagination"]["hasMore"], false, "{path}");
        }
    });
}

/// Rule d42.
#[test]
fn a_scope_holds_on_relations_in_both_directions() {
    on_each_tenants(async |tenants| {
        let a = &tenants.a;
        let projects = a.get("/api/projects?populate=tasks").await;
        let tasks = related(&projects, "tasks");
        assert_eq!(tasks, [(1, vec![1, 2]), (2, vec![3]), (3, vec![8])]);
        let truncated = &projects.meta()["relations"]["tasks"]["truncated"];
        assert_eq!(*truncated, false);

        let tasks = a.get("/api/tasks?populate=project,tags").await;
        assert_eq!(
            related(&tasks, "project"),
            [
                (1, vec![1]),
                (2, vec![1]),
                (3, vec![2]),
                (4, vec![]),
                (5, vec![]),
                (7, vec![]),
                (8, vec![3]),
            ]
        );
        let tags = related(&tasks, "tags");
        let tags: Vec<_> = tags.into_iter().filter(|(_, of)| !of.is_empty()).collect();
        assert_eq!(tags, [(1, vec![1]), (2, vec![2])]);

        let tags = a.get("/api/tags?populate=tasks").await;
        assert_eq!(related(&tags, "tasks"), [(1, vec![1]), (2, vec![2])]);

        // The same rows, from the other side.
        let projects = tenants.b.get("/api/projects?populate=tasks").await;
        let tasks = related(&projects, "tasks");
        assert_eq!(
            tasks,
            [(7_001, vec![7_001]), (7_002, vec![7_002]), (7_003, vec![])]
        );
        let tags = tenants.b.get("/api/tags?populate=tasks").await;
        let tasks = related(&tags, "tasks");
        assert_eq!(tasks, [(7_001, vec![]), (7_002, vec![7_002])]);
    });
}

/// Rule d44.
#[test]
fn what_is_out_of_scope_sorts_as_null() {
    on_each_tenants(async |tenants| {
        let a = &tenants.a;
        let ascending = ids(a, "/api/tasks?sort=project.name").await;
        assert_eq!(ascending, [3, 1, 2, 8, 4, 5, 7]);
        let descending = ids(a, "/api/tasks?sort=project.name:desc").await;
        assert_eq!(descending, [7, 5, 4, 8, 2, 1, 3]);
    });
}

#[test]
fn a_scope_holds_on_filters() {
    on_each_tenants(async |tenants| {
        let a = &tenants.a;
        for (path, expected) in [
            ("projects?filters[id][$eq]=7001", &NONE[..]),
            (
                "projects?filters[id][$in][]=7001&filters[id][$in][]=2",
                &[2],
            ),
            ("projects?filters[id][$ne]=2", &[1, 3]),
            ("projects?filters[id][$notIn][]=1", &[2, 3]),
            ("projects?filters[name][$eq]=Harbour", &[1]),
            ("projects?filters[name][$contains]=e", &[2, 3]),
            ("projects?filters[slug][$eq]=b-7001", &[]),
            ("projects?filters[task_title][$eq]=Draw", &[1, 2]),
            ("projects?filters[task_title][$eq]=Spy", &[]),
            ("projects?filters[task_title][$eq]=Gone", &[]),
            ("tasks?filters[code][$eq]=c1", &[1]),
            ("tasks?filters[project_name][$eq]=Harbour", &[1, 2]),
            ("tasks?filters[project_name][$eq]=Alpha", &[]),
            // The number is A's own, whatever it points to.
            ("tasks?filters[project_id][$eq]=7001", &[5]),
            ("tasks?filters[project_id][$eq]=7002", &[]),
            ("tags?filters[name][$eq]=secret", &[]),
        ] {
            assert_eq!(ids(a, &format!("/api/{path}")).await, expected, "{path}");
        }
    });
}

#[test]
fn a_scope_holds_on_computed_fields() {
    on_each_tenants(async |tenants| {
        let path = "/api/projects?fields=tasks_count&sort=tasks_count:desc";
        let counts = tenants.a.get(path).await.column("tasks_count");
        assert_eq!(counts, [2, 1, 1]);
        let counts = tenants.b.get(path).await.column("tasks_count");
        assert_eq!(counts, [1, 1, 0]);
    });
}

/// Rule d34.
#[test]
fn a_label_tells_no_more_than_the_list_of_what_it_labels() {
    on_each_tenants(async |tenants| {
        let labels = async |client: &Client, values: &[&str]| {
            let query: Vec<_> = values
                .iter()
                .map(|value| format!("filters[project_id][$in][]={value}"))
                .collect();
            let path = format!("/api/tasks?{}", query.join("&"));
            let meta = client.get(&path).await.ok().meta();
            let filters = meta["filters"].as_array().unwrap().clone();
            let label = |filter: &Value| filter["label"].as_str().unwrap().to_owned();
            filters.iter().map(label).collect::<Vec<_>>()
        };
        let values = ["1", "7001", "4", "7004", "7999", "2"];
        let of_a = labels(&tenants.a, &values).await;
        assert_eq!(of_a, ["Harbour", "7001", "4", "7004", "7999", "Bridge"]);
        let of_b = labels(&tenants.b, &values).await;
        assert_eq!(of_b, ["1", "Alpha", "4", "7004", "7999", "2"]);
        assert_eq!(labels(&tenants.nobody, &values).await, values);
    });
}

/// Rule d62.
#[test]
fn the_bin_is_within_the_scope() {
    on_each_tenants(async |tenants| {
        let a = &tenants.a;
        for (path, of_a, of_b) in [
            (
                "projects?trashed=with",
                vec![1, 2, 3, 4],
                vec![7_001, 7_002, 7_003, 7_004],
            ),
            ("projects?trashed=only", vec![4], vec![7_004]),
            ("tasks?trashed=only", vec![6], vec![7_006]),
        ] {
            let path = format!("/api/{path}");
            assert_eq!(ids(a, &path).await, of_a, "{path}");
            assert_eq!(ids(&tenants.b, &path).await, of_b, "{path}");
            assert_eq!(ids(&tenants.nobody, &path).await, NONE, "{path}");
        }
        // What is populated is not what was asked for with `trashed`.
        let with = a.get("/api/projects?trashed=with&populate=tasks").await;
        let tasks = related(&with, "tasks");
        assert_eq!(
            tasks,
            [(1, vec![1, 2]), (2, vec![3]), (3, vec![8]), (4, vec![])]
        );
    });
}

#[test]
fn nobody_is_told_the_same_of_every_record() {
    on_each_tenants(async |tenants| {
        let nobody = &tenants.nobody;
        let absent = seen(&nobody.get("/api/projects/7999").await);
        assert_eq!(absent.0, 404);
        for id in [1, 4, 7_001, 7_004] {
            let reply = nobody.get(&format!("/api/projects/{id}")).await;
            assert_eq!(seen(&reply), absent, "{id}");
        }
    });
}
