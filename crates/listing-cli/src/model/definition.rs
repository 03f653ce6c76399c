//! The contents of an entity's listing, whether it is written as source or built at run time.

use ::listing::{AggregateFunction, SortDirection};

use super::entity::{Column, Entity};
use super::judge::{self, Operators, Shown};

/// The whitelist of an entity, column by column. Its relations are those of the entity.
#[derive(Debug)]
pub(crate) struct Definition<'e> {
    /// Returned unless the client names others.
    pub(crate) defaults: Vec<&'e Column>,
    /// Returned when the client names them.
    pub(crate) on_request: Vec<&'e Column>,
    /// Left out on purpose.
    pub(crate) secrets: Vec<&'e Column>,
    pub(crate) filters: Vec<(&'e Column, Operators)>,
    /// The default sort, and its direction.
    pub(crate) first: Option<(&'e Column, SortDirection)>,
    /// The other sorts.
    pub(crate) sorts: Vec<&'e Column>,
    pub(crate) facets: Vec<&'e Column>,
    pub(crate) totals: Vec<(&'e Column, &'static [AggregateFunction])>,
    pub(crate) soft_delete: Option<&'e Column>,
}

/// How many facets a listing has: as many as one request can ask for.
const MOST_FACETS: usize = 10;

impl<'e> Definition<'e> {
    pub(crate) fn of(entity: &'e Entity) -> Self {
        let shown = |wanted: Shown| -> Vec<&Column> {
            let columns = entity.columns.iter();
            columns.filter(|c| judge::shown(c) == wanted).collect()
        };
        let filters = entity.columns.iter();
        let filters = filters.filter_map(|column| Some((column, judge::operators(column)?)));
        let facets = entity.columns.iter();
        // By the name of its column it could not be told from a column that is called so to clients.
        let is_named = |column: &&Column| column.alias.is_none();
        let facets = facets.filter(is_named).filter(|one| judge::is_facet(one));
        let totals = entity.columns.iter();
        let totals = totals.filter(is_named);
        let totals = totals.map(|column| (column, judge::totals(column)));
        let sorts = entity.columns.iter();
        let mut sorts: Vec<_> = sorts.filter(|column| judge::is_sort(column)).collect();
        // The newest first, or else in the order of the key.
        let newest = sorts.iter().position(|column| column.field == "created_at");
        let first = match newest {
            Some(at) => Some((sorts.remove(at), SortDirection::Desc)),
            None => {
                let key = sorts.iter().position(|column| column.key);
                key.map(|at| (sorts.remove(at), SortDirection::Asc))
            }
        };
        Self {
            defaults: shown(Shown::Default),
            on_request: shown(Shown::OnRequest),
            secrets: shown(Shown::Secret),
            filters: filters.collect(),
            first,
            sorts,
            facets: facets.take(MOST_FACETS).collect(),
            totals: totals.filter(|(_, all)| !all.is_empty()).collect(),
            soft_delete: judge::soft_delete(entity),
        }
    }
}
