//! Tasks, their listing and their endpoints, with a code that is unique within a company.

use garde::Validate;
use listing::{
    Aggregate, AggregateFunction, Context, Facet, Fields, Filter, FilterOperator, HasListing,
    Listing, Relations, Scope, Sorts, visible,
};
use listing_axum::{
    Access, ApiError, Change, Denied, Given, Links, Payload, Resource, Unique, WritableResource,
    policy,
};
use sea_orm::ActiveValue::Set;
use sea_orm::entity::prelude::*;
use sea_orm::{QuerySelect, QueryTrait};

use super::{Member, own_rows, project};

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "tasks")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: i64,
    pub project_id: Option<i64>,
    pub title: String,
    pub code: String,
    pub priority: i32,
    pub deleted_at: Option<DateTimeUtc>,
    #[sea_orm(belongs_to, from = "project_id", to = "id", on_delete = "SetNull")]
    pub project: BelongsTo<Option<super::project::Entity>>,
    #[sea_orm(has_many, via = "task_tag")]
    pub tags: HasMany<super::tag::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}

#[derive(Debug)]
pub struct TaskListing;

impl HasListing for Entity {
    type Listing = TaskListing;
}

impl Listing for TaskListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(Column::Title)
            .add_default(Column::Priority)
            .add(Column::Code)
            .add(Column::ProjectId)
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add("project").add("tags")
    }

    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{Contains, Equal, In, NotEqual, NotIn, NotNull, Null};
        vec![
            Filter::make(Column::Id).allowed_operators([Equal, NotEqual, In, NotIn]),
            Filter::make(Column::Title).allowed_operators([Equal, Contains]),
            Filter::make(Column::Code).allowed_operators([Equal, In]),
            Filter::make(Column::Priority).allowed_operators(FilterOperator::COMPARISONS),
            Filter::make(Column::ProjectId)
                .allowed_operators([Equal, In, Null, NotNull])
                .label_resolver_async(|values, lookup| {
                    lookup.labels::<project::Entity>(project::Column::Name, values)
                }),
            Filter::make("project_name")
                .allowed_operators(Equal)
                .custom_query(|query, values, _| {
                    let names = values.iter().map(listing::FilterValue::canonical);
                    let named = project::Entity::find()
                        .select_only()
                        .column(project::Column::Id)
                        .filter(project::Column::Name.is_in(names))
                        .filter(visible::<project::Entity>(query.context()))
                        .into_query();
                    Column::ProjectId.in_subquery(named)
                }),
            Filter::relation("tags"),
        ]
    }

    fn facets() -> Vec<Facet<Entity>> {
        vec![
            Facet::of(Column::ProjectId),
            Facet::of(Column::Code),
            Facet::relation("tags"),
            Facet::range(Column::Priority),
        ]
    }

    fn aggregates() -> Vec<Aggregate<Entity>> {
        use AggregateFunction::{Average, CountDistinct, Max, Min, Sum};
        vec![
            Aggregate::of(Column::Priority).allow([Sum, Average, Min, Max]),
            Aggregate::of(Column::ProjectId).allow([CountDistinct]),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default(Column::Id)
            .add(Column::Title)
            .add(Column::Priority)
            .add("project.name")
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

#[derive(Debug, Payload, Validate)]
#[payload(active_model = ActiveModel)]
pub struct TaskPayload {
    #[payload(trim)]
    #[garde(length(chars, min = 1, max = 255))]
    title: String,
    #[payload(trim)]
    #[garde(length(chars, min = 1, max = 255))]
    code: String,
    #[garde(skip)]
    priority: i32,
    #[garde(skip)]
    project_id: Given<Option<i64>>,
    #[garde(skip)]
    tags: Given<Links>,
}

#[derive(Debug)]
pub struct Tasks;

impl Resource for Tasks {
    type Entity = Entity;

    async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
        policy::read_for_all(access, policy::signed_in::<Member>)
    }
}

impl WritableResource for Tasks {
    type Store = TaskPayload;
    type Update = TaskPayload;

    fn unique() -> Vec<Unique<Entity>> {
        vec![Unique::column(Column::Code).within(Column::TenantId)]
    }

    async fn before_store(change: &mut Change<'_, Self>) -> Result<(), ApiError> {
        if let Some(member) = change.context().get::<Member>() {
            change.record.tenant_id = Set(member.tenant);
        }
        Ok(())
    }
}
