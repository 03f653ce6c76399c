//! Describes the facets and totals of a whitelist.

use super::{Facet, FacetKind, Total};
use crate::define::{FacetBy, Listings, Whitelist, WhitelistFacet, WhitelistFilter};
use crate::vocabulary::FilterOperator;

pub(super) fn facets(listings: &Listings, whitelist: &Whitelist) -> Vec<Facet> {
    let facet = |facet: &WhitelistFacet| {
        let (kind, has_values) = match facet.by {
            FacetBy::Values(_) => (FacetKind::Values, true),
            FacetBy::Relation { .. } => (FacetKind::Relation, true),
            FacetBy::Range(_) => (FacetKind::Range, false),
            FacetBy::Calendar(_) => (FacetKind::Calendar, false),
        };
        Facet {
            name: facet.key.clone(),
            kind,
            limit: has_values.then_some(facet.limit),
            narrowing: facet.narrowing,
            choose: choose(listings, whitelist, facet),
        }
    };
    whitelist.facets.iter().map(facet).collect()
}

/// The parameter that chooses values: of several where that is allowed, else of one.
fn choose(listings: &Listings, whitelist: &Whitelist, facet: &WhitelistFacet) -> Option<String> {
    let operator = |filter: &WhitelistFilter| {
        let chooses = [FilterOperator::In, FilterOperator::Equal];
        let mut chooses = chooses.into_iter();
        chooses.find(|operator| filter.operators.contains(operator))
    };
    match &facet.by {
        FacetBy::Values(_) => {
            let operator = operator(facet.filter(whitelist)?)?;
            Some(format!("filters[{}][{operator}]", facet.key))
        }
        FacetBy::Relation { id, .. } => {
            let related = facet.related(whitelist)?;
            let own = related.filters(listings).iter();
            let mut filters = own.chain(&related.id);
            let operator = operator(filters.find(|filter| filter.key == *id)?)?;
            Some(format!("filters[{}][{id}][{operator}]", facet.key))
        }
        FacetBy::Range(_) | FacetBy::Calendar(_) => None,
    }
}

pub(super) fn totals(whitelist: &Whitelist) -> Vec<Total> {
    let aggregates = whitelist.aggregates.iter();
    let total = aggregates.map(|aggregate| Total {
        name: aggregate.field(whitelist).alias.clone(),
        functions: aggregate
            .functions
            .iter()
            .map(ToString::to_string)
            .collect(),
    });
    total.collect()
}
