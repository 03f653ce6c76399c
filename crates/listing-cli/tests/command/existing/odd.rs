//! Tables without a key, names that others have and types of one database, on the servers that allow them.

use serde_json::Value;

use super::application::Served;
use super::serve::serving;
use super::{MARIADB, POSTGRES, is_served, texts};
use crate::servers::Own;
use crate::shop::{listing, on_sqlite, room};

/// Two rows that are equal, a unique index that allows nulls, and a table that others link with.
const KEYLESS: &str = "
    CREATE TABLE users (id integer PRIMARY KEY, name varchar(20));
    CREATE TABLE log (user_id integer NOT NULL, msg varchar(20), FOREIGN KEY (user_id) REFERENCES users (id));
    CREATE TABLE badge (user_id integer UNIQUE, name varchar(20), FOREIGN KEY (user_id) REFERENCES users (id));
    CREATE TABLE empty (id integer NOT NULL, name varchar(20));
    INSERT INTO users VALUES (1, 'Ann'), (2, 'Ben');
    INSERT INTO log VALUES (1, 'in'), (2, 'in'), (1, 'out'), (1, 'out');
    INSERT INTO badge VALUES (2, 'Swimmer'), (NULL, 'Lost'), (NULL, 'Lost')
";

const IN_POSTGRES: &str = r#"
    ; CREATE TABLE hosts (address inet PRIMARY KEY, name varchar(20));
    INSERT INTO hosts VALUES ('10.0.0.1', 'a'), ('10.0.0.2', NULL);
    CREATE TABLE visits (id integer PRIMARY KEY, address inet NOT NULL REFERENCES hosts (address));
    INSERT INTO visits VALUES (1, '10.0.0.2');
    CREATE TABLE "User" (id integer PRIMARY KEY, "Name.Prefix" varchar(20), self integer, "Self" integer, "_" integer, "🙂" integer);
    INSERT INTO "User" VALUES (1, 'Dr', 1, 2, 3, 4), (2, NULL, 4, 3, 2, 1);
    CREATE TABLE _describe (id integer PRIMARY KEY, "a:b" integer);
    INSERT INTO _describe VALUES (1, 1);
    CREATE SCHEMA sa; CREATE TABLE sa.s (id integer PRIMARY KEY, "selfId" integer REFERENCES sa.s (id));
    CREATE TABLE sa_s (id integer PRIMARY KEY);
    INSERT INTO sa.s VALUES (1, 1); INSERT INTO sa_s VALUES (1)
"#;

/// The tables that are empty have nothing to compare.
fn are_served(served: &Served) {
    let count = |path: &str| served.get(path)["meta"]["pagination"]["total"].clone();
    assert_eq!(count("/api/empty"), 0);
    served
        .database
        .execute("INSERT INTO empty VALUES (1, 'a'), (1, 'a')");
    is_served(served);
}

/// Rules d152, b570.
#[test]
fn a_table_without_a_key_has_a_list_and_nothing_else() {
    for (server, more) in [(POSTGRES, IN_POSTGRES), (MARIADB, "")] {
        let own = Own::on(server, "keyless", &format!("{KEYLESS}{more}"));
        let served = Served::start(serving(&[&own.url]), &own.url);
        are_served(&served);
        let log = served.get("/api/log?populate=user");
        let rows: Vec<_> = log["data"].as_array().unwrap().iter().collect();
        let row = |row: &Value| {
            (
                row.get("id").cloned(),
                row["msg"].clone(),
                row["user"]["id"].clone(),
            )
        };
        let wanted = [("in", 1), ("in", 2), ("out", 1), ("out", 1)];
        let wanted: Vec<_> = wanted
            .map(|(msg, user)| (None, msg.into(), user.into()))
            .into();
        let mut found: Vec<_> = rows.into_iter().map(row).collect();
        found.sort_by_key(|(_, msg, user)| (msg.to_string(), user.to_string()));
        assert_eq!(found, wanted, "{log}");
        let user = &served.get("/api/users/1?populate=logs")["data"];
        assert_eq!(user["logs"].as_array().unwrap().len(), 3, "{user}");
        // One badge for each user, whatever rows without a user there are.
        let user = &served.get("/api/users/2?populate=badge")["data"];
        assert_eq!(user["badge"]["name"], "Swimmer", "{user}");
        let described = served.get("/api/_describe");
        let listings = described["listings"].as_array().unwrap();
        let log = listings.iter().find(|one| one["name"] == "log").unwrap();
        assert_eq!(log["keyless"], true);
        assert_eq!(
            log["pagination"]["modes"],
            serde_json::json!(["page", "offset"])
        );
        assert!(log["operations"]["show"].is_null(), "{log}");
    }
}

/// Rules d152, b571, b574.
#[test]
fn what_is_written_for_tables_without_a_key_says_so() {
    for (server, more) in [(POSTGRES, IN_POSTGRES), (MARIADB, "")] {
        let own = Own::on(server, "written", &format!("{KEYLESS}{more}"));
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["new", "odd", "--from-database", &own.url, "--crud"];
        let said = listing(folder.path(), &arguments)
            .well()
            .says("the table `log` has a list, and neither records nor cursors nor writes: it has neither a primary key")
            .says("the table `badge` has a list")
            .says("tables without a key read-only");
        let files = texts(&folder.path().join("odd"));
        let log = &files["src/entity/log.rs"];
        let line = "they have no key, and SeaORM wants one.\n    #[sea_orm(primary_key, auto_increment = false)]\n    pub user_id: i32,";
        assert!(log.contains(line), "{log}");
        let listing = &files["src/listings/log.rs"];
        assert!(
            listing.contains("fn has_key() -> bool {\n        false"),
            "{listing}"
        );
        let resources = &files["src/resources/mod.rs"];
        let line = ".read::<SignedInRead<crate::entity::log::Entity, Caller>>()";
        assert!(resources.contains(line), "{resources}");
        if server == MARIADB {
            continue;
        }
        said
            .says("the table `hosts` has a list, and neither records nor cursors nor writes: its key `address` is of the type `inet`")
            .says("`User.Self` is `column_self_column` to clients");
    }
}

/// Rule b571.
#[test]
fn names_that_clients_cannot_use_have_others() {
    let own = Own::on(POSTGRES, "names", &format!("{KEYLESS}{IN_POSTGRES}"));
    let served = Served::start(serving(&[&own.url]), &own.url);
    let paths: Vec<_> = served.tables().into_iter().map(|one| one.path).collect();
    for path in [
        "/api/users",
        "/api/user",
        "/api/sa_s",
        "/api/s",
        "/api/describes",
    ] {
        assert!(paths.contains(&path.to_owned()), "{path}: {paths:?}");
    }
    let user = served.get("/api/user?filters[name_prefix]=Dr&sort=name_prefix&fields=*");
    let wanted = serde_json::json!({
        "id": 1, "name_prefix": "Dr", "self": 1, "column_self_column": 2, "column_": 3, "column_column": 4
    });
    assert_eq!(user["data"][0], wanted, "{user}");
}

/// Rule b572.
#[test]
fn tables_are_left_out_by_name() {
    let own = Own::on(POSTGRES, "except", &format!("{KEYLESS}{IN_POSTGRES}"));
    let except = ["--except", "log,sa.s", "--except", "hosts"];
    let served = Served::start(
        serving(&[&[own.url.as_str()], &except[..]].concat()),
        &own.url,
    );
    let tables = served.tables();
    let names: Vec<_> = tables.iter().map(|one| one.path.as_str()).collect();
    assert!(names.contains(&"/api/badge"), "{names:?}");
    for gone in ["/api/log", "/api/hosts", "/api/s"] {
        assert!(!names.contains(&gone), "{names:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let new = ["new", "some", "--from-database", &own.url];
    listing(folder.path(), &[&new[..], &except[..]].concat()).well();
    let files = texts(&folder.path().join("some"));
    assert!(!files.contains_key("src/entity/log.rs"));
    assert!(files.contains_key("src/entity/badge.rs"));
    let none = [
        "new",
        "none",
        "--from-database",
        &own.url,
        "--except",
        "logs",
    ];
    listing(folder.path(), &none)
        .badly()
        .says("the database has no table `logs`; did you mean `log`?");
    let again = ["make", "--from-database", &own.url, "--dry-run"];
    let application = folder.path().join("some");
    let said = listing(&application, &[&again[..], &except[..]].concat()).well();
    assert!(!said.out.contains("entity/log.rs"), "{}", said.out);
}

/// The table of the report: one number, many rows. Rule d152.
#[test]
fn rows_that_share_a_value_are_not_taken_for_one() {
    std::fs::create_dir_all(room()).unwrap();
    let file = room().join("odd-log.sqlite");
    let _ = std::fs::remove_file(&file);
    on_sqlite(
        &file,
        "CREATE TABLE log (user_id integer NOT NULL, msg text);
         INSERT INTO log VALUES (1, 'a'), (2, 'b')",
    );
    let url = format!("sqlite:{}", file.display());
    let served = Served::start(serving(&[&url]), &url);
    served
        .database
        .execute("INSERT INTO log VALUES (1, 'c'), (1, 'd')");
    let log = served.get("/api/log?fields=*&sort=id");
    let found: Vec<_> = log["data"].as_array().unwrap().iter().collect();
    let wanted = [(1, 1, "a"), (2, 2, "b"), (3, 1, "c"), (4, 1, "d")];
    let wanted =
        wanted.map(|(id, user, msg)| serde_json::json!({"id": id, "user_id": user, "msg": msg}));
    assert_eq!(found, wanted.iter().collect::<Vec<_>>(), "{log}");
    assert_eq!(served.get("/api/log/4")["data"]["msg"], "d");
}

/// Rule b965.
#[test]
fn types_of_one_database_are_served() {
    let own = Own::on(
        POSTGRES,
        "types",
        "CREATE EXTENSION ltree; CREATE EXTENSION hstore;
         CREATE TABLE kinds (id integer PRIMARY KEY, path ltree, opens timetz, flags bit(8), mask bit varying(8), file oid,
             days date[], prices numeric(10, 2)[], more hstore);
         INSERT INTO kinds VALUES (1, 'a.b', '10:30+02', B'10101010', B'101', 4294967295, '{2026-01-31}', '{1.50,NULL}', 'a=>1'),
             (2, NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL)",
    );
    let served = Served::start(serving(&[&own.url]), &own.url);
    let kinds = served.get("/api/kinds?fields=*&sort=id");
    let mut first = kinds["data"][0].clone();
    let opens = first["opens"].take();
    assert!(opens.as_str().unwrap().starts_with("10:30:00"), "{opens}");
    assert_eq!(
        first,
        serde_json::json!({
            "id": 1, "path": "a.b", "opens": null, "flags": "10101010", "mask": "101", "file": 4_294_967_295_u32,
            "days": ["2026-01-31"], "prices": ["1.50", null],
        })
    );
    let folder = tempfile::tempdir().unwrap();
    listing(
        folder.path(),
        &["new", "types", "--from-database", &own.url, "--crud"],
    )
    .well()
    .says("`kinds.more` has the type `hstore`, which SeaORM cannot read");
    let files = texts(&folder.path().join("types"));
    let entity = &files["src/entity/kind.rs"];
    let entity = entity.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in [
        "select_as = \"text\", save_as = \"ltree\"",
        "select_as = \"text\", save_as = \"bit(8)\"",
        "select_as = \"bigint\", save_as = \"oid\"",
        "pub days: Option<Vec<Date>>,",
        "pub prices: Option<Vec<Decimal>>,",
    ] {
        assert!(entity.contains(line), "{line}: {entity}");
    }
}

/// Rule b966.
#[test]
fn json_of_mariadb_is_json() {
    let own = Own::on(
        MARIADB,
        "json",
        "CREATE TABLE places (id integer PRIMARY KEY, data json, told longtext);
         INSERT INTO places VALUES (1, '{\"a\": [1, null]}', '{\"a\": 1}'), (2, NULL, NULL)",
    );
    let served = Served::start(serving(&[&own.url]), &own.url);
    let places = served.get("/api/places?fields=*&sort=id");
    assert_eq!(
        places["data"][0]["data"],
        serde_json::json!({ "a": [1, null] })
    );
    assert_eq!(places["data"][0]["told"], "{\"a\": 1}");
    assert_eq!(places["data"][1]["data"], Value::Null);
}

/// Rule b967.
#[test]
fn tables_that_belong_to_a_search_of_sqlite_are_not_served() {
    std::fs::create_dir_all(room()).unwrap();
    let file = room().join("search.sqlite");
    let _ = std::fs::remove_file(&file);
    on_sqlite(
        &file,
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
         CREATE VIRTUAL TABLE found USING fts5 (body, content='notes', content_rowid='id');
         INSERT INTO notes VALUES (1, 'first')",
    );
    let url = format!("sqlite:{}", file.display());
    let served = Served::start(serving(&[&url]), &url);
    let paths: Vec<_> = served.tables().into_iter().map(|one| one.path).collect();
    assert!(paths.contains(&"/api/notes".to_owned()), "{paths:?}");
    assert!(
        !paths.iter().any(|path| path.starts_with("/api/found_")),
        "{paths:?}"
    );
}
