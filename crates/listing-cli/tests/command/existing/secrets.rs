//! Secrets in a database: who may read, which columns are left out, and that they are told.

use std::collections::BTreeMap;

use super::application::Served;
use super::serve::serving;
use super::{MARIADB, POSTGRES, texts};
use crate::servers::Own;
use crate::shop::{listing, on_sqlite, room};

const SCHEMA: &str = "
    CREATE TABLE users (id integer PRIMARY KEY, name varchar(50) NOT NULL, pass_crypt varchar(200), pwd varchar(50),
        pin integer, pass_phrase varchar(50), access_key varchar(50), totp varchar(50), mfa_seed varchar(50), cvv integer,
        ssn varchar(50), iban varchar(50), jwt text, cookie text, credential text, backup_codes text,
        session_id varchar(50), authorization_code varchar(50), password_changed_at timestamp NULL, pinned integer,
        token_count integer, country_iso char(2), passenger varchar(50), keyboard varchar(50), spin varchar(50));
    CREATE TABLE api_keys (id integer PRIMARY KEY, name varchar(50), \"key\" varchar(50));
    CREATE TABLE editor (id integer PRIMARY KEY, name char(64), ha1 char(32), proof char(40), user_id integer);
    CREATE TABLE creditcard (creditcardid integer PRIMARY KEY, cardtype varchar(50), cardnumber varchar(25));
    INSERT INTO users (id, name, pass_crypt, pwd, pin, pass_phrase, access_key, totp, mfa_seed, cvv, ssn, iban, jwt, cookie,
        credential, backup_codes, session_id, authorization_code, token_count, country_iso, passenger)
        VALUES (1, 'Ada', 'not told', 'not told', 987654, 'not told', 'not told', 'not told', 'not told', 987654, 'not told',
        'not told', 'not told', 'not told', 'not told', 'not told', 'not told', 'not told', 4, 'GB', 'yes');
    INSERT INTO api_keys VALUES (1, 'first', 'not told');
    INSERT INTO editor VALUES (1, 'Ben', 'not told', 'not told', 1);
    INSERT INTO creditcard VALUES (1, 'gold', 'not told')
";

/// Columns by their tables.
const HIDDEN: &[(&str, &str)] = &[
    (
        "users",
        "pass_crypt pwd pin pass_phrase access_key totp mfa_seed cvv ssn iban jwt cookie credential backup_codes session_id \
         authorization_code",
    ),
    ("api_keys", "key"),
    ("editor", "ha1 proof"),
    ("creditcard", "cardnumber"),
];
const SHOWN: &[(&str, &str)] = &[
    (
        "users",
        "name password_changed_at pinned token_count country_iso passenger keyboard spin",
    ),
    ("api_keys", "name"),
    ("editor", "name user_id"),
    ("creditcard", "cardtype"),
];

fn columns(of: &'static [(&str, &str)]) -> impl Iterator<Item = (&'static str, &'static str)> {
    let pairs = |(table, columns): &(&'static str, &'static str)| {
        let table = *table;
        columns
            .split_whitespace()
            .map(move |column| (table, column))
    };
    of.iter().flat_map(pairs)
}

/// Runs with the schema on each database.
fn on_each(tag: &str, check: impl Fn(&str)) {
    std::fs::create_dir_all(room()).unwrap();
    let file = room().join(format!("secrets-{tag}.sqlite"));
    let _ = std::fs::remove_file(&file);
    on_sqlite(&file, SCHEMA);
    check(&format!("sqlite:{}", file.display()));
    let name = format!("secrets_{tag}");
    check(&Own::on(POSTGRES, &name, SCHEMA).url);
    let schema = SCHEMA.replace('"', "`");
    check(&Own::on(MARIADB, &name, &schema).url);
}

fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a text has this name, and not only as the beginning of another.
fn names(text: &str, name: &str) -> bool {
    let mut after = text.split(name).skip(1);
    after.any(|rest| !rest.starts_with(char::is_alphanumeric))
}

fn generated(url: &str, more: &[&str]) -> (String, BTreeMap<String, String>) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [&["new", "bank", "--from-database", url], more].concat();
    let said = listing(folder.path(), &arguments).well().out;
    (said, texts(&folder.path().join("bank")))
}

/// Rules b580, b581, b582.
#[test]
fn columns_that_look_like_secrets_are_comments_and_are_told_at_the_end() {
    on_each("new", |url| {
        for more in [&[][..], &["--crud"]] {
            let (said, files) = generated(url, more);
            let (before, told) = said
                .split_once("Left out, because they look like secrets:")
                .unwrap();
            assert!(before.contains("created  src/main.rs"), "{said}");
            assert!(!told.contains("created"), "{said}");
            let listing =
                |table: &str| &files[&format!("src/listings/{}.rs", table.trim_end_matches('s'))];
            for (table, column) in columns(HIDDEN) {
                let variant = format!(
                    "Column::{}",
                    heck::ToUpperCamelCase::to_upper_camel_case(column)
                );
                let text = listing(table);
                assert!(
                    text.contains(&format!("// .add({variant})")),
                    "{column}: {text}"
                );
                assert!(!names(&code(text), &variant), "{column}: {text}");
                assert!(
                    told.contains(&format!("`{table}.{column}` (")),
                    "{column}: {said}"
                );
            }
            for (table, column) in columns(SHOWN) {
                let variant = format!(
                    "Column::{}",
                    heck::ToUpperCamelCase::to_upper_camel_case(column)
                );
                let text = listing(table);
                assert!(names(&code(text), &variant), "{column}: {text}");
                assert!(
                    !told.contains(&format!("`{table}.{column}`")),
                    "{column}: {said}"
                );
            }
        }
    });
}

/// Rules b370, b581.
#[test]
fn the_same_columns_are_left_out_where_a_database_is_served() {
    on_each("serve", |url| {
        let served = Served::start(serving(&[url]), url);
        let described = served.get("/api/_describe").to_string();
        for (table, _) in HIDDEN {
            let rows = served.get(&format!("/api/{table}?fields=*")).to_string();
            assert!(
                !rows.contains("not told") && !rows.contains("987654"),
                "{rows}"
            );
        }
        for (table, column) in columns(HIDDEN) {
            let target = format!("/api/{table}?fields={column}");
            assert_eq!(served.send("GET", &target, None).0, 400, "{target}");
            // A word such as `key` is in the description for other reasons.
            let is_told = column.len() > 4 && described.contains(&format!("\"{column}\""));
            assert!(!is_told, "{column}: {described}");
        }
        for (table, column) in columns(SHOWN) {
            served.get(&format!("/api/{table}?fields={column}"));
        }
    });
}

/// Rule b580.
#[test]
fn an_application_is_for_callers_who_are_signed_in_unless_it_is_public() {
    std::fs::create_dir_all(room()).unwrap();
    let file = room().join("secrets-public.sqlite");
    let _ = std::fs::remove_file(&file);
    on_sqlite(&file, SCHEMA);
    let url = format!("sqlite:{}", file.display());
    let (said, files) = generated(&url, &[]);
    assert!(said.contains("API_TOKEN=secret cargo run"), "{said}");
    assert!(
        said.contains("for callers who are signed in; `--public` lets everybody read"),
        "{said}"
    );
    let resources = &files["src/resources/mod.rs"];
    let call = ".read::<SignedInRead<crate::entity::user::Entity, Caller>>()";
    assert!(resources.contains(call), "{resources}");
    assert!(files["src/service.rs"].contains(".identify::<Caller>()"));
    assert!(files["tests/lists.rs"].contains("StatusCode::UNAUTHORIZED"));

    let (said, files) = generated(&url, &["--public"]);
    assert!(!said.contains("API_TOKEN"), "{said}");
    let resources = &files["src/resources/mod.rs"];
    let call = ".read::<PublicRead<crate::entity::user::Entity>>()";
    assert!(resources.contains(call), "{resources}");
    assert!(!files.contains_key("src/caller.rs"));
    assert!(!files["tests/lists.rs"].contains("UNAUTHORIZED"));

    let (_, files) = generated(&url, &["--crud"]);
    let users = &files["src/resources/user.rs"];
    assert!(
        users.contains("policy::signed_in::<Caller>(access)"),
        "{users}"
    );
    let (_, files) = generated(&url, &["--crud", "--public"]);
    let users = &files["src/resources/user.rs"];
    assert!(
        users.contains("policy::read_for_all(access, policy::signed_in::<Caller>)"),
        "{users}"
    );
    assert!(files.contains_key("src/caller.rs"));
}
