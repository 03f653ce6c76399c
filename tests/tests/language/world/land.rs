//! Lands, whose key is a text that is compared without case.

use listing::{Fields, Filter, FilterOperator, HasListing, Listing, Relations, Sorts};
use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "lands")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub code: String,
    pub name: String,
    pub continent_id: Option<i64>,
    #[sea_orm(belongs_to, from = "continent_id", to = "id")]
    pub continent: BelongsTo<Option<super::continent::Entity>>,
    #[sea_orm(has_many)]
    pub towns: HasMany<super::town::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct LandListing;

impl HasListing for Entity {
    type Listing = LandListing;
}

impl Listing for LandListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new().add_default(Column::Name)
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add("towns")
    }

    fn filters() -> Vec<Filter<Entity>> {
        vec![Filter::make(Column::Name).allowed_operators(FilterOperator::for_text())]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_default(Column::Name).add(Column::Code)
    }
}
