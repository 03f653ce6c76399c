//! In: a draft's relations. Out: whitelisted relations with their columns, limits and targets, or mistakes.

use std::any::TypeId;
use std::collections::HashMap;

use super::{Draft, Mistakes, resolve_column, suggest};
use crate::define::{Name, Relation, RelationMeta, Target, WhitelistRelation};
use crate::vocabulary::{Kind, Settings};

pub(super) fn freeze_relations(
    draft: &Draft,
    by_entity: &HashMap<TypeId, usize>,
    settings: &Settings,
    mistakes: &mut Mistakes,
) -> Vec<WhitelistRelation> {
    let mut frozen: Vec<WhitelistRelation> = Vec::with_capacity(draft.relations.len());
    for relation in &draft.relations {
        let name = relation.name.as_str();
        let Some(meta) = draft.named_relations.iter().find(|meta| meta.name == name) else {
            let known = draft.named_relations.iter().map(|meta| meta.name);
            mistakes.add(
                "relation",
                name,
                format!(
                    "the entity `{}` has no relation of that name",
                    draft.entity.name
                ),
                suggest(name, known),
            );
            continue;
        };
        if name == "id" || draft.fields.iter().any(|field| field.alias == name) {
            mistakes.add(
                "relation",
                name,
                "a field has the same name",
                "give the field another alias",
            );
        }
        if frozen.iter().any(|known| known.meta.name == name) {
            mistakes.add(
                "relation",
                name,
                "it is defined twice",
                "remove one of the two",
            );
        }
        let listing = by_entity.get(&meta.target.id).copied();
        frozen.extend(freeze_relation(
            draft, relation, meta, listing, settings, mistakes,
        ));
    }
    frozen
}

fn freeze_relation(
    draft: &Draft,
    relation: &Relation,
    meta: &RelationMeta,
    listing: Option<usize>,
    settings: &Settings,
    mistakes: &mut Mistakes,
) -> Option<WhitelistRelation> {
    let name = relation.name.as_str();
    if meta.conditional {
        mistakes.add(
            "relation",
            name,
            "it is joined on more than columns (`on_condition`)",
            "put the condition into the related listing's `scope`",
        );
    }
    let limit = relation.limit.unwrap_or(settings.relation_limit);
    if !(1..=Settings::LARGEST_PAGE).contains(&limit) {
        mistakes.add(
            "relation",
            name,
            format!("its limit is {limit}"),
            format!("choose a number from 1 to {}", Settings::LARGEST_PAGE),
        );
    }
    if !meta.to_many && relation.limit.is_some() {
        mistakes.add(
            "relation",
            name,
            "a limit is for relations that lead to many",
            "remove the limit",
        );
    }
    if listing.is_none() && relation.only.is_none() {
        mistakes.add(
            "relation",
            name,
            format!("the related entity `{}` has no listing", meta.target.name),
            "add its listing to the builder, or name the columns to show with `.only([..])`",
        );
    }
    let (Some(from), Some(to)) = (single(&meta.from), single(&meta.to)) else {
        mistakes.add(
            "relation",
            name,
            "the two sides meet on several columns",
            "only relations on one column can be populated",
        );
        return None;
    };
    let mut column =
        |column: &str| resolve_column(&meta.target, column, "relation", name, mistakes);
    let only: Option<Vec<_>> = relation
        .only
        .as_ref()
        .map(|columns| columns.iter().filter_map(|name| column(name)).collect());
    let order = relation
        .order
        .iter()
        .filter_map(|(name, direction)| Some((column(name)?, *direction)))
        .collect();
    let to = column(to)?;
    let from = resolve_column(&draft.entity, from, "relation", name, mistakes)?;
    if !matches!(
        draft.entity.columns[from].kind,
        Kind::Integer | Kind::Uuid | Kind::Text
    ) {
        mistakes.add(
            "relation",
            name,
            "the column on which it is joined is neither an integer nor a UUID nor text",
            "only relations on a column of one of these types can be populated",
        );
    }
    let [target_key] = meta.target.key[..] else {
        mistakes.add(
            "relation",
            name,
            format!(
                "the primary key of `{}` is not one column",
                meta.target.name
            ),
            "only entities with a primary key of one column can be populated",
        );
        return None;
    };
    Some(WhitelistRelation {
        default: relation.default,
        limit: if meta.to_many { limit } else { 1 },
        target: Target { listing, only },
        order,
        target_key,
        from,
        to,
        unique: meta.through.is_none() && (to == target_key || meta.target.columns[to].unique),
        meta: meta.clone(),
    })
}

fn single(columns: &[Name]) -> Option<&str> {
    match columns {
        [column] => Some(column),
        _ => None,
    }
}
