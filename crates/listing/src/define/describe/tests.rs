//! Tests what a listing tells of the order of its rows, from which indexes are advised.
#![expect(
    unreachable_pub,
    reason = "SeaORM and the trait want them public, and nobody else is to have them"
)]

use crate::define::{Fields, HasListing, Listing, Listings, Relations, Search, Sort, Sorts};
use crate::vocabulary::{Settings, SortDirection};

mod shelf {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "shelves")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        #[sea_orm(has_many)]
        pub books: HasMany<super::book::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod book {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "books")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub shelf_id: i64,
        pub title: String,
        pub pages: i32,
        #[sea_orm(belongs_to, from = "shelf_id", to = "id")]
        pub shelf: BelongsTo<super::shelf::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub struct ShelfListing;

impl HasListing for shelf::Entity {
    type Listing = ShelfListing;
}

impl Listing for ShelfListing {
    type Entity = shelf::Entity;

    fn fields() -> Fields<shelf::Entity> {
        Fields::new()
    }

    fn relations() -> Relations<shelf::Entity> {
        Relations::new().add("books")
    }

    fn sorts() -> Sorts<shelf::Entity> {
        Sorts::new()
    }
}

pub struct BookListing;

impl HasListing for book::Entity {
    type Listing = BookListing;
}

impl Listing for BookListing {
    type Entity = book::Entity;

    fn fields() -> Fields<book::Entity> {
        Fields::new().add_default("title")
    }

    fn search() -> Option<Search<book::Entity>> {
        Some(Search::full_text([book::Column::Title]))
    }

    fn sorts() -> Sorts<book::Entity> {
        Sorts::new()
            .add_default(Sort::relevance())
            .add_default_with("pages", SortDirection::Desc)
            .add_default("title")
            .add_default("id")
    }
}

/// Rule b491.
#[test]
fn an_order_is_told_with_its_directions_and_without_relevance() {
    let builder = Listings::builder(Settings::default());
    let listings = builder.add::<shelf::Entity>().add::<book::Entity>().build();
    let described = listings.unwrap().describe();
    let books = &described[0].relations[0];
    assert_eq!(books.order, ["pages", "title"]);
    assert_eq!(books.descending, ["pages"]);
    let sorts: Vec<_> = described[1]
        .sorts
        .iter()
        .map(|sort| (sort.column.as_deref(), sort.descending, sort.relevance))
        .collect();
    assert_eq!(
        sorts,
        [
            (None, false, true),
            (Some("pages"), true, false),
            (Some("title"), false, false),
            (Some("id"), false, false),
        ]
    );
}
