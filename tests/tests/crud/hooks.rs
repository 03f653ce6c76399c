//! Who may do what, and in which order a request is refused (d53, d63).

use axum::http::{Method, Request};
use listing_axum::Operation;
use listing_tests::Client;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::{Value, json};

use crate::own::entity::note;
use crate::own::{Entry, Own, on_each_own};

const PATH: &str = "/api/notes";

fn note(code: &str, place: i32, title: &str) -> Value {
    json!({ "title": title, "place": place, "code": code })
}

async fn create(client: &Client, code: &str, place: i32, title: &str) -> i64 {
    client.post(PATH, &note(code, place, title)).await.created()
}

/// Every note of an owner, deleted or not.
async fn notes_of(own: &Own, owner: &str) -> Vec<note::Model> {
    note::Entity::find()
        .filter(note::Column::Owner.eq(owner))
        .order_by_asc(note::Column::Id)
        .all(own.db())
        .await
        .unwrap()
}

/// One way to write to a record.
struct Way {
    method: Method,
    suffix: &'static str,
    body: Option<Value>,
}

fn ways(body: &Value) -> Vec<Way> {
    let way = |method, suffix, body| Way {
        method,
        suffix,
        body,
    };
    vec![
        way(Method::GET, "", None),
        way(Method::HEAD, "", None),
        way(Method::PUT, "", Some(body.clone())),
        way(Method::DELETE, "", None),
        way(Method::DELETE, "?force=true", None),
        way(Method::POST, "/restore", None),
    ]
}

async fn go(client: &Client, way: &Way, id: &str, if_match: &str) -> u16 {
    let mut request = Request::builder()
        .method(way.method.clone())
        .uri(format!("{PATH}/{id}{}", way.suffix));
    // On a `GET` it is not a condition that we check.
    if !way.method.is_safe() {
        request = request.header("if-match", if_match);
    }
    let body = match &way.body {
        Some(body) => {
            request = request.header("content-type", "application/json");
            body.to_string()
        }
        None => String::new(),
    };
    let reply = client.send(request.body(body.into()).unwrap()).await;
    if way.method != Method::HEAD && reply.status.as_u16() >= 400 {
        let _ = reply.error(reply.status.as_u16());
    }
    reply.status.as_u16()
}

/// Rule d53.
#[test]
fn the_order_for_a_record_is_401_then_404_then_403_then_412_then_422() {
    on_each_own(async |own| {
        let (user, other) = (own.user("order"), own.user("order-other"));
        let locked = create(&user, "order-1", 1, "locked").await;
        let open = create(&user, "order-2", 2, "open").await;
        let foreign = create(&other, "order-3", 3, "locked").await;
        let invalid = json!({ "title": 7 });
        let stale = "\"0000000000000000\"";
        let ids = |id: i64| id.to_string();
        for way in ways(&invalid) {
            let what = format!("{} {}", way.method, way.suffix);
            let is_restore = way.suffix == "/restore";
            let is_read = way.method.is_safe();
            // All is wrong at once: nobody asks, for what is not there, and so on. Then one thing less each time.
            for id in [&*ids(locked), &*ids(foreign), "987654321", "no-id", "%FF"] {
                assert_eq!(go(&own.nobody(), &way, id, stale).await, 401, "{what} {id}");
            }
            for id in [&*ids(foreign), "987654321", "no-id", "%FF"] {
                assert_eq!(go(&user, &way, id, stale).await, 404, "{what} {id}");
            }
            // What is not in the bin cannot be restored: it is not there either.
            let expected = if is_restore { 404 } else { 403 };
            assert_eq!(
                go(&user, &way, &ids(locked), stale).await,
                expected,
                "{what}"
            );
            let expected = match (is_read, is_restore) {
                (true, _) => 200,
                (false, true) => 404,
                (false, false) => 412,
            };
            assert_eq!(go(&user, &way, &ids(open), stale).await, expected, "{what}");
            if way.method == Method::PUT {
                assert_eq!(go(&user, &way, &ids(open), "*").await, 422);
            }
        }
        // Nothing of that has changed anything.
        for notes in [
            notes_of(own, "order").await,
            notes_of(own, "order-other").await,
        ] {
            for note in notes {
                assert_eq!((note.updated_at, note.deleted_at), (note.created_at, None));
            }
        }
    });
}

/// Rule d53.
#[test]
fn the_same_order_holds_for_what_is_in_the_bin() {
    on_each_own(async |own| {
        let (user, other) = (own.user("bin"), own.user("bin-other"));
        let locked = create(&user, "bin-1", 1, "later locked").await;
        let open = create(&user, "bin-2", 2, "open").await;
        for id in [locked, open] {
            let _ = user.delete(&format!("{PATH}/{id}")).await.ok();
        }
        let row = note::Entity::find_by_id(locked)
            .one(own.db())
            .await
            .unwrap();
        let mut row = sea_orm::IntoActiveModel::into_active_model(row.unwrap());
        row.title = sea_orm::ActiveValue::Set("locked".to_owned());
        note::Entity::update(row).exec(own.db()).await.unwrap();
        let stale = "\"0000000000000000\"";
        for way in ways(&note("bin-9", 9, "Note")) {
            let what = format!("{} {}", way.method, way.suffix);
            let reaches = matches!(way.suffix, "/restore" | "?force=true");
            for (client, id, if_match, expected) in [
                (own.nobody(), locked, stale, 401),
                (other.clone(), locked, stale, 404),
                (user.clone(), locked, stale, if reaches { 403 } else { 404 }),
                (user.clone(), open, stale, if reaches { 412 } else { 404 }),
            ] {
                let status = go(&client, &way, &id.to_string(), if_match).await;
                assert_eq!(status, expected, "{what}");
            }
        }
        let bin = ways(&Value::Null);
        let restore = bin.iter().find(|way| way.suffix == "/restore").unwrap();
        assert_eq!(go(&user, restore, &open.to_string(), "*").await, 200);
    });
}

/// Rule d53.
#[test]
fn the_order_for_a_list_and_a_new_record_is_401_then_403_then_the_rest() {
    on_each_own(async |own| {
        let guest = own.user("order-guest");
        let invalid = json!({ "title": 7 });
        let no_json = async |client: &Client| client.bare("POST", PATH).await;
        let nobody = own.nobody();
        assert_eq!(
            nobody.post(PATH, &invalid).await.error_code(401),
            "unauthorized"
        );
        assert_eq!(no_json(&nobody).await.error_code(401), "unauthorized");
        assert_eq!(
            nobody
                .get(&format!("{PATH}?pagination[page]=x"))
                .await
                .error_code(401),
            "unauthorized"
        );
        assert_eq!(
            guest.post(PATH, &invalid).await.error_code(403),
            "forbidden"
        );
        assert_eq!(no_json(&guest).await.error_code(403), "forbidden");
        assert_eq!(
            guest
                .get(&format!("{PATH}?pagination[page]=x"))
                .await
                .error_code(403),
            "forbidden"
        );
        assert_eq!(
            guest
                .post(&format!("{PATH}/query"), &json!({}))
                .await
                .error_code(403),
            "forbidden"
        );
        assert_eq!(
            guest.json("QUERY", PATH, "{}").await.error_code(403),
            "forbidden"
        );
        let user = own.user("order-user");
        let _ = user.post(PATH, &invalid).await.invalid();
        let _ = user
            .get(&format!("{PATH}?pagination[page]=x"))
            .await
            .error(400);
        assert_eq!(notes_of(own, "order-guest").await, [] as [note::Model; 0]);
    });
}

/// Rules d63, c5_p1.
#[test]
fn each_operation_has_its_hook_with_the_context_and_the_record() {
    on_each_own(async |own| {
        let (user, diary) = own.observed("diarist");
        let entry = |operation, record: Option<&str>| Entry {
            operation,
            user: "diarist".to_owned(),
            record: record.map(str::to_owned),
        };
        let id = create(&user, "diary", 1, "First").await;
        assert_eq!(diary.take(), [entry(Operation::Store, None)]);
        let one = format!("{PATH}/{id}");
        for list in [PATH.to_owned(), format!("{PATH}?fields=title")] {
            assert_eq!(user.get(&list).await.ids(), [id]);
            assert_eq!(diary.take(), [entry(Operation::Index, None)]);
        }
        assert_eq!(
            user.post(&format!("{PATH}/query"), &json!({})).await.ids(),
            [id]
        );
        assert_eq!(diary.take(), [entry(Operation::Index, None)]);
        let _ = user.get(&one).await.ok();
        assert_eq!(diary.take(), [entry(Operation::Show, Some("First"))]);
        // The record as it was, not as it would be.
        let _ = user.put(&one, &note("diary", 1, "Second")).await.ok();
        assert_eq!(diary.take(), [entry(Operation::Update, Some("First"))]);
        let _ = user.delete(&one).await.ok();
        assert_eq!(diary.take(), [entry(Operation::Destroy, Some("Second"))]);
        let _ = user.bare("POST", &format!("{one}/restore")).await.ok();
        assert_eq!(diary.take(), [entry(Operation::Restore, Some("Second"))]);
        let _ = user.delete(&format!("{one}?force=true")).await.ok();
        assert_eq!(
            diary.take(),
            [entry(Operation::ForceDestroy, Some("Second"))]
        );
        // A record that is not there has no hook to ask.
        let _ = user.get(&one).await.error(404);
        assert_eq!(diary.take(), []);
    });
}

/// Rule d63.
#[test]
fn a_refused_operation_changes_nothing_and_says_403() {
    on_each_own(async |own| {
        let user = own.user("refused");
        let id = create(&user, "refused", 1, "locked away").await;
        let before = notes_of(own, "refused").await;
        let one = format!("{PATH}/{id}");
        for reply in [
            user.get(&one).await,
            user.put(&one, &note("refused", 2, "Free")).await,
            user.delete(&one).await,
            user.delete(&format!("{one}?force=true")).await,
        ] {
            assert_eq!(reply.error_code(403), "forbidden");
            assert!(!reply.text().contains("locked away"));
        }
        assert_eq!(notes_of(own, "refused").await, before);
    });
}

/// Rule d63.
#[test]
fn what_no_client_decides_is_completed_by_the_resource() {
    on_each_own(async |own| {
        let user = own.user("completed");
        let mut payload = note("completed", 1, "Note");
        payload["owner"] = json!("somebody else");
        payload["editor"] = json!("somebody else");
        let id = user.post(PATH, &payload).await.created();
        let row = async || {
            note::Entity::find_by_id(id)
                .one(own.db())
                .await
                .unwrap()
                .unwrap()
        };
        assert_eq!(
            (&*row().await.owner, row().await.editor),
            ("completed", None)
        );
        let _ = user.put(&format!("{PATH}/{id}"), &payload).await.ok();
        assert_eq!(row().await.owner, "completed");
        assert_eq!(row().await.editor.as_deref(), Some("completed"));
    });
}

/// Rules d48, d50, d51.
#[test]
fn messages_are_the_resources_own_or_null() {
    on_each_own(async |own| {
        let user = own.user("messages");
        let reply = user.post(PATH, &note("messages", 1, "Note")).await;
        assert_eq!(reply.json()["message"], "Noted.");
        let path = reply.header("location").unwrap().to_owned();
        let shown = user.get(&path).await.ok().json();
        assert_eq!(
            (&shown["message"], &shown["meta"]["message"]),
            (&Value::Null, &Value::Null)
        );
        let json = user.delete(&path).await.ok().json();
        assert_eq!(
            json,
            json!({ "message": "Destroy", "meta": { "code": 200, "message": "Destroy" } })
        );
    });
}
