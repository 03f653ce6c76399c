//! Chooses the columns to select for the requested fields, and the keys that relations need.

use sea_orm::sea_query::SelectStatement;

use super::ColumnOf;
use crate::define::{Context, EntityMeta, FieldSource, Whitelist, WhitelistField};
use crate::vocabulary::Kind;

/// One column of a statement.
#[derive(Debug)]
pub(crate) struct PlannedColumn<'w> {
    pub(crate) source: ColumnSource<'w>,
    pub(crate) kind: &'w Kind,
    /// The name under which it is shown; none for a key that only joins, or that only a cursor needs.
    pub(crate) output: Option<&'w str>,
    /// Whether a relation or a cursor needs its value.
    pub(crate) key: bool,
}

#[derive(Debug)]
pub(crate) enum ColumnSource<'w> {
    Column(ColumnOf<'w>),
    Computed(Box<SelectStatement>),
    /// What a term of the order sorts by.
    Term(usize),
}

pub(super) fn of_fields<'w>(
    entity: &'w EntityMeta,
    fields: impl Iterator<Item = &'w WhitelistField>,
    context: &Context,
) -> Vec<PlannedColumn<'w>> {
    let column = |field: &'w WhitelistField| {
        let source = match &field.source {
            FieldSource::Column(column) => ColumnSource::Column(ColumnOf::new(entity, *column)),
            FieldSource::Computed(query) => ColumnSource::Computed(Box::new(query(context))),
        };
        PlannedColumn {
            source,
            kind: &field.kind,
            output: Some(&field.alias),
            key: false,
        }
    };
    // Keys that are not shown may join them.
    let mut columns = Vec::with_capacity(fields.size_hint().0 + 4);
    columns.extend(fields.map(column));
    columns
}

/// Which computed fields are selected: field and position.
pub(super) fn computed_positions(
    whitelist: &Whitelist,
    fields: impl Iterator<Item = usize>,
) -> Vec<(usize, usize)> {
    let computed = |at: usize| matches!(whitelist.fields[at].source, FieldSource::Computed(_));
    fields
        .enumerate()
        .filter(|(_, field)| computed(*field))
        .map(|(position, field)| (field, position))
        .collect()
}

/// Marks a column as a key, selecting it if it is not, and says where it is.
pub(super) fn require_key<'w>(columns: &mut Vec<PlannedColumn<'w>>, column: ColumnOf<'w>) -> usize {
    // A column that is shown as something else than it is would be read as another key.
    let as_it_is = |kind: &Kind| *kind == column.meta.kind || *kind == Kind::IntegerText;
    let is_it = |planned: &PlannedColumn<'_>| match planned.source {
        ColumnSource::Column(selected) => {
            selected.meta.name == column.meta.name && as_it_is(planned.kind)
        }
        ColumnSource::Computed(_) | ColumnSource::Term(_) => false,
    };
    let at = columns.iter().position(is_it).unwrap_or_else(|| {
        columns.push(PlannedColumn {
            source: ColumnSource::Column(column),
            kind: &column.meta.kind,
            output: None,
            key: false,
        });
        columns.len() - 1
    });
    columns[at].key = true;
    at
}
