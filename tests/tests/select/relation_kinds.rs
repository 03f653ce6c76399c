//! Every kind of relation that the derive names: trees, two relations to one entity, both ways through a junction.

use serde_json::{Value, json};

use crate::own::graph::{account, category, club, person, transfer};
use crate::own::odd::{NOTES, child, device, note, parent, plug};
use crate::own::on_each_own_database;

/// Rules d42, d44, d46.
#[test]
fn a_tree_has_parents_and_children_of_its_own_table() {
    on_each_own_database(async |own| {
        let reply = own
            .list::<category::Entity>("populate=parent,children&sort=parent.name")
            .await;
        let shown = |id: i32, name: &str, children: i32| json!({"id": id, "name": name, "children_count": children});
        let (root, animals) = (shown(1, "root", 3 - 1), shown(3, "animals", 2));
        let with = |item: &Value, parent: &Value, children: &[Value]| {
            let mut item = item.clone();
            item["parent"] = parent.clone();
            item["children"] = json!(children);
            item
        };
        let (cats, dogs) = (shown(4, "cats", 0), shown(5, "dogs", 0));
        let (plants, orphan) = (shown(2, "plants", 0), shown(7, "orphan", 0));
        assert_eq!(
            reply.items(),
            [
                with(&cats, &animals, &[]),
                with(&dogs, &animals, &[]),
                // In the default order of categories: fewest children first.
                with(&plants, &root, &[]),
                with(&animals, &root, &[cats.clone(), dogs.clone()]),
                with(&root, &Value::Null, &[plants.clone(), animals.clone()]),
                // Its parent is deleted: not shown, and sorted as if there were none.
                with(&orphan, &Value::Null, &[]),
            ]
        );
        let reply = own.list::<category::Entity>("sort=parent.name:desc").await;
        assert_eq!(reply.ids(), [7, 1, 3, 2, 5, 4]);
        assert_eq!(reply.total(), 6);
    });
}

/// Rules d42, d46.
#[test]
fn two_relations_lead_to_one_entity() {
    on_each_own_database(async |own| {
        let query = "populate=payer,payee&sort=payee.owner,payer.owner:desc";
        let reply = own.list::<transfer::Entity>(query).await;
        let account = |id: i64, owner: &str| json!({"id": id, "owner": owner});
        let (ada, bo, cy) = (account(1, "ada"), account(2, "bo"), account(3, "cy"));
        let transfer = |id: i64, amount: i32, payer: &Value, payee: &Value| json!({"id": id, "amount": amount, "payer": payer, "payee": payee});
        assert_eq!(
            reply.items(),
            [
                transfer(2, 20, &bo, &ada),
                transfer(4, 40, &cy, &bo),
                transfer(1, 30, &ada, &bo),
                transfer(5, 20, &ada, &cy),
                transfer(3, 10, &ada, &Value::Null),
            ]
        );
        let reply = own.list::<account::Entity>("populate=*").await;
        let transfer = |id: i64, amount: i32| json!({"id": id, "amount": amount});
        assert_eq!(
            reply.items()[0],
            json!({"id": 1, "owner": "ada",
                "outgoing": [transfer(3, 10), transfer(5, 20), transfer(1, 30)],
                "incoming": [transfer(2, 20)]})
        );
        assert_eq!(
            reply.column("incoming"),
            [
                json!([transfer(2, 20)]),
                json!([transfer(1, 30), transfer(4, 40)]),
                json!([transfer(5, 20)])
            ]
        );
    });
}

/// Rules d42, d43, d44.
#[test]
fn a_junction_to_the_same_entity_is_walked_both_ways() {
    on_each_own_database(async |own| {
        let reply = own
            .list::<person::Entity>("populate=followers,following&sort=name")
            .await;
        let people = |ids: &[i64]| {
            let name = |id: &i64| ["ada", "bo", "cy", "di"][usize::try_from(id - 1).unwrap()];
            let people = ids.iter().map(|id| json!({"id": id, "name": name(id)}));
            Value::from(people.collect::<Vec<_>>())
        };
        assert_eq!(
            reply.column("followers"),
            [
                people(&[3, 2]),
                people(&[1]),
                people(&[4, 2, 1]),
                people(&[])
            ]
        );
        assert_eq!(
            reply.column("following"),
            [people(&[3, 2]), people(&[3, 1]), people(&[1]), people(&[3])]
        );
    });
}

/// Rule d42.
#[test]
fn a_junction_can_lead_to_one_entity_in_two_ways() {
    on_each_own_database(async |own| {
        let person = |id: i64, name: &str| json!({"id": id, "name": name});
        let reply = own.list::<club::Entity>("populate=members").await;
        assert_eq!(
            reply.column("members"),
            [
                json!([person(3, "cy"), person(1, "ada")]),
                json!([person(4, "di"), person(3, "cy")]),
            ]
        );
        let reply = own.list::<person::Entity>("populate=clubs&sort=name").await;
        let (chess, rowing) = (
            json!({"id": 1, "name": "chess"}),
            json!({"id": 2, "name": "rowing"}),
        );
        assert_eq!(
            reply.column("clubs"),
            [
                json!([chess]),
                json!([]),
                json!([chess, rowing]),
                json!([rowing])
            ]
        );
    });
}

/// Rule d42.
#[test]
fn compact_models_and_relations_named_by_hand_are_populated_too() {
    on_each_own_database(async |own| {
        let reply = own
            .list::<note::Entity>("populate=device&sort=unknown")
            .await;
        let devices: Vec<_> = NOTES
            .iter()
            .map(|(_, device, _)| json!({"id": device}))
            .collect();
        assert_eq!(reply.column("device"), devices);
        let reply = own.list::<plug::Entity>("populate=*&sort=socket.id").await;
        let plug = |id: i64, device: i64| json!({"id": id, "device": {"id": device}, "socket": {"id": device}});
        assert_eq!(reply.items(), [plug(2, 2), plug(1, 4), plug(3, 4)]);
    });
}

/// Rules d46, d38.
#[test]
fn a_sort_by_relation_uses_the_alias_of_the_related_field() {
    on_each_own_database(async |own| {
        let by_owner = own
            .list::<transfer::Entity>("sort=payer.owner:desc")
            .await
            .ids();
        assert_eq!(by_owner, [4, 2, 5, 3, 1]);
        let by_holder = own
            .list::<transfer::Entity>("sort=payer.holder:desc")
            .await
            .ids();
        assert_eq!(by_holder, by_owner);
    });
}

/// Rules d46, b32.
#[test]
fn several_rows_behind_a_has_one_are_one_row_each() {
    on_each_own_database(async |own| {
        let reply = own
            .list::<device::Entity>("populate=reading,note&sort=reading.value")
            .await;
        assert_eq!(reply.total(), 4);
        let device = |id: i64, reading: Value, note: Value| json!({"id": id, "reading": reading, "note": note});
        let reading = |id: i64, value: i32| json!({"id": id, "value": value});
        let note = |id: i64, text: &str| json!({"id": id, "text": text});
        assert_eq!(
            reply.items(),
            [
                // The relation's own order chooses the row: that one is shown, and that one is sorted by.
                device(4, reading(7, 3), note(4, "a")),
                device(1, reading(2, 5), note(3, "c")),
                // The latest is broken, which the default filter of readings hides.
                device(2, reading(4, 6), note(1, "b")),
                device(3, Value::Null, Value::Null),
            ]
        );
        let reply = own
            .list::<device::Entity>("sort=note.text:desc&pagination[pageSize]=3")
            .await;
        assert_eq!(reply.ids(), [3, 1, 2]);
        assert_eq!(reply.meta()["pagination"]["pageCount"], 2);
    });
}

/// Rule b208.
#[test]
fn which_row_a_relation_to_one_leads_to_is_not_the_clients_choice() {
    on_each_own_database(async |own| {
        let plain = own.list::<device::Entity>("populate=note").await;
        // The first of its two.
        assert_eq!(plain.items()[1]["note"], json!({"id": 1, "text": "b"}));
        let reply = own
            .list::<device::Entity>("populate[note][sort]=id:desc,text")
            .await;
        assert_eq!(reply.items(), plain.items());
        // It is checked all the same.
        assert_eq!(reply.meta()["ignored"], json!({"sort": ["note.text"]}));
    });
}

/// Rules b32, b183, b511.
#[test]
fn what_is_asked_of_the_one_row_holds_for_the_row_that_is_shown() {
    on_each_own_database(async |own| {
        let found = async |query: &str| own.list::<device::Entity>(query).await.ids();
        // The latest readings that are not broken are 5, 6 and 3; there were higher ones before.
        for (query, devices) in [
            ("filters[reading][value][$gt]=5", vec![2]),
            ("filters[reading][value][$gt]=6", vec![]),
            ("filters[reading][value][$lt]=5", vec![4]),
            ("filters[reading][$none][value][$gt]=5", vec![1, 3, 4]),
            ("filters[reading][$every][value][$lt]=6", vec![1, 3, 4]),
            ("filters[$not][reading][value][$gt]=5", vec![1, 3, 4]),
            ("filters[reading][$notNull]=true", vec![1, 2, 4]),
            // The default of a key that is filtered by does not hold: the latest of all readings.
            ("filters[reading][broken]=true", vec![2]),
            ("filters[reading][broken]=false", vec![1, 4]),
            // The first note of the second device is `b`.
            ("filters[note][text]=a", vec![4]),
            ("filters[note][text]=b", vec![2]),
        ] {
            assert_eq!(found(query).await, devices, "{query}");
        }
        // Further in.
        let notes = own
            .list::<note::Entity>("filters[device][reading][value][$gt]=5")
            .await;
        assert_eq!(notes.ids(), [2, 1]);
    });
}

/// Rules b32, b208, b511.
#[test]
fn filters_and_counts_of_the_one_row_choose_no_other() {
    on_each_own_database(async |own| {
        let shown =
            async |query: &str, name: &str| own.list::<device::Entity>(query).await.column(name);
        let reading = |id: i64, value: i32| json!({"id": id, "value": value});
        let none = Value::Null;
        for (filter, readings) in [
            (
                "[value][$gt]=5",
                [none.clone(), reading(4, 6), none.clone(), none.clone()],
            ),
            (
                "[value][$lt]=6",
                [reading(2, 5), none.clone(), none.clone(), reading(7, 3)],
            ),
            (
                "[broken]=true",
                [none.clone(), reading(5, 2), none.clone(), none.clone()],
            ),
        ] {
            let query = format!("populate[reading][filters]{filter}");
            assert_eq!(shown(&query, "reading").await, readings, "{query}");
        }
        let counts = [1, 1, 0, 1].map(|count| json!({"count": count}));
        assert_eq!(
            shown("populate[reading][count]=true", "reading").await,
            counts
        );
        let query = "populate[reading][count]=true&populate[reading][filters][value][$gt]=5";
        let counts = [0, 1, 0, 0].map(|count| json!({"count": count}));
        assert_eq!(shown(query, "reading").await, counts);
        // A field that counts counts the same.
        let query = "fields=reading_count";
        assert_eq!(
            shown(query, "reading_count").await,
            [1, 1, 0, 1].map(Value::from)
        );
    });
}

/// Rules d42, d46.
#[test]
fn tables_may_be_called_as_the_engine_calls_its_own() {
    on_each_own_database(async |own| {
        let reply = own
            .list::<parent::Entity>("populate=children&fields=*&sort=minus_c1")
            .await;
        let child = |id: i64, k: i32| json!({"id": id, "k": k});
        assert_eq!(
            reply.items(),
            [
                json!({"id": 2, "minus_c1": -3, "c0": 8, "c1": 3, "children": []}),
                json!({"id": 1, "minus_c1": -2, "c0": 9, "c1": 2, "children": [child(3, 30), child(1, 50)]}),
                json!({"id": 3, "minus_c1": -1, "c0": 7, "c1": 1, "children": [child(4, 20), child(2, 40)]}),
            ]
        );
        let reply = own
            .list::<child::Entity>("sort=parents.c1&populate=parents")
            .await;
        assert_eq!(reply.ids(), [2, 4, 1, 3]);
        assert_eq!(
            reply.items()[0]["parents"],
            json!({"id": 3, "minus_c1": -1})
        );
    });
}
