//! Freezes sorts: names, and the columns, computed fields or related columns that they mean.

use super::{Draft, Mistakes, World, check_name, means_key, public_column, suggest};
use crate::define::sorts::SortBy;
use crate::define::{
    EntityMeta, FieldSource, RelationMeta, Sort, SortSource, WhitelistField, WhitelistRelation,
    WhitelistSort,
};
use crate::vocabulary::Kind;

pub(super) fn freeze_sorts(
    world: &World<'_>,
    draft: &Draft,
    relations: &[WhitelistRelation],
    all_fields: &[Vec<WhitelistField>],
    own_fields: &[WhitelistField],
    mistakes: &mut Mistakes,
) -> Vec<WhitelistSort> {
    let of_relations = Relations {
        world,
        draft,
        relations,
        all_fields,
    };
    let mut frozen: Vec<WhitelistSort> = Vec::with_capacity(draft.sorts.len());
    for sort in &draft.sorts {
        let found = match &sort.by {
            SortBy::Name(name) => match name.split_once('.') {
                // A column can have a dot in its name.
                Some((relation, column)) if draft.entity.column(name).is_none() => {
                    let related = Related {
                        said: name,
                        relation,
                        column: Column::Shown(column),
                    };
                    related.freeze(&of_relations, mistakes)
                }
                _ => own(name, sort, draft, own_fields, mistakes),
            },
            SortBy::Relevance => Some(("relevance".to_owned(), SortSource::Relevance)),
            SortBy::Related { relation, column } => {
                let related = Related {
                    said: &format!("{relation}.{column}"),
                    relation,
                    column: Column::InDatabase(column),
                };
                related.freeze(&of_relations, mistakes)
            }
        };
        let Some((name, source)) = found else {
            continue;
        };
        let name = sort.alias.clone().unwrap_or(name);
        check_name("sort", &name, mistakes);
        if frozen.iter().any(|known| known.name == name) {
            mistakes.twice("sort", &name);
        }
        frozen.push(WhitelistSort {
            name,
            source,
            nulls: sort.nulls,
            default: sort.default.then_some(sort.direction),
        });
    }
    frozen
}

/// A field by the name of its definition, or else a column; with the name that clients see.
fn own(
    name: &str,
    sort: &Sort,
    draft: &Draft,
    fields: &[WhitelistField],
    mistakes: &mut Mistakes,
) -> Option<(String, SortSource)> {
    let entity = &draft.entity;
    let drafted = draft.fields.iter().find(|field| field.said() == name);
    let public = drafted.map(|field| draft.public(field.alias.as_deref(), &field.name));
    let mut enumerated = fields.iter().enumerate();
    let field = enumerated.find(|(_, field)| Some(&field.alias) == public.as_ref());
    if let Some((at, field)) = field {
        return match field.source {
            FieldSource::Computed(_) | FieldSource::Count(_) => {
                Some((field.alias.clone(), SortSource::Computed(at)))
            }
            // Each of its columns can be a sort.
            FieldSource::Key => None,
            FieldSource::Column(column) => sortable("sort", name, entity, column, mistakes)
                .then(|| (field.alias.clone(), SortSource::Column(column))),
        };
    }
    let Some(column) = means_key(entity, name).or_else(|| entity.column(name)) else {
        let aliases = draft.fields.iter().map(|field| field.said());
        let known = aliases.chain(entity.column_names());
        mistakes.add(
            "sort",
            name,
            format!("`{}` has no field and no column `{name}`", entity.name),
            suggest(name, known),
        );
        return None;
    };
    let alias = sort.alias.as_deref();
    let public = public_column(entity, draft.names, alias, column, "sort", mistakes);
    sortable("sort", name, entity, column, mistakes).then_some((public, SortSource::Column(column)))
}

/// The relations that a sort can go through.
struct Relations<'d> {
    world: &'d World<'d>,
    draft: &'d Draft,
    relations: &'d [WhitelistRelation],
    all_fields: &'d [Vec<WhitelistField>],
}

/// A column of the row to which a relation leads.
struct Related<'s> {
    said: &'s str,
    relation: &'s str,
    column: Column<'s>,
}

#[derive(Clone, Copy)]
enum Column<'s> {
    /// By the name under which the related listing shows it.
    Shown(&'s str),
    /// By its name in the database.
    InDatabase(&'s str),
}

impl Related<'_> {
    fn freeze(&self, of: &Relations<'_>, mistakes: &mut Mistakes) -> Option<(String, SortSource)> {
        let (at, relation) = self.relation(of, mistakes)?;
        if relation.meta.to_many {
            mistakes.add(
                "sort",
                self.said,
                format!("the relation `{}` leads to many rows", self.relation),
                "sort by a relation that leads to one row, or by a computed field",
            );
            return None;
        }
        let target = &relation.meta.target;
        let shown: Vec<(&str, usize)> = match (&relation.target.only, relation.target.listing) {
            (Some(columns), _) => {
                let id = match relation.target_key[..] {
                    [key] => Some(("id", key)),
                    _ => None,
                };
                let is_other = |column: usize| id.is_none_or(|(_, key)| column != key);
                let others = columns.iter().filter(|(column, _)| is_other(*column));
                id.into_iter()
                    .chain(others.map(|(column, name)| (name.as_str(), *column)))
                    .collect()
            }
            (None, Some(listing)) => of.all_fields[listing]
                .iter()
                .filter_map(|field| match field.source {
                    FieldSource::Column(column) => Some((field.alias.as_str(), column)),
                    FieldSource::Key | FieldSource::Computed(_) | FieldSource::Count(_) => None,
                })
                .collect(),
            // The related entity has no listing, which has been reported.
            (None, None) => return None,
        };
        let in_database = |column: usize| target.columns[column].name.as_ref();
        let (name, found) = match self.column {
            Column::Shown(name) => {
                let listing = relation.target.listing.map(|at| &of.world.drafts[at]);
                let names = listing.filter(|_| relation.target.only.is_none());
                let public = names.unwrap_or(of.draft).names.of(name);
                let is_it = |(alias, _): &&(&str, usize)| *alias == name || *alias == public;
                (name, shown.iter().find(is_it))
            }
            Column::InDatabase(name) => (
                name,
                shown
                    .iter()
                    .find(|(_, column)| in_database(*column) == name),
            ),
        };
        let Some((alias, column)) = found else {
            mistakes.add(
                "sort",
                self.said,
                format!("the related `{}` does not show `{name}`", target.name),
                suggest(name, shown.iter().map(|(alias, _)| *alias)),
            );
            return None;
        };
        let source = SortSource::Related {
            relation: at,
            column: *column,
        };
        sortable("sort", self.said, target, *column, mistakes)
            .then(|| (format!("{}.{alias}", relation.name), source))
    }

    /// The relation, among those that clients can populate: by the name of its definition, or by its alias.
    fn relation<'w>(
        &self,
        of: &Relations<'w>,
        mistakes: &mut Mistakes,
    ) -> Option<(usize, &'w WhitelistRelation)> {
        let Relations {
            draft, relations, ..
        } = of;
        let mut known = relations.iter().enumerate();
        let is_it = |relation: &WhitelistRelation| {
            relation.meta.name == self.relation || relation.name == self.relation
        };
        let found = known.find(|(_, relation)| is_it(relation));
        let is_drafted = draft
            .relations
            .iter()
            .any(|known| known.relation.name == self.relation);
        // A mistake in a drafted one has already been reported.
        if found.is_none() && !is_drafted {
            let exists = |meta: &RelationMeta| meta.name == self.relation;
            let remedy = if draft.named_relations.iter().any(exists) {
                format!("add `{}` to `relations()`", self.relation)
            } else {
                suggest(
                    self.relation,
                    relations.iter().map(|known| &*known.meta.name),
                )
            };
            mistakes.add(
                "sort",
                self.said,
                format!("`relations()` does not contain `{}`", self.relation),
                remedy,
            );
        }
        found
    }
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
            "a JSON column has no order",
            "sort by a computed field instead",
        );
    }
    right
}
