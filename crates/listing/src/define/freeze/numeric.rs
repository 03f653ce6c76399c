//! Checks the columns whose timestamps SQLite keeps as numbers (b250).

use super::Mistakes;
use crate::define::EntityMeta;
use crate::vocabulary::Kind;

pub(super) fn check(entity: &EntityMeta, mistakes: &mut Mistakes) {
    let numeric = entity.columns.iter().filter(|column| column.numeric);
    for column in numeric.filter(|column| column.kind != Kind::Timestamp) {
        mistakes.add(
            "numeric_timestamps",
            &column.name,
            "the column does not hold timestamps",
            "name columns that the entity types as timestamps",
        );
    }
}
