//! Chooses the columns to select for the requested fields, and the keys that relations need.

use sea_orm::sea_query::SelectStatement;

use super::{ColumnOf, Predicate};
use crate::check::{CheckError, Counted, counted};
use crate::define::{
    Context, EntityMeta, FieldSource, Listings, Through, Whitelist, WhitelistField,
    WhitelistRelation,
};
use crate::vocabulary::Kind;

/// One column of a statement.
#[derive(Debug)]
pub(crate) struct PlannedColumn<'w> {
    pub(crate) source: ColumnSource<'w>,
    pub(crate) kind: &'w Kind,
    /// The name under which it is shown; none for a key that only joins, or that only a cursor needs.
    pub(crate) output: Option<&'w str>,
    /// Whether it is one of the columns that are shown as `id` together.
    pub(crate) part: bool,
    /// Whether a relation or a cursor needs its value.
    pub(crate) key: bool,
}

#[derive(Debug)]
pub(crate) enum ColumnSource<'w> {
    Column(ColumnOf<'w>),
    Computed(Computed<'w>),
    /// What a term of the order sorts by.
    Term(usize),
}

/// What is computed for each row.
#[derive(Debug)]
pub(crate) enum Computed<'w> {
    /// A sub-query of the application.
    Query(Box<SelectStatement>),
    /// How many rows a relation leads to.
    Count(Box<RelatedCount<'w>>),
}

/// The rows to which a relation leads, to be counted.
#[derive(Debug)]
pub(crate) struct RelatedCount<'w> {
    pub(crate) target: &'w EntityMeta,
    /// The column on this side, and the one on the related side that meets it, or meets the junction.
    pub(crate) from: ColumnOf<'w>,
    pub(crate) to: ColumnOf<'w>,
    pub(crate) through: Option<&'w Through>,
    /// Which rows of the related entity, and of the junction, the caller can see.
    pub(crate) visible: Predicate<'w>,
    pub(crate) links: Predicate<'w>,
}

impl Default for Computed<'_> {
    fn default() -> Self {
        Self::Query(Box::default())
    }
}

impl<'w> Computed<'w> {
    /// What a field computes; none where it is a column.
    pub(super) fn of(
        listings: &'w Listings,
        entity: &'w EntityMeta,
        source: &'w FieldSource,
        context: &Context,
    ) -> Result<Option<Self>, CheckError> {
        Ok(match source {
            FieldSource::Column(_) | FieldSource::Key => None,
            FieldSource::Computed(query) => Some(Self::Query(Box::new(query(context)))),
            FieldSource::Count(relation) => {
                let counted = counted(listings, relation, context)?;
                Some(Self::Count(Box::new(count(entity, relation, counted))))
            }
        })
    }
}

fn count<'w>(
    entity: &'w EntityMeta,
    relation: &'w WhitelistRelation,
    Counted { visible, links }: Counted<'w>,
) -> RelatedCount<'w> {
    let target = &relation.meta.target;
    RelatedCount {
        target,
        from: ColumnOf::new(entity, relation.from),
        to: ColumnOf::new(target, relation.to),
        through: relation.meta.through.as_ref(),
        visible,
        links,
    }
}

pub(super) fn of_fields<'w>(
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
    // Keys that are not shown may join them.
    let mut columns = Vec::with_capacity(fields.size_hint().0 + 4);
    for field in fields {
        match field.source {
            FieldSource::Key => columns.extend(parts(entity, &entity.key)),
            _ => columns.push(column(field)?),
        }
    }
    Ok(columns)
}

/// The columns of a key that are shown as `id` together.
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

/// Which computed fields are selected: field and position.
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
            part: false,
            key: false,
        });
        columns.len() - 1
    });
    columns[at].key = true;
    at
}
