//! Mistakes in numbers: sizes of pages, items of relations, bounds on text.

use listing::{Listings, Paging, Relations, Settings};
use sea_orm::entity::prelude::*;

use crate::small::{article, mistakes, mistakes_under};

/// Rules d15, b38.
#[test]
fn a_listings_own_sizes_are_neither_nothing_nor_too_large() {
    mod nothing {
        use super::*;
        article! { NothingListing: fn paging() -> Paging { Paging::new().page_size(0).max_page_size(0) } }
    }
    mod large {
        use super::*;
        article! { LargeListing: fn paging() -> Paging { Paging::new().max_page_size(501) } }
    }
    mod over {
        use super::*;
        article! { OverListing: fn paging() -> Paging { Paging::new().page_size(101) } }
    }
    mod crossed {
        use super::*;
        article! { CrossedListing: fn paging() -> Paging { Paging::new().page_size(11).max_page_size(10) } }
    }
    assert_eq!(
        mistakes::<nothing::Entity>(),
        [
            "NothingListing: paging `max_page_size`: the limit 0 is out of range; choose a number from 1 to 500",
            "NothingListing: paging `page_size`: a page size of 0 is out of range; choose a number from 1 to the largest page size, 0",
        ]
    );
    assert_eq!(
        mistakes::<large::Entity>(),
        [
            "LargeListing: paging `max_page_size`: the limit 501 is out of range; choose a number from 1 to 500"
        ]
    );
    assert_eq!(
        mistakes::<over::Entity>(),
        [
            "OverListing: paging `page_size`: a page size of 101 is out of range; choose a number from 1 to the largest page size, 100"
        ]
    );
    assert_eq!(
        mistakes::<crossed::Entity>(),
        [
            "CrossedListing: paging `page_size`: a page size of 11 is out of range; choose a number from 1 to the largest page size, 10"
        ]
    );
}

/// Rule d15.
#[test]
fn a_largest_page_below_the_projects_size_is_no_mistake() {
    article! { ArticleListing: fn paging() -> Paging { Paging::new().max_page_size(10) } }
    assert_eq!(mistakes::<Entity>(), [""; 0]);
}

/// Rules c1_r7, d43, b37, b38.
#[test]
fn a_relation_has_a_limit_that_is_neither_nothing_nor_too_large() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new()
                .add(listing::Populate::relation("comments").limit(0))
                .add(listing::Populate::relation("tags").limit(501))
                .add(listing::Populate::relation("author").limit(1))
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: relation `comments`: the limit 0 is out of range; choose a number from 1 to 500",
            "ArticleListing: relation `tags`: the limit 501 is out of range; choose a number from 1 to 500",
            "ArticleListing: relation `author`: `limit` is for relations to many rows, and this one leads to one; remove the limit",
        ]
    );
}

/// Rules c1_r7, d40, d43.
#[test]
fn the_projects_numbers_are_verified_once() {
    article! { ArticleListing:
        fn relations() -> Relations<Entity> {
            Relations::new().add("comments").add("tags")
        }
    }
    let mut settings = Settings::default();
    settings.page_size = 0;
    settings.max_page_size = 1000;
    settings.relation_limit = 0;
    assert_eq!(
        mistakes_under::<Entity>(settings),
        [
            "listing.toml: settings `max_page_size`: the limit 1000 is out of range; choose a number from 1 to 500",
            "listing.toml: settings `page_size`: a page size of 0 is out of range; choose a number from 1 to the largest page size, 1000",
            "listing.toml: settings `relation_limit`: the limit 0 is out of range; choose a number from 1 to 500",
        ]
    );
}

/// Rules d3, d40.
#[test]
fn a_bound_of_nothing_would_refuse_everything() {
    let mut settings = Settings::default();
    settings.bounds.query_bytes = 0;
    settings.bounds.depth = 0;
    settings.bounds.pairs = 0;
    settings.bounds.in_values = 0;
    settings.bounds.body_bytes = 0;
    settings.bounds.body_in_values = 0;
    let mistakes = Listings::builder(settings).build().unwrap_err();
    let expected = [
        "query_bytes",
        "depth",
        "pairs",
        "in_values",
        "body_bytes",
        "body_in_values",
    ]
    .map(|name| {
        format!("listing.toml: settings `bounds.{name}`: it must not be 0; choose a number of at least 1")
    });
    let told: Vec<_> = mistakes.0.iter().map(ToString::to_string).collect();
    assert_eq!(told, expected);
}
