//! Resolves the sorts of a listing to columns, computed fields or columns of related rows.

use super::{Draft, Mistakes, suggest};
use crate::define::{
    EntityMeta, FieldSource, RelationMeta, SortSource, WhitelistField, WhitelistRelation,
    WhitelistSort,
};
use crate::vocabulary::Kind;

pub(super) fn freeze_sorts(
    draft: &Draft,
    own_fields: &[WhitelistField],
    relations: &[WhitelistRelation],
    all_fields: &[Vec<WhitelistField>],
    mistakes: &mut Mistakes,
) -> Vec<WhitelistSort> {
    let mut frozen: Vec<WhitelistSort> = Vec::with_capacity(draft.sorts.len());
    for sort in &draft.sorts {
        if frozen.iter().any(|known| known.name == sort.name) {
            mistakes.add(
                "sort",
                &sort.name,
                "it is defined twice",
                "remove one of the two",
            );
        }
        let source = match sort.name.split_once('.') {
            _ if sort.by_relevance => Some(SortSource::Relevance),
            Some((relation, column)) => related(
                &sort.name, relation, column, draft, relations, all_fields, mistakes,
            ),
            None => own(&sort.name, &draft.entity, own_fields, mistakes),
        };
        frozen.extend(source.map(|source| WhitelistSort {
            name: sort.name.clone(),
            source,
            nulls: sort.nulls,
            default: sort.default.then_some(sort.direction),
        }));
    }
    frozen
}

/// A field's alias, or else a column.
fn own(
    name: &str,
    entity: &EntityMeta,
    fields: &[WhitelistField],
    mistakes: &mut Mistakes,
) -> Option<SortSource> {
    let field = fields
        .iter()
        .enumerate()
        .find(|(_, field)| field.alias == name);
    let column = match field {
        Some((
            at,
            WhitelistField {
                source: FieldSource::Computed(_),
                ..
            },
        )) => {
            return Some(SortSource::Computed(at));
        }
        Some((
            _,
            WhitelistField {
                source: FieldSource::Column(column),
                ..
            },
        )) => *column,
        None => {
            let Some(column) = entity.column(name) else {
                let aliases = fields.iter().map(|field| field.alias.as_str());
                let known = aliases.chain(entity.column_names());
                mistakes.add(
                    "sort",
                    name,
                    format!(
                        "`{}` has neither a field nor a column of that name",
                        entity.name
                    ),
                    suggest(name, known),
                );
                return None;
            };
            column
        }
    };
    sortable("sort", name, entity, column, mistakes).then_some(SortSource::Column(column))
}

fn related(
    sort: &str,
    relation: &str,
    name: &str,
    draft: &Draft,
    relations: &[WhitelistRelation],
    all_fields: &[Vec<WhitelistField>],
    mistakes: &mut Mistakes,
) -> Option<SortSource> {
    let Some(at) = relations
        .iter()
        .position(|known| known.meta.name == relation)
    else {
        if draft.relations.iter().any(|known| known.name == relation) {
            // It is there, and what is wrong with it has been said.
            return None;
        }
        let exists = |meta: &RelationMeta| meta.name == relation;
        let remedy = if draft.named_relations.iter().any(exists) {
            format!("add `{relation}` to `relations()`")
        } else {
            suggest(relation, relations.iter().map(|known| known.meta.name))
        };
        mistakes.add(
            "sort",
            sort,
            format!("`relations()` has no `{relation}`"),
            remedy,
        );
        return None;
    };
    let relation = &relations[at];
    if relation.meta.to_many {
        mistakes.add(
            "sort",
            sort,
            format!("`{}` leads to many rows", relation.meta.name),
            "sort by relations that lead to one row, or by a computed field",
        );
        return None;
    }
    let target = &relation.meta.target;
    let shown: Vec<(&str, usize)> = match (&relation.target.only, relation.target.listing) {
        (Some(columns), _) => {
            let key = relation.target_key;
            let others = columns.iter().copied().filter(|column| *column != key);
            std::iter::once(("id", key))
                .chain(others.map(|column| (target.columns[column].name.as_ref(), column)))
                .collect()
        }
        (None, Some(listing)) => all_fields[listing]
            .iter()
            .filter_map(|field| match field.source {
                FieldSource::Column(column) => Some((field.alias.as_str(), column)),
                FieldSource::Computed(_) => None,
            })
            .collect(),
        // The related entity has no listing, which has been said.
        (None, None) => return None,
    };
    let Some((_, column)) = shown.iter().find(|(alias, _)| *alias == name) else {
        mistakes.add(
            "sort",
            sort,
            format!(
                "`{name}` is no column that the related `{}` shows",
                target.name
            ),
            suggest(name, shown.iter().map(|(alias, _)| *alias)),
        );
        return None;
    };
    sortable("sort", sort, target, *column, mistakes).then_some(SortSource::Related {
        relation: at,
        column: *column,
    })
}

/// JSON has no order that the three databases share, and PostgreSQL has none at all.
pub(super) fn sortable(
    place: &'static str,
    name: &str,
    entity: &EntityMeta,
    column: usize,
    mistakes: &mut Mistakes,
) -> bool {
    let right = entity.columns[column].kind != Kind::Json;
    if !right {
        mistakes.add(
            place,
            name,
            "JSON has no order",
            "sort by a computed field instead",
        );
    }
    right
}
