//! Builds the definitions that `listing new --from-database` would write, while the program runs.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use listing::entity::{ColumnMeta, EntityId, EntityMeta, RelationMeta, Through, kind_of};
use listing::stored::FormCell;
use listing::{
    AggregateFunction, DefinitionErrors, FilterOperator, Kind as ValueKind, Listings, Settings,
    TableFacet, TableListing,
};
use listing_axum::Titles;
use sea_orm::sea_query::IntoTableRef;

use crate::database::{
    self, Directions, Enumerations, Index, Relation, RelationKind, Relations, Schema, Table,
    declared_type, entity_source, is_readable,
};
use crate::model::definition::Definition;
use crate::model::entity::{Column, Entity, Kind};
use crate::model::judge::Operators;
use crate::model::secrets::LeftOut;
use crate::naming;

/// A table that is served.
pub(super) struct ServedTable {
    pub(super) segment: String,
    pub(super) titles: Titles,
    /// The schema that it is in, where there are several.
    pub(super) group: Option<String>,
    pub(super) listing: TableListing,
}

/// The served and the omitted parts of a schema.
pub(super) struct ServedSchema {
    pub(super) tables: Vec<ServedTable>,
    pub(super) notes: Vec<String>,
    /// Columns that look like secrets.
    pub(super) left_out: Vec<LeftOut>,
}

/// Every table of a schema, and the omitted parts.
pub(super) fn of_schema(schema: &Schema) -> Result<ServedSchema> {
    let (tables, modules) = (&schema.tables, &schema.modules);
    let relations = Relations::between(tables, modules, Directions::Both);
    let enumerations = Enumerations::of_tables(tables, modules, schema.backend);
    let mut notes = schema.notes.clone();
    let schemas: BTreeSet<_> = tables.iter().map(|table| &table.home).collect();
    let mut served = Vec::new();
    let mut left_out = Vec::new();
    let mut entities = Vec::new();
    let names = schema.names();
    for (at, table) in tables.iter().enumerate() {
        let module = modules.of(at);
        // Decisions about a column depend on its declaration in an entity.
        let written = entity_source(table, &relations.of_table(at), &enumerations.of_table(at));
        let entity = Entity::parse(module, &written.source, &|_| true)?;
        let mut entity =
            entity.with_context(|| format!("cannot read the table `{}`", table.name))?;
        entity.name_columns(names);
        notes.extend(written.notes);
        notes.extend(entity.notes_on_names());
        left_out.extend(LeftOut::of(&entity, None));
        entities.push(entity);
    }
    let labels: Vec<_> = entities.iter().map(label).collect();
    let segments = schema.segments().into_iter();
    for (at, ((table, entity), segment)) in tables.iter().zip(&entities).zip(segments).enumerate() {
        let related = relations.relations(at).iter();
        let to_one = |one: &&Relation| relations.is_to_one(at, one);
        let sorts = related.clone().filter(to_one).filter_map(|one| {
            let label = labels[one.target].as_ref()?;
            Some((format!("{}.{label}", one.name), None))
        });
        let belongs = |one: &&Relation| matches!(one.kind, RelationKind::BelongsTo { .. });
        let owners: Vec<_> = related.clone().filter(belongs).collect();
        let by_owner = owners
            .iter()
            .filter(|one| is_counted_by(&tables[one.target]));
        let by_owner = by_owner.map(|one| TableFacet::Relation(one.name.clone().into()));
        let by_owner: Vec<_> = by_owner.collect();
        let populated = owners.into_iter().take(MOST_POPULATED);
        let populated = populated.map(|one| one.name.clone().into()).collect();
        let related: Vec<_> = related
            .clone()
            .filter_map(|one| relation(tables, &relations, at, one))
            .collect();
        let mut listing = listing(entity, table_meta(tables, at), &table.repeating);
        listing.sorts.extend(sorts);
        listing.facets.extend(by_owner);
        listing.facets.truncate(MOST_FACETS);
        let title = naming::sentence(&table.name);
        served.push(ServedTable {
            segment: segment.unwrap_or_else(|| table.name.clone()),
            titles: Titles::new(&title, &title),
            group: table.home.clone().filter(|_| schemas.len() > 1),
            listing: TableListing {
                relations: related,
                populated,
                ..listing
            },
        });
    }
    Ok(ServedSchema {
        tables: served,
        notes,
        left_out,
    })
}

/// The schema without the tables whose definitions would be refused. Each of them is reported with the reason: one table must not
/// keep the others from being served (b572).
pub(crate) fn servable(mut schema: Schema) -> Result<Schema> {
    loop {
        let served = of_schema(&schema)?.tables;
        let names: Vec<_> = served
            .iter()
            .map(|table| table.listing.name.clone())
            .collect();
        let mut settings = Settings::default();
        settings.names = schema.names();
        let builder = served
            .into_iter()
            .fold(Listings::builder(settings), |all, one| {
                all.add_table(one.listing)
            });
        let Err(DefinitionErrors(mistakes)) = builder.build() else {
            return Ok(schema);
        };
        let wrong = |name: &listing::entity::Name| mistakes.iter().find(|one| one.listing == *name);
        if !names.iter().any(|name| wrong(name).is_some()) {
            return Err(DefinitionErrors(mistakes).into());
        }
        let Schema {
            tables,
            backend,
            mut notes,
            ..
        } = schema;
        let mut kept = Vec::new();
        for (table, name) in tables.into_iter().zip(&names) {
            match wrong(name) {
                Some(mistake) => notes.push(format!(
                    "the table `{}` is left out: {} `{}`: {}",
                    table.full_name(),
                    mistake.place,
                    mistake.name,
                    mistake.problem
                )),
                None => kept.push(table),
            }
        }
        schema = Schema::of(kept, backend, notes)?;
    }
}

/// How many of the rows to which foreign keys lead are shown with each row, unless the client names others. Each costs a
/// statement.
const MOST_POPULATED: usize = 4;

/// How many facets a table has: as many as one request can ask for.
const MOST_FACETS: usize = 10;

/// Whether rows can be counted by the rows of a table to which they lead: clients choose those by their key.
fn is_counted_by(table: &Table) -> bool {
    let [key] = &table.key[..] else {
        return false;
    };
    let kind = table.column(key).map(kind_of_column);
    matches!(
        kind,
        Some(ValueKind::Integer | ValueKind::Text | ValueKind::Uuid)
    )
}

fn kind_of_column(column: &database::Column) -> ValueKind {
    kind_of(&declared_type(&column.column_type))
}

/// The column by which people know a row: the first text that is shown.
fn label(entity: &Entity) -> Option<String> {
    let definition = Definition::of(entity);
    let is_text = |column: &&&Column| matches!(column.kind, Kind::Text(_));
    let mut labels = definition.defaults.iter().filter(is_text);
    let label = labels.find(|column| column.alias.is_none());
    label.map(|column| column.name.clone())
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

/// The definitions without relations.
fn listing(entity: &Entity, table: EntityMeta, repeating: &[String]) -> TableListing {
    let definition = Definition::of(entity);
    let facets = facets(&definition, repeating);
    let totals = totals(&definition, &table);
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
        populated: Vec::new(),
        search: searched(&definition),
        fields: defaults.chain(on_request).collect(),
        filters: filters
            .map(|(column, operators)| (name(column), allowed(operators)))
            .collect(),
        sorts: first.chain(sorts).collect(),
        aliases: entity
            .columns
            .iter()
            .filter_map(|column| Some((column.name.clone(), column.alias.clone()?)))
            .collect(),
        facets,
        totals,
        soft_delete: definition.soft_delete.map(|column| name(&column).into()),
    }
}

/// The filters on booleans, on enumerations, and on columns whose values repeat, as far as a value can be chosen.
fn facets(definition: &Definition<'_>, repeating: &[String]) -> Vec<TableFacet> {
    let filters = definition.filters.iter();
    let facets = filters.filter(|(column, operators)| {
        let closed = matches!(column.kind, Kind::Boolean | Kind::Enumeration);
        let chosen = operators.comparisons || operators.more.contains(&FilterOperator::Equal);
        chosen && (closed || repeating.contains(&column.name))
    });
    let facets = facets.map(|(column, _)| TableFacet::Values(column.name.clone()));
    facets.collect()
}

/// The totals of the numbers that are shown: the functions that give the same digits on every database.
fn totals(
    definition: &Definition<'_>,
    table: &EntityMeta,
) -> Vec<(String, Vec<AggregateFunction>)> {
    use AggregateFunction::{Average, Max, Min, Sum};
    let shown = definition.defaults.iter().chain(&definition.on_request);
    let numbers = shown.filter(|column| !column.key && !column.field.ends_with("_id"));
    let totals = numbers.filter_map(|column| {
        let known = table
            .columns
            .iter()
            .find(|known| *known.name == *column.name)?;
        let functions = match known.kind {
            ValueKind::Integer | ValueKind::Decimal { scale: Some(_) } => {
                vec![Sum, Average, Min, Max]
            }
            ValueKind::Decimal { .. } | ValueKind::Float32 | ValueKind::Float64 => vec![Min, Max],
            _ => return None,
        };
        Some((column.name.clone(), functions))
    });
    totals.collect()
}

/// The texts that are shown, which is where people look for words.
fn searched(definition: &Definition<'_>) -> Vec<String> {
    let is_text = |column: &&&Column| matches!(column.kind, Kind::Text(_));
    let texts = definition.defaults.iter().filter(is_text);
    texts.map(|column| column.name.clone()).collect()
}

/// The sensible operators of a column, and their opposites.
fn allowed(operators: &Operators) -> listing::Operators {
    let comparisons = match operators.comparisons {
        true => FilterOperator::COMPARISONS,
        false => listing::Operators::NONE,
    };
    let more = operators.more.iter().copied();
    let opposite = |operator: FilterOperator| match operator {
        FilterOperator::Equal => Some(FilterOperator::NotEqual),
        FilterOperator::In => Some(FilterOperator::NotIn),
        FilterOperator::Contains => Some(FilterOperator::NotContains),
        _ => None,
    };
    let more = more.flat_map(|operator| [Some(operator), opposite(operator)]);
    more.flatten()
        .fold(comparisons, |all, operator| all.and(operator))
}

#[cfg(test)]
mod tests {
    use sea_orm::DbBackend;
    use sea_orm::sea_query::ColumnType;

    use super::*;
    use crate::database::Modules;

    /// Rule b505.
    #[test]
    fn a_column_called_id_that_is_not_the_whole_key_has_another_name() {
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
        let ServedSchema { tables, notes, .. } = of_schema(&schema).unwrap();
        let listing = &tables[0].listing;
        let fields: Vec<_> = listing.fields.iter().map(|field| &field.0).collect();
        assert_eq!(fields, ["id", "size", "tenant_id"]);
        let aliases = [("id".to_owned(), "unit_id".to_owned())];
        assert_eq!(listing.aliases, aliases);
        assert_eq!(listing.entity.key.len(), 2);
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(
            notes[0].contains("`units.id` is `unit_id` to clients"),
            "{notes:?}"
        );
    }
}
