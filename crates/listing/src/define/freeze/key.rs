//! Verifies the primary key, of one column or of several.

use super::{Mistakes, is_key};
use crate::define::EntityMeta;
use crate::vocabulary::Kind;

/// The columns of the key, and what is wrong with them.
pub(super) fn freeze_key(entity: &EntityMeta, mistakes: &mut Mistakes) -> Vec<usize> {
    match entity.key[..] {
        [] => mistakes.add(
            "key",
            &entity.name,
            "the entity has no primary key",
            "mark the columns that tell its rows apart with `primary_key`",
        ),
        [key] if !is_key(&entity.columns[key].kind) => mistakes.add(
            "key",
            &entity.columns[key].name,
            "the primary key is not an integer, a UUID or text",
            "use a primary key of one of these types",
        ),
        [_] => {}
        _ => {
            for part in &entity.key {
                let column = &entity.columns[*part];
                if !is_part_of_key(&column.kind) {
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

/// Whether a key of several columns can have a part of this kind: every one that has one spelling and can be compared.
fn is_part_of_key(kind: &Kind) -> bool {
    is_key(kind) || matches!(kind, Kind::Date | Kind::Timestamp)
}
