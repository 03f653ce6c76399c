//! Towns, each in a land.

use listing::{Fields, Filter, FilterOperator, HasListing, Listing, Relations, Sorts};
use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "towns")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub land_code: Option<String>,
    pub name: String,
    #[sea_orm(belongs_to, from = "land_code", to = "code")]
    pub land: BelongsTo<Option<super::land::Entity>>,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct TownListing;

impl HasListing for Entity {
    type Listing = TownListing;
}

impl Listing for TownListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new().add_default(Column::Name)
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add("land")
    }

    fn filters() -> Vec<Filter<Entity>> {
        vec![Filter::make(Column::Name).allowed_operators(FilterOperator::for_text())]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default(Column::Id)
            .add(Column::Name)
            .add("land.name")
    }
}
