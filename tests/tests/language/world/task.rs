//! Tasks of projects, some of which are parts of others, and some of which are hidden by default.

use listing::{
    Field, Fields, Filter, FilterOperator, HasListing, Listing, Relations, Search, Sorts,
};
use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "tasks")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub project_id: i64,
    pub parent_id: Option<i64>,
    pub title: Option<String>,
    pub done: Option<bool>,
    pub hidden: bool,
    #[sea_orm(belongs_to, from = "project_id", to = "id")]
    pub project: BelongsTo<super::project::Entity>,
    #[sea_orm(
        self_ref,
        relation_enum = "Parent",
        relation_reverse = "Parts",
        from = "parent_id",
        to = "id"
    )]
    pub parent: BelongsTo<Option<Entity>>,
    #[sea_orm(self_ref, relation_enum = "Parts", relation_reverse = "Parent")]
    pub parts: HasMany<Entity>,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct TaskListing;

impl HasListing for Entity {
    type Listing = TaskListing;
}

impl Listing for TaskListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(Column::Title)
            .add(Column::Done)
            .add(Field::count_of(Entity::PARTS))
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add("parent").add("parts").add("project")
    }

    fn filters() -> Vec<Filter<Entity>> {
        vec![
            Filter::make(Column::Title).allowed_operators(FilterOperator::for_text()),
            Filter::make(Column::Done).allowed_operators(FilterOperator::for_booleans()),
            Filter::make(Column::Hidden)
                .allowed_operators(FilterOperator::Equal)
                .default_value(false),
            Filter::relation("parent"),
            Filter::relation("parts").countable(),
            Filter::computed("parts_count").allowed_operators(FilterOperator::COMPARISONS),
            // Not every filter of projects.
            Filter::relation("project").only(["name", "owner", "tasks"]),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default(Column::Id)
            .add(Column::Title)
            .add("project.name")
    }

    fn search() -> Option<Search<Entity>> {
        Some(Search::contains([Column::Title]))
    }
}
