//! `listing make` with columns: everything that a new entity needs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::shop::{listing, tested_shop};

/// The names and texts of the files of a package that Rust reads.
fn sources(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.join("src"), folder.join("tests")];
    while let Some(next) = folders.pop() {
        let Ok(entries) = fs::read_dir(next) else {
            continue;
        };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            found.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    found
}

/// A new application, which is not built.
fn application() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    listing(folder.path(), &["new", "shop"]).well();
    folder
}

/// Rules b583, b584.
#[test]
fn an_entity_of_every_type_is_served_and_tested() {
    let shop = tested_shop();
    let files = sources(&shop);
    let (migration, _) = files
        .iter()
        .find(|(file, _)| file.ends_with("_create_reviews.rs"))
        .unwrap();
    for (file, text) in [
        ("src/entity/review.rs", "pub read_at: Option<DateTimeUtc>,"),
        ("src/entity/review.rs", "pub r#type: Option<String>,"),
        (
            "src/entity/review.rs",
            "pub product: BelongsTo<super::product::Entity>,",
        ),
        ("src/entity/review.rs", "relation_enum = \"Replaced\""),
        (
            "src/entity/category.rs",
            "pub parent: BelongsTo<Option<Entity>>,",
        ),
        ("src/entity/mod.rs", "pub mod review;"),
        (migration, ".to(\"products\", \"id\")"),
        ("src/migration/mod.rs", "_create_reviews::Migration)"),
        ("src/entity/review.rs", "populate(product, replaced)"),
        (
            "src/entity/review.rs",
            "authorize = listing_axum::policy::signed_in::<crate::caller::Caller>",
        ),
        (
            "src/resources/mod.rs",
            ".crud::<crate::entity::review::Entity>()",
        ),
        (
            "tests/reviews.rs",
            "async fn a_review_needs_a_product_that_exists()",
        ),
        (
            "tests/categories.rs",
            "async fn a_category_that_is_sent_is_listed()",
        ),
        (
            "tests/categories.rs",
            "async fn only_callers_who_are_signed_in_read_and_write_categories()",
        ),
    ] {
        assert!(
            files[file].contains(text),
            "`{text}` is not in:\n{}",
            files[file]
        );
    }
}

/// Rules b583, b122.
#[test]
fn all_files_are_written_or_none() {
    let folder = application();
    let shop = folder.path().join("shop");
    let before = sources(&shop);
    for (arguments, said) in [
        (
            "Author name:strin",
            "`strin` is not a type; did you mean `string`?",
        ),
        ("Author book:references", "`book` cannot be a reference"),
        (
            "Author parent:references:author",
            "it has to allow null: write `references?`",
        ),
        (
            "Product name:string",
            "src/entity/product.rs already exists",
        ),
        ("1st name:string", "`1st` cannot be the name of an entity"),
        ("Author name:string --dry-run", "Nothing was written."),
    ] {
        let arguments: Vec<_> = ["make"].into_iter().chain(arguments.split(' ')).collect();
        let _ = listing(&shop, &arguments).says(said);
        assert_eq!(sources(&shop), before, "{arguments:?}");
    }
    // Where the list of migrations is not found, nothing is written either.
    let list = shop.join("src/migration/mod.rs");
    let text = before["src/migration/mod.rs"].replace("vec![", "Vec::from([");
    fs::write(&list, text.replace("Migration)]", "Migration)])")).unwrap();
    let before = sources(&shop);
    listing(&shop, &["make", "Author", "name:string"])
        .badly()
        .says("src/migration/mod.rs has no `fn migrations` with a `vec![…]`: add `Box::new(");
    assert_eq!(sources(&shop), before);
    fs::remove_dir_all(shop.join("src/migration")).unwrap();
    listing(&shop, &["make", "Author", "name:string"])
        .badly()
        .says("the application has no migrations: there is no `src/migration/mod.rs`")
        .says("listing make Author --crud --from-database URL");
}

/// Rules b580, b582, b583.
#[test]
fn a_new_entity_may_be_public_and_its_secrets_are_not() {
    let folder = application();
    let shop = folder.path().join("shop");
    let made = ["make", "Member", "name:string", "pin:string", "--public"];
    listing(&shop, &made)
        .well()
        .says("Left out, because they look like secrets:")
        .says("`members.pin` (`pin` in its name): src/entity/member.rs");
    let files = sources(&shop);
    for (file, text) in [
        (
            "src/entity/member.rs",
            "listing_axum::policy::read_for_all(access",
        ),
        ("src/entity/member.rs", "// #[listing(field, write)]"),
        ("tests/members.rs", "assert_eq!(status, StatusCode::OK);"),
        ("tests/members.rs", "json!({ \"name\": \"Something\" })"),
        (
            "tests/members.rs",
            "assert!(!status.is_success(), \"{reply}\");",
        ),
    ] {
        assert!(
            files[file].contains(text),
            "`{text}` is not in:\n{}",
            files[file]
        );
    }
}
