//! Keys that the database takes for equal are equal in relations, whatever their case (b181).

use listing_tests::Engine;
use serde_json::{Value, json};

use crate::world::{land, on_each_world, town};

/// Rule b181.
#[test]
fn populate_meets_keys_as_the_database_does() {
    on_each_world(async |world| {
        let exact = world.engine == Engine::Postgres;
        let reply = world.list::<town::Entity>("populate=land").await;
        let lands: Vec<_> = reply
            .items()
            .iter()
            .map(|town| town["land"]["name"].clone())
            .collect();
        let if_any_case = |name: &str| if exact { Value::Null } else { json!(name) };
        assert_eq!(
            lands,
            [
                if_any_case("Germany"),
                json!("Germany"),
                if_any_case("France"),
                Value::Null,
                Value::Null,
                if_any_case("Germany"),
            ]
        );
        let reply = world.list::<land::Entity>("populate=towns").await;
        let items = reply.items();
        let towns = |land: usize| -> Vec<_> {
            let towns = items[land]["towns"].as_array().unwrap().iter();
            towns.map(|town| town["name"].as_str().unwrap()).collect()
        };
        if exact {
            assert_eq!((towns(0), towns(1)), (vec![], vec!["Kiel"]));
        } else {
            assert_eq!(
                (towns(0), towns(1)),
                (vec!["Lyon"], vec!["Bonn", "Kiel", "Trier"])
            );
        }
        assert!(towns(2).is_empty());
    });
}

/// Rule b181.
#[test]
fn a_sort_by_relation_sees_what_populate_shows() {
    on_each_world(async |world| {
        let query = "sort=land.name&populate=land";
        let reply = world.list::<town::Entity>(query).await;
        let shown: Vec<_> = reply
            .items()
            .iter()
            .map(|town| town["land"]["name"].as_str().unwrap_or("~").to_owned())
            .collect();
        assert!(shown.is_sorted(), "{shown:?}");
    });
}
