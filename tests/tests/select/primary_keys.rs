//! The primary key is `id` in every answer, whatever its column and its type (d41).

use listing_tests::{Engine, Reply, run};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::own::keys::{attachment, city, country, document, key};
use crate::own::{Own, on_each_own_database};

fn id(n: u8) -> Value {
    json!(key(n).to_string())
}

#[track_caller]
fn same(reply: &Reply, items: Value) {
    assert_eq!(Value::from(reply.items()), items);
}

/// Rule d41.
#[test]
fn a_uuid_is_a_key_whatever_its_column_is_called() {
    on_each_own_database(async |own| {
        // The keys' bytes descend as their numbers ascend.
        let reply = own.list::<document::Entity>("").await;
        assert_eq!(reply.column("id"), [id(3), id(2), id(1)]);
        assert_eq!(reply.keys(), ["id", "title"]);
        let reply = own.list::<document::Entity>("sort=id:desc").await;
        assert_eq!(reply.column("id"), [id(1), id(2), id(3)]);
        let reply = own.list::<document::Entity>("fields=uuid,title").await;
        assert_eq!(
            reply.keys(),
            ["id", "title"],
            "the column's name is no name"
        );
        assert_eq!(reply.meta()["ignored"], json!({"fields": ["uuid"]}));
    });
}

/// Rules d41, d43, d44.
#[test]
fn a_uuid_joins_parents_and_children() {
    on_each_own_database(async |own| {
        let reply = own
            .list::<document::Entity>("populate=attachments&sort=title")
            .await;
        let attachment = |n| json!({"id": id(n), "name": format!("attachment {n}")});
        let ten: Vec<_> = (103..113).map(attachment).collect();
        same(
            &reply,
            json!([
                {"id": id(1), "title": "document 1", "attachments": [attachment(101), attachment(102)]},
                {"id": id(2), "title": "document 2", "attachments": []},
                {"id": id(3), "title": "document 3", "attachments": ten},
            ]),
        );
        let told = json!({"attachments": {"limit": 10, "truncated": true}});
        assert_eq!(reply.meta()["relations"], told);

        let query = "populate=document&sort=document.title:desc&pagination[pageSize]=100";
        let reply = own.list::<attachment::Entity>(query).await;
        // The key in the direction of the last sort, and its bytes descend.
        let order = (103..=114).chain(101..=102).map(id);
        assert_eq!(reply.column("id"), order.collect::<Vec<_>>());
        assert_eq!(
            reply.items()[13]["document"],
            json!({"id": id(1), "title": "document 1"})
        );
    });
}

/// Some programs write UUIDs into SQLite as text.
/// Rules d41, d43, b444.
#[test]
fn related_rows_are_found_whose_keys_are_uuids_as_text() {
    run(async {
        let own = Own::fresh(Engine::Sqlite).await;
        let query = "populate=attachments&sort=title";
        let before = own.list::<document::Entity>(query).await;
        let as_text = "UPDATE attachments SET uuid = lower(format('%s-%s-%s-%s-%s', \
             substr(hex(uuid), 1, 8), substr(hex(uuid), 9, 4), substr(hex(uuid), 13, 4), \
             substr(hex(uuid), 17, 4), substr(hex(uuid), 21)))";
        let done = own.db.execute_unprepared(as_text).await.unwrap();
        assert_eq!(done.rows_affected(), 14);
        same(
            &own.list::<document::Entity>(query).await,
            before.items().into(),
        );
    });
}

/// Rules d41, b39.
#[test]
fn text_is_a_key_whatever_it_holds() {
    on_each_own_database(async |own| {
        let reply = own
            .list::<city::Entity>("sort=country.name&pagination[limit]=5")
            .await;
        let first: Vec<_> = reply.items();
        assert_eq!(
            first[0],
            json!({"id": 6, "name": "nowhere", "country": null})
        );
        let odd = json!({"id": "it's", "name": "apostrophe"});
        assert_eq!(first[1], json!({"id": 5, "name": "quote", "country": odd}));
        let reply = own.list::<city::Entity>("sort=country.name:desc").await;
        let country = reply.column("country");
        assert_eq!(country[0], Value::Null, "defined to have no country first");
        assert_eq!(country[1], json!({"id": "PE", "name": "peru"}));
        assert_eq!(country[2], json!({"id": "a%_\\\"é", "name": "odd"}));

        let reply = own
            .list::<country::Entity>("populate=cities&fields=name,code")
            .await;
        let norway = reply
            .items()
            .into_iter()
            .find(|item| item["id"] == "NO")
            .unwrap();
        // The relation's own limit, its own order (no value counts as the largest) and its own columns.
        let cities = json!([
            {"id": 3, "population": null, "name": "moss"},
            {"id": 1, "population": 700, "name": "oslo"},
        ]);
        assert_eq!(
            norway,
            json!({"id": "NO", "name": "norway", "code": "NO", "cities": cities})
        );
        let odd = reply
            .items()
            .into_iter()
            .find(|item| item["id"] == "a%_\\\"é")
            .unwrap();
        assert_eq!(
            odd["cities"],
            json!([{"id": 7, "population": 1, "name": "odd"}])
        );
        let told = json!({"cities": {"limit": 2, "truncated": true}});
        assert_eq!(reply.meta()["relations"], told);
    });
}
