//! Mistakes in primary keys and in the column that marks a row as deleted.

use listing::Fields;
use sea_orm::entity::prelude::*;

use crate::small::{article, entity, mistakes};

/// Rule b360.
#[test]
fn a_key_has_columns_of_kinds_that_can_stand_in_an_address() {
    entity! {
        "seats" {
            #[sea_orm(primary_key, auto_increment = false)]
            row: i32,
            #[sea_orm(primary_key, auto_increment = false)]
            is_left: bool,
            price: i32,
        }
        SeatListing:
        fn fields() -> Fields<Entity> {
            Fields::new().add("price")
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "SeatListing: key `is_left`: a column of the primary key is not an integer, a UUID, text, a date or a timestamp; \
             use columns of these types for the primary key"
        ]
    );
}

/// Rule d41.
#[test]
fn a_key_is_an_integer_a_uuid_or_text() {
    entity! {
        "moments" {
            #[sea_orm(primary_key, auto_increment = false)]
            happened_at: DateTimeUtc,
        }
        MomentListing:
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "MomentListing: key `happened_at`: the primary key is not an integer, a UUID or text; use a primary key of one of these types"
        ]
    );
}

/// Rules d41, b39.
#[test]
fn keys_of_these_types_are_right() {
    mod number {
        use super::*;
        entity! { "a" { #[sea_orm(primary_key)] code: i16 } NumberListing: }
    }
    mod uuid {
        use super::*;
        entity! { "b" { #[sea_orm(primary_key, auto_increment = false)] code: Uuid } UuidListing: }
    }
    mod text {
        use super::*;
        entity! { "c" { #[sea_orm(primary_key, auto_increment = false)] code: String } TextListing: }
    }
    assert_eq!(mistakes::<number::Entity>(), [""; 0]);
    assert_eq!(mistakes::<uuid::Entity>(), [""; 0]);
    assert_eq!(mistakes::<text::Entity>(), [""; 0]);
}

/// Rule d40.
#[test]
fn a_mark_of_deletion_must_be_able_to_be_absent() {
    article! { ArticleListing:
        fn soft_delete() -> Option<Column> {
            Some(Column::CreatedAt)
        }
    }
    assert_eq!(
        mistakes::<Entity>(),
        [
            "ArticleListing: soft_delete `created_at`: the column is never null, so every row would count as deleted; make the column nullable"
        ]
    );
}
