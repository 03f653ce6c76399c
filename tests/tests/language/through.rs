//! Filters through relations (d72–d77), where a hidden row can never be detected.

use crate::world::{ids, on_each_world, owner, project, task};

#[test]
fn d72_b11_filters_go_through_the_relations_that_the_listing_names() {
    on_each_world(async |world| {
        let query = "filters[owner][name][$eq]=Ada";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [1, 3]);
        let query = "filters[labels][name]=new";
        assert_eq!(ids(&world.list::<project::Entity>(query).await), [2, 5]);
        // Named with `only`: this one, and no other.
        let query = "filters[project][name][$startsWith]=Atl";
        assert_eq!(ids(&world.list::<task::Entity>(query).await), [1, 2, 3]);
        let error = world
            .list::<task::Entity>("filters[project][id]=1")
            .await
            .error(400);
        assert_eq!(error["code"], "filter_unknown_field");
        let allowed = error["details"]["allowed"].to_string();
        assert_eq!(allowed, r#"["name","owner","tasks"]"#);
        let error = world
            .list::<task::Entity>("filters[project][labels][name]=new")
            .await
            .error(400);
        assert_eq!(error["code"], "nested_filter", "{error}");
    });
}

#[test]
fn d73_hidden_rows_are_not_detected() {
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

#[test]
fn d74_conditions_in_one_object_hold_for_one_row() {
    on_each_world(async |world| {
        let one = "filters[tasks][title]=plan&filters[tasks][done]=false";
        assert_eq!(world.list::<project::Entity>(one).await.total(), 0);
        let two = "filters[$and][0][tasks][title]=plan&filters[$and][1][tasks][done]=false";
        assert_eq!(ids(&world.list::<project::Entity>(two).await), [1]);
    });
}

#[test]
fn d75_some_none_and_every() {
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

#[test]
fn d76_existence() {
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

#[test]
fn d77_relations_of_relations_up_to_a_bound() {
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
#[test]
fn d72_a_filter_and_a_sort_through_one_relation() {
    on_each_world(async |world| {
        let query = "filters[owner][name][$in][]=Ada&filters[owner][name][$in][]=Bo&sort=owner.name:desc\
                     &populate=owner,labels,tasks";
        let reply = world.list::<project::Entity>(query).await;
        assert_eq!(ids(&reply), [2, 3, 1]);
    });
}
