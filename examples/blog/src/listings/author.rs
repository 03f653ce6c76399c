//! What clients may select, populate, filter and sort by in lists of authors; `email` is left out and stays hidden.

use listing::{Fields, Filter, FilterOperator, HasListing, Listing, Relations, Sorts};

use crate::data::country_name;
use crate::entity::author::{Column, Entity};

/// The whitelist of authors.
#[derive(Debug)]
pub struct AuthorListing;

impl HasListing for Entity {
    type Listing = AuthorListing;
}

impl Listing for AuthorListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new()
            .add_default(Column::Name)
            .add_default(Column::Country)
            .add((Column::CreatedAt, "joined_at"))
    }

    fn relations() -> Relations<Entity> {
        Relations::new().add("articles")
    }

    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{Equal, In, Like};
        vec![
            Filter::make(Column::Name).allowed_operators([Equal, Like]),
            Filter::make(Column::Country)
                .allowed_operators([Equal, In])
                .label_resolver(|code| country_name(code).unwrap_or(code).to_owned()),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new()
            .add_default(Column::Name)
            .add(Column::Id)
            .add(Column::Country)
    }
}
