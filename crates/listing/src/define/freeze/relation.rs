//! Freezes the relations that clients can populate: names, limits, orders and visible fields.

use super::key::is_ordered;
use super::link::{Link, Place};
use super::sort::sortable;
use super::{Draft, Mistakes, World, check_limit, check_name, resolve_column};
use crate::define::relations::DraftRelation;
use crate::define::{LinkOrder, RelationMeta, Target, Through, WhitelistField, WhitelistRelation};
use crate::vocabulary::SortDirection;

pub(super) fn freeze_relations(
    world: &World<'_>,
    draft: &Draft,
    fields: &[WhitelistField],
    mistakes: &mut Mistakes,
) -> Vec<WhitelistRelation> {
    let mut frozen: Vec<WhitelistRelation> = Vec::with_capacity(draft.relations.len());
    for relation in &draft.relations {
        let name = draft.public(relation.alias.as_deref(), &relation.relation.name);
        let Some(whole) = freeze_relation(world, draft, relation, &name, mistakes) else {
            continue;
        };
        check_name("relation", &name, mistakes);
        if name.contains('.') {
            mistakes.add(
                "relation",
                &name,
                "clients cannot populate a name with a dot: `populate=a.b` means the relation `b` of `a`",
                "give it an alias without a dot",
            );
        }
        if (name == "id" && draft.has_key) || fields.iter().any(|field| field.alias == name) {
            mistakes.add(
                "relation",
                &name,
                "a field has the same name",
                "give one of the two another alias",
            );
        }
        if frozen.iter().any(|known| known.name == name) {
            mistakes.twice("relation", &name);
        }
        frozen.push(whole);
    }
    frozen
}

fn freeze_relation(
    world: &World<'_>,
    draft: &Draft,
    relation: &DraftRelation,
    name: &str,
    mistakes: &mut Mistakes,
) -> Option<WhitelistRelation> {
    let place = Place {
        place: "relation",
        name,
    };
    let link = Link::of(world, draft, &relation.relation, place, mistakes)?;
    let meta = link.meta;
    if let Some(limit) = relation.limit {
        check_limit("relation", name, limit, mistakes);
        if !meta.to_many {
            mistakes.add(
                "relation",
                name,
                "`limit` is for relations to many rows, and this one leads to one",
                "remove the limit",
            );
        }
    }
    if link.listing.is_none() && !meta.target_has_listing && relation.only.is_none() {
        mistakes.add(
            "relation",
            name,
            format!("the related entity `{}` has no listing", meta.target.name),
            "add its listing, or name the columns to show with `.only([..])`",
        );
    }
    let only = freeze_only(draft, relation, meta, name, mistakes);
    let order = freeze_order(relation, meta, name, mistakes);
    let listing = link.listing;
    Some(WhitelistRelation {
        default: relation.default,
        limit: if meta.to_many {
            relation.limit.unwrap_or(world.settings.relation_limit)
        } else {
            1
        },
        target: Target { listing, only },
        order,
        link_order: freeze_link_order(relation, meta, name, mistakes),
        ..link.freeze(name.to_owned())
    })
}

/// The columns that are named on the spot, shown next to `id`, with the names that clients see.
fn freeze_only(
    draft: &Draft,
    relation: &DraftRelation,
    meta: &RelationMeta,
    said: &str,
    mistakes: &mut Mistakes,
) -> Option<Vec<(usize, String)>> {
    let mut frozen: Vec<(usize, String)> = Vec::new();
    let only = relation.only.as_ref()?;
    if meta.target.key.is_empty() {
        mistakes.add(
            "relation",
            said,
            format!(
                "the rows of `{}` have no key, which `only` would show",
                meta.target.name
            ),
            "remove `only`, so that the related listing says what is shown",
        );
    }
    for name in only {
        let Some(column) = resolve_column(&meta.target, name, "relation", said, mistakes) else {
            continue;
        };
        let public = draft.names.of(name);
        if frozen.iter().any(|(known, _)| *known == column) {
            mistakes.add(
                "relation",
                said,
                format!("`only` names `{name}` twice"),
                "remove one of the two",
            );
        }
        if public == "id" && meta.target.key != [column] {
            mistakes.add(
                "relation",
                said,
                "`id` is the name of the primary key in every response",
                "leave the column `id` out of `only`",
            );
        }
        frozen.push((column, public));
    }
    Some(frozen)
}

/// The order of links, by columns of the junction.
fn freeze_link_order(
    relation: &DraftRelation,
    meta: &RelationMeta,
    said: &str,
    mistakes: &mut Mistakes,
) -> Vec<LinkOrder> {
    let mut frozen = Vec::with_capacity(relation.links.len());
    for order in &relation.links {
        let is_junction = |through: &Through| match through.entity {
            Some(entity) => entity == order.entity,
            None => through.name == order.table,
        };
        if !meta.through.as_ref().is_some_and(is_junction) {
            mistakes.add(
                "relation",
                said,
                format!("`{}` is not a table between the two sides", order.table),
                "use a column of the junction of this relation, or `order_by` for one of the related entity",
            );
            continue;
        }
        if !is_ordered(&order.kind) {
            mistakes.add(
                "relation",
                said,
                format!("not every database can sort by `{}`", order.column),
                "use a column of a number, a text or a time",
            );
        }
        frozen.push(LinkOrder {
            column: order.column.clone(),
            kind: order.kind.clone(),
            direction: order.direction,
        });
    }
    frozen
}

fn freeze_order(
    relation: &DraftRelation,
    meta: &RelationMeta,
    said: &str,
    mistakes: &mut Mistakes,
) -> Vec<(usize, SortDirection)> {
    let mut frozen = Vec::with_capacity(relation.order.len());
    for (name, direction) in &relation.order {
        let column = resolve_column(&meta.target, name, "relation", said, mistakes);
        if let Some(column) = column {
            sortable("relation", said, &meta.target, column, mistakes);
            frozen.push((column, *direction));
        }
    }
    frozen
}
