//! Continents, which have lands.

use listing::{Fields, HasListing, Listing, Relations, Sorts};
use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "continents")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    #[sea_orm(has_many)]
    pub lands: HasMany<super::land::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct ContinentListing;

impl HasListing for Entity {
    type Listing = ContinentListing;
}

impl Listing for ContinentListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add("lands")
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_default(Column::Id)
    }
}
