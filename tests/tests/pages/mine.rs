//! A listing of articles in which each user sees their own, with a choice of how to count.
#![expect(
    unreachable_pub,
    reason = "SeaORM and the trait want them public, and nobody else is to have them"
)]

use listing::{Context, CountMode, Fields, HasListing, Listing, Listings, Scope, Settings, Sorts};
use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "articles")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub author_id: Option<i64>,
    pub views: i32,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct MyListing;

impl HasListing for Entity {
    type Listing = MyListing;
}

/// The caller.
pub(crate) struct Me(pub(crate) i64);

impl Listing for MyListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new().add_default(Column::AuthorId)
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
    }

    fn scope(context: &Context) -> Scope {
        let mine = context.get::<Me>().map(|me| Column::AuthorId.eq(me.0));
        mine.map(Scope::rows).unwrap_or_default()
    }

    fn count() -> Option<CountMode> {
        Some(CountMode::Cached(3_600))
    }
}

pub(crate) fn listings() -> Listings {
    let settings = Settings::default();
    Listings::builder(settings).add::<Entity>().build().unwrap()
}
