//! The verified form of a listing, in which every name is resolved, for checks, documents and clients.
//!
//! Names are those that clients see: an alias, or the name in the form of the listing's convention (d90, d91).

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
    /// The columns in which every order ends: those of the key, or those that take its place (b570).
    pub(crate) ends: Vec<usize>,
    /// In the order of definition; `id` first.
    pub(crate) fields: Vec<WhitelistField>,
    /// What is shown of one record; `id` first.
    pub(crate) show: Vec<WhitelistField>,
    pub(crate) relations: Vec<WhitelistRelation>,
    pub(crate) filters: Vec<WhitelistFilter>,
    /// The relations through which clients can filter, in the order of definition (d72).
    pub(crate) related: Vec<WhitelistRelated>,
    pub(crate) sorts: Vec<WhitelistSort>,
    /// What `search=` looks into.
    pub(crate) search: Option<WhitelistSearch>,
    /// What `facets=` can ask for, in the order of definition.
    pub(crate) facets: Vec<WhitelistFacet>,
    /// What `totals[..]=` can ask for, in the order of definition.
    pub(crate) aggregates: Vec<WhitelistAggregate>,
    /// Whether all matching rows can be taken away as a file.
    pub(crate) export: Option<Export>,
    pub(crate) scope: fn(&Context) -> Scope,
    /// The column that marks a row as deleted.
    pub(crate) soft_delete: Option<usize>,
    /// Whether the caller may see the deleted rows.
    pub(crate) trashed: fn(&Context) -> bool,
    /// How its total is found.
    pub(crate) count: CountMode,
    /// Whether clients may ask for an exact total, where there is one.
    pub(crate) exact_count: bool,
    /// Whether its table was large at start-up, if that is known.
    pub(crate) is_large: OnceLock<bool>,
    pub(crate) plans: Plans,
    pub(crate) page_size: u64,
    pub(crate) max_page_size: u64,
    /// The form of names that have no alias.
    pub(crate) names: Names,
}

impl Whitelist {
    /// How its total is found, now that the size of its table is known; where it is not, every row is counted (d153).
    pub(crate) fn counting(&self) -> CountMode {
        match (self.count, self.is_large.get()) {
            (CountMode::Auto, Some(true)) => CountMode::Capped(CountMode::DEFAULT_CAP),
            (CountMode::Auto, _) => CountMode::Exact,
            (count, _) => count,
        }
    }

    /// Whether clients may ask for an exact total.
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
    /// `id` where the primary key has several columns: all of them, joined.
    Key,
    Computed(Computed),
    /// How many rows a relation leads to, of those that populate could show: `check::Computed` says which those are.
    Count(Arc<WhitelistRelation>),
}

/// A relation: one that clients can populate, or one by which rows are counted or filtered.
pub(crate) struct WhitelistRelation {
    /// The name that clients see.
    pub(crate) name: String,
    pub(crate) meta: RelationMeta,
    pub(crate) default: bool,
    /// At most this many items for each parent; 1 where the relation leads to one.
    pub(crate) limit: u64,
    /// What is shown of the related rows.
    pub(crate) target: Target,
    /// The listing of the junction's entity, if it has one: its scope, soft delete and default filters hold as well.
    pub(crate) junction: Option<usize>,
    /// Its own order, in columns of the related entity; empty for the related listing's.
    pub(crate) order: Vec<(usize, SortDirection)>,
    /// The order of its links, by columns of the junction, which comes before its own order.
    pub(crate) link_order: Vec<LinkOrder>,
    /// The primary key's columns of the related entity.
    pub(crate) target_key: Vec<usize>,
    /// The columns in which every order of the related rows ends: those of their key, or those that take its place (b570).
    pub(crate) target_ends: Vec<usize>,
    /// The columns on which the two sides meet: of this entity, and of the related one.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// At most one related row can meet a parent: no limit has to be written into SQL.
    pub(crate) unique: bool,
}

/// An order by a column of a junction.
#[derive(Debug)]
pub(crate) struct LinkOrder {
    pub(crate) column: Name,
    pub(crate) kind: Kind,
    pub(crate) direction: SortDirection,
}

/// What is shown of related rows.
pub(crate) struct Target {
    /// The related entity's listing, if it has one.
    pub(crate) listing: Option<usize>,
    /// The columns named on the spot, if they were, with the names that clients see.
    pub(crate) only: Option<Vec<(usize, String)>>,
}

/// A relation through which clients can filter: `filters[key][..]` (d72).
///
/// What can stand inside is told by [`filters`](Self::filters) and [`related`](Self::related); which related rows count,
/// by the relation's `target.listing` and `junction`, as in populate (d73). The columns on which rows meet are the
/// relation's `from`, `to` and `meta.through`; `meta.to_many` decides whether `$some`, `$none` and `$every` make sense.
pub(crate) struct WhitelistRelated {
    /// The name that clients see.
    pub(crate) key: String,
    /// Never populated: `limit` and `order` mean nothing, and `target.only` is `None`.
    pub(crate) relation: WhitelistRelation,
    /// Without it, everything that the related listing allows.
    pub(crate) only: Option<RelatedOnly>,
    /// The filter by how many of them there are, where the definition allows it (d146).
    pub(crate) count: Option<WhitelistFilter>,
    /// The filter by the related `id`, which exists whatever the other filters are (d145); `None` if the related rows have no
    /// key of one column.
    pub(crate) id: Option<WhitelistFilter>,
}

/// What `.only([..])` allows inside a filter through a relation.
pub(crate) struct RelatedOnly {
    /// Filters with columns of the related entity: those of its listing that were named, and those defined on the spot.
    pub(crate) filters: Vec<WhitelistFilter>,
    /// Filters through further relations: indexes into the `related` of the related listing.
    pub(crate) related: Vec<usize>,
}

impl WhitelistRelated {
    /// The filters that can stand inside; those without operators only have a default.
    pub(crate) fn filters<'w>(&'w self, listings: &'w Listings) -> &'w [WhitelistFilter] {
        match (&self.only, self.relation.target.listing) {
            (Some(only), _) => &only.filters,
            (None, Some(listing)) => &listings.get(listing).filters,
            (None, None) => &[],
        }
    }

    /// The relations through which it goes on.
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
    /// None for a custom filter, and for one on what is computed.
    pub(crate) column: Option<usize>,
    /// What is computed, where it is that which is compared (d146).
    pub(crate) computed: Option<Arc<WhitelistComputed>>,
    /// The part of a JSON column that is compared, or the array whose elements are (d149).
    pub(crate) part: Option<Arc<WhitelistPart>>,
    pub(crate) kind: Kind,
    /// Every value that the column can hold, where it is an enumeration stored as text or as an integer (d94).
    pub(crate) values: Option<Arc<[String]>>,
    pub(crate) operators: Vec<FilterOperator>,
    pub(crate) default: Option<WhitelistDefault>,
    pub(crate) custom: Option<CustomFilter>,
    pub(crate) labels: Option<LabelResolver>,
}

impl WhitelistFilter {
    /// The key of the filter by how many related rows there are.
    pub(crate) const COUNT: &'static str = "$count";

    /// The place of the first value that the enumeration does not have, with those that it has.
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
    /// What its values are, in the place of a column's.
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
    /// The direction when it is a default sort.
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
    /// How well a row fits what is searched for.
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

    /// The keys of the filters that clients can use, with their operators.
    pub fn filter_keys(&self) -> impl Iterator<Item = (&str, &[FilterOperator])> {
        self.filters
            .iter()
            .filter(|filter| !filter.operators.is_empty())
            .map(|filter| (filter.key.as_str(), filter.operators.as_slice()))
    }

    /// The keys of the relations through which clients can filter.
    pub fn related_keys(&self) -> impl Iterator<Item = &str> {
        self.related.iter().map(|related| related.key.as_str())
    }

    /// The form of names that have no alias of their own (d91).
    #[must_use]
    pub fn names(&self) -> Names {
        self.names
    }

    /// The names of the sorts.
    pub fn sort_names(&self) -> impl Iterator<Item = &str> {
        self.sorts.iter().map(|sort| sort.name.as_str())
    }
}
