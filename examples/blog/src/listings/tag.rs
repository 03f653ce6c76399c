//! What clients can select, populate, filter and sort by in lists of tags.

use listing::prelude::*;

use crate::entity::tag::{Column::*, Entity};

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
            .add_default(Name)
            .add(Field::count_of(Entity::ARTICLES))
    }
    fn relations() -> Relations<Entity> {
        Relations::new().add(Entity::ARTICLES)
    }
    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{Contains, Equal};
        vec![Filter::make(Name).allowed_operators([Equal, Contains])]
    }
    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_default(Name)
    }
}
