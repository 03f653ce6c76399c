//! What clients may select, populate, filter and sort by in lists of articles.

use listing::{
    Absent, Context, Field, Fields, Filter, FilterOperator, FilterValue, HasListing, Kind, Listing,
    Relation, Relations, Search, Sort, SortDirection, Sorts,
};
use sea_orm::ColumnTrait;
use sea_orm::sea_query::{Expr, ExprTrait, Query, SelectStatement};

use crate::entity::article::{Column, Entity};
use crate::entity::{author, comment};

/// Who asks: an application puts it into the request's context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentUser {
    /// The author that this user is.
    pub author_id: i64,
}

/// The whitelist of articles.
#[derive(Debug)]
pub struct ArticleListing;

impl HasListing for Entity {
    type Listing = ArticleListing;
}

impl Listing for ArticleListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(Column::Title)
            .add_default(Column::Slug)
            .add_default(Column::IsActive)
            .add_default(Column::Views)
            .add_default(Column::CreatedAt)
            .add(Column::Body)
            .add(Column::Rating)
            .add(Column::AuthorId)
            .add(Column::UpdatedAt)
            .add(Field::computed(visible_comments, "comments_count").kind(Kind::Integer))
    }

    fn relations() -> Relations<Entity> {
        Relations::new()
            .add("author")
            .add("comments")
            .add("tags")
            .add(Relation::named("seo").only(["meta_title", "meta_description"]))
    }

    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{Between, Equal, In, Like, NotEqual, NotIn, NotNull, Null};
        let and = |more: &[FilterOperator]| [FilterOperator::COMPARISONS, more].concat();
        vec![
            Filter::make(Column::Id).allowed_operators([Equal, NotEqual, In, NotIn]),
            Filter::make(Column::Title).allowed_operators([Equal, NotEqual, Like]),
            Filter::make(Column::Slug).allowed_operators([Equal, In]),
            Filter::make(Column::IsActive)
                .allowed_operators(Equal)
                .label_resolver(|value| activity(value).to_owned()),
            Filter::make(Column::Views).allowed_operators(and(&[Between])),
            Filter::make(Column::Rating).allowed_operators(and(&[Null, NotNull])),
            Filter::make(Column::AuthorId)
                .allowed_operators([Equal, In, Null, NotNull])
                .default_value(|context: &Context| {
                    context.get::<CurrentUser>().map(|user| user.author_id)
                })
                .when_absent(Absent::Skip)
                .label_resolver_async(|values, lookup| {
                    lookup.labels::<author::Entity>(author::Column::Name, values)
                }),
            Filter::make(Column::CreatedAt).allowed_operators(and(&[Between])),
            Filter::make("author_country")
                .allowed_operators([Equal, In])
                .custom_query(|query, values, _operator| {
                    query
                        .and_where(Expr::col((Entity, Column::AuthorId)).in_subquery(from(values)));
                }),
            Filter::make(Column::Body).allowed_operators([Like, Null, NotNull]),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default_with(Column::CreatedAt, SortDirection::Desc)
            .add(Column::Id)
            .add(Column::Title)
            .add(Column::Views)
            .add(Column::Rating)
            .add("comments_count")
            .add("author.name")
            .add("seo.meta_title")
            .add(Sort::relevance())
    }

    fn search() -> Option<Search<Entity>> {
        Some(Search::full_text([Column::Title, Column::Body]))
    }

    fn soft_delete() -> Option<Column> {
        Some(Column::DeletedAt)
    }

    /// Whoever is signed in may look into the bin.
    fn trashed(context: &Context) -> bool {
        context.get::<CurrentUser>().is_some()
    }

    fn show() -> Option<Fields<Entity>> {
        let fields = Fields::new()
            .add(Column::Title)
            .add(Column::Slug)
            .add(Column::Body)
            .add(Column::IsActive)
            .add(Column::CreatedAt)
            .add(Column::UpdatedAt);
        Some(fields)
    }
}

/// How many comments an article has that are not hidden.
fn visible_comments() -> SelectStatement {
    Query::select()
        .expr(Expr::col((comment::Entity, comment::Column::Id)).count())
        .from(comment::Entity)
        .and_where(
            Expr::col((comment::Entity, comment::Column::ArticleId)).equals((Entity, Column::Id)),
        )
        .and_where(comment::Column::IsHidden.eq(false))
        .take()
}

/// The ids of the authors who live in one of these countries.
fn from(countries: &[FilterValue]) -> SelectStatement {
    Query::select()
        .column(author::Column::Id)
        .from(author::Entity)
        .and_where(author::Column::Country.is_in(countries.iter().map(FilterValue::canonical)))
        .take()
}

fn activity(value: &str) -> &'static str {
    if value == "true" {
        "Active"
    } else {
        "Inactive"
    }
}
