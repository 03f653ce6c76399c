//! Foreign keys that point nowhere, and records that others point to, are 422 on the field.

use listing_tests::Client;
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter};
use serde_json::{Value, json};

use crate::own::entity::{folder, note};
use crate::own::{Own, on_each_own};

const POINTS_NOWHERE: &str = "folder_id must reference an existing record.";

async fn folder_of(client: &Client) -> i64 {
    let payload = json!({ "name": "Folder" });
    client.post("/api/folders", &payload).await.created()
}

fn note_in(code: &str, place: i32, folder: impl Into<Value>) -> Value {
    json!({ "title": "Note", "place": place, "code": code, "folder_id": folder.into() })
}

async fn notes_of(own: &Own, owner: &str) -> u64 {
    note::Entity::find()
        .filter(note::Column::Owner.eq(owner))
        .count(own.db())
        .await
        .unwrap()
}

/// Rule d53.
#[test]
fn a_foreign_key_that_points_nowhere_is_422_on_its_field() {
    on_each_own(async |own| {
        let user = own.user("pointing");
        let folder = folder_of(&user).await;
        let id = user
            .post("/api/notes", &note_in("p1", 1, folder))
            .await
            .created();
        for nowhere in [folder + 1_000_000, 0, -1, i64::MAX, i64::MIN] {
            let reply = user.post("/api/notes", &note_in("p2", 2, nowhere)).await;
            assert_eq!(reply.invalid()["folder_id"], [POINTS_NOWHERE], "{nowhere}");
            let reply = user
                .put(&format!("/api/notes/{id}"), &note_in("p1", 1, nowhere))
                .await;
            assert_eq!(reply.invalid()["folder_id"], [POINTS_NOWHERE], "{nowhere}");
        }
        // Together with everything else that is wrong.
        let reply = user
            .post("/api/notes", &note_in("p1", 1, folder + 1_000_000))
            .await;
        assert_eq!(reply.invalid_fields(), ["code", "folder_id", "place"]);
        let reply = user.post("/api/notes", &note_in("p3", 3, "text")).await;
        let text = format!(
            "folder_id must be an integer from {} to {}.",
            i64::MIN,
            i64::MAX
        );
        assert_eq!(reply.invalid()["folder_id"], [&*text]);
        let reply = user.post("/api/notes", &note_in("p3", 3, u64::MAX)).await;
        assert_eq!(reply.invalid()["folder_id"], [&*text]);
        assert_eq!(notes_of(own, "pointing").await, 1);
        // A null points nowhere and may.
        user.post("/api/notes", &note_in("p4", 4, Value::Null))
            .await
            .created();
        let _ = user
            .put(&format!("/api/notes/{id}"), &note_in("p1", 1, Value::Null))
            .await
            .ok();
        let shown = user.get(&format!("/api/notes/{id}")).await.ok().json();
        assert_eq!(shown["data"]["folder_id"], Value::Null);
    });
}

/// Rule d53.
#[test]
fn what_the_asker_cannot_see_is_nowhere() {
    on_each_own(async |own| {
        let (user, other) = (own.user("seeing"), own.user("unseen"));
        let deleted = folder_of(&user).await;
        let _ = user.delete(&format!("/api/folders/{deleted}")).await.ok();
        let foreign = folder_of(&other).await;
        let absent = foreign + 1_000_000;
        let answers: Vec<_> = [deleted, foreign, absent]
            .into_iter()
            .map(|folder| note_in("q1", 1, folder))
            .collect();
        let mut bodies = Vec::new();
        for payload in &answers {
            let reply = user.post("/api/notes", payload).await;
            assert_eq!(reply.invalid()["folder_id"], [POINTS_NOWHERE]);
            bodies.push(reply.text());
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "the three cannot be told apart");
        other
            .post("/api/notes", &note_in("q2", 1, foreign))
            .await
            .created();
    });
}

/// Rule d53.
#[test]
fn an_update_that_leaves_a_foreign_key_alone_does_not_ask_where_it_points() {
    on_each_own(async |own| {
        let user = own.user("leaving");
        let folder = folder_of(&user).await;
        let id = user
            .post("/api/notes", &note_in("l1", 1, folder))
            .await
            .created();
        let _ = user.delete(&format!("/api/folders/{folder}")).await.ok();
        // The folder is in the bin now. The note keeps it, and can be changed.
        let payload = json!({ "title": "Other", "place": 1, "code": "l1" });
        let _ = user.put(&format!("/api/notes/{id}"), &payload).await.ok();
        let shown = user.get(&format!("/api/notes/{id}")).await.ok().json();
        assert_eq!(shown["data"]["folder_id"], folder);
        assert_eq!(shown["data"]["title"], "Other");
    });
}

/// Rules d53, b146.
#[test]
fn a_record_that_others_point_to_is_not_removed() {
    on_each_own(async |own| {
        let user = own.user("pointed-to");
        let folder = folder_of(&user).await;
        let note = user
            .post("/api/notes", &note_in("t1", 1, folder))
            .await
            .created();
        let forced = format!("/api/folders/{folder}?force=true");
        let reply = user.delete(&forced).await;
        let text = "Other records still reference this record.";
        assert_eq!(reply.invalid()["record"], [text]);
        assert_eq!(reply.json()["message"], text);
        let found = folder::Entity::find_by_id(folder)
            .one(own.db())
            .await
            .unwrap();
        assert_eq!(found.unwrap().deleted_at, None);
        let _ = user
            .delete(&format!("/api/notes/{note}?force=true"))
            .await
            .ok();
        let _ = user.delete(&forced).await.ok();
        assert_eq!(
            folder::Entity::find_by_id(folder)
                .one(own.db())
                .await
                .unwrap(),
            None
        );
    });
}

/// Rule d53.
#[test]
fn a_foreign_key_that_no_relation_names_is_told_by_the_database() {
    on_each_own(async |own| {
        let user = own.user("unnamed-key");
        let payload = json!({ "name": "lost", "note_id": 999_999_999 });
        let reply = user.post("/api/marks", &payload).await;
        // SQLite does not say which key it was.
        let (field, text) = match own.engine {
            listing_tests::Engine::Sqlite => {
                let text = "This record references a record that does not exist.";
                ("record", text)
            }
            _ => ("note_id", "note_id must reference an existing record."),
        };
        assert_eq!(reply.invalid()[field], [text]);
        assert!(!reply.text().to_lowercase().contains("constraint"));
    });
}
