//! How many statements requests run that write many records (d126, d127).

use std::sync::{Arc, Mutex};

use listing_tests::Client;
use serde_json::{Value, json};

use crate::bulk::{BULK, client, names, noted};
use crate::plans::{Planned, on_each_planned, plan};

/// A client whose statements are counted.
struct Counted {
    client: Client,
    statements: Arc<Mutex<Vec<String>>>,
}

impl Counted {
    fn new(planned: &Planned, owner: &str) -> Self {
        let statements = Arc::new(Mutex::new(Vec::new()));
        let log = statements.clone();
        let mut db = planned.db().clone();
        db.set_metric_callback(move |info| log.lock().unwrap().push(info.statement.sql.clone()));
        Self {
            client: client(&planned.through(db), owner),
            statements,
        }
    }

    /// The data of the answer, and the statements that it took.
    async fn post(&self, path: &str, body: &Value) -> (Value, Vec<String>) {
        self.statements.lock().unwrap().clear();
        let data = self.client.post(path, body).await.ok().json()["data"].clone();
        (data, std::mem::take(&mut *self.statements.lock().unwrap()))
    }

    /// The ids of new plans of these names.
    async fn create(&self, names: impl Iterator<Item = String>) -> Vec<i64> {
        let plans: Vec<_> = names.map(|name| plan(&name)).collect();
        let (data, _) = self.post(BULK, &json!({ "create": plans })).await;
        let ids = data["create"].as_array().unwrap().iter();
        ids.map(|item| item["id"].as_i64().unwrap()).collect()
    }
}

/// As many statements for many as for few, and one of them that writes.
fn are_as_many(few: &[String], many: &[String], verb: &str, most: usize) {
    assert_eq!(few.len(), many.len(), "{few:#?}");
    assert!(few.len() <= most, "{few:#?}");
    for statements in [few, many] {
        let writes = statements.iter().filter(|sql| sql.starts_with(verb));
        assert_eq!(writes.count(), 1, "{statements:#?}");
    }
}

/// Rules d126, b1020.
#[test]
fn the_number_of_statements_does_not_depend_on_the_number_of_changed_records() {
    on_each_planned(async |planned| {
        let owner = "changed-together";
        let counted = Counted::new(planned, owner);
        let ids = counted.create((0..300).map(|at| format!("c {at}"))).await;
        let change = |ids: &[i64], price: &str| {
            // In another order than that of their ids, and each with values of its own.
            let items = ids.iter().rev().enumerate().map(|(at, id)| {
                json!({
                    "id": id,
                    "note": (at % 7 != 0).then(|| format!("Note {id}, {}", "x".repeat(at % 20))),
                    "first": -(at as i64),
                    "price": format!("{price}.{at:04}"),
                    "hour": format!("{:02}:30:00", at % 24),
                    "day": format!("2024-05-{:02}", at % 28 + 1),
                    "moment": format!("2024-05-{:02}T12:00:07Z", at % 28 + 1),
                    "stage": (["idea", "done"][at % 2]),
                    "settings": { "colour": id },
                    "last": 9,
                })
            });
            json!({ "update": items.collect::<Vec<_>>() })
        };
        let (_, few) = counted.post(BULK, &change(&ids[..2], "1")).await;
        let (data, many) = counted.post(BULK, &change(&ids, "12345678")).await;
        are_as_many(&few, &many, "UPDATE", 3);
        for (at, id) in ids.iter().rev().enumerate() {
            assert_eq!(data["update"][at], json!({ "id": id }));
            let row = planned.row(*id).await.unwrap();
            let note = (at % 7 != 0).then(|| format!("Note {id}, {}", "x".repeat(at % 20)));
            assert_eq!(row.note, note);
            assert_eq!((row.first, row.last), (-(at as i32), 9));
            assert_eq!(row.price, format!("12345678.{at:04}").parse().unwrap());
            assert_eq!(row.hour.to_string(), format!("{:02}:30:00", at % 24));
            let moment = format!("2024-05-{:02}T12:00:07+00:00", at % 28 + 1);
            assert_eq!(row.moment.to_rfc3339(), moment);
            assert_eq!(row.day.to_string(), format!("2024-05-{:02}", at % 28 + 1));
            // An object of another update is merged with what was there.
            let settings = row.settings.unwrap();
            assert_eq!(
                (&settings["colour"], &settings["tags"]),
                (&json!(id), &json!([1, 2]))
            );
        }
        // New unique values are looked for by one statement more, and compared by another.
        let named = |ids: &[i64]| {
            let items = ids
                .iter()
                .map(|id| json!({ "id": id, "name": format!("n {id}") }));
            json!({ "update": items.collect::<Vec<_>>() })
        };
        let (_, few) = counted.post(BULK, &named(&ids[..2])).await;
        let (_, many) = counted.post(BULK, &named(&ids[2..])).await;
        are_as_many(&few, &many, "UPDATE", 5);
        // What is wrong is told of the item all the same.
        let body = json!({ "update": [
            { "id": ids[0], "name": "new name" },
            { "id": ids[1], "name": format!("n {}", ids[2]) },
            { "id": ids[3], "name": "same name" },
            { "id": ids[4], "name": "same name" },
        ] });
        let reply = counted.client.post(BULK, &body).await;
        assert_eq!(reply.invalid_fields(), ["update.1.name", "update.3.name"]);
        // A name that another item gives up can be taken after it, and not before.
        let swap = |one: i64, other: i64| {
            json!({ "update": [
                { "id": one, "name": format!("given up {one}") },
                { "id": other, "name": format!("n {one}") },
            ] })
        };
        let _ = counted.client.post(BULK, &swap(ids[5], ids[6])).await.ok();
        let row = planned.row(ids[6]).await.unwrap();
        assert_eq!(row.name, format!("n {}", ids[5]));
    });
}

/// Rules d126, b1020.
#[test]
fn the_number_of_statements_does_not_depend_on_the_number_of_deleted_records() {
    on_each_planned(async |planned| {
        let owner = "deleted-together";
        let counted = Counted::new(planned, owner);
        let ids = counted.create((0..300).map(|at| format!("d {at}"))).await;
        let delete = |ids: &[i64]| json!({ "delete": ids });
        let (_, few) = counted.post(BULK, &delete(&ids[..2])).await;
        let (data, many) = counted.post(BULK, &delete(&ids[2..299])).await;
        are_as_many(&few, &many, "UPDATE", 2);
        assert_eq!(data["delete"][0], json!({ "id": ids[2] }));
        assert_eq!(names(planned, owner).await, ["d 299"]);
        // The second time there is no such record.
        let reply = counted
            .client
            .post(BULK, &delete(&[ids[299], ids[299]]))
            .await;
        assert_eq!(reply.error_code(404), "not_found");
        assert!(
            reply.json()["message"]
                .as_str()
                .unwrap()
                .starts_with("delete.1: ")
        );
        assert_eq!(names(planned, owner).await, ["d 299"]);
    });
}

/// Rules d126, b1020.
#[test]
fn the_number_of_statements_does_not_depend_on_the_number_of_upserted_records() {
    on_each_planned(async |planned| {
        let owner = "upserted-together";
        let counted = Counted::new(planned, owner);
        let ids = counted.create((0..200).map(|at| format!("u {at}"))).await;
        // Of three, one is new, one changes and one stays as it is.
        let upsert = |from: usize, to: usize, note: &str| {
            let items = (from..to).flat_map(|at| {
                [
                    plan(&format!("new {at}")),
                    noted(&format!("u {}", 2 * at), note),
                    plan(&format!("u {}", 2 * at + 1)),
                ]
            });
            json!({ "upsert": items.collect::<Vec<_>>() })
        };
        let (_, few) = counted.post(BULK, &upsert(0, 2, "Once.")).await;
        let (data, many) = counted.post(BULK, &upsert(2, 100, "Twice.")).await;
        are_as_many(&few, &many, "UPDATE", 8);
        are_as_many(&few, &many, "INSERT", 8);
        for at in 2..100 {
            let result = |of: usize| data["upsert"][3 * (at - 2) + of].clone();
            assert_eq!(result(0)["result"], "created");
            assert_eq!(result(1), json!({ "id": ids[2 * at], "result": "updated" }));
            assert_eq!(
                result(2),
                json!({ "id": ids[2 * at + 1], "result": "unchanged" })
            );
            let row = planned.row(ids[2 * at]).await.unwrap();
            assert_eq!(row.note.as_deref(), Some("Twice."));
            let row = planned
                .row(result(0)["id"].as_i64().unwrap())
                .await
                .unwrap();
            assert_eq!(row.name, format!("new {at}"));
        }
    });
}

/// Rules d127, b1020.
#[test]
fn the_number_of_statements_does_not_depend_on_the_number_of_records_that_filters_match() {
    on_each_planned(async |planned| {
        let owner = "matched-together";
        let counted = Counted::new(planned, owner);
        let ids = counted.create((0..300).map(|at| format!("m {at}"))).await;
        let matching = |from: usize, to: usize, set: Option<Value>| {
            let names: Vec<_> = (from..to).map(|at| format!("m {at}")).collect();
            let mut body =
                json!({ "filters": { "name": { "$in": names } }, "expected": to - from });
            if let Some(set) = set {
                body["set"] = set;
            }
            body
        };
        let set = || Some(json!({ "note": "Set.", "settings": { "colour": "blue" } }));
        let update = "/api/bulked/query/update";
        let (_, few) = counted.post(update, &matching(0, 2, set())).await;
        let (data, many) = counted.post(update, &matching(2, 300, set())).await;
        are_as_many(&few, &many, "UPDATE", 3);
        assert_eq!(data, json!({ "count": 298 }));
        let row = planned.row(ids[299]).await.unwrap();
        assert_eq!(row.note.as_deref(), Some("Set."));
        assert_eq!(row.settings.unwrap()["colour"], "blue");
        let delete = "/api/bulked/query/delete";
        let (_, few) = counted.post(delete, &matching(0, 2, None)).await;
        let (_, many) = counted.post(delete, &matching(2, 300, None)).await;
        are_as_many(&few, &many, "UPDATE", 2);
        assert!(names(planned, owner).await.is_empty());
    });
}
