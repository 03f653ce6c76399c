//! `listing make --from-database` in an application whose database has grown.

use std::fs;

use super::texts;
use crate::shop::{listing, on_sqlite};

const SCHEMA: &str = "CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT NOT NULL)";
const GROWN: &str = "
    ALTER TABLE note ADD COLUMN mood TEXT;
    CREATE TABLE tag (id INTEGER PRIMARY KEY, note_id INTEGER NOT NULL REFERENCES note (id), name TEXT NOT NULL)
";

/// Rule b368.
#[test]
fn tables_that_are_new_are_added_and_files_that_exist_are_never_touched() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("diary.sqlite");
    let url = format!("sqlite:{}", file.display());
    on_sqlite(&file, SCHEMA);
    listing(folder.path(), &["new", "diary", "--from-database", &url]).well();
    let diary = folder.path().join("diary");
    let edited = diary.join("src/listings/note.rs");
    let text = fs::read_to_string(&edited).unwrap() + "// Mine.\n";
    fs::write(&edited, text).unwrap();
    let before = texts(&diary);

    on_sqlite(&file, GROWN);
    let said = listing(&diary, &["make", "--from-database", &url])
        .well()
        .says("src/entity/note.rs lacks columns that its table now has")
        .says("pub mood: Option<String>,");
    assert!(!said.out.contains("pub title"), "{}", said.out);
    let after = texts(&diary);
    for (file, text) in &before {
        // These name the others.
        if !file.ends_with("mod.rs") {
            assert_eq!(&after[file], text, "{file}");
        }
    }
    for (file, text) in [
        (
            "src/entity/tag.rs",
            "pub note: BelongsTo<super::note::Entity>,",
        ),
        ("src/listings/tag.rs", "TagListing"),
        ("src/entity/mod.rs", "pub mod tag;"),
        ("src/listings/mod.rs", "mod tag;"),
        ("src/resources/mod.rs", "crate::entity::tag::Entity,"),
    ] {
        assert!(after[file].contains(text), "{text}: {}", after[file]);
    }
    // A second time there is nothing more to add.
    listing(&diary, &["make", "--from-database", &url]).well();
    assert_eq!(texts(&diary), after);
}

/// Rule b500.
#[test]
fn tables_are_wired_into_any_application_and_what_it_lacks_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("diary.sqlite");
    let url = format!("sqlite:{}", file.display());
    on_sqlite(&file, SCHEMA);
    let new = ["new", "diary", "--from-database", &url, "--public"];
    listing(folder.path(), &new).well();
    let diary = folder.path().join("diary");
    on_sqlite(
        &file,
        "CREATE TABLE page (id INTEGER PRIMARY KEY, \"PageNumber\" INTEGER NOT NULL)",
    );
    // It was read-only, and for everybody.
    let make = ["make", "--from-database", &url, "--crud"];
    listing(&diary, &make)
        .well()
        .says("src/caller.rs says who is signed in")
        .says("add to `[dependencies]` in Cargo.toml: garde = { version = ")
        .says("add to the top of listing.toml: names = \"snake_case\"");
    let files = texts(&diary);
    assert!(files["src/lib.rs"].contains("pub mod caller;"));
    assert!(files["src/caller.rs"].contains("pub struct Caller;"));
    assert!(files["src/resources/mod.rs"].contains(".crud::<page::Pages>()"));

    // It was not made from a database.
    let bank = folder.path().join("bank");
    fs::create_dir_all(bank.join("src")).unwrap();
    fs::write(bank.join("Cargo.toml"), "[package]\nname = \"bank\"\n").unwrap();
    fs::write(bank.join("src/lib.rs"), "//! A bank.\n").unwrap();
    listing(&bank, &["make", "--from-database", &url])
        .well()
        .says("src/resources/mod.rs is new");
    let files = texts(&bank);
    assert_eq!(
        files["src/lib.rs"],
        "//! A bank.\n\npub mod caller;\npub mod entity;\npub mod listings;\npub mod resources;\n"
    );
}

/// Rule b123.
#[test]
fn a_secret_that_a_new_record_needs_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.sqlite");
    let url = format!("sqlite:{}", file.display());
    on_sqlite(
        &file,
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, email TEXT NOT NULL, password TEXT NOT NULL, \
         reset_token TEXT)",
    );
    let new = ["new", "people", "--from-database", &url, "--dry-run"];
    let said = listing(folder.path(), &[&new[..], &["--crud"]].concat())
        .well()
        .says("clients do not send `customer.password`, but the table needs a value: set it in `before_store`");
    let needless = "clients do not send `customer.reset_token`";
    assert!(!said.out.contains(needless), "{}", said.out);
    let said = listing(folder.path(), &new).well();
    assert!(!said.out.contains("before_store"), "{}", said.out);
}
