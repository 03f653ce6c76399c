//! What clients can select, populate, filter and sort by in lists of comments.

use listing::prelude::*;

use crate::entity::comment::{Column::*, Entity};

/// The whitelist of comments.
#[derive(Debug)]
pub struct CommentListing;

impl HasListing for Entity {
    type Listing = CommentListing;
}

impl Listing for CommentListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_defaults([AuthorName, Body, CreatedAt])
            .add_all([ArticleId, IsHidden])
    }
    fn relations() -> Relations<Entity> {
        Relations::new().add_default(Entity::ARTICLE)
    }
    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{Contains, Equal, In};
        vec![
            Filter::make(ArticleId).allowed_operators([Equal, In]),
            Filter::make(AuthorName).allowed_operators([Equal, Contains]),
            Filter::make(IsHidden)
                .allowed_operators(Equal)
                .default(false, Equal),
        ]
    }
    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default_with(Id, SortDirection::Desc)
            .add(CreatedAt)
    }
}
