//! `listing new`.

use std::fs;
use std::process::Command;

use crate::shop::{Ended, listing, room, target, tested_shop};

#[test]
fn a_new_application_passes_its_tests_and_the_lints_at_once() {
    let shop = tested_shop();
    let entity = fs::read_to_string(shop.join("src/entity/product.rs")).unwrap();
    assert!(entity.contains("listing::Listing"), "{entity}");
    let main = fs::read_to_string(shop.join("src/main.rs")).unwrap();
    assert!(main.lines().count() <= 25, "{main}");
}

#[test]
fn a_folder_that_is_not_empty_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("full")).unwrap();
    fs::write(folder.path().join("full/diary.txt"), "mine").unwrap();
    listing(folder.path(), &["new", "full"])
        .badly()
        .says("already exists and is not empty");
    assert_eq!(fs::read_dir(folder.path().join("full")).unwrap().count(), 1);
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    listing(folder.path(), &["new", "shop", "--dry-run"])
        .well()
        .says("src/entity/product.rs")
        .says("DeriveEntityModel, listing::Listing)]")
        .says("Nothing was written.");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Rule b706.
#[test]
fn an_explicit_application_has_its_listings_as_functions() {
    let folder = tempfile::tempdir().unwrap();
    listing(folder.path(), &["new", "shop", "--explicit", "--dry-run"])
        .well()
        .says("src/listings/product.rs")
        .says("impl Listing for ProductListing")
        .says("src/resources/product.rs")
        .says("pub struct ProductPayload");
}

#[test]
fn bad_names_and_folders_are_told_with_a_remedy() {
    fs::create_dir_all(room()).unwrap();
    for name in ["1st", "gen", "self", "listing"] {
        listing(&room(), &["new", name])
            .badly()
            .says("cannot be the name of a package");
    }
    let folder = tempfile::tempdir().unwrap();
    listing(folder.path(), &["new", "shop", "--listing-path", "nowhere"])
        .badly()
        .says("--listing-path FOLDER");
}

/// Rule b225.
#[test]
fn an_application_depends_on_its_own_database_and_on_little_else() {
    let folder = tempfile::tempdir().unwrap();
    let said = listing(folder.path(), &["new", "shop", "--dry-run"])
        .well()
        .out;
    let manifest = said.split("Cargo.toml").nth(1).unwrap();
    let manifest = manifest.split("README.md").next().unwrap();
    for line in [
        "/crates/listing\", features = [\"sqlite\"] }",
        "/crates/listing-axum\", default-features = false, features = [\"console\", \"docs\", \"log\", \"migrations\", \"sqlite\"] }",
    ] {
        assert!(manifest.contains(line), "`{line}` is not in:\n{manifest}");
    }
    for heavy in ["mysql", "postgres", "jwt", "env-filter", "opt-level"] {
        assert!(!manifest.contains(heavy), "{manifest}");
    }
}

/// Rule b74.
#[test]
fn a_url_that_asks_for_tls_is_refused_by_an_application_that_was_built_without_it() {
    let shop = tested_shop();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    for url in [
        format!("postgres://me:secret@{address}/d?sslmode=require"),
        format!("mysql://me:secret@{address}/d?ssl-mode=VERIFY_CA"),
    ] {
        let mut program = Command::new(target().join("debug/shop"));
        program.env("DATABASE_URL", url).current_dir(&shop);
        let ended = Ended::from(program.output().unwrap()).badly();
        ended
            .says("cannot open the database")
            .says("turn on the feature `tls`");
    }
}

/// Rules b220, b132.
#[test]
fn an_application_without_the_driver_says_so_at_once_and_keeps_the_password() {
    let shop = tested_shop();
    let begun = std::time::Instant::now();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let start = || {
        let mut program = Command::new(target().join("debug/shop"));
        program
            .env("DATABASE_URL", format!("postgres://me:secret@{address}/d"))
            .current_dir(&shop);
        let ended = Ended::from(program.output().unwrap()).badly();
        assert!(!ended.err.contains("secret"), "{}", ended.err);
        ended.says("cannot open the database")
    };
    // It was built without PostgreSQL.
    start().says("the feature `postgres` of `listing-axum` is not enabled");
    drop(listener);
    // There is nothing to wait for, whether the server is there or not.
    start().says("the feature `postgres` of `listing-axum` is not enabled");
    assert!(begun.elapsed() < std::time::Duration::from_secs(10));
}
