//! Resolves the fields of a listing to columns or sub-queries with their kinds, `id` first.

use super::{Draft, Mistakes, check_name, resolve_column};
use crate::define::fields::{Field, Source};
use crate::define::{EntityMeta, FieldSource, WhitelistField};
use crate::vocabulary::Kind;

pub(super) fn freeze_fields(
    entity: &EntityMeta,
    drafted: &[Field],
    mistakes: &mut Mistakes,
) -> Vec<WhitelistField> {
    let key = entity.key.first().copied();
    let mut fields = Vec::with_capacity(drafted.len() + 1);
    if let Some(key) = key {
        fields.push(WhitelistField {
            alias: "id".to_owned(),
            source: FieldSource::Column(key),
            kind: entity.columns[key].kind.clone(),
            default: true,
        });
    }
    for field in drafted {
        let frozen = freeze_field(entity, field, mistakes);
        check_name("field", &field.alias, mistakes);
        if field.alias == "id" {
            match (&frozen, key) {
                // Said though it need not be: the key is always there, as it was defined here.
                (
                    Some(WhitelistField {
                        source: FieldSource::Column(column),
                        kind,
                        ..
                    }),
                    Some(key),
                ) if *column == key => {
                    fields[0].kind = kind.clone();
                }
                (None, _) => {}
                _ => mistakes.add(
                    "field",
                    "id",
                    "`id` is the primary key's name in every answer",
                    "give this field another alias",
                ),
            }
            continue;
        }
        if fields.iter().any(|known| known.alias == field.alias) {
            mistakes.add(
                "field",
                &field.alias,
                "it is defined twice",
                "remove one of the two",
            );
        }
        fields.extend(frozen);
    }
    fields
}

/// What the listing says of one record, or else every plain field (d49).
pub(super) fn freeze_show(
    draft: &Draft,
    fields: &[WhitelistField],
    mistakes: &mut Mistakes,
) -> Vec<WhitelistField> {
    match &draft.show {
        Some(show) => freeze_fields(&draft.entity, show, mistakes),
        None => {
            let plain = |field: &&WhitelistField| matches!(field.source, FieldSource::Column(_));
            fields.iter().filter(plain).cloned().collect()
        }
    }
}

fn freeze_field(
    entity: &EntityMeta,
    field: &Field,
    mistakes: &mut Mistakes,
) -> Option<WhitelistField> {
    let (source, natural) = match &field.source {
        Source::Column(name) => {
            let column = resolve_column(entity, name, "field", &field.alias, mistakes)?;
            (
                FieldSource::Column(column),
                entity.columns[column].kind.clone(),
            )
        }
        Source::Computed(query) => (FieldSource::Computed(query.clone()), Kind::Natural),
    };
    let mut kind = field.kind.clone().unwrap_or(natural);
    if field.text_integer {
        if kind != Kind::Integer {
            mistakes.add(
                "field",
                &field.alias,
                "`as_text` is for integers",
                "remove it, or declare the field's kind as `Kind::Integer`",
            );
        }
        kind = Kind::IntegerText;
    }
    Some(WhitelistField {
        alias: field.alias.clone(),
        source,
        kind,
        default: field.default,
    })
}
