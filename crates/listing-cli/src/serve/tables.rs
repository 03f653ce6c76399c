//! Builds the definitions that `listing new --from-database` would write, while the program runs.

use anyhow::{Context, Result};
use listing::{
    ColumnMeta, EntityId, EntityMeta, FilterOperator, FormCell, RelationMeta, TableListing,
    Through, kind_of,
};
use listing_axum::Titles;
use sea_orm::sea_query::IntoTableRef;

use crate::database::{
    Directions, Enumerations, Index, Relation, RelationKind, Relations, Schema, Table,
    declared_type, entity_source, is_readable,
};
use crate::make::definition::Definition;
use crate::make::entity::{Column, Entity};
use crate::make::judge::{Operators, is_called_id};
use crate::naming;

/// A table that is served.
pub(super) struct ServedTable {
    pub(super) segment: String,
    pub(super) titles: Titles,
    pub(super) listing: TableListing,
}

/// Every table of a schema, and what was left out.
pub(super) fn of_schema(schema: &Schema) -> Result<(Vec<ServedTable>, Vec<String>)> {
    let (tables, modules) = (&schema.tables, &schema.modules);
    let relations = Relations::between(tables, modules, Directions::Both);
    let enumerations = Enumerations::of_tables(tables, modules, schema.backend);
    let mut notes = schema.notes.clone();
    let mut served = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        let module = modules.of(at);
        // What is decided about a column depends on what an entity would say of it.
        let written = entity_source(table, &relations.of_table(at), &enumerations.of_table(at));
        let entity = Entity::parse(module, &written.source, &|_| true)?;
        let mut entity =
            entity.with_context(|| format!("cannot read the table `{}`", table.name))?;
        notes.extend(written.notes);
        entity.columns.retain(|column| {
            let named = column.is_id || !is_called_id(&column.name);
            if !named {
                notes.push(format!(
                    "`{}.{}` is left out: `id` is the key of a row, and this column is not the whole key",
                    table.name, column.name
                ));
            }
            named
        });
        let related = relations.relations(at).iter();
        let related = related.filter_map(|one| relation(tables, &relations, at, one));
        served.push(ServedTable {
            segment: schema.segment(at).unwrap_or_else(|| table.name.clone()),
            titles: Titles::new(
                &naming::sentence(module),
                &naming::sentence(&naming::table(module)),
            ),
            listing: TableListing {
                relations: related.collect(),
                ..listing(&entity, table_meta(tables, at))
            },
        });
    }
    Ok((served, notes))
}

/// The table and its columns, as far as they can be read.
fn table_meta(tables: &[Table], at: usize) -> EntityMeta {
    let table = &tables[at];
    let readable = table
        .columns
        .iter()
        .filter(|column| is_readable(&column.column_type));
    let columns: Vec<_> = readable
        .map(|column| {
            let column_type = declared_type(&column.column_type);
            let is_key = table.key.contains(&column.name);
            let alone = [column.name.as_str()];
            let is_unique = |index: &Index| index.unique && index.columns == alone;
            ColumnMeta {
                name: column.name.clone().into(),
                kind: kind_of(&column_type),
                column_type,
                nullable: column.nullable && !is_key,
                unique: table.key == alone || table.indexes.iter().any(is_unique),
                values: None,
                numeric: false,
                kept: FormCell::default(),
            }
        })
        .collect();
    let place = |part: &String| columns.iter().position(|column| column.name == *part);
    EntityMeta {
        id: EntityId::Table(at),
        table: match table.schema.clone() {
            Some(schema) => (schema, table.name.clone()).into_table_ref(),
            None => table.name.clone().into_table_ref(),
        },
        name: table.name.clone().into(),
        key: table.key.iter().filter_map(place).collect(),
        columns,
    }
}

/// A relation, by the columns on which its rows meet.
fn relation(
    tables: &[Table],
    relations: &Relations<'_>,
    at: usize,
    relation: &Relation,
) -> Option<RelationMeta> {
    let (from, to, through) = match relation.kind {
        RelationKind::BelongsTo { .. } => {
            let (from, to) = relations.columns(at, relation)?;
            (from, to, None)
        }
        RelationKind::Has { back, .. } => {
            let back = &relations.relations(relation.target)[back];
            let (there, here) = relations.columns(relation.target, back)?;
            (here, there, None)
        }
        RelationKind::Through { link, here, there } => {
            let ends = relations.relations(link);
            let (to_parent, from) = relations.columns(link, &ends[here])?;
            let (to_target, to) = relations.columns(link, &ends[there])?;
            let linked = |part: &String| [&to_parent, &to_target].contains(&part);
            let junction = table_meta(tables, link);
            let through = Through {
                repeats: !tables[link].key.iter().all(linked),
                table: junction.table,
                name: junction.name,
                entity: Some(junction.id),
                has_listing: true,
                to_parent: vec![to_parent.into()],
                to_target: vec![to_target.into()],
                kept: <[FormCell; 2]>::default(),
            };
            (from, to, Some(through))
        }
    };
    Some(RelationMeta {
        name: relation.name.clone().into(),
        to_many: !relations.is_to_one(at, relation),
        owns_key: matches!(relation.kind, RelationKind::BelongsTo { .. }),
        from: vec![from.into()],
        to: vec![to.into()],
        through,
        conditional: false,
        target: table_meta(tables, relation.target),
        target_has_listing: true,
    })
}

/// What clients can ask, without relations.
fn listing(entity: &Entity, table: EntityMeta) -> TableListing {
    let definition = Definition::of(entity);
    let name = |column: &&Column| column.name.clone();
    let defaults = definition.defaults.iter().map(|c| (name(c), true));
    let on_request = definition.on_request.iter().map(|c| (name(c), false));
    let filters = definition.filters.iter();
    let first = definition.first.iter();
    let first = first.map(|(column, direction)| (name(column), Some(*direction)));
    let sorts = definition.sorts.iter().map(|column| (name(column), None));
    TableListing {
        name: format!("{}Listing", naming::camel(&entity.module)).into(),
        entity: table,
        relations: Vec::new(),
        fields: defaults.chain(on_request).collect(),
        filters: filters
            .map(|(column, operators)| (name(column), allowed(operators)))
            .collect(),
        sorts: first.chain(sorts).collect(),
        soft_delete: definition.soft_delete.map(|column| name(&column).into()),
    }
}

fn allowed(operators: &Operators) -> listing::Operators {
    let comparisons = match operators.comparisons {
        true => FilterOperator::COMPARISONS,
        false => listing::Operators::NONE,
    };
    let more = operators.more.iter().copied();
    more.fold(comparisons, |all, operator| all.and(operator))
}

#[cfg(test)]
mod tests {
    use sea_orm::DbBackend;
    use sea_orm::sea_query::ColumnType;

    use super::*;
    use crate::database::{self, Modules};

    #[test]
    fn b505_a_column_called_id_that_is_not_the_whole_key_is_left_out() {
        let column = |name: &str| database::Column {
            name: name.to_owned(),
            column_type: ColumnType::BigInteger,
            declared: "integer".to_owned(),
            nullable: false,
            default: None,
            numbered: false,
            computed: false,
            readable_as: &[],
        };
        let table = Table {
            name: "units".to_owned(),
            columns: vec![column("id"), column("tenant_id"), column("size")],
            key: vec!["id".to_owned(), "tenant_id".to_owned()],
            ..Table::default()
        };
        let tables = vec![table];
        let schema = Schema {
            modules: Modules::of_tables(&tables),
            tables,
            backend: DbBackend::Sqlite,
            notes: Vec::new(),
        };
        let (served, notes) = of_schema(&schema).unwrap();
        let listing = &served[0].listing;
        let fields: Vec<_> = listing.fields.iter().map(|field| &field.0).collect();
        assert_eq!(fields, ["size", "tenant_id"]);
        assert_eq!(listing.sorts[0].0, "tenant_id");
        assert_eq!(listing.entity.key.len(), 2);
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].contains("`units.id` is left out"), "{notes:?}");
    }
}
