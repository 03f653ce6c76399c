//! Projects, their listing and their endpoints, with a slug that is unique across companies.

use garde::Validate;
use listing::{
    Aggregate, AggregateFunction, Context, Facet, Field, Fields, Filter, FilterOperator,
    HasListing, Kind, Listing, Relations, Scope, Sorts, visible,
};
use listing_axum::{
    Access, ApiError, Change, Denied, Payload, Resource, Unique, WritableResource, policy,
};
use sea_orm::ActiveValue::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, SelectStatement};
use sea_orm::{QuerySelect, QueryTrait};

use super::{Member, own_rows, task};

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "projects")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: i64,
    pub name: String,
    #[sea_orm(unique)]
    pub slug: String,
    pub deleted_at: Option<DateTimeUtc>,
    #[sea_orm(has_many)]
    pub tasks: HasMany<super::task::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}

#[derive(Debug)]
pub struct ProjectListing;

impl HasListing for Entity {
    type Listing = ProjectListing;
}

impl Listing for ProjectListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(Column::Name)
            .add_default(Column::Slug)
            .add(Field::computed_for(tasks, "tasks_count").kind(Kind::Integer))
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add("tasks")
    }

    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{Contains, Equal, In, NotEqual, NotIn};
        vec![
            Filter::make(Column::Id).allowed_operators([Equal, NotEqual, In, NotIn]),
            Filter::make(Column::Name).allowed_operators([Equal, Contains]),
            Filter::make(Column::Slug).allowed_operators([Equal, In]),
            Filter::make("task_title")
                .allowed_operators(Equal)
                .custom_query(|query, values, _| {
                    let titles = values.iter().map(listing::FilterValue::canonical);
                    let having = task::Entity::find()
                        .select_only()
                        .column(task::Column::ProjectId)
                        .filter(task::Column::Title.is_in(titles))
                        .filter(visible::<task::Entity>(query.context()))
                        .into_query();
                    Column::Id.in_subquery(having)
                }),
        ]
    }

    fn facets() -> Vec<Facet<Entity>> {
        vec![Facet::of(Column::Name)]
    }

    fn aggregates() -> Vec<Aggregate<Entity>> {
        use AggregateFunction::{Count, CountDistinct};
        vec![Aggregate::of(Column::Name).allow([Count, CountDistinct])]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default(Column::Id)
            .add(Column::Name)
            .add("tasks_count")
    }

    fn scope(context: &Context) -> Scope {
        own_rows(context, Column::TenantId)
    }

    fn soft_delete() -> Option<Column> {
        Some(Column::DeletedAt)
    }

    fn trashed(context: &Context) -> bool {
        context.get::<Member>().is_some()
    }
}

fn tasks(context: &Context) -> SelectStatement {
    task::Entity::find()
        .select_only()
        .expr(Expr::col((task::Entity, task::Column::Id)).count())
        .filter(Expr::col((task::Entity, task::Column::ProjectId)).equals((Entity, Column::Id)))
        .filter(visible::<task::Entity>(context))
        .into_query()
}

#[derive(Debug, Payload, Validate)]
#[payload(active_model = ActiveModel)]
pub struct ProjectPayload {
    #[payload(trim)]
    #[garde(length(chars, min = 1, max = 255))]
    name: String,
    #[payload(trim)]
    #[garde(length(chars, min = 1, max = 255))]
    slug: String,
}

#[derive(Debug)]
pub struct Projects;

impl Resource for Projects {
    type Entity = Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        policy::read_for_all(access, policy::signed_in::<Member>)
    }
}

impl WritableResource for Projects {
    type Store = ProjectPayload;
    type Update = ProjectPayload;

    fn unique() -> Vec<Unique<Entity>> {
        vec![Unique::column(Column::Slug)]
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        if let Some(member) = change.context().get::<Member>() {
            change.record.tenant_id = Set(member.tenant);
        }
        Ok(())
    }
}
