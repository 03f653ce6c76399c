//! Filters through relations (d72–d77), where a hidden row can never be detected.

use crate::world::{ids, on_each_world, owner, project, task};

/// Rules d72, b11.
#[test]
fn filters_go_through_the_relations_that_the_listing_names() {
    on_each_world(async |world| {
        let query = "filters[owner][name][$eq]=Ada";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [1, 3]);
        let query = "filters[labels][name]=new";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [2, 5]);
        // Named with `only`: this one, and no other.
        let query = "filters[project][name][$startsWith]=Atl";
        assert_eq!(ids(&world.list::<task::Entity>(query).await), [1, 2, 3]);
        let error = world
            .list::<task::Entity>("filters[project][owner_id]=1")
            .await
            .error(400);
        assert_eq!(error["code"], "filter_unknown_field");
        let allowed = error["details"]["allowed"].to_string();
        assert_eq!(allowed, r#"["id","name","owner","tasks"]"#);
        let error = world
            .list::<task::Entity>("filters[project][labels][name]=new")
            .await
            .error(400);
        assert_eq!(error["code"], "nested_filter", "{error}");
    });
}

/// Rule d73.
#[test]
fn hidden_rows_are_not_detected() {
    on_each_world(async |world| {
        for query in [
            // Deleted, and of another tenant.
            "filters[owner][name]=Cy",
            "filters[owner][name]=Di",
            "filters[labels][name]=foreign",
            // Hidden by default.
            "filters[tasks][title]=secret",
        ] {
            assert_eq!(
                world.list::<project::Entity>(query).await.total(),
                0,
                "{query}"
            );
        }
        // The default goes when the client filters by its key.
        let query = "filters[tasks][title]=secret&filters[tasks][hidden]=true";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [2, 3]);
        // Links in the bin, of another tenant or of another kind lead nowhere.
        let query = "filters[labels][name]=urgent";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [1, 5]);
    });
}

/// Rules d145, b765.
#[test]
fn related_rows_are_found_by_their_ids_whatever_else_can_be_filtered_by() {
    on_each_world(async |world| {
        for (query, expected) in [
            ("filters[owner][id]=1", &[1, 3][..]),
            ("filters[owner]=1", &[1, 3]),
            ("filters[owner][$eq]=1", &[1, 3]),
            (
                "filters[owner][$in][]=1&filters[owner][$in][]=2",
                &[1, 2, 3],
            ),
            // Of the projects that have one that can be seen.
            ("filters[owner][$ne]=1", &[2]),
            ("filters[owner][id][$notIn][]=1", &[2]),
            // All others.
            ("filters[owner][$not]=1", &[2, 4, 5, 7]),
            ("filters[labels][id][$in][]=1", &[1, 5]),
            ("filters[labels]=2", &[2, 5]),
            ("filters[labels][$none][id]=2", &[1, 3, 4, 7]),
            (
                "filters[$or][0][labels]=2&filters[$or][1][owner]=1",
                &[1, 2, 3, 5],
            ),
            // Deleted, of another tenant, hidden.
            ("filters[owner]=3", &[]),
            ("filters[owner]=4", &[]),
            ("filters[labels]=3", &[]),
            ("filters[tasks]=5", &[]),
        ] {
            let reply = world.list::<project::Entity>(query).await;
            assert_eq!(ids(&reply), expected, "{query}: {}", reply.text());
        }
        // Also where `only` names other filters.
        let query = "filters[project]=1";
        assert_eq!(ids(&world.list::<task::Entity>(query).await), [1, 2, 3]);
        let reply = world
            .list::<project::Entity>("filters[$or][0][owner]=1")
            .await;
        assert_eq!(
            reply.meta()["filters"],
            serde_json::json!([{ "key": "id", "value": "1", "label": "1", "operator": "$eq", "path": "$or.0.owner" }])
        );
        let error = world
            .list::<project::Entity>("filters[labels][$in][0]=1&filters[labels][$in][1]=x")
            .await
            .error(400);
        assert_eq!(error["code"], "filter_wrong_value");
        assert_eq!(error["details"]["parameter"], "filters[labels][$in][1]");
        let error = world
            .list::<project::Entity>("filters[owner][$gt]=1")
            .await
            .error(400);
        let allowed = error["details"]["allowed"].as_array().unwrap();
        assert_eq!(
            allowed[..6],
            ["$null", "$notNull", "$eq", "$ne", "$in", "$notIn"]
        );
    });
}

/// Rules d146, b767.
#[test]
fn computed_fields_and_counts_are_filtered_by_where_a_definition_allows_it() {
    on_each_world(async |world| {
        for (query, expected) in [
            ("filters[labels_count][$gte]=1", &[1, 2, 5][..]),
            ("filters[labels_count]=2", &[5]),
            ("filters[labels][$count][$gte]=1", &[1, 2, 5]),
            ("filters[labels][$count]=2", &[5]),
            (
                "filters[tasks][$count][$between][]=1&filters[tasks][$count][$between][]=2",
                &[2, 4, 5],
            ),
            // Of the rows that populate would show.
            ("filters[tasks][$count]=0", &[3, 7]),
            ("filters[$not][tasks][$count][$gt]=0", &[3, 7]),
            (
                "filters[tasks][$count][$not][$in][]=1&filters[tasks][$count][$not][$in][]=3",
                &[3, 5, 7],
            ),
            ("filters[latest][$gt]=5", &[3, 4, 5]),
            // A null is not greater, and not less.
            ("filters[$not][latest][$gt]=5", &[1, 2, 7]),
            ("filters[latest][$null]=true", &[7]),
            ("filters[latest][$ne]=9", &[1, 2, 3, 4, 7]),
            ("filters[owner][projects][labels_count]=1", &[1, 2, 3]),
            ("filters[owner][projects][tasks][$count]=3", &[1, 3]),
        ] {
            let reply = world.list::<project::Entity>(query).await;
            assert_eq!(ids(&reply), expected, "{query}: {}", reply.text());
            assert_eq!(reply.total(), expected.len() as u64, "{query}");
        }
        // Rows of the same table.
        for query in ["filters[parts_count]=2", "filters[parts][$count]=2"] {
            assert_eq!(
                ids(&world.list::<task::Entity>(query).await),
                [1],
                "{query}"
            );
        }
        let reply = world
            .list::<project::Entity>("filters[tasks][$count][$gte]=2")
            .await;
        assert_eq!(
            reply.meta()["filters"],
            serde_json::json!([{ "key": "$count", "value": "2", "label": "2", "operator": "$gte", "path": "tasks" }])
        );
        for (query, code, parameter) in [
            (
                "filters[owner][$count]=1",
                "filter_operator_not_allowed",
                "filters[owner][$count]",
            ),
            (
                "filters[name][$count]=1",
                "filter_unknown_operator",
                "filters[name][$count]",
            ),
            (
                "filters[tasks][$count]=x",
                "filter_wrong_value",
                "filters[tasks][$count]",
            ),
            (
                "filters[tasks][$count][$null]=true",
                "filter_operator_not_allowed",
                "filters[tasks][$count][$null]",
            ),
            (
                "filters[owners_count]=1",
                "filter_unknown_field",
                "filters[owners_count]",
            ),
        ] {
            let error = world.list::<project::Entity>(query).await.error(400);
            assert_eq!(error["code"], code, "{query}: {error}");
            assert_eq!(error["details"]["parameter"], parameter, "{query}: {error}");
        }
    });
}

/// Rule d74.
#[test]
fn conditions_in_one_object_hold_for_one_row() {
    on_each_world(async |world| {
        let one = "filters[tasks][title]=plan&filters[tasks][done]=false";
        assert_eq!(world.list::<project::Entity>(one).await.total(), 0);
        let two = "filters[$and][0][tasks][title]=plan&filters[$and][1][tasks][done]=false";
        assert_eq!(ids(&world.list::<project::Entity>(two).await), [1]);
    });
}

/// Rule d75.
#[test]
fn some_none_and_every() {
    on_each_world(async |world| {
        for (query, expected) in [
            ("filters[tasks][$some][done]=true", &[1, 2, 5][..]),
            ("filters[tasks][done]=true", &[1, 2, 5]),
            ("filters[tasks][$none][done]=true", &[3, 4, 7]),
            // Of no rows, every one; a null is not true.
            ("filters[tasks][$every][done]=true", &[2, 3, 5, 7]),
            ("filters[$not][tasks][$every][done]=true", &[1, 4]),
            ("filters[labels][$every][name]=new", &[2, 3, 4, 7]),
        ] {
            let reply = world.list::<project::Entity>(query).await;
            assert_eq!(ids(&reply), expected, "{query}: {}", reply.text());
        }
    });
}

/// Rule d76.
#[test]
fn existence() {
    on_each_world(async |world| {
        for (query, expected) in [
            ("filters[owner][$null]=true", &[4, 5, 7][..]),
            ("filters[owner][$null]=false", &[1, 2, 3]),
            ("filters[owner][$notNull]=true", &[1, 2, 3]),
            ("filters[owner][$notNull]=", &[1, 2, 3]),
            ("filters[tasks][$null]=true", &[3, 7]),
            ("filters[labels][$notNull]=true", &[1, 2, 5]),
            ("filters[$not][labels][$notNull]=true", &[3, 4, 7]),
        ] {
            let reply = world.list::<project::Entity>(query).await;
            assert_eq!(ids(&reply), expected, "{query}: {}", reply.text());
        }
    });
}

/// Rule d77.
#[test]
fn relations_of_relations_up_to_a_bound() {
    on_each_world(async |world| {
        let query = "filters[owner][projects][tasks][title]=write";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [1, 3]);
        let query = "filters[parent][parts][title]=write";
        assert_eq!(ids(&world.list::<task::Entity>(query).await), [2, 3]);
        let query = "filters[projects][tasks][parts][title]=write";
        assert_eq!(ids(&world.list::<owner::Entity>(query).await), [1]);
        let query = "filters[owner][projects][owner][projects][name]=Atlas";
        let error = world.list::<project::Entity>(query).await.error(400);
        assert_eq!(error["code"], "filter_too_many_relations", "{error}");
        assert_eq!(
            error["details"]["parameter"],
            "filters[owner][projects][owner][projects]"
        );
        // A project with many matching rows is one project.
        let reply = world
            .list::<project::Entity>("filters[tasks][title][$null]=false")
            .await;
        assert_eq!((ids(&reply), reply.total()), (vec![1, 2, 4, 5], 4));
    });
}

/// The order of the rows, and sorts through relations, go together with filters through them.
/// Rule d72.
#[test]
fn a_filter_and_a_sort_through_one_relation() {
    on_each_world(async |world| {
        let query = "filters[owner][name][$in][]=Ada&filters[owner][name][$in][]=Bo&sort=owner.name:desc\
                     &populate=owner,labels,tasks";
        let reply = world.list::<project::Entity>(query).await;
        assert_eq!(ids(&reply), [2, 3, 1]);
    });
}
