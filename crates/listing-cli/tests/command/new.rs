//! `listing new`.

use std::fs;

use crate::shop::{listing, room, tested_shop};

#[test]
fn a_new_application_passes_its_tests_and_the_lints_at_once() {
    let shop = tested_shop();
    assert!(shop.join("src/listings/product.rs").is_file());
    assert!(shop.join("src/resources/product.rs").is_file());
}

#[test]
fn a_folder_that_is_not_empty_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("full")).unwrap();
    fs::write(folder.path().join("full/diary.txt"), "mine").unwrap();
    listing(folder.path(), &["new", "full"])
        .badly()
        .says("is there already and is not empty");
    assert_eq!(fs::read_dir(folder.path().join("full")).unwrap().count(), 1);
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    listing(folder.path(), &["new", "shop", "--dry-run"])
        .well()
        .says("src/listings/product.rs")
        .says("impl Listing for ProductListing")
        .says("Nothing was written.");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn bad_names_and_folders_are_told_with_a_remedy() {
    fs::create_dir_all(room()).unwrap();
    listing(&room(), &["new", "1st"])
        .badly()
        .says("cannot be the name of a package");
    let folder = tempfile::tempdir().unwrap();
    listing(folder.path(), &["new", "shop", "--listing-path", "nowhere"])
        .badly()
        .says("--listing-path FOLDER");
}
