//! `listing serve`: the tables of a database, read-only, without a project.

use std::process::Command;

use serde_json::Value;

use super::application::Served;
use super::{SAMPLES, is_served};
use crate::shop::{listing, on_sqlite, room};

pub(super) fn serving(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_listing"));
    let bind = ["--bind", "127.0.0.1:0"];
    command.arg("serve").args(arguments).args(bind);
    command
}

/// Rules b370, b371.
#[test]
fn every_table_of_every_sample_is_served_as_sql_has_it() {
    for sample in SAMPLES {
        let loaded = sample.load("served");
        let served = Served::start(serving(&[&loaded.url]), &loaded.url);
        assert!(served.tables().iter().all(|table| !table.writable));
        is_served(&served);
    }
}

/// A table with a secret, one that is known by a secret, and one more.
const SCHEMA: &str = "
    CREATE TABLE account (id INTEGER PRIMARY KEY, login TEXT NOT NULL, password_hash TEXT NOT NULL);
    CREATE TABLE session (token TEXT PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES account (id));
    CREATE TABLE note (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES account (id), title TEXT NOT NULL);
    INSERT INTO account VALUES (1, 'ada', 'not told');
    INSERT INTO session VALUES ('not told', 1);
    INSERT INTO note VALUES (1, 1, 'first')
";

pub(super) fn database(name: &str) -> String {
    std::fs::create_dir_all(room()).unwrap();
    let file = room().join(format!("serve-{name}.sqlite"));
    let _ = std::fs::remove_file(&file);
    on_sqlite(&file, SCHEMA);
    format!("sqlite:{}", file.display())
}

/// Rule b370.
#[test]
fn secrets_are_left_out_and_nothing_can_be_written() {
    let url = database("secrets");
    let served = Served::start(serving(&[&url]), &url);
    let paths: Vec<_> = served
        .tables()
        .into_iter()
        .map(|table| table.path)
        .collect();
    assert_eq!(paths, ["/api/account", "/api/note"]);
    let accounts = served.get("/api/account?fields=*");
    assert_eq!(accounts["data"][0]["login"], "ada");
    let told = served.get("/api/note?populate=account").to_string()
        + &served.get("/api/_describe").to_string()
        + &accounts.to_string();
    assert!(
        !told.contains("not told") && !told.contains("password"),
        "{told}"
    );
    for strict in ["filters[password_hash]=x", "fields=password_hash"] {
        let (status, _) = served.send("GET", &format!("/api/account?{strict}"), None);
        assert_eq!(status, 400, "{strict}");
    }
    for (method, target) in [
        ("POST", "/api/note"),
        ("PUT", "/api/note/1"),
        ("DELETE", "/api/note/1"),
    ] {
        let note = serde_json::json!({ "account_id": 1, "title": "second" });
        let (status, reply) = served.send(method, target, Some(&note));
        assert_eq!(status, 405, "{method} {target}: {reply}");
    }
    let (status, page) = served.send("GET", "/explorer", None);
    assert_eq!((status, page), (200, Value::Null));
}

/// Rule b370.
#[test]
fn only_the_tables_that_are_named_are_served() {
    let url = database("only");
    let served = Served::start(serving(&[&url, "--only", "note"]), &url);
    let tables = served.tables();
    assert_eq!(tables.len(), 1);
    assert!(tables[0].listing.relations.is_empty());
    served.get("/api/note");
    let (status, _) = served.send("GET", "/api/account", None);
    assert_eq!(status, 404);
    listing(&room(), &["serve", &url, "--only", "notes"])
        .badly()
        .says("did you mean `note`?");
    listing(&room(), &["serve", "sqlite:not/there.sqlite"])
        .badly()
        .says("cannot open the database")
        .says("there is no file `not/there.sqlite`");
}

/// Rule b370.
#[test]
fn it_listens_on_this_machine_alone() {
    listing(&room(), &["serve", "--help"])
        .well()
        .says("[default: 127.0.0.1:8080]");
}
