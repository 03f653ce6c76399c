//! Records of one table: each is shown, and one is created, changed and deleted.

use serde_json::{Map, Value, json};

use super::application::{Served, Table, in_target};
use super::lists::{from, id_of, ids};

pub(super) fn are_right(served: &Served, table: &Table) {
    if table.listing.key_columns.is_empty() {
        assert!(!table.writable, "{}", table.path);
        let (status, reply) = served.send("GET", &address(table, "1"), None);
        assert_eq!(status, 404, "{}: {reply}", table.path);
        assert_eq!(reply["error"]["code"], "route_not_found", "{reply}");
        return;
    }
    let list = served.get(&format!("{}?fields=*&pagination[pageSize]=100", table.path));
    for item in list["data"].as_array().unwrap() {
        let address = address(table, &id_of(item));
        let record = served.get(&address)["data"].clone();
        // Lists may show related rows by default, which records do not.
        let own = item.as_object().unwrap().iter();
        for (name, value) in own.filter(|(_, value)| value.get("id").is_none()) {
            assert_eq!(&record[name], value, "{address}: {name}");
        }
    }
    served.send("GET", &address(table, "no such,record"), None);
    if table.writable {
        written(served, table, &list);
    }
}

fn address(table: &Table, id: &str) -> String {
    format!("{}/{}", table.path, in_target(id))
}

fn written(served: &Served, table: &Table, list: &Value) {
    let count = served.database.count(&from(served, table));
    let known = ids(list);
    let first = &served.get(&address(table, &known[0]))["data"];
    let mut answers = Vec::new();
    for key in new_keys(served, table, list) {
        let mut payload = first.clone();
        let object = payload.as_object_mut().unwrap();
        object.extend(key);
        let (status, reply) = served.send("POST", &table.path, Some(&payload));
        answers.push((status, reply.to_string()));
        if status != 201 {
            continue;
        }
        let id = id_of(&reply["data"]);
        let address = address(table, &id);
        let record = &served.get(&address)["data"];
        assert_eq!(id_of(record), id, "{address}");
        let (status, reply) = served.send("PUT", &address, Some(&payload));
        assert_eq!(status, 200, "{address}: {reply}");
        assert_eq!(
            served.database.count(&from(served, table)),
            count + 1,
            "{address}"
        );
        let (status, reply) = served.send("DELETE", &address, None);
        assert_eq!(status, 200, "{address}: {reply}");
        assert_eq!(
            served.database.count(&from(served, table)),
            count,
            "{address}"
        );
        return;
    }
    // Every value of a unique column may be taken; what the client is told is in `answers`.
    let unique = ["store", "staff"].contains(&table.listing.table.name.as_str());
    assert!(unique, "{}: {answers:?}", table.path);
}

/// Keys that no record has yet: those of related rows in every combination, and values of our own.
fn new_keys(served: &Served, table: &Table, list: &Value) -> Vec<Map<String, Value>> {
    let mut keys = vec![Map::new()];
    for column in &table.listing.key_columns {
        let described = table
            .listing
            .table
            .columns
            .iter()
            .find(|known| known.name == *column);
        let kind = described.unwrap().kind.as_str();
        // A column called `id` that is a part of the key has a name of its own (b505).
        let fields = &table.listing.fields;
        let shown = fields
            .iter()
            .find(|field| field.column.as_ref() == Some(column) && field.alias != "id");
        let alias = match shown {
            Some(field) => field.alias.clone(),
            None => heck::ToSnakeCase::to_snake_case(column.as_str()),
        };
        let relation = table
            .listing
            .relations
            .iter()
            .find(|r| r.owns_key && r.from == *column);
        let own = match kind {
            "integer" => json!(4999),
            "uuid" => json!("00000000-0000-0000-0000-00000000abcd"),
            "date" => json!("2031-01-01"),
            _ => json!("ZZ9"),
        };
        let values: Vec<Value> = match relation {
            Some(relation) => {
                let database = &served.database;
                let there = database.table(relation.table.schema.as_deref(), &relation.table.name);
                let text = database.text(&database.name(&relation.to));
                let rows = database.rows(&format!("SELECT {text} FROM {there}"));
                let value = |text: String| match kind {
                    "integer" => json!(text.parse::<i64>().unwrap()),
                    _ => json!(text),
                };
                rows.into_iter()
                    .map(|row| value(row[0].clone().unwrap()))
                    .collect()
            }
            None => vec![own],
        };
        let with = |key: &Map<String, Value>, value: &Value| {
            let mut key = key.clone();
            key.insert(alias.clone(), value.clone());
            key
        };
        keys = keys
            .iter()
            .flat_map(|key| values.iter().map(|value| with(key, value)))
            .collect();
    }
    let known = ids(list);
    let id = |key: &Map<String, Value>| {
        let parts = key
            .values()
            .map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned));
        listing::join_id(parts)
    };
    // The order of a map's keys is not that of the columns; a key that is taken is 422.
    keys.retain(|key| !known.contains(&id(key)));
    keys
}
