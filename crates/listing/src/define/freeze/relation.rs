//! Resolves the relations of a listing to columns, limits and target listings.

use std::any::TypeId;
use std::collections::HashMap;

use super::sort::sortable;
use super::{Draft, Mistakes, check_limit, is_key, resolve_column, suggest};
use crate::define::{Name, Relation, RelationMeta, Target, Whitelist, WhitelistRelation};
use crate::vocabulary::{Settings, SortDirection};

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
    if let Some(limit) = relation.limit {
        check_limit("relation", name, limit, mistakes);
    }
    if !meta.to_many && relation.limit.is_some() {
        mistakes.add(
            "relation",
            name,
            "a limit is for relations that lead to many",
            "remove the limit",
        );
    }
    if listing.is_none() && meta.target_has_listing {
        mistakes.add(
            "relation",
            name,
            format!(
                "the listing of the related entity `{}` was not added, so its scope would not hold",
                meta.target.name
            ),
            "add it to the builder",
        );
    } else if listing.is_none() && relation.only.is_none() {
        mistakes.add(
            "relation",
            name,
            format!("the related entity `{}` has no listing", meta.target.name),
            "add its listing to the builder, or name the columns to show with `.only([..])`",
        );
    }
    let Some((from, to)) = single_columns(meta) else {
        mistakes.add(
            "relation",
            name,
            "the two sides meet on several columns",
            "only relations on one column can be populated",
        );
        return None;
    };
    let to = resolve_column(&meta.target, to, "relation", name, mistakes)?;
    let from = resolve_column(&draft.entity, from, "relation", name, mistakes)?;
    check_join(draft, meta, from, to, mistakes);
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
    let only = freeze_only(relation, meta, target_key, mistakes);
    let order = freeze_order(relation, meta, mistakes);
    Some(WhitelistRelation {
        default: relation.default,
        limit: if meta.to_many {
            relation.limit.unwrap_or(settings.relation_limit)
        } else {
            1
        },
        target: Target { listing, only },
        order,
        target_key,
        from,
        to,
        unique: meta.through.is_none() && (to == target_key || meta.target.columns[to].unique),
        // Known when every listing is: `with_junctions`.
        junction: None,
        meta: meta.clone(),
    })
}

/// Tells each many-to-many relation which listing its junction has.
///
/// By its table: SeaORM's definition of a relation names no entity.
pub(super) fn with_junctions(whitelists: &mut [Whitelist]) {
    let tables: Vec<_> = whitelists
        .iter()
        .map(|it| it.entity.table.clone())
        .collect();
    for relation in whitelists.iter_mut().flat_map(|it| &mut it.relations) {
        let through = relation.meta.through.as_ref();
        relation.junction =
            through.and_then(|through| tables.iter().position(|table| *table == through.table));
    }
}

/// The columns on which the two sides meet, where it is one on each side.
fn single_columns(meta: &RelationMeta) -> Option<(&str, &str)> {
    let through = meta.through.iter();
    let junction = through.flat_map(|through| [&through.to_parent, &through.to_target]);
    let is_single = |columns: &Vec<Name>| columns.len() == 1;
    match (&meta.from[..], &meta.to[..]) {
        ([from], [to]) if junction.clone().all(is_single) => Some((from, to)),
        _ => None,
    }
}

/// Keys are read from one side and looked for on the other.
fn check_join(draft: &Draft, meta: &RelationMeta, from: usize, to: usize, mistakes: &mut Mistakes) {
    let from = &draft.entity.columns[from].kind;
    if !is_key(from) {
        mistakes.add(
            "relation",
            meta.name,
            "the column on which it is joined is neither an integer nor a UUID nor text",
            "only relations on a column of one of these types can be populated",
        );
    } else if meta.through.is_none() && meta.target.columns[to].kind != *from {
        mistakes.add(
            "relation",
            meta.name,
            "the columns on which it is joined have different types",
            "give both of them the same type",
        );
    }
}

/// The columns that are named on the spot. They are shown under their own names, beside `id`.
fn freeze_only(
    relation: &Relation,
    meta: &RelationMeta,
    key: usize,
    mistakes: &mut Mistakes,
) -> Option<Vec<usize>> {
    let mut frozen = Vec::new();
    for name in relation.only.as_ref()? {
        let column = resolve_column(&meta.target, name, "relation", meta.name, mistakes);
        if column.is_some_and(|column| frozen.contains(&column)) {
            mistakes.add(
                "relation",
                meta.name,
                format!("`only` names `{name}` twice"),
                "remove one of the two",
            );
        }
        if name == "id" && column.is_some_and(|column| column != key) {
            mistakes.add(
                "relation",
                meta.name,
                "`id` is the primary key's name in every answer",
                "leave the column `id` out of `only`",
            );
        }
        frozen.extend(column);
    }
    Some(frozen)
}

fn freeze_order(
    relation: &Relation,
    meta: &RelationMeta,
    mistakes: &mut Mistakes,
) -> Vec<(usize, SortDirection)> {
    let mut frozen = Vec::with_capacity(relation.order.len());
    for (name, direction) in &relation.order {
        let column = resolve_column(&meta.target, name, "relation", meta.name, mistakes);
        if let Some(column) = column {
            sortable("relation", meta.name, &meta.target, column, mistakes);
            frozen.push((column, *direction));
        }
    }
    frozen
}
