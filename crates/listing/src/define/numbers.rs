//! The verified form of facets and aggregates.

use super::{Whitelist, WhitelistField, WhitelistFilter, WhitelistRelated};
use crate::vocabulary::AggregateFunction;

/// A facet, verified.
pub(crate) struct WhitelistFacet {
    /// The key of its filter.
    pub(crate) key: String,
    pub(crate) by: FacetBy,
    /// How many values are shown unless the client says how many.
    pub(crate) limit: u64,
    /// Whether its own filter holds for its counts.
    pub(crate) narrowing: bool,
}

/// The subject of a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FacetBy {
    /// The values of a filter, by its index.
    Values(usize),
    /// The smallest and the largest value of a filter's column.
    Range(usize),
    /// The values of a filter's column, gathered by a unit of the calendar.
    Calendar(usize),
    Relation {
        /// The filter through the relation, by its index.
        related: usize,
        /// The filter inside by which the key of a related record is chosen.
        id: String,
        /// The column of the related entity that labels its records.
        label: Option<usize>,
    },
}

impl WhitelistFacet {
    /// How many values are shown unless anybody says how many, and at most.
    pub(crate) const DEFAULT_LIMIT: u64 = 30;
    pub(crate) const MOST_VALUES: u64 = 1_000;

    /// The filter that it is about, unless it is about a relation.
    pub(crate) fn filter<'w>(&self, whitelist: &'w Whitelist) -> Option<&'w WhitelistFilter> {
        match self.by {
            FacetBy::Values(at) | FacetBy::Range(at) | FacetBy::Calendar(at) => {
                whitelist.filters.get(at)
            }
            FacetBy::Relation { .. } => None,
        }
    }

    /// The filter through a relation that it is about.
    pub(crate) fn related<'w>(&self, whitelist: &'w Whitelist) -> Option<&'w WhitelistRelated> {
        match self.by {
            FacetBy::Relation { related, .. } => whitelist.related.get(related),
            _ => None,
        }
    }
}

/// The numbers that clients can have about a field.
pub(crate) struct WhitelistAggregate {
    /// The field, by its index.
    pub(crate) field: usize,
    pub(crate) column: usize,
    pub(crate) functions: Vec<AggregateFunction>,
}

impl WhitelistAggregate {
    pub(crate) fn field<'w>(&self, whitelist: &'w Whitelist) -> &'w WhitelistField {
        &whitelist.fields[self.field]
    }
}
