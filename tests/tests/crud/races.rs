//! Races that are always lost: another transaction holds what the request needs until the request waits for it (d53, d58).

use axum::http::Request;
use listing_tests::{Client, Engine, Reply};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, SqliteTransactionMode,
    Statement, TransactionOptions, TransactionTrait,
};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::own::{Own, on_each_own_alone};

/// A transaction in somebody's way.
async fn obstacle(own: &Own) -> DatabaseTransaction {
    own.db()
        .begin_with_options(TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        })
        .await
        .unwrap()
}

/// Comes back when a statement waits for a lock in this test's database. SQLite tells nobody; there a request waits
/// before its first statement, so that it sees what was written in any case.
async fn until_it_waits(own: &Own, request: &JoinHandle<Reply>) {
    loop {
        let waits = match own.engine {
            Engine::Sqlite => true,
            Engine::Postgres => waits_on_postgres(own.db()).await,
            Engine::Mysql => waits_on_mysql(own.db()).await,
        };
        if waits {
            return;
        }
        assert!(!request.is_finished(), "the request met no obstacle");
        tokio::task::yield_now().await;
    }
}

async fn waits_on_postgres(db: &DatabaseConnection) -> bool {
    let sql = "SELECT 1 FROM pg_stat_activity \
               WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let rows = db.query_all_raw(Statement::from_string(DbBackend::Postgres, sql));
    !rows.await.unwrap().is_empty()
}

/// The tables about transactions are ten times a second old, which is too old; what the engine says for people is not.
async fn waits_on_mysql(db: &DatabaseConnection) -> bool {
    let text = async |sql: &str, column: &str| {
        let row = db.query_one_raw(Statement::from_string(DbBackend::MySql, sql));
        let row = row.await.unwrap().unwrap();
        row.try_get::<String>("", column).unwrap()
    };
    let name = text("SELECT DATABASE() AS name", "name").await;
    let status = text("SHOW ENGINE INNODB STATUS", "Status").await;
    // Before that it tells of deadlocks that are over.
    let (_, transactions) = status.split_once("\nTRANSACTIONS\n").unwrap();
    let of_ours = format!(" of table `{name}`.");
    transactions
        .lines()
        .any(|line| line.contains(&of_ours) && line.ends_with("waiting"))
}

/// Sends a request, lets it run into the obstacle, and takes the obstacle away.
async fn meet(
    own: &Own,
    obstacle: DatabaseTransaction,
    request: impl Future<Output = Reply> + Send + 'static,
    commits: bool,
) -> Reply {
    let request = tokio::spawn(request);
    until_it_waits(own, &request).await;
    if commits {
        obstacle.commit().await.unwrap();
    } else {
        obstacle.rollback().await.unwrap();
    }
    request.await.unwrap()
}

fn posting(
    client: &Client,
    path: &'static str,
    body: Value,
) -> impl Future<Output = Reply> + use<> {
    let client = client.clone();
    async move { client.post(path, &body).await }
}

fn insert_note(own: &Own, owner: &str, place: i32, code: &str) -> String {
    let moment = "2026-01-02 03:04:05";
    let no = if own.engine == Engine::Postgres {
        "FALSE"
    } else {
        "0"
    };
    format!(
        "INSERT INTO notes (owner, title, place, code, pinned, created_at, updated_at) \
         VALUES ('{owner}', 'Other', {place}, '{code}', {no}, '{moment}', '{moment}')"
    )
}

/// Rule d58.
#[test]
fn who_loses_the_race_for_a_unique_value_is_told_what_every_other_one_is() {
    on_each_own_alone(async |own| {
        let user = own.user("race");
        let payload =
            |code: &str, place: i32| json!({ "title": "Note", "place": place, "code": code });
        for (number, (place, code, fields)) in [
            (1, "race-taken", &["code"][..]),
            // The place is unique within the owner, by an index that is named otherwise.
            (50, "race-other", &["place"]),
            (60, "race-both", &["code", "place"]),
        ]
        .into_iter()
        .enumerate()
        {
            let obstacle = obstacle(own).await;
            let own_place = if fields.contains(&"place") {
                place
            } else {
                place + 100
            };
            let own_code = if fields.contains(&"code") {
                code.to_owned()
            } else {
                format!("race-{number}")
            };
            let insert = insert_note(own, "race", own_place, &own_code);
            obstacle.execute_unprepared(&insert).await.unwrap();
            let request = posting(&user, "/api/notes", payload(code, place));
            let lost = meet(own, obstacle, request, true).await;
            assert_eq!(lost.invalid_fields(), fields);
            let late = user.post("/api/notes", &payload(code, place)).await;
            assert_eq!(lost.bytes, late.bytes, "as if there had been no race");
        }
    });
}

/// Rule d58.
#[test]
fn who_waits_for_a_value_that_is_given_up_gets_it() {
    on_each_own_alone(async |own| {
        let user = own.user("patient");
        let obstacle = obstacle(own).await;
        let insert = insert_note(own, "patient", 1, "patient");
        obstacle.execute_unprepared(&insert).await.unwrap();
        let payload = json!({ "title": "Note", "place": 1, "code": "patient" });
        let request = posting(&user, "/api/notes", payload);
        meet(own, obstacle, request, false).await.created();
    });
}

/// Rule d53.
#[test]
fn a_foreign_key_whose_target_vanishes_meanwhile_is_422_on_its_field() {
    on_each_own_alone(async |own| {
        let user = own.user("vanishing");
        let folder = user
            .post("/api/folders", &json!({ "name": "Soon gone" }))
            .await
            .created();
        let obstacle = obstacle(own).await;
        let delete = format!("DELETE FROM folders WHERE id = {folder}");
        obstacle.execute_unprepared(&delete).await.unwrap();
        let payload =
            json!({ "title": "Note", "place": 1, "code": "vanishing", "folder_id": folder });
        let request = posting(&user, "/api/notes", payload);
        let reply = meet(own, obstacle, request, true).await;
        assert_eq!(
            reply.invalid()["folder_id"],
            ["folder_id must reference an existing record."]
        );
    });
}

/// Rule d53.
#[test]
fn a_record_that_changes_while_an_update_waits_for_it_is_412() {
    on_each_own_alone(async |own| {
        let user = own.user("waiting");
        // The scope of folders has a sub-query, which is read before the row is locked.
        let id = user
            .post("/api/folders", &json!({ "name": "First" }))
            .await
            .created();
        let path = format!("/api/folders/{id}");
        for (commits, expected, name) in [(true, 412, "Second"), (false, 200, "Mine")] {
            let shown = user.get(&path).await.ok();
            let request = Request::put(&*path)
                .header("content-type", "application/json")
                .header("if-match", shown.header("etag").unwrap())
                .body(json!({ "name": "Mine" }).to_string().into())
                .unwrap();
            let obstacle = obstacle(own).await;
            let update = format!("UPDATE folders SET name = 'Second' WHERE id = {id}");
            obstacle.execute_unprepared(&update).await.unwrap();
            let client = user.clone();
            let request = async move { client.send(request).await };
            let reply = meet(own, obstacle, request, commits).await;
            assert_eq!(reply.status.as_u16(), expected, "{}", reply.text());
            let shown = user.get(&path).await.ok().json();
            assert_eq!(shown["data"]["name"], name);
        }
    });
}

/// Rule d53.
#[test]
fn a_record_that_is_deleted_while_an_update_waits_for_it_is_404() {
    on_each_own_alone(async |own| {
        let user = own.user("too-late");
        let id = user
            .post("/api/folders", &json!({ "name": "Here" }))
            .await
            .created();
        let obstacle = obstacle(own).await;
        let delete =
            format!("UPDATE folders SET deleted_at = '2026-01-02 03:04:05' WHERE id = {id}");
        obstacle.execute_unprepared(&delete).await.unwrap();
        let (client, path) = (user.clone(), format!("/api/folders/{id}"));
        let request = async move { client.put(&path, &json!({ "name": "Mine" })).await };
        let reply = meet(own, obstacle, request, true).await;
        assert_eq!(reply.error_code(404), "not_found");
    });
}

/// Rule d53.
#[test]
fn who_is_the_victim_of_a_deadlock_is_tried_again() {
    on_each_own_alone(async |own| {
        let user = own.user("deadlocked");
        let folder = json!({ "name": "Wanted by both" });
        let folder = user.post("/api/folders", &folder).await.created();
        let payload = |folder: Option<i64>| json!({ "title": "Note", "place": 1, "code": "deadlocked", "folder_id": folder });
        let note = user.post("/api/notes", &payload(None)).await.created();

        // The obstacle has the folder, the request takes the note and wants the folder, the obstacle wants the note.
        let obstacle = obstacle(own).await;
        // Of the two, MariaDB sacrifices the one that has written less, PostgreSQL the one that has waited longer.
        for number in 0..100 {
            let insert = insert_note(own, "nobody", number, &format!("weight-{number}"));
            obstacle.execute_unprepared(&insert).await.unwrap();
        }
        if own.engine != Engine::Sqlite {
            let lock = format!("SELECT id FROM folders WHERE id = {folder} FOR UPDATE");
            let lock = Statement::from_string(own.db().get_database_backend(), lock);
            obstacle.query_one_raw(lock).await.unwrap();
        }
        let (client, path) = (user.clone(), format!("/api/notes/{note}"));
        let body = payload(Some(folder));
        let request = tokio::spawn(async move { client.put(&path, &body).await });
        until_it_waits(own, &request).await;
        let want = format!("UPDATE notes SET place = 2 WHERE id = {note}");
        // Were it the obstacle after all, the request would never have known.
        if obstacle.execute_unprepared(&want).await.is_ok() {
            obstacle.commit().await.unwrap();
        } else {
            obstacle.rollback().await.unwrap();
        }
        let _ = request.await.unwrap().ok();
        let shown = user.get(&format!("/api/notes/{note}")).await.ok().json();
        assert_eq!(shown["data"]["folder_id"], folder);
    });
}
