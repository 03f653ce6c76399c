//! Conditions of an application that name a column without its table mean the entity's own, whatever is joined (b180).

use serde_json::json;

use crate::world::{ids, label, on_each_world, owner, project};

/// Rule b180.
#[test]
fn a_sort_by_a_relation_leaves_unqualified_names_to_the_entity() {
    on_each_world(async |world| {
        // `tenant` and `name` are columns of both tables.
        let reply = world.list::<project::Entity>("sort=owner.name").await;
        assert_eq!(ids(&reply), [1, 3, 2, 4, 5, 7], "{reply:?}");
        let query = "sort=owner.name:desc&filters[named][$eq]=Atlas&populate=owner";
        let reply = world.list::<project::Entity>(query).await;
        assert_eq!(ids(&reply), [1]);
        assert_eq!(reply.items()[0]["owner"]["name"], "Ada");
        // By cursor the sort's value is selected and compared with, too.
        let first = "sort=owner.name&pagination[cursor]=&pagination[pageSize]=2";
        let reply = world.list::<project::Entity>(first).await;
        let next = reply.json()["meta"]["pagination"]["nextCursor"].clone();
        let query = format!(
            "sort=owner.name&pagination[pageSize]=2&pagination[cursor]={}",
            next.as_str().unwrap()
        );
        assert_eq!(ids(&world.list::<project::Entity>(&query).await), [2, 4]);
    });
}

/// Rule b180.
#[test]
fn populate_through_a_junction_leaves_unqualified_names_to_the_entity() {
    on_each_world(async |world| {
        let reply = world.list::<label::Entity>("populate=projects").await;
        let shown: Vec<_> = reply.items()[0]["projects"]
            .as_array()
            .unwrap_or_else(|| panic!("{reply:?}"))
            .iter()
            .map(|project| project["id"].clone())
            .collect();
        assert_eq!(shown, [json!(1), json!(5)]);
        let reply = world.list::<owner::Entity>("populate=projects").await;
        assert_eq!(reply.items()[0]["projects"].as_array().unwrap().len(), 2);
    });
}
