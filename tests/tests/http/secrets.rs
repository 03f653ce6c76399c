//! What is secret is never in output: not in `Debug`, not in errors (b144).

use listing_axum::Config;
use listing_axum::config::{KEYS, Secret};
use listing_tests::run;

/// Stands for every secret.
const SECRET: &str = "hunter2-hunter2-hunter2-hunter2-hunter2";

/// A file with the secret in every place that can hold one.
fn file() -> String {
    format!(
        "database = \"postgres://ann:{SECRET}@localhost/db?password={SECRET}\"\n\
         cursor_key = \"{SECRET}\"\n[jwt]\nsecret = \"{SECRET}\"\n"
    )
}

#[track_caller]
fn hides(text: &str) {
    assert!(!text.contains("hunter2"), "{text}");
    assert!(!text.is_empty());
}

/// Rule b144.
#[test]
fn a_configuration_shows_no_secret() {
    let config = Config::from_parts("listing.toml", &file(), []).unwrap();
    assert!(config.database.expose().contains(SECRET));
    hides(&format!("{config:?}"));
    hides(&format!("{config:#?}"));
    hides(&format!("{:?}", config.settings));
    hides(&format!("{:?}", config.jwt));
    hides(&format!("{:?}", listing_axum::Jwt::new(&config.jwt)));
    hides(&config.database.as_shown_url());
    for key in KEYS {
        hides(&key.value(&config));
    }
    assert_eq!(format!("{:?}", Secret::default()), "Secret()");
}

/// Rule b144.
#[test]
fn a_mistake_in_a_secret_is_told_without_it() {
    for text in [
        // Too short, of another type, in no quotes, unclosed, under a key that does not exist.
        "cursor_key = \"hunter2\"",
        "[jwt]\nsecret = [\"hunter2\"]",
        "database = hunter2",
        "database = \"hunter2",
        "cursor_key = \"hunter2\" \"",
        "[jwt]\nsecret = { hunter2 = 1 }",
        "passwort = \"hunter2\"",
    ] {
        let refused = Config::from_parts("listing.toml", text, []).unwrap_err();
        hides(&refused.to_string());
        hides(&format!("{refused:?}"));
    }
    for (variable, value) in [
        ("LISTING_CURSOR_KEY", "hunter2"),
        ("LISTING_PASSWORD", "hunter2"),
    ] {
        let variable = (variable.to_owned(), value.to_owned());
        let refused = Config::from_parts("listing.toml", "", [variable]).unwrap_err();
        hides(&refused.to_string());
        hides(&format!("{refused:?}"));
    }
    let short = Config::from_parts("listing.toml", "[jwt]\nsecret = \"hunter2\"", []).unwrap();
    let refused = listing_axum::Jwt::new(&short.jwt).unwrap_err();
    hides(&refused.to_string());
    hides(&format!("{refused:?}"));
}

/// Rule b144.
#[test]
fn a_database_that_cannot_be_opened_is_told_without_its_password() {
    for url in [
        // Nobody listens, no port, no known database, no URL.
        "postgres://ann:hunter2@127.0.0.1:1/db",
        "postgres://127.0.0.1:1/db?password=hunter2",
        "mysql://ann:hunter2@127.0.0.1:1/db",
        "postgres://ann:hunter2@host:port/db",
        "postgres://ann:hunter2/x@127.0.0.1:1/db",
        "postgres://ann:5432/hunter2@127.0.0.1:1/db",
        "postgres://ann:a%zhunter2?x@127.0.0.1:1/db",
        "oracle://ann:hunter2@host/db",
        "hunter2",
        "sqlite:/no such folder/hunter2?mode=rw&password=hunter2",
    ] {
        let refused = run(blog::connect::connect(url, 1)).unwrap_err();
        hides(&refused.to_string());
        hides(&format!("{refused:?}"));
    }
}
