//! The listing of a table that a program finds while it runs, as plain data in place of types.

use super::aggregates::AggregateDraft;
use super::facets::{FacetDraft, FacetDraftBy};
use super::fields::Field;
use super::freeze::Draft;
use super::relation_name::{NamedRelation, NamesRelation};
use super::relations::DraftRelation;
use super::search::SearchDraft;
use super::{Context, EntityMeta, Filter, Name, Paging, RelationMeta, Scope, Sort};
use crate::vocabulary::{AggregateFunction, Operators, Plans, Settings, SortDirection};

/// The definitions for a table that is known only at run time: like [`Listing`](super::Listing) for an entity, with the names of
/// columns. They are verified like all other definitions.
///
/// Everyone sees every row: such a table has no scope. Anything that should not be visible must not be in the fields, the filters
/// or the sorts.
#[derive(Debug, Clone)]
pub struct TableListing {
    /// Its name, for messages to developers.
    pub name: Name,
    /// The table. Its id is a separate [`EntityId::Table`](super::EntityId::Table). Without a key, it has a list and no records
    /// ([`Listing::has_key`](super::Listing::has_key)).
    pub entity: EntityMeta,
    /// The relations, each of which clients can populate and filter through.
    pub relations: Vec<RelationMeta>,
    /// Those of them that are populated when the client names none.
    pub populated: Vec<Name>,
    /// Columns that are returned, each with whether it is when the client names no fields.
    pub fields: Vec<(String, bool)>,
    /// Columns by which clients can filter, with the operators.
    pub filters: Vec<(String, Operators)>,
    /// Columns by which clients can sort, and columns of relations to one (`artist.name`), each with the direction in which it
    /// does when the client names none.
    pub sorts: Vec<(String, Option<SortDirection>)>,
    /// The names by which clients know columns whose own names they cannot use: column and alias.
    pub aliases: Vec<(String, String)>,
    /// The columns that `search=` looks into, for parts of words. Without any, there is no search.
    pub search: Vec<String>,
    /// The facets that clients can request.
    pub facets: Vec<TableFacet>,
    /// Columns of which clients can have totals, with the functions.
    pub totals: Vec<(String, Vec<AggregateFunction>)>,
    /// The column that marks a row as deleted.
    pub soft_delete: Option<Name>,
}

/// The subject of a [`TableListing`]'s facet, like that of a [`Facet`](super::Facet).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableFacet {
    /// The values of a column, which has a filter that allows `$eq` or `$in`.
    Values(String),
    /// The records of a relation, which have a key of one column.
    Relation(Name),
}

fn named(relation: &RelationMeta) -> NamedRelation {
    <&str as NamesRelation>::named(&relation.name)
}

/// A facet with everything that is not said at its default; `None` where the table has no such relation.
fn facet(
    facet: TableFacet,
    relations: &[RelationMeta],
    name: &dyn Fn(String) -> String,
) -> Option<FacetDraft> {
    let by = match facet {
        TableFacet::Values(column) => FacetDraftBy::Values(name(column)),
        TableFacet::Relation(name) => {
            let relation = relations.iter().find(|relation| relation.name == name)?;
            FacetDraftBy::Relation(named(relation))
        }
    };
    Some(FacetDraft {
        by,
        limit: None,
        narrowing: false,
        label: None,
    })
}

impl Draft {
    pub(super) fn of_table(table: TableListing, settings: &Settings) -> Self {
        let alias = |column: &str| {
            let found = table.aliases.iter().find(|(known, _)| known == column);
            found.map(|(_, alias)| alias.clone())
        };
        let fields = table.fields.iter().map(|(column, default)| Field {
            default: *default,
            alias: alias(column),
            ..Field::named(column)
        });
        let relations = table.relations.iter();
        let relations = relations.map(|relation| DraftRelation {
            default: table.populated.contains(&relation.name),
            ..DraftRelation::of(named(relation))
        });
        let related = table.relations.iter().map(|relation| {
            let mut filter = Filter::of_column(&relation.name, Operators::NONE);
            filter.relation = Some(named(relation));
            filter
        });
        let related: Vec<_> = related.collect();
        let filters = table.filters.into_iter();
        let filters = filters.map(|(column, operators)| {
            let mut filter = Filter::of_column(&column, operators);
            filter.alias = alias(&column);
            filter
        });
        let sorts = table.sorts.iter().map(|(column, default)| Sort {
            default: default.is_some(),
            direction: default.unwrap_or(SortDirection::Asc),
            alias: alias(column),
            ..Sort::by(column)
        });
        let facets = table.facets.into_iter();
        // By the name that clients have: another column may be called to them as this one is in the table.
        let by_alias = |column: String| alias(&column).unwrap_or(column);
        let facets = facets
            .filter_map(|one| facet(one, &table.relations, &by_alias))
            .collect();
        let totals = table.totals.into_iter();
        let aggregates = totals.map(|(column, functions)| AggregateDraft {
            field: by_alias(column),
            functions,
        });
        Self {
            listing: table.name,
            has_key: !table.entity.key.is_empty(),
            entity: table.entity,
            fields: fields.collect(),
            relations: relations.collect(),
            filters: filters.chain(related).collect(),
            sorts: sorts.collect(),
            named_relations: table.relations,
            search: (!table.search.is_empty()).then(|| SearchDraft::contains(table.search)),
            facets,
            aggregates: aggregates.collect(),
            export: None,
            show: None,
            scope: |_: &Context| Scope::everything(),
            trashed: |_: &Context| false,
            soft_delete: table.soft_delete,
            count: None,
            exact_count: None,
            plans: Plans::default(),
            paging: Paging::default(),
            names: settings.names,
        }
    }
}
