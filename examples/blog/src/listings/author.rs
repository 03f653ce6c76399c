//! What clients can select, populate, filter and sort by in lists of authors. `email` is in no list: no client sees it.

use listing::prelude::*;
use sea_orm::sea_query::SelectStatement;
use sea_orm::{EntityTrait, QueryFilter, QuerySelect, QueryTrait};

use crate::data::country_name;
use crate::entity::author::{Column::*, Entity};

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
            .add_defaults([Name, Country])
            .add((CreatedAt, "joined_at"))
    }
    fn relations() -> Relations<Entity> {
        Relations::new().add(Entity::ARTICLES)
    }
    fn filters() -> Vec<Filter<Entity>> {
        use FilterOperator::{Contains, Equal, In};
        vec![
            Filter::make(Name).allowed_operators([Equal, Contains]),
            Filter::make(Country)
                .allowed_operators([Equal, In])
                .label_resolver(|code| country_name(code).unwrap_or(code).to_owned()),
            Filter::relation(Entity::ARTICLES),
        ]
    }
    fn facets() -> Vec<Facet<Entity>> {
        vec![Facet::of(Country)]
    }
    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_default(Name).add_all([Id, Country])
    }
}

/// The ids of the authors who live in one of these countries.
pub(super) fn from_countries(countries: &[FilterValue]) -> SelectStatement {
    Entity::find()
        .select_only()
        .column(Id)
        .filter(Country.is_in(countries.iter().map(FilterValue::canonical)))
        .into_query()
}
