//! Chooses the columns to select for the requested fields, and the keys that relations need.

use super::{ColumnOf, Computed};
use crate::check::CheckError;
use crate::define::{Context, EntityMeta, FieldSource, Listings, Whitelist, WhitelistField};
use crate::vocabulary::Kind;

/// One column of a statement.
#[derive(Debug)]
pub(crate) struct PlannedColumn<'w> {
    pub(crate) source: ColumnSource<'w>,
    pub(crate) kind: &'w Kind,
    /// The name under which it is shown; `None` for a key that is only needed for a join or a cursor.
    pub(crate) output: Option<&'w str>,
    /// Whether it is one of the columns that form `id`.
    pub(crate) part: bool,
    /// Whether a relation or a cursor needs its value.
    pub(crate) key: bool,
}

#[derive(Debug)]
pub(crate) enum ColumnSource<'w> {
    Column(ColumnOf<'w>),
    Computed(Computed<'w>),
    /// The value that a term of the order compares.
    Term(usize),
    /// A count that is read after the page (b665).
    Later,
}

pub(crate) fn of_fields<'w>(
    listings: &'w Listings,
    entity: &'w EntityMeta,
    fields: impl Iterator<Item = &'w WhitelistField>,
    context: &Context,
) -> Result<Vec<PlannedColumn<'w>>, CheckError> {
    let column = |field: &'w WhitelistField| {
        let source = match &field.source {
            FieldSource::Column(column) => ColumnSource::Column(ColumnOf::new(entity, *column)),
            source => {
                let computed = Computed::of(listings, entity, source, context)?;
                ColumnSource::Computed(computed.unwrap_or_default())
            }
        };
        Ok(PlannedColumn {
            source,
            kind: &field.kind,
            output: Some(&field.alias),
            part: false,
            key: false,
        })
    };
    // Keys that are not shown may be added.
    let mut columns = Vec::with_capacity(fields.size_hint().0 + 4);
    for field in fields {
        match field.source {
            FieldSource::Key => columns.extend(parts(entity, &entity.key)),
            _ => columns.push(column(field)?),
        }
    }
    Ok(columns)
}

/// The columns of a key that form `id`.
pub(super) fn parts<'w>(
    entity: &'w EntityMeta,
    key: &[usize],
) -> impl Iterator<Item = PlannedColumn<'w>> {
    key.iter().map(|column| {
        let column = ColumnOf::new(entity, *column);
        PlannedColumn {
            source: ColumnSource::Column(column),
            kind: &column.meta.kind,
            output: None,
            part: true,
            key: false,
        }
    })
}

/// The computed fields that are selected: field and position.
pub(super) fn computed_positions(
    whitelist: &Whitelist,
    fields: impl Iterator<Item = usize>,
) -> Vec<(usize, usize)> {
    let mut position = 0;
    let mut found = Vec::new();
    for field in fields {
        let (is_computed, columns) = match whitelist.fields[field].source {
            FieldSource::Column(_) => (false, 1),
            FieldSource::Key => (false, whitelist.key.len()),
            FieldSource::Computed(_) | FieldSource::Count(_) => (true, 1),
        };
        if is_computed {
            found.push((field, position));
        }
        position += columns;
    }
    found
}

/// Marks a column as a key, selects it if necessary, and returns its position.
pub(super) fn require_key<'w>(columns: &mut Vec<PlannedColumn<'w>>, column: ColumnOf<'w>) -> usize {
    // A column that is shown as another kind than its own would be read as another key.
    let as_it_is = |kind: &Kind| *kind == column.meta.kind || *kind == Kind::IntegerText;
    let is_it = |planned: &PlannedColumn<'_>| match planned.source {
        ColumnSource::Column(selected) => {
            selected.meta.name == column.meta.name && as_it_is(planned.kind)
        }
        ColumnSource::Computed(_) | ColumnSource::Term(_) | ColumnSource::Later => false,
    };
    let at = columns.iter().position(is_it).unwrap_or_else(|| {
        columns.push(PlannedColumn {
            source: ColumnSource::Column(column),
            kind: &column.meta.kind,
            output: None,
            part: false,
            key: false,
        });
        columns.len() - 1
    });
    columns[at].key = true;
    at
}
