//! Checks the requested facets and totals, and decides which rows each of them counts (d96–d104).

use std::time::Duration;

use compact_str::CompactString;

use super::applied::Applied;
use super::cost::Costs;
use super::facet_options::{self, CalendarOptions, ValueOptions};
use super::ignored::{Path, Unknown, What};
use super::predicate::RelatedRows;
use super::{CheckError, CheckedSearch, ColumnOf, Predicate, Trashed, left_out, own, visible};
use crate::define::{
    Calendar, Context, FacetBy, KnownLabels, LabelResolver, Listings, Whitelist, WhitelistFacet,
    WhitelistFilter, WhitelistRelated,
};
use crate::request::{AskedFacet, AskedFacets, AskedFilter, AskedNumbers, AskedTotal};
use crate::vocabulary::{AggregateFunction, FilterOperator, Kind};

/// The numbers to read with the rows.
pub(crate) struct CheckedNumbers<'w> {
    pub(crate) facets: Vec<CheckedFacet<'w>>,
    pub(crate) totals: Vec<CheckedTotal<'w>>,
    /// How long each of them may take (d107).
    pub(crate) within: Duration,
}

/// A facet to read.
pub(crate) struct CheckedFacet<'w> {
    pub(crate) key: &'w str,
    /// The rows that it counts; `None` for those of the list.
    pub(crate) rows: Option<Predicate<'w>>,
    pub(crate) shows: FacetShows<'w>,
    /// The selected values in canonical form.
    pub(crate) selected: Vec<CompactString>,
}

/// The content of a facet.
pub(crate) enum FacetShows<'w> {
    Values {
        column: ColumnOf<'w>,
        kind: &'w Kind,
        labels: Option<&'w LabelResolver>,
        /// Every possible value, if they are few and known. Values without rows are also shown (d100).
        closed: Vec<String>,
        options: ValueOptions,
    },
    Related {
        related: Box<RelatedFacet<'w>>,
        options: ValueOptions,
    },
    Range {
        column: ColumnOf<'w>,
    },
    Calendar {
        column: ColumnOf<'w>,
        options: CalendarOptions,
    },
}

/// The related records that a facet counts.
pub(crate) struct RelatedFacet<'w> {
    pub(crate) rows: RelatedRows<'w>,
    /// The key of the related records, and their label.
    pub(crate) key: ColumnOf<'w>,
    pub(crate) label: Option<ColumnOf<'w>>,
    /// The rows of the list without a related record.
    pub(crate) missing: Predicate<'w>,
}

/// Numbers about one field.
pub(crate) struct CheckedTotal<'w> {
    pub(crate) name: &'w str,
    pub(crate) column: ColumnOf<'w>,
    /// The field's kind in JSON.
    pub(crate) kind: &'w Kind,
    pub(crate) functions: Vec<AggregateFunction>,
}

/// The list for which numbers are requested, as far as it has been checked.
pub(super) struct Counted<'c, 'w> {
    pub(super) listings: &'w Listings,
    pub(super) whitelist: &'w Whitelist,
    pub(super) context: &'w Context,
    pub(super) calendar: &'c Calendar<'c>,
    pub(super) filters: &'c AskedFilter,
    pub(super) search: Option<&'c CheckedSearch<'w>>,
    pub(super) trashed: Trashed,
    pub(super) applied: &'c [Applied<'w>],
    /// The rows of the list.
    pub(super) rows: &'c Predicate<'w>,
}

/// The most facets in one request (d101).
const MOST_FACETS: usize = 10;

/// A facet with its options.
pub(super) type Wanted<'w, 'a> = (&'w WhitelistFacet, Option<&'a AskedFacet>);

/// The requested facets that the listing has.
pub(super) fn known_facets<'w, 'a>(
    whitelist: &'w Whitelist,
    asked: &'a AskedFacets,
    unknown: &mut Unknown,
) -> Result<Vec<Wanted<'w, 'a>>, CheckError> {
    let all = || whitelist.facets.iter();
    let mut known = Vec::new();
    for asked in &asked.facets {
        match all().find(|facet| facet.key == asked.name) {
            Some(facet) => known.push((facet, Some(asked))),
            None => {
                let names = all().map(|facet| facet.key.as_str());
                unknown.add(What::Facet, Path::TOP, &asked.name, names);
            }
        }
    }
    if asked.all {
        let is_named = |facet: &&WhitelistFacet| {
            let mut named = asked.facets.iter();
            !named.any(|asked| asked.name == facet.key)
        };
        known.extend(all().filter(is_named).map(|facet| (facet, None)));
    }
    match known.len() > MOST_FACETS {
        true => Err(CheckError::too_many_facets(known.len(), MOST_FACETS)),
        false => Ok(known),
    }
}

/// The requested totals, if all of them are allowed (d104).
pub(super) fn totals<'w>(
    whitelist: &'w Whitelist,
    asked: &AskedNumbers,
) -> Result<Vec<CheckedTotal<'w>>, CheckError> {
    asked
        .totals
        .iter()
        .map(|asked| total(whitelist, asked))
        .collect()
}

fn total<'w>(whitelist: &'w Whitelist, asked: &AskedTotal) -> Result<CheckedTotal<'w>, CheckError> {
    let name = |at: usize| whitelist.fields[at].alias.as_str();
    let mut all = whitelist.aggregates.iter();
    let Some(aggregate) = all.find(|one| name(one.field) == asked.field) else {
        let known: Vec<_> = whitelist
            .aggregates
            .iter()
            .map(|one| name(one.field))
            .collect();
        return Err(CheckError::no_total(&asked.field, &known));
    };
    let function = |wire: &CompactString| {
        let found = AggregateFunction::from_wire(wire);
        let found = found.filter(|function| aggregate.functions.contains(function));
        found.ok_or_else(|| CheckError::total_not_allowed(asked, wire, &aggregate.functions))
    };
    let field = aggregate.field(whitelist);
    Ok(CheckedTotal {
        name: &field.alias,
        column: ColumnOf::new(&whitelist.entity, aggregate.column),
        kind: &field.kind,
        functions: asked
            .functions
            .iter()
            .map(function)
            .collect::<Result<_, _>>()?,
    })
}

impl<'w> Counted<'_, 'w> {
    /// A facet and the rows that it counts.
    pub(super) fn facet(
        &self,
        facet: &'w WhitelistFacet,
        asked: Option<&AskedFacet>,
        costs: &mut Costs<'w>,
    ) -> Result<CheckedFacet<'w>, CheckError> {
        let rows = match facet.narrowing || !self.has_own_filter(facet) {
            true => None,
            false => Some(self.rows_without(&facet.key)?),
        };
        costs.facet(
            &facet.key,
            self.whitelist,
            rows.as_ref().unwrap_or(self.rows),
        );
        let none = AskedFacet::default();
        let asked = asked.unwrap_or(&none);
        Ok(CheckedFacet {
            key: &facet.key,
            shows: self.shows(facet, asked, rows.as_ref())?,
            selected: self.selected(facet),
            rows,
        })
    }

    fn shows(
        &self,
        facet: &'w WhitelistFacet,
        asked: &AskedFacet,
        rows: Option<&Predicate<'w>>,
    ) -> Result<FacetShows<'w>, CheckError> {
        let entity = &self.whitelist.entity;
        facet_options::check(facet, asked)?;
        let filter = |at: usize| &self.whitelist.filters[at];
        // A filter without a column is refused at start-up.
        let column = |at: usize| ColumnOf::new(entity, filter(at).column.unwrap_or_default());
        Ok(match facet.by {
            FacetBy::Relation { related, label, .. } => FacetShows::Related {
                options: facet_options::of_values(facet, asked)?,
                related: Box::new(self.related(
                    &self.whitelist.related[related],
                    label,
                    rows.unwrap_or(self.rows),
                )?),
            },
            FacetBy::Range(at) => FacetShows::Range { column: column(at) },
            FacetBy::Calendar(at) => FacetShows::Calendar {
                column: column(at),
                options: facet_options::of_calendar(facet, asked, &filter(at).kind)?,
            },
            FacetBy::Values(at) => FacetShows::Values {
                column: column(at),
                kind: &filter(at).kind,
                labels: filter(at).labels.as_ref(),
                closed: closed(filter(at)),
                options: facet_options::of_values(facet, asked)?,
            },
        })
    }

    /// The related records that populate would show (d102).
    fn related(
        &self,
        related: &'w WhitelistRelated,
        label: Option<usize>,
        rows: &Predicate<'w>,
    ) -> Result<RelatedFacet<'w>, CheckError> {
        let (listings, context) = (self.listings, self.context);
        let relation = &related.relation;
        let target = &relation.meta.target;
        let visible = visible::related(listings, relation, context)?;
        let the_one = visible::the_one(relation, &visible);
        let related = RelatedRows {
            from: ColumnOf::new(&self.whitelist.entity, relation.from),
            target,
            to: ColumnOf::new(target, relation.to),
            through: visible::junction(listings, relation, context)?,
            counting: visible.and(the_one),
            are_found: false,
        };
        let key = relation.target_key.first().copied().unwrap_or_default();
        Ok(RelatedFacet {
            key: ColumnOf::new(target, key),
            label: label.map(|label| ColumnOf::new(target, label)),
            missing: rows.clone().and(Predicate::Exists {
                rows: Box::new(related.clone()),
                negated: true,
            }),
            rows: related,
        })
    }

    /// Whether the facet ignores the conditions on its own key.
    fn has_own_filter(&self, facet: &WhitelistFacet) -> bool {
        let has_default = facet
            .filter(self.whitelist)
            .is_some_and(|filter| filter.default.is_some());
        has_default || left_out::has(self.filters, &facet.key)
    }

    /// The rows of the list without the top-level conditions on a key, and without its default (d99).
    fn rows_without(&self, key: &str) -> Result<Predicate<'w>, CheckError> {
        let (listings, whitelist, context) = (self.listings, self.whitelist, self.context);
        let filters = left_out::without(
            listings,
            whitelist,
            self.filters,
            key,
            (context, self.calendar),
        )?;
        let conditions = match self.search {
            None => filters,
            Some(search) => Predicate::Search(search.clone()).and(filters),
        };
        Ok(own(whitelist, context, self.trashed).and(conditions))
    }

    /// The values that top-level conditions select.
    fn selected(&self, facet: &WhitelistFacet) -> Vec<CompactString> {
        let chooses = |applied: &&Applied<'_>| {
            let is_choice = matches!(applied.operator, FilterOperator::Equal | FilterOperator::In);
            let path = applied.path.as_deref();
            is_choice
                && match &facet.by {
                    FacetBy::Relation { id, .. } => {
                        let around = path.and_then(|path| path.strip_prefix(&*facet.key));
                        applied.key == id && matches!(around, Some("" | ".$some"))
                    }
                    _ => applied.key == facet.key && path.is_none(),
                }
        };
        let chosen = self.applied.iter().filter(chooses);
        chosen.flat_map(|applied| applied.values.clone()).collect()
    }
}

/// Every value of a filter, if they are known and few (d100).
fn closed(filter: &WhitelistFilter) -> Vec<String> {
    const MOST: usize = 20;
    let values: Vec<String> = match (&filter.kind, &filter.values, &filter.labels) {
        (Kind::Boolean, ..) => vec!["false".to_owned(), "true".to_owned()],
        (Kind::Enum(variants), ..) => variants.to_vec(),
        (_, Some(values), _) => values.to_vec(),
        (.., Some(LabelResolver::Known(labels))) => known(labels),
        _ => Vec::new(),
    };
    match values.len() > MOST {
        true => Vec::new(),
        false => values,
    }
}

fn known(labels: &KnownLabels) -> Vec<String> {
    labels.values().map(str::to_owned).collect()
}
