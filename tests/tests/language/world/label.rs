//! Labels of projects.

use listing::{Field, Fields, Filter, FilterOperator, HasListing, Listing, Relations, Sorts};
use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "labels")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub name: String,
    pub tenant: i64,
    #[sea_orm(has_many, via = "project_label")]
    pub projects: HasMany<super::project::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct LabelListing;

impl HasListing for Entity {
    type Listing = LabelListing;
}

impl Listing for LabelListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(Column::Name)
            .add(Field::count_of(Entity::PROJECTS))
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add("projects")
    }

    fn filters() -> Vec<Filter<Entity>> {
        vec![
            Filter::make(Column::Name).allowed_operators(FilterOperator::for_text()),
            Filter::relation("projects"),
            Filter::computed("projects_count").allowed_operators(FilterOperator::COMPARISONS),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_default(Column::Id).add(Column::Name)
    }

    fn scope(context: &listing::Context) -> listing::Scope {
        super::of_tenant(context)
    }
}
