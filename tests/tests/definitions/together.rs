//! Many mistakes in several listings, reported at once.

use listing::{Fields, Filter, FilterOperator, Listings, Paging, Relations, Settings, Sorts};
use sea_orm::entity::prelude::*;

use crate::small::{article, entity};
use crate::world::author;

mod first {
    use super::*;

    article! { ArticleListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add("titel")
        }
        fn relations() -> Relations<Entity> {
            Relations::new().add("autor").add(listing::Populate::relation("comments").limit(0))
        }
        fn filters() -> Vec<Filter<Entity>> {
            vec![Filter::make("viws").allowed_operators(FilterOperator::Equal)]
        }
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("autor.name")
        }
        fn soft_delete() -> Option<Column> {
            Some(Column::CreatedAt)
        }
        fn paging() -> Paging {
            Paging::new().page_size(0)
        }
    }
}

mod second {
    use super::*;

    entity! {
        "seats" {
            #[sea_orm(primary_key, auto_increment = false)]
            row: i32,
            #[sea_orm(primary_key, auto_increment = false)]
            number: bool,
        }
        SeatListing:
        fn sorts() -> Sorts<Entity> {
            Sorts::new().add("colour")
        }
    }
}

/// Rule d40.
#[test]
fn everything_that_is_wrong_anywhere_is_told_at_once() {
    let mut settings = Settings::default();
    settings.relation_limit = 0;
    let mistakes = Listings::builder(settings)
        .add::<first::Entity>()
        .add::<author::Entity>()
        .add::<second::Entity>()
        .build()
        .unwrap_err();
    let told: Vec<_> = mistakes
        .0
        .iter()
        .map(|mistake| {
            (
                mistake.listing.as_str(),
                mistake.place,
                mistake.name.as_str(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("listing.toml", "settings", "relation_limit"),
            ("ArticleListing", "field", "titel"),
            ("ArticleListing", "relation", "autor"),
            ("ArticleListing", "relation", "comments"),
            ("ArticleListing", "relation", "comments"),
            ("ArticleListing", "filter", "viws"),
            ("ArticleListing", "soft_delete", "created_at"),
            ("ArticleListing", "paging", "page_size"),
            ("SeatListing", "key", "number"),
            ("SeatListing", "sort", "colour"),
        ]
    );
    assert!(
        mistakes
            .0
            .iter()
            .all(|mistake| !mistake.problem.is_empty() && !mistake.remedy.is_empty())
    );
    let text = mistakes.to_string();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("10 mistakes in listing definitions:"));
    assert_eq!(
        lines.next(),
        Some(
            "  - listing.toml: settings `relation_limit`: the limit 0 is out of range; choose a number from 1 to 500"
        )
    );
    assert_eq!(lines.count(), 9);
}

/// Rule d40.
#[test]
fn one_mistake_is_one() {
    let mut settings = Settings::default();
    settings.relation_limit = 0;
    let mistake = Listings::builder(settings).build().unwrap_err();
    assert!(
        mistake
            .to_string()
            .starts_with("1 mistake in listing definitions:\n")
    );
}

/// Rule c1_r7.
#[test]
fn an_entity_whose_listing_was_not_added_has_no_whitelist() {
    let listings = Listings::builder(Settings::default()).build().unwrap();
    assert!(listings.of::<author::Entity>().is_none());
}
