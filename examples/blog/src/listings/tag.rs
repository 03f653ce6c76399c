//! What clients may select, populate, filter and sort by in lists of tags.

use listing::{Field, Fields, Filter, FilterOperator, HasListing, Kind, Listing, Relations, Sorts};
use sea_orm::sea_query::{Expr, ExprTrait, Query, SelectStatement};

use crate::entity::tag::{Column, Entity};
use crate::entity::{article, article_tag};

/// The whitelist of tags.
#[derive(Debug)]
pub struct TagListing;

impl HasListing for Entity {
    type Listing = TagListing;
}

impl Listing for TagListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(Column::Name)
            .add(Field::computed(living_articles, "articles_count").kind(Kind::Integer))
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add("articles")
    }

    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{Equal, Like};
        vec![Filter::make(Column::Name).allowed_operators([Equal, Like])]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_default(Column::Name)
    }
}

/// How many articles have a tag; those that are deleted do not count.
fn living_articles() -> SelectStatement {
    let of = |column| Expr::col((article_tag::Entity, column));
    Query::select()
        .expr(of(article_tag::Column::ArticleId).count())
        .from(article_tag::Entity)
        .inner_join(
            article::Entity,
            of(article_tag::Column::ArticleId).equals((article::Entity, article::Column::Id)),
        )
        .and_where(of(article_tag::Column::TagId).equals((Entity, Column::Id)))
        .and_where(Expr::col((article::Entity, article::Column::DeletedAt)).is_null())
        .take()
}
