//! `listing check`, on schemas in which something was planted.

use std::fs;
use std::path::Path;

use crate::shop::{LEGACY, database, listing, on_sqlite, room, shop, tested_shop};

/// The statements that the command proposes.
fn proposed(said: &str) -> String {
    let lines = said.lines().filter(|line| line.starts_with("CREATE INDEX"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Rule b227.
#[test]
fn the_indexes_that_are_proposed_are_those_that_are_missing_and_only_advice() {
    let (file, url) = database("indexes");
    let arguments = ["check", "--database", url.as_str(), "--strict"];
    // Advice alone is not an error, unless it is asked to be one.
    listing(&tested_shop(), &arguments[..3]).well();
    let said = listing(&tested_shop(), &arguments)
        .badly()
        .says("OrderListing: sort `total`: no index of `orders` begins with total")
        .out;
    let statements = proposed(&said);
    assert!(
        statements.contains("CREATE INDEX orders_total ON orders (total, id);"),
        "{said}"
    );
    // The new application's own tables have what they need, and a boolean needs nothing.
    for table in ["products", "categories", "reviews"] {
        assert!(!said.contains(table), "{said}");
    }
    on_sqlite(&file, &statements);
    listing(&tested_shop(), &arguments).well();
}

/// The schema with everything that was proposed, and one thing changed.
fn planted(name: &str, what: &str, by: &str) -> String {
    let (file, url) = database(name);
    let changed = LEGACY.replace(what, by);
    assert_ne!(changed, LEGACY);
    on_sqlite(
        &file,
        "DROP TABLE orders; DROP TABLE accounts; DROP TABLE customers",
    );
    on_sqlite(&file, &changed);
    url
}

#[track_caller]
fn finds(url: &str, message: &str) {
    listing(&tested_shop(), &["check", "--database", url])
        .badly()
        .says(message);
}

#[test]
fn a_wrong_column_is_found() {
    let url = planted("column", "login varchar", "user_login varchar");
    finds(&url, "the column `accounts.login` does not exist");
}

#[test]
fn a_wrong_type_is_found() {
    let url = planted("type", "total decimal(10, 2)", "total date_text");
    finds(
        &url,
        "`orders.total` is `date_text` in the database, but decimal in the entity",
    );
}

#[test]
fn a_relation_without_its_foreign_key_is_found() {
    let url = planted(
        "key",
        "bigint NOT NULL REFERENCES customers (id)",
        "bigint NOT NULL",
    );
    finds(
        &url,
        "relation `customer`: `orders.customer_id` has no foreign key to `customers.id`",
    );
}

#[test]
fn a_table_that_is_not_there_is_found() {
    let (file, url) = database("table");
    on_sqlite(&file, "DROP TABLE accounts");
    finds(&url, "the table `accounts` does not exist");
}

#[test]
fn without_a_database_the_definitions_alone_are_checked() {
    listing(&tested_shop(), &["check"])
        .well()
        .says("6 listings agree with their entities")
        .says("--database");
    listing(
        &tested_shop(),
        &["check", "--database", "sqlite:not/there.sqlite"],
    )
    .badly()
    .says("cannot open the database");
}

#[test]
fn a_mistake_in_a_definition_is_told_as_the_application_tells_it() {
    tested_shop();
    let copy = room().join("mistaken");
    let _ = fs::remove_dir_all(&copy);
    copy_sources(&shop(), &copy);
    // A program of another name, because both are built into one folder.
    let manifest = fs::read_to_string(copy.join("Cargo.toml")).unwrap();
    let renamed = manifest.replacen("name = \"shop\"", "name = \"mistaken\"", 1);
    fs::write(
        copy.join("Cargo.toml"),
        renamed + "\n[lib]\nname = \"shop\"\n",
    )
    .unwrap();
    let file = copy.join("src/listings/order.rs");
    let text = fs::read_to_string(&file).unwrap();
    let wrong = text.replacen("Sorts::new()", "Sorts::new().add(\"totl\")", 1);
    assert_ne!(wrong, text);
    fs::write(&file, wrong).unwrap();
    listing(&copy, &["check"])
        .badly()
        .says("OrderListing: sort `totl`")
        .says("did you mean `total`?");

    // An application that does not ask the console is told how.
    fs::write(copy.join("src/main.rs"), "//! Deaf.\n\nfn main() {}\n").unwrap();
    listing(&copy, &["check"])
        .badly()
        .says("listing_axum::console::console(&config, &listings, &routes)");

    // One that does not build is told by the compiler.
    fs::write(copy.join("src/main.rs"), "fn main() { let }").unwrap();
    listing(&copy, &["check"])
        .badly()
        .says("the application does not build");
}

fn copy_sources(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_sources(&entry.path(), &target);
        } else if entry.path().extension().is_none_or(|e| e != "sqlite") {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
