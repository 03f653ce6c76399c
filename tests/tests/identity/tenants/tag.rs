//! Tags, their listing and their endpoints.

use listing::{
    Context, Fields, Filter, FilterOperator, HasListing, Listing, Relations, Scope, Sorts,
};
use listing_axum::{Access, Denied, Resource, policy};
use sea_orm::entity::prelude::*;

use super::own_rows;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "tags")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: i64,
    pub name: String,
    #[sea_orm(has_many, via = "task_tag")]
    pub tasks: HasMany<super::task::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}

#[derive(Debug)]
pub struct TagListing;

impl HasListing for Entity {
    type Listing = TagListing;
}

impl Listing for TagListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new().add_default(Column::Name)
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add("tasks")
    }

    fn filters() -> Vec<Filter<Entity>> {
        vec![Filter::make(Column::Name).allowed_operators([FilterOperator::Equal])]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_default(Column::Id).add(Column::Name)
    }

    fn scope(context: &Context) -> Scope {
        own_rows(context, Column::TenantId)
    }
}

#[derive(Debug)]
pub struct Tags;

impl Resource for Tags {
    type Entity = Entity;

    async fn authorize(_: &Access<'_, Self>) -> Result<(), Denied> {
        policy::allow_all()
    }
}
