//! What clients can select, populate, filter and sort by in lists of articles.

use super::{CurrentUser, author::from_countries};
use crate::entity::article::{Column, Column::*, Entity};
use crate::entity::author;
use crate::entity::seo::Column::{MetaDescription, MetaTitle};
use listing::prelude::*;

/// The whitelist of articles.
#[derive(Debug)]
pub struct ArticleListing;

impl Listing for ArticleListing {
    type Entity = Entity;
    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_defaults([Title, Slug, IsActive, Views, CreatedAt])
            .add_all([Body, Rating, AuthorId, UpdatedAt])
            .add(Field::count_of(Entity::COMMENTS))
    }
    fn relations() -> Relations<Entity> {
        Relations::new()
            .add_all((Entity::AUTHOR, Entity::COMMENTS, Entity::TAGS))
            .add(Populate::relation(Entity::SEO).only([MetaTitle, MetaDescription]))
    }
    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{self as Op, Between, Equal, In, Like, NotEqual, NotNull, Null};
        vec![
            Filter::make(Id).allowed_operators(Op::EQUALITY),
            Filter::make(Title).allowed_operators([Equal, NotEqual, Like]),
            Filter::make(Slug).allowed_operators([Equal, In]),
            Filter::make(IsActive)
                .allowed_operators(Equal)
                .labels([("true", "Active"), ("false", "Inactive")]),
            Filter::make(Views).allowed_operators(Op::COMPARISONS.and(Between)),
            Filter::make(Rating).allowed_operators(Op::COMPARISONS.and(Op::NULLS)),
            Filter::make(AuthorId)
                .allowed_operators([Equal, In, Null, NotNull])
                .default_from(|user: &CurrentUser| user.author_id)
                .labels_from(author::Column::Name),
            Filter::make(CreatedAt).allowed_operators(Op::COMPARISONS.and(Between)),
            Filter::make("author_country")
                .allowed_operators([Equal, In])
                .custom_query(|_, values, _| AuthorId.in_subquery(from_countries(values))),
            Filter::make(Body).allowed_operators([Like, Null, NotNull]),
            Filter::relations((Entity::AUTHOR, Entity::COMMENTS, Entity::TAGS)),
            Filter::relation(Entity::SEO).only([MetaTitle, MetaDescription]),
        ]
    }
    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default_with(CreatedAt, SortDirection::Desc)
            .add_all([Id, Title, Views, Rating])
            .add("comments_count")
            .add(Entity::AUTHOR.column(author::Column::Name))
            .add_all((Entity::SEO.column(MetaTitle), Sort::relevance()))
    }
    fn search() -> Option<Search<Entity>> {
        Some(Search::full_text([Title, Body]))
    }
    fn soft_delete() -> Option<Column> {
        Some(DeletedAt)
    }
    fn trashed(context: &Context) -> bool {
        context.get::<CurrentUser>().is_some()
    }
    fn show() -> Option<Fields<Entity>> {
        Some(Fields::new().add_all([Title, Slug, Body, IsActive, CreatedAt, UpdatedAt]))
    }
}
