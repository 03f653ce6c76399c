//! Groups of filters: `$and`, `$or` and `$not`, at any level (d65–d71).

use serde_json::json;

use crate::world::{ids, on_each_world, project, task};

/// Rule d65.
#[test]
fn groups_join_conditions() {
    on_each_world(async |world| {
        for (query, expected) in [
            (
                "filters[$or][0][id]=1&filters[$or][1][name][$contains]=BOR",
                &[1, 3][..],
            ),
            (
                "filters[$and][0][id][$gt]=1&filters[$and][1][id][$lt]=4",
                &[2, 3],
            ),
            ("filters[$not][id][$gt]=2", &[1, 2]),
            // Under a key, operators are grouped.
            ("filters[id][$not][$gt]=2", &[1, 2]),
            (
                "filters[id][$or][0][$eq]=1&filters[id][$or][1][$eq]=4",
                &[1, 4],
            ),
            // What stands in one object must all hold.
            (
                "filters[$or][0][id][$gt]=1&filters[$or][0][id][$lt]=3&filters[$or][1][id]=7",
                &[2, 7],
            ),
            // Groups in groups, next to a plain filter.
            (
                "filters[id][$lt]=5&filters[$or][0][$and][0][id]=1&filters[$or][0][$and][1][owner_id]=1\
                 &filters[$or][1][$not][owner_id][$notNull]=true",
                &[1, 4],
            ),
            (
                "filters[$not][$or][0][id]=1&filters[$not][$or][1][id]=2",
                &[3, 4, 5, 7],
            ),
            // Of a plain value, the rows with any other, or none.
            ("filters[owner_id][$not]=1", &[2, 4, 5, 7]),
            // A list inside a group is one object.
            (
                "filters[$or][0][0][id][$gt]=1&filters[$or][0][1][id][$lt]=4&filters[$or][1][id]=7",
                &[2, 3, 7],
            ),
        ] {
            let reply = world.list::<project::Entity>(query).await;
            assert_eq!(ids(&reply), expected, "{query}: {}", reply.text());
            assert_eq!(reply.total(), expected.len() as u64, "{query}");
        }
        let body =
            json!({ "filters": { "$or": [{ "id": 1 }, { "name": { "$contains": "bor" } }] } });
        assert_eq!(ids(&world.post::<project::Entity>(&body).await), [1, 3]);
    });
}

/// Rule d67.
#[test]
fn not_is_the_complement_whatever_is_null() {
    on_each_world(async |world| {
        for (inner, outer) in [
            ("[owner_id][$eq]=1", "filters[owner_id][$ne]=1"),
            ("[name][$contains]=at", "filters[name][$notContains]=at"),
            ("[owner_id][$null]=true", "filters[owner_id][$notNull]=true"),
        ] {
            let negated = world
                .list::<project::Entity>(&format!("filters[$not]{inner}"))
                .await;
            let other = world.list::<project::Entity>(outer).await;
            assert_eq!(ids(&negated), ids(&other), "{inner}");
            assert!(!ids(&other).is_empty());
        }
        // A null is not less than three, and not more either.
        let reply = world
            .list::<project::Entity>("filters[$not][owner_id][$lt]=3")
            .await;
        assert_eq!(ids(&reply), [4, 5, 7]);
        let query = "filters[$not][$not][owner_id][$lt]=3";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [1, 2, 3]);
        // Nothing is outside of everything.
        let body = json!({ "filters": { "$not": { "id": { "$notIn": [] } } } });
        assert_eq!(world.post::<project::Entity>(&body).await.total(), 0);
        let body = json!({ "filters": { "$not": { "id": { "$in": [] } } } });
        assert_eq!(world.post::<project::Entity>(&body).await.total(), 6);
    });
}

/// Rule d68.
#[test]
fn an_empty_group_is_400() {
    on_each_world(async |world| {
        for filters in [
            json!({ "$or": [] }),
            json!({ "$and": [{}] }),
            json!({ "$not": {} }),
            json!({ "owner": { "$some": {} } }),
            json!({ "$or": [{ "id": 1 }, {}] }),
            json!({ "$or": [{ "owner": { "$or": [] } }] }),
        ] {
            let reply = world
                .post::<project::Entity>(&json!({ "filters": filters }))
                .await;
            assert_eq!(reply.status, 400, "{filters}: {}", reply.text());
        }
    });
}

/// Rule d69.
#[test]
fn a_key_inside_a_group_drops_its_default() {
    on_each_world(async |world| {
        assert_eq!(world.list::<task::Entity>("").await.total(), 7);
        let query = "filters[$or][0][hidden]=true&filters[$or][1][title]=plan";
        let reply = world.list::<task::Entity>(query).await;
        assert_eq!(ids(&reply), [1, 4, 5, 6, 9]);
        let query = "filters[$not][hidden]=false";
        assert_eq!(ids(&world.list::<task::Entity>(query).await), [5, 6]);
        // A key of a relation is another key.
        let query = "filters[parts][hidden]=true";
        assert_eq!(ids(&world.list::<task::Entity>(query).await), [4]);
        assert_eq!(
            world.list::<task::Entity>(query).await.meta()["filters"][1]["key"],
            "hidden"
        );
    });
}

/// Rules d70, b184.
#[test]
fn meta_filters_tell_the_path() {
    on_each_world(async |world| {
        let query = "filters[id][$gt]=0&filters[$or][0][name]=Atlas&filters[$or][1][owner][name][$in][]=Ada\
                     &filters[$or][1][owner][name][$in][]=Bo&filters[$not][tasks][$none][title]=plan\
                     &filters[labels][$null]=false";
        let reply = world.list::<project::Entity>(query).await;
        let told = reply.meta()["filters"].clone();
        let filter = |key: &str, value: &str, operator: &str, path: Option<&str>| {
            let mut told =
                json!({ "key": key, "value": value, "label": value, "operator": operator });
            if let Some(path) = path {
                told["path"] = json!(path);
            }
            told
        };
        assert_eq!(
            told,
            json!([
                filter("id", "0", "$gt", None),
                filter("name", "Atlas", "$eq", Some("$or.0")),
                filter("name", "Ada", "$in", Some("$or.1.owner")),
                filter("name", "Bo", "$in", Some("$or.1.owner")),
                filter("title", "plan", "$eq", Some("$not.tasks.$none")),
                filter("labels", "false", "$null", None),
            ]),
            "{told:#}"
        );
    });
}

/// Rule d71.
#[test]
fn custom_filters_stand_in_groups_and_one_without_a_condition_matches_nothing() {
    on_each_world(async |world| {
        let query = "filters[$or][0][named]=Atlas&filters[$or][1][id]=3";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [1, 3]);
        let query = "filters[$not][named]=Atlas";
        assert_eq!(
            ids(&world.list::<project::Entity>(query).await),
            [2, 3, 4, 5, 7]
        );
        let query = "filters[nothing]=x";
        assert_eq!(world.list::<project::Entity>(query).await.total(), 0);
        let query = "filters[$or][0][nothing]=x&filters[$or][1][id]=3";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [3]);
        let query = "filters[owner][projects][named]=Borealis";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [1, 3]);
    });
}

/// Rule d65.
#[test]
fn errors_name_the_whole_way() {
    on_each_world(async |world| {
        for (query, code, parameter) in [
            (
                "filters[$or][0][nmae]=x",
                "filter_unknown_field",
                "filters[$or][0][nmae]",
            ),
            (
                "filters[$or][1][$not][name][$lt]=x&filters[$or][0][id]=1",
                "filter_operator_not_allowed",
                "filters[$or][1][$not][name][$lt]",
            ),
            (
                "filters[owner][projects][$none][owner_id][$eq]=x",
                "filter_wrong_value",
                "filters[owner][projects][$none][owner_id][$eq]",
            ),
            // The first wrong one of several.
            (
                "filters[id][$in][0]=1&filters[id][$in][1]=2&filters[id][$in][2]=x",
                "filter_wrong_value",
                "filters[id][$in][2]",
            ),
            (
                "filters[id][$in]=x",
                "filter_wrong_value",
                "filters[id][$in]",
            ),
            (
                "filters[not][name]=x",
                "filter_unknown_field",
                "filters[not]",
            ),
            (
                "filters[owner][email]=x",
                "filter_unknown_field",
                "filters[owner][email]",
            ),
            (
                "filters[owner][$gt]=1",
                "filter_operator_not_allowed",
                "filters[owner][$gt]",
            ),
            (
                "filters[name][first]=x",
                "filter_unknown_operator",
                "filters[name][first]",
            ),
            (
                "filters[wner][name]=x",
                "filter_unknown_field",
                "filters[wner]",
            ),
        ] {
            let error = world.list::<project::Entity>(query).await.error(400);
            assert_eq!(error["code"], code, "{query}: {error}");
            assert_eq!(error["details"]["parameter"], parameter, "{query}: {error}");
        }
        let error = world
            .list::<project::Entity>("filters[wner][name]=x")
            .await
            .error(400);
        assert_eq!(error["details"]["nearest"], "owner");
    });
}
