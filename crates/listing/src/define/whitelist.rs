//! The verified form of a listing, with all names resolved, for checks, documents and clients.
//!
//! Names are public names: an alias, or the name in the form of the listing's convention (d90, d91).

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::fields::Computed;
use super::{
    Absent, ColumnMeta, Context, CustomFilter, DefaultSource, EntityMeta, Export, FilterValue,
    LabelResolver, Listings, Name, Nulls, RelationMeta, Scope, ValueError, WhitelistAggregate,
    WhitelistFacet, WhitelistPart, WhitelistSearch,
};
use crate::vocabulary::{CountMode, FilterOperator, Kind, Names, Plans, SortDirection};

/// A listing, verified and frozen.
pub struct Whitelist {
    /// The listing's type, for messages to developers.
    pub(crate) listing: Name,
    pub(crate) entity: EntityMeta,
    /// The primary key's columns; empty if the rows have no key.
    pub(crate) key: Vec<usize>,
    /// The columns at the end of every order: those of the key, or those used instead of it (b570).
    pub(crate) ends: Vec<usize>,
    /// In the order of definition; `id` first.
    pub(crate) fields: Vec<WhitelistField>,
    /// The fields of a single record; `id` first.
    pub(crate) show: Vec<WhitelistField>,
    pub(crate) relations: Vec<WhitelistRelation>,
    pub(crate) filters: Vec<WhitelistFilter>,
    /// The relations that clients can filter through, in the order of definition (d72).
    pub(crate) related: Vec<WhitelistRelated>,
    pub(crate) sorts: Vec<WhitelistSort>,
    /// The search of `search=`.
    pub(crate) search: Option<WhitelistSearch>,
    /// The facets of `facets=`, in the order of definition.
    pub(crate) facets: Vec<WhitelistFacet>,
    /// The aggregates of `totals[..]=`, in the order of definition.
    pub(crate) aggregates: Vec<WhitelistAggregate>,
    /// Whether all matching rows can be exported.
    pub(crate) export: Option<Export>,
    pub(crate) scope: fn(&Context) -> Scope,
    /// The column that marks a row as deleted.
    pub(crate) soft_delete: Option<usize>,
    /// Whether the caller may see deleted rows.
    pub(crate) trashed: fn(&Context) -> bool,
    /// How its total is determined.
    pub(crate) count: CountMode,
    /// Whether clients may request an exact total, if there is a total.
    pub(crate) exact_count: bool,
    /// Whether its table was large at start-up, if this is known.
    pub(crate) is_large: OnceLock<bool>,
    /// The columns of each unique index of the database, if they are known.
    pub(crate) unique_indexes: OnceLock<Vec<Vec<String>>>,
    /// Whether rows of its table stay as they are written, if this is known.
    pub(crate) is_settled: OnceLock<bool>,
    /// The columns of which histories keep the values, once they are needed.
    pub(crate) recorded: OnceLock<Vec<WhitelistField>>,
    pub(crate) plans: Plans,
    pub(crate) page_size: u64,
    pub(crate) max_page_size: u64,
    /// The form of names without an alias.
    pub(crate) names: Names,
}

impl Whitelist {
    /// How its total is determined, given the size of its table. If the size is unknown, every row is counted (d153).
    pub(crate) fn counting(&self) -> CountMode {
        match (self.count, self.is_large.get()) {
            (CountMode::Auto, Some(true)) => CountMode::Capped(CountMode::DEFAULT_CAP),
            (CountMode::Auto, _) => CountMode::Exact,
            (count, _) => count,
        }
    }

    /// Whether clients may request an exact total.
    pub(crate) fn allows_exact_count(&self) -> bool {
        self.exact_count && self.count != CountMode::None
    }
}

impl fmt::Debug for Whitelist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Whitelist")
            .field("listing", &self.listing)
            .field(
                "fields",
                &self
                    .fields
                    .iter()
                    .map(|field| &field.alias)
                    .collect::<Vec<_>>(),
            )
            .field(
                "relations",
                &self.relations.iter().map(|r| &r.name).collect::<Vec<_>>(),
            )
            .field(
                "filters",
                &self
                    .filters
                    .iter()
                    .map(|filter| &filter.key)
                    .collect::<Vec<_>>(),
            )
            .field(
                "sorts",
                &self.sorts.iter().map(|sort| &sort.name).collect::<Vec<_>>(),
            )
            .finish_non_exhaustive()
    }
}

#[derive(Clone)]
pub(crate) struct WhitelistField {
    pub(crate) alias: String,
    pub(crate) source: FieldSource,
    pub(crate) kind: Kind,
    pub(crate) default: bool,
}

#[derive(Clone)]
pub(crate) enum FieldSource {
    Column(usize),
    /// `id` for a primary key with several columns: all of them, joined.
    Key,
    Computed(Computed),
    /// The number of rows that a relation leads to, among those that populate could show (see `check::Computed`).
    Count(Arc<WhitelistRelation>),
}

/// A relation that clients can populate, or that rows are counted or filtered by.
pub(crate) struct WhitelistRelation {
    /// The public name.
    pub(crate) name: String,
    pub(crate) meta: RelationMeta,
    pub(crate) default: bool,
    /// The most items for each parent; 1 for a to-one relation.
    pub(crate) limit: u64,
    /// The visible part of the related rows.
    pub(crate) target: Target,
    /// The listing of the junction's entity, if it has one. Its scope, soft delete and default filters apply as well.
    pub(crate) junction: Option<usize>,
    /// Its own order, in columns of the related entity; empty to use that of the related listing.
    pub(crate) order: Vec<(usize, SortDirection)>,
    /// The order of its links, by columns of the junction. It comes before its own order.
    pub(crate) link_order: Vec<LinkOrder>,
    /// The primary key's columns of the related entity.
    pub(crate) target_key: Vec<usize>,
    /// The columns at the end of every order of the related rows: those of their key, or those used instead of it (b570).
    pub(crate) target_ends: Vec<usize>,
    /// The columns that connect both sides: of this entity, and of the related one.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Whether at most one related row can match a parent, so that SQL needs no limit.
    pub(crate) unique: bool,
}

/// An order by a column of a junction.
#[derive(Debug)]
pub(crate) struct LinkOrder {
    pub(crate) column: Name,
    pub(crate) kind: Kind,
    pub(crate) direction: SortDirection,
}

/// The visible part of related rows.
pub(crate) struct Target {
    /// The related entity's listing, if it has one.
    pub(crate) listing: Option<usize>,
    /// The columns that were listed in place, if any, with their public names.
    pub(crate) only: Option<Vec<(usize, String)>>,
}

/// A relation through which clients can filter: `filters[key][..]` (d72).
///
/// The parts allowed inside are returned by [`filters`](Self::filters) and [`related`](Self::related). As in populate, the
/// relation's `target.listing` and `junction` decide which related rows count (d73). The columns that connect rows are the
/// relation's `from`, `to` and `meta.through`. `meta.to_many` decides whether `$some`, `$none` and `$every` make sense.
pub(crate) struct WhitelistRelated {
    /// The public name.
    pub(crate) key: String,
    /// Never populated: `limit` and `order` are not used, and `target.only` is `None`.
    pub(crate) relation: WhitelistRelation,
    /// `None` allows everything that the related listing allows.
    pub(crate) only: Option<RelatedOnly>,
    /// The filter by the number of related rows, if the definition allows it (d146).
    pub(crate) count: Option<WhitelistFilter>,
    /// The filter by the related `id`, which exists independently of the other filters (d145); `None` if the key of the related
    /// rows is not a single column.
    pub(crate) id: Option<WhitelistFilter>,
}

/// The parts that `.only([..])` allows inside a filter through a relation.
pub(crate) struct RelatedOnly {
    /// Filters with columns of the related entity: those of its listing that were named, and those defined in place.
    pub(crate) filters: Vec<WhitelistFilter>,
    /// Filters through further relations: indexes into the `related` of the related listing.
    pub(crate) related: Vec<usize>,
}

impl WhitelistRelated {
    /// The filters that are allowed inside. Those without operators only have a default.
    pub(crate) fn filters<'w>(&'w self, listings: &'w Listings) -> &'w [WhitelistFilter] {
        match (&self.only, self.relation.target.listing) {
            (Some(only), _) => &only.filters,
            (None, Some(listing)) => &listings.get(listing).filters,
            (None, None) => &[],
        }
    }

    /// The relations that it can continue through.
    pub(crate) fn related<'w>(
        &'w self,
        listings: &'w Listings,
    ) -> impl Iterator<Item = &'w WhitelistRelated> {
        let all = self
            .relation
            .target
            .listing
            .map(|at| &listings.get(at).related);
        let allowed = move |at: &usize| match &self.only {
            Some(only) => only.related.contains(at),
            None => true,
        };
        let all = all.map(Vec::as_slice).unwrap_or_default().iter();
        all.enumerate()
            .filter(move |(at, _)| allowed(at))
            .map(|(_, related)| related)
    }
}

#[derive(Clone)]
pub(crate) struct WhitelistFilter {
    pub(crate) key: String,
    /// `None` for a custom filter and for one on a computed field.
    pub(crate) column: Option<usize>,
    /// The computed field that is compared, if it is one (d146).
    pub(crate) computed: Option<Arc<WhitelistComputed>>,
    /// The part of a JSON column that is compared, or the array whose elements are compared (d149).
    pub(crate) part: Option<Arc<WhitelistPart>>,
    pub(crate) kind: Kind,
    /// Every value that the column can hold, if it is an enumeration stored as text or as an integer (d94).
    pub(crate) values: Option<Arc<[String]>>,
    pub(crate) operators: Vec<FilterOperator>,
    pub(crate) default: Option<WhitelistDefault>,
    pub(crate) custom: Option<CustomFilter>,
    pub(crate) labels: Option<LabelResolver>,
}

impl WhitelistFilter {
    /// The key of the filter by the number of related rows.
    pub(crate) const COUNT: &'static str = "$count";

    /// The position of the first value that the enumeration does not have, with those that it has.
    pub(crate) fn unknown_value(
        &self,
        operator: FilterOperator,
        values: &[FilterValue],
    ) -> Option<(usize, ValueError)> {
        use FilterOperator::{Equal, In, NotEqual, NotIn};
        let known = self.values.as_deref()?;
        if !matches!(operator, Equal | NotEqual | In | NotIn) {
            return None;
        }
        let is_known = |value: &FilterValue| known.contains(&value.canonical());
        let unknown = values.iter().position(|value| !is_known(value))?;
        let error = ValueError {
            expected: "one of the column's values",
            allowed: known.to_vec(),
        };
        Some((unknown, error))
    }
}

/// A computed field that clients can filter by, or the count of a relation.
pub(crate) struct WhitelistComputed {
    pub(crate) source: FieldSource,
    /// The type of its values, in place of a column's.
    pub(crate) values: ColumnMeta,
}

#[derive(Clone)]
pub(crate) struct WhitelistDefault {
    pub(crate) source: DefaultSource,
    pub(crate) operator: Option<FilterOperator>,
    pub(crate) absent: Absent,
}

pub(crate) struct WhitelistSort {
    pub(crate) name: String,
    pub(crate) source: SortSource,
    pub(crate) nulls: Nulls,
    /// The direction, if it is a default sort.
    pub(crate) default: Option<SortDirection>,
}

#[derive(Clone, Copy)]
pub(crate) enum SortSource {
    Column(usize),
    /// A field of this listing, by index.
    Computed(usize),
    /// A relation of this listing, by index, and what to sort by there.
    Related {
        relation: usize,
        column: usize,
    },
    /// The relevance of a row for the search.
    Relevance,
}

impl Whitelist {
    /// The listing's type.
    #[must_use]
    pub fn listing_name(&self) -> &str {
        &self.listing
    }

    /// The entity's table.
    #[must_use]
    pub fn table_name(&self) -> &str {
        &self.entity.name
    }

    /// The names of the fields, `id` first.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| field.alias.as_str())
    }

    /// The names of the relations.
    pub fn relation_names(&self) -> impl Iterator<Item = &str> {
        self.relations.iter().map(|relation| relation.name.as_str())
    }

    /// The keys of the filters that clients can use, and their operators.
    pub fn filter_keys(&self) -> impl Iterator<Item = (&str, &[FilterOperator])> {
        self.filters
            .iter()
            .filter(|filter| !filter.operators.is_empty())
            .map(|filter| (filter.key.as_str(), filter.operators.as_slice()))
    }

    /// The keys of the relations that clients can filter through.
    pub fn related_keys(&self) -> impl Iterator<Item = &str> {
        self.related.iter().map(|related| related.key.as_str())
    }

    /// The form of names without an alias (d91).
    #[must_use]
    pub fn names(&self) -> Names {
        self.names
    }

    /// The names of the sorts.
    pub fn sort_names(&self) -> impl Iterator<Item = &str> {
        self.sorts.iter().map(|sort| sort.name.as_str())
    }
}
