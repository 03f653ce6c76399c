//! Verifies the primary key, of one column or of several.

use super::{Draft, Mistakes, is_key};
use crate::define::fields::Source;
use crate::define::{ColumnMeta, EntityMeta, HasListing, Listing};
use crate::vocabulary::Kind;

/// The metadata of an entity, without the key that SeaORM requires if its listing says that it has none.
pub(super) fn with_or_without<E: HasListing>(mut entity: EntityMeta) -> EntityMeta {
    if !E::Listing::has_key() {
        for column in std::mem::take(&mut entity.key) {
            // SeaORM lets no column of a key be null, whatever the table holds.
            entity.columns[column].nullable = true;
        }
    }
    entity
}

/// The columns in which every order ends: those of the key, or else all that are shown and can be sorted by (b570). A
/// column that clients cannot see decides nothing, so that its values cannot be guessed from an order.
pub(super) fn ends(draft: &Draft) -> Vec<usize> {
    let entity = &draft.entity;
    if draft.has_key {
        return entity.key.clone();
    }
    let mut ends = Vec::new();
    for field in &draft.fields {
        let Source::Column(name) = &field.source else {
            continue;
        };
        let column = entity.column(name);
        ends.extend(
            column.filter(|at| is_ordered(&entity.columns[*at].kind) && !ends.contains(at)),
        );
    }
    ends
}

/// Whether every database can sort by values of this kind.
pub(super) fn is_ordered(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Integer
            | Kind::IntegerText
            | Kind::Float32
            | Kind::Float64
            | Kind::Decimal { .. }
            | Kind::Boolean
            | Kind::Text
            | Kind::Uuid
            | Kind::Date
            | Kind::Time
            | Kind::Timestamp
            | Kind::Enum(_)
    )
}

/// The columns of the key, and the mistakes in them.
pub(super) fn freeze_key(draft: &Draft, mistakes: &mut Mistakes) -> Vec<usize> {
    let entity = &draft.entity;
    match entity.key[..] {
        [] if !draft.has_key && ends(draft).is_empty() => mistakes.add(
            "key",
            &entity.name,
            "its rows have no key, and none of its fields is a column by which they could be in an order",
            "add a field of a number, a text or a time",
        ),
        [] if !draft.has_key => {}
        [] => mistakes.add(
            "key",
            &entity.name,
            "the entity has no primary key",
            "mark the columns that tell its rows apart with `primary_key`, or say that it has none (`Listing::has_key`)",
        ),
        [key] if !is_key(&entity.columns[key]) => mistakes.add(
            "key",
            &entity.columns[key].name,
            "the primary key is not an integer, a UUID or text",
            "use a primary key of one of these types",
        ),
        [_] => {}
        _ => {
            for part in &entity.key {
                let column = &entity.columns[*part];
                if !is_part_of_key(column) {
                    mistakes.add(
                        "key",
                        &column.name,
                        "a column of the primary key is not an integer, a UUID, text, a date or a timestamp",
                        "use columns of these types for the primary key",
                    );
                }
            }
        }
    }
    entity.key.clone()
}

/// Whether a key of several columns can have a column as its part: every one that has one spelling and can be compared.
fn is_part_of_key(column: &ColumnMeta) -> bool {
    is_key(column) || matches!(column.kind, Kind::Date | Kind::Timestamp)
}
