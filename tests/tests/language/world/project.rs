//! Projects: the entity that most of these tests list.

use listing::{
    Field, Fields, Filter, FilterOperator, HasListing, Kind, Listing, Populate, Relations, Search,
    SortDirection, Sorts,
};
use sea_orm::Condition;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, Query, SelectStatement};

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "projects")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub name: String,
    pub owner_id: Option<i64>,
    pub tenant: i64,
    #[sea_orm(column_type = "Decimal(Some((28, 10)))", nullable)]
    pub budget: Option<Decimal>,
    #[sea_orm(column_type = "JsonBinary", nullable)]
    pub data: Option<Json>,
    #[sea_orm(column_type = "Json", nullable)]
    pub tags: Option<Json>,
    #[sea_orm(belongs_to, from = "owner_id", to = "id")]
    pub owner: BelongsTo<Option<super::owner::Entity>>,
    #[sea_orm(has_many)]
    pub tasks: HasMany<super::task::Entity>,
    #[sea_orm(has_many, via = "project_label")]
    pub labels: HasMany<super::label::Entity>,
}

impl ActiveModelBehavior for ActiveModel {}

/// The largest id of a project's tasks; null where there is none.
fn last_task() -> SelectStatement {
    Query::select()
        .expr(Expr::col(("tasks", "id")).max())
        .from("tasks")
        .and_where(Expr::col(("tasks", "project_id")).equals(("projects", "id")))
        .take()
}

pub struct ProjectListing;

impl HasListing for Entity {
    type Listing = ProjectListing;
}

impl Listing for ProjectListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(Column::Name)
            .add(Column::Budget)
            .add(Field::count_of("labels"))
            .add(Field::count_of(Entity::OWNER))
            .add(Field::computed(last_task, "last_task").kind(Kind::Integer))
    }

    fn relations() -> Relations<Entity> {
        Relations::new()
            .add("owner")
            .add("labels")
            .add(
                Populate::relation("labels")
                    .alias("linked")
                    .order_by_link(super::project_label::Column::Id, SortDirection::Desc),
            )
            .add(Populate::relation("tasks").limit(20))
    }

    fn filters() -> Vec<Filter<Entity>> {
        let text = FilterOperator::for_text();
        let numbers = FilterOperator::for_numbers();
        vec![
            Filter::make(Column::Id).allowed_operators(numbers.clone()),
            Filter::make(Column::Name).allowed_operators(text),
            Filter::make(Column::OwnerId).allowed_operators(numbers.clone()),
            Filter::make(Column::Budget).allowed_operators(numbers),
            Filter::make("named")
                .allowed_operators(FilterOperator::Equal)
                .custom_query(|_, values, _| Expr::col("name").eq(values[0].canonical())),
            Filter::make("nothing")
                .allowed_operators(FilterOperator::Equal)
                .custom_query(|_, _, _| Condition::all()),
            Filter::json(Column::Data).path("city", Kind::Text),
            Filter::json(Column::Data).path("size.beds", Kind::Integer),
            Filter::json(Column::Data).path("size.area", Kind::Decimal { scale: None }),
            Filter::json(Column::Data).path("open", Kind::Boolean),
            Filter::json(Column::Data).path("notes", Kind::Array(Box::new(Kind::Text))),
            Filter::make(Column::Tags).allowed_operators(FilterOperator::for_arrays()),
            Filter::relation(Entity::OWNER),
            Filter::relation("labels").countable(),
            Filter::relation("tasks").countable(),
            Filter::computed("labels_count").allowed_operators(FilterOperator::for_numbers()),
            Filter::computed("last_task")
                .alias("latest")
                .allowed_operators(FilterOperator::for_numbers()),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default(Column::Id)
            .add(Column::Name)
            .add("owner.name")
    }

    fn search() -> Option<Search<Entity>> {
        Some(Search::contains([Column::Name]))
    }

    fn scope(context: &listing::Context) -> listing::Scope {
        super::of_tenant(context)
    }
}
