//! Marks on notes, with a UUID as key, no timestamps, no soft delete, and constraints that no definition names.

use garde::Validate;
use listing::{Fields, HasListing, Listing, Sorts};
use listing_axum::{
    Access, ApiError, Change, Denied, Given, Payload, Resource, WritableResource, policy,
};
use sea_orm::ActiveValue::Set;
use uuid::Uuid;

pub mod entity {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "marks")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub name: String,
        pub note_id: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub struct MarkListing;

impl HasListing for entity::Entity {
    type Listing = MarkListing;
}

impl Listing for MarkListing {
    type Entity = entity::Entity;

    fn fields() -> Fields<entity::Entity> {
        Fields::new()
            .add_default(entity::Column::Name)
            .add(entity::Column::NoteId)
    }

    fn sorts() -> Sorts<entity::Entity> {
        Sorts::new()
    }
}

#[derive(Debug)]
pub struct Marks;

impl Resource for Marks {
    type Entity = entity::Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Marks {
    type Store = MarkPayload;
    type Update = MarkPayload;

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        change.record.id = Set(Uuid::new_v4());
        Ok(())
    }
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = entity::ActiveModel)]
pub struct MarkPayload {
    #[garde(inner(length(chars, min = 1, max = 50)))]
    name: Given<String>,
    #[garde(skip)]
    note_id: Given<i64>,
}
