//! Freezes fields: names, columns, sub-queries or counts, and kinds; `id` comes first.

use std::sync::Arc;

use super::link::{Link, Place};
use super::{Draft, Mistakes, World, check_name, key_or_column, public_column};
use crate::define::fields::{Field, Source};
use crate::define::{FieldSource, WhitelistField};
use crate::vocabulary::Kind;

pub(super) fn freeze_fields(
    world: &World<'_>,
    draft: &Draft,
    drafted: &[Field],
    mistakes: &mut Mistakes,
) -> Vec<WhitelistField> {
    let entity = &draft.entity;
    let mut fields = Vec::with_capacity(drafted.len() + 1);
    let id = match entity.key[..] {
        [] => None,
        [key] => Some((FieldSource::Column(key), entity.columns[key].kind.clone())),
        _ => Some((FieldSource::Key, Kind::Text)),
    };
    fields.extend(id.map(|(source, kind)| WhitelistField {
        alias: "id".to_owned(),
        source,
        kind,
        default: true,
    }));
    for field in drafted {
        let Some(frozen) = freeze_field(world, draft, field, mistakes) else {
            continue;
        };
        check_name("field", &frozen.alias, mistakes);
        if frozen.alias == "id" && !entity.key.is_empty() {
            match frozen.source {
                // Said though it need not be: the key is always there, as it was defined here.
                FieldSource::Column(column) if entity.key == [column] => {
                    fields[0].kind = frozen.kind;
                }
                // A plain column of that name has been reported.
                FieldSource::Column(_) if field.alias.is_none() => {}
                _ => mistakes.add(
                    "field",
                    "id",
                    "`id` is the name of the primary key in every response",
                    "give this field another alias",
                ),
            }
            continue;
        }
        if fields.iter().any(|known| known.alias == frozen.alias) {
            mistakes.twice("field", &frozen.alias);
        }
        fields.push(frozen);
    }
    // Something is shown of every row, and `id` is not there to be it.
    if !fields.iter().any(|field| field.default)
        && let Some(first) = fields.first_mut()
    {
        first.default = true;
    }
    fields
}

/// The listing's fields of a single record, or else every plain field (d49).
pub(super) fn freeze_show(
    world: &World<'_>,
    draft: &Draft,
    fields: &[WhitelistField],
    mistakes: &mut Mistakes,
) -> Vec<WhitelistField> {
    match &draft.show {
        Some(show) => freeze_fields(world, draft, show, mistakes),
        None => {
            let plain = |field: &&WhitelistField| {
                matches!(field.source, FieldSource::Column(_) | FieldSource::Key)
            };
            fields.iter().filter(plain).cloned().collect()
        }
    }
}

fn freeze_field(
    world: &World<'_>,
    draft: &Draft,
    field: &Field,
    mistakes: &mut Mistakes,
) -> Option<WhitelistField> {
    let entity = &draft.entity;
    let (source, natural, alias) = match &field.source {
        Source::Column(name) => {
            let column = key_or_column(entity, name, "field", field.said(), mistakes)?;
            (
                FieldSource::Column(column),
                entity.columns[column].kind.clone(),
                public_name(draft, field, column, mistakes),
            )
        }
        Source::Computed(query) => (
            FieldSource::Computed(query.clone()),
            Kind::Natural,
            draft.public(field.alias.as_deref(), &field.name),
        ),
        Source::Count(relation) => {
            let name = draft.public(field.alias.as_deref(), &field.name);
            let place = Place {
                place: "field",
                name: &name,
            };
            let link = Link::of(world, draft, relation, place, mistakes)?;
            let counted = link.freeze(draft.names.of(&relation.name));
            (FieldSource::Count(Arc::new(counted)), Kind::Integer, name)
        }
    };
    let mut kind = field.kind.clone().unwrap_or(natural);
    if field.text_integer {
        if kind != Kind::Integer {
            mistakes.add(
                "field",
                &alias,
                "`as_text` is for integers",
                "remove it, or declare that the field is a `Kind::Integer`",
            );
        }
        kind = Kind::IntegerText;
    }
    Some(WhitelistField {
        alias,
        source,
        kind,
        default: field.default,
    })
}

/// The name of a field on a column. `id` is always there, so the key's column is a second field under its own name.
fn public_name(draft: &Draft, field: &Field, column: usize, mistakes: &mut Mistakes) -> String {
    let entity = &draft.entity;
    match &field.alias {
        None if entity.key == [column] && field.name != "id" => {
            draft.names.of(&entity.columns[column].name)
        }
        alias => {
            let alias = alias.as_deref();
            public_column(entity, draft.names, alias, column, "field", mistakes)
        }
    }
}
