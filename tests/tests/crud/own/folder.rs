//! Folders, which only their owner sees and which can be soft-deleted.

use garde::Validate;
use listing::{Context, Fields, HasListing, Listing, Scope, Sorts};
use listing_axum::{Access, ApiError, Change, Denied, Payload, Resource, WritableResource, policy};
use sea_orm::ActiveValue::Set;
use sea_orm::ColumnTrait;
use sea_orm::sea_query::Expr;

use super::app::User;

pub mod entity {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "folders")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub owner: String,
        pub name: String,
        pub deleted_at: Option<DateTimeUtc>,
        #[sea_orm(has_many)]
        pub notes: HasMany<crate::own::entity::note::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub struct FolderListing;

impl HasListing for entity::Entity {
    type Listing = FolderListing;
}

impl Listing for FolderListing {
    type Entity = entity::Entity;

    fn fields() -> Fields<entity::Entity> {
        Fields::new().add_default(entity::Column::Name)
    }

    fn sorts() -> Sorts<entity::Entity> {
        Sorts::new()
    }

    fn scope(context: &Context) -> Scope {
        match context.get::<User>() {
            // The sub-query excludes nothing. It is read before the row is locked, which must not make the row look older.
            Some(user) => Scope::rows(entity::Column::Owner.eq(&user.name))
                .and(Expr::cust("(SELECT COUNT(*) FROM notes) >= 0")),
            None => Scope::nothing(),
        }
    }

    fn soft_delete() -> Option<entity::Column> {
        Some(entity::Column::DeletedAt)
    }
}

/// Everybody may do everything with what they can see.
#[derive(Debug)]
pub struct Folders;

impl Resource for Folders {
    type Entity = entity::Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}

impl WritableResource for Folders {
    type Store = FolderPayload;
    type Update = FolderPayload;

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        let user = change.context().get::<User>();
        change.record.owner = Set(user.map_or_else(String::new, |user| user.name.clone()));
        Ok(())
    }
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = entity::ActiveModel)]
pub struct FolderPayload {
    #[garde(length(chars, min = 1, max = 50))]
    name: String,
}
