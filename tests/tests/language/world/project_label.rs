//! Links between projects and labels, which have a tenant, a bin, and a kind that counts by default.

use listing::{Fields, Filter, FilterOperator, HasListing, Listing, Sorts};
use sea_orm::entity::prelude::*;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "project_labels")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub project_id: i64,
    pub label_id: i64,
    pub tenant: i64,
    pub kind: String,
    pub removed_at: Option<DateTimeUtc>,
    #[sea_orm(belongs_to, from = "project_id", to = "id")]
    pub project: BelongsTo<super::project::Entity>,
    #[sea_orm(belongs_to, from = "label_id", to = "id")]
    pub label: BelongsTo<super::label::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct ProjectLabelListing;

impl HasListing for Entity {
    type Listing = ProjectLabelListing;
}

impl Listing for ProjectLabelListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new().add_default(Column::Kind)
    }

    fn filters() -> Vec<Filter<Entity>> {
        vec![
            Filter::make(Column::Kind)
                .allowed_operators(FilterOperator::Equal)
                .default_value("main"),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
    }

    fn scope(context: &listing::Context) -> listing::Scope {
        super::of_tenant(context)
    }

    fn soft_delete() -> Option<Column> {
        Some(Column::RemovedAt)
    }
}
