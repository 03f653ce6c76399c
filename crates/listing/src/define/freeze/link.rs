//! Verifies how the rows of two entities meet, for whatever goes through a relation: populate, sorts, counts and filters.

use std::collections::HashMap;

use super::{Draft, Mistakes, World, is_key, key, resolve_column, suggest};
use crate::define::relation_name::NamedRelation;
use crate::define::{EntityId, Name, RelationMeta, Target, WhitelistRelation};

/// The two sides of a relation, resolved.
pub(super) struct Link<'d> {
    pub(super) meta: &'d RelationMeta,
    /// The listing of the related entity, and of the junction's.
    pub(super) listing: Option<usize>,
    pub(super) junction: Option<usize>,
    from: usize,
    to: usize,
    target_ends: Vec<usize>,
}

/// Who names a relation, for messages.
#[derive(Clone, Copy)]
pub(super) struct Place<'d> {
    pub(super) place: &'static str,
    pub(super) name: &'d str,
}

impl<'d> Link<'d> {
    /// The relation of the draft's entity that is named.
    pub(super) fn of(
        world: &World<'d>,
        draft: &'d Draft,
        relation: &NamedRelation,
        said: Place<'_>,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let Place { place, name } = said;
        let meta = named(draft, relation, said, mistakes)?;
        if meta.conditional {
            mistakes.add(
                place,
                name,
                "the relation is joined on more than columns (`on_condition`)",
                "move the condition into the `scope` of the related listing",
            );
        }
        let listing = world.by_entity.get(&meta.target.id).copied();
        if listing.is_none() && meta.target_has_listing {
            not_added(said, &meta.target.name, mistakes);
        }
        let through = meta.through.as_ref();
        let junction = through.and_then(|through| world.junction(through));
        if let Some(through) = through.filter(|through| through.has_listing)
            && junction.is_none()
        {
            not_added(said, &through.name, mistakes);
        }
        let Some((from, to)) = single_columns(meta) else {
            mistakes.add(
                place,
                name,
                "the relation joins on several columns",
                "use a relation that joins on one column",
            );
            return None;
        };
        let to = resolve_column(&meta.target, to, place, name, mistakes)?;
        let from = resolve_column(&draft.entity, from, place, name, mistakes)?;
        check_join(draft, meta, (from, to), said, mistakes);
        if meta.target.key.is_empty() && !meta.to_many && !is_unique(meta, to) {
            mistakes.add(
                place,
                name,
                "the relation leads to one of several rows, which have no key to tell them apart",
                "make its column unique, or lead to many rows",
            );
        }
        Some(Self {
            target_ends: match listing {
                Some(at) => key::ends(&world.drafts[at]),
                None => meta.target.key.clone(),
            },
            meta,
            listing,
            junction,
            from,
            to,
        })
    }

    /// The relation as counts and filters use it: without anything to show.
    pub(super) fn freeze(self, name: String) -> WhitelistRelation {
        let target_key = self.meta.target.key.clone();
        let is_unique = is_unique(self.meta, self.to);
        WhitelistRelation {
            name,
            default: false,
            limit: 1,
            target: Target {
                listing: self.listing,
                only: None,
            },
            junction: self.junction,
            order: Vec::new(),
            link_order: Vec::new(),
            target_ends: self.target_ends,
            target_key,
            from: self.from,
            to: self.to,
            unique: self.meta.through.is_none() && is_unique,
            meta: self.meta.clone(),
        }
    }
}

/// Whether at most one row there has each value of the column.
fn is_unique(meta: &RelationMeta, to: usize) -> bool {
    meta.target.key == [to] || meta.target.columns[to].unique
}

fn named<'d>(
    draft: &'d Draft,
    relation: &NamedRelation,
    Place { place, name }: Place<'_>,
    mistakes: &mut Mistakes,
) -> Option<&'d RelationMeta> {
    let of_another = relation.entity.filter(|entity| *entity != draft.entity.id);
    if of_another.is_some() {
        mistakes.add(
            place,
            name,
            format!(
                "this `{}` is a relation of another entity, not of `{}`",
                relation.name, draft.entity.name
            ),
            "use a constant of this listing's own entity",
        );
        return None;
    }
    let mut known = draft.named_relations.iter();
    let found = known.find(|meta| meta.name == relation.name);
    if found.is_none() {
        let known = draft.named_relations.iter().map(|meta| &*meta.name);
        mistakes.add(
            place,
            name,
            format!(
                "the entity `{}` has no relation `{}`",
                draft.entity.name, relation.name
            ),
            suggest(&relation.name, known),
        );
    }
    found
}

fn not_added(Place { place, name }: Place<'_>, table: &str, mistakes: &mut Mistakes) {
    mistakes.add(
        place,
        name,
        format!("the listing of `{table}` was not added, so its scope would not be applied"),
        "add that listing too",
    );
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

/// Keys are read from one side and looked up on the other.
fn check_join(
    draft: &Draft,
    meta: &RelationMeta,
    (from, to): (usize, usize),
    Place { place, name }: Place<'_>,
    mistakes: &mut Mistakes,
) {
    let from = &draft.entity.columns[from];
    if !is_key(from) {
        mistakes.add(
            place,
            name,
            "the relation joins on a column that is not an integer, a UUID or text",
            "use a relation that joins on a column of one of these types",
        );
    } else if meta.through.is_none() && meta.target.columns[to].kind != from.kind {
        mistakes.add(
            place,
            name,
            "the two columns on which the relation joins have different types",
            "give both columns the same type",
        );
    }
}

/// A listing's options for the columns of its entity apply wherever a relation leads to them.
pub(super) fn complete_targets(drafts: &mut [Draft], by_entity: &HashMap<EntityId, usize>) {
    let entities: Vec<_> = drafts.iter().map(|draft| draft.entity.clone()).collect();
    for relation in drafts
        .iter_mut()
        .flat_map(|draft| &mut draft.named_relations)
    {
        if let Some(at) = by_entity.get(&relation.target.id) {
            relation.target = entities[*at].clone();
        }
    }
}
