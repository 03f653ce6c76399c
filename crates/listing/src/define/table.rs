//! The listing of a table that a program finds while it runs, as plain data in place of types.

use super::fields::Field;
use super::freeze::Draft;
use super::relation_name::NamesRelation;
use super::relations::DraftRelation;
use super::{Context, EntityMeta, Filter, Name, Paging, RelationMeta, Scope, Sort};
use crate::vocabulary::{Operators, Plans, Settings, SortDirection};

/// What clients can ask of a table that is known at run time only: what [`Listing`](super::Listing) says of an entity, in
/// names of columns. It is verified as every other definition is.
///
/// Everybody sees every row: a table that is found has no scope. What should not be seen belongs into neither the fields nor
/// the filters nor the sorts.
#[derive(Debug, Clone)]
pub struct TableListing {
    /// Its name, for messages to developers.
    pub name: Name,
    /// The table. Its id is an [`EntityId::Table`](super::EntityId::Table) of its own.
    pub entity: EntityMeta,
    /// The relations, each of which clients can populate.
    pub relations: Vec<RelationMeta>,
    /// Columns that are returned, each with whether it is when the client names no fields.
    pub fields: Vec<(String, bool)>,
    /// Columns by which clients can filter, with the operators.
    pub filters: Vec<(String, Operators)>,
    /// Columns by which clients can sort, each with the direction in which it does when the client names none.
    pub sorts: Vec<(String, Option<SortDirection>)>,
    /// The column that marks a row as deleted.
    pub soft_delete: Option<Name>,
}

impl Draft {
    pub(super) fn of_table(table: TableListing, settings: &Settings) -> Self {
        let fields = table.fields.iter().map(|(column, default)| Field {
            default: *default,
            ..Field::named(column)
        });
        let relations = table.relations.iter();
        let relations = relations.map(|relation| DraftRelation::of((&*relation.name).named()));
        let filters = table.filters.into_iter();
        let filters = filters.map(|(column, operators)| Filter::of_column(&column, operators));
        let sorts = table.sorts.iter().map(|(column, default)| Sort {
            default: default.is_some(),
            direction: default.unwrap_or(SortDirection::Asc),
            ..Sort::by(column)
        });
        Self {
            listing: table.name,
            entity: table.entity,
            fields: fields.collect(),
            relations: relations.collect(),
            filters: filters.collect(),
            sorts: sorts.collect(),
            named_relations: table.relations,
            search: None,
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
