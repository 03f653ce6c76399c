//! What clients may select, populate, filter and sort by in lists of comments.

use listing::{
    Fields, Filter, FilterOperator, HasListing, Listing, Relations, SortDirection, Sorts,
};

use crate::entity::comment::{Column, Entity};

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
            .add_default(Column::AuthorName)
            .add_default(Column::Body)
            .add_default(Column::CreatedAt)
            .add(Column::ArticleId)
            .add(Column::IsHidden)
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add_default("article")
    }

    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{Equal, In, Like};
        vec![
            Filter::make(Column::ArticleId).allowed_operators([Equal, In]),
            Filter::make(Column::AuthorName).allowed_operators([Equal, Like]),
            Filter::make(Column::IsHidden)
                .allowed_operators(Equal)
                .default(false, Equal),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default_with(Column::Id, SortDirection::Desc)
            .add(Column::CreatedAt)
    }
}
