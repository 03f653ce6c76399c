//! Freezes filters through relations: the relation, and which filters of the related entity can stand inside (d72).

use std::sync::Arc;

use super::filter::{Of, freeze_filter};
use super::link::{Link, Place};
use super::{Draft, Mistakes, World, check_name, computed, is_key, suggest};
use crate::define::defaults::Absent;
use crate::define::filters::{Filter, RelatedBy, RelatedFilter};
use crate::define::{
    EntityMeta, FieldSource, RelatedOnly, RelationMeta, WhitelistField, WhitelistFilter,
    WhitelistRelated,
};
use crate::vocabulary::{FilterOperator, Kind, Names};

/// The filters through relations, in the order of definition. Their places are what `only` of another listing refers to.
pub(super) fn freeze_related(
    world: &World<'_>,
    draft: &Draft,
    filters: &[WhitelistFilter],
    fields: &[Vec<WhitelistField>],
    mistakes: &mut Mistakes,
) -> Vec<WhitelistRelated> {
    let mut frozen: Vec<WhitelistRelated> = Vec::new();
    for filter in &draft.filters {
        let Some(relation) = &filter.relation else {
            continue;
        };
        let key = draft.public(filter.alias.as_deref(), &relation.name);
        check_name("filter", &key, mistakes);
        check_parts(filter, &key, mistakes);
        let is_known = filters.iter().any(|known| known.root() == key);
        if is_known || frozen.iter().any(|known| known.key == key) {
            mistakes.twice("filter", &key);
        }
        let place = Place {
            place: "filter",
            name: &key,
        };
        let Some(link) = Link::of(world, draft, relation, place, mistakes) else {
            continue;
        };
        let only = match (&filter.only, link.listing) {
            (None, None) if !link.meta.target_has_listing => {
                mistakes.add(
                    "filter",
                    &key,
                    format!(
                        "the related entity `{}` has no listing, so it has no filters",
                        link.meta.target.name
                    ),
                    "add its listing, or name the filters with `.only([..])`",
                );
                None
            }
            (None, _) => None,
            (Some(only), listing) => {
                let target = listing.map(|at| (&world.drafts[at], &fields[at][..]));
                Some(freeze_only(
                    only,
                    target,
                    (draft, link.meta),
                    &key,
                    mistakes,
                ))
            }
        };
        let listing = link.listing.map(|listing| &world.drafts[listing]);
        let id = related_id(&link.meta.target, only.as_ref(), listing);
        let count = filter.countable.then(|| {
            let again = Link::of(world, draft, relation, place, &mut Mistakes::default());
            again.map(|link| FieldSource::Count(Arc::new(link.freeze(key.clone()))))
        });
        let count = count.flatten().map(computed::count);
        let relation = link.freeze(key.clone());
        frozen.push(WhitelistRelated {
            key,
            relation,
            only,
            count,
            id,
        });
    }
    frozen
}

/// Options of filters on columns have no meaning here.
fn check_parts(filter: &Filter<()>, key: &str, mistakes: &mut Mistakes) {
    let said = [
        ("allowed_operators", !filter.operators.is_empty()),
        ("default", filter.default.is_some()),
        ("when_absent", filter.absent != Absent::default()),
        ("custom_query", filter.custom.is_some()),
        ("value_kind", filter.value_kind.is_some()),
        ("labels", filter.labels.is_some()),
        ("path", filter.path.is_some()),
    ];
    if !filter.further.is_empty() {
        mistakes.add(
            "filter",
            key,
            "`alias` and `only` are about one relation",
            "name this relation by itself: `Filter::relation(..)`",
        );
    }
    for (name, _) in said.into_iter().filter(|(_, said)| *said) {
        mistakes.add(
            "filter",
            key,
            format!("`{name}` has no meaning for a filter through a relation"),
            "remove it: the filters of the related listing say what is allowed",
        );
    }
}

/// The filter by the related `id`: as it is defined, with the operators that ids always have, or created automatically (d145).
fn related_id(
    entity: &EntityMeta,
    only: Option<&RelatedOnly>,
    listing: Option<&Draft>,
) -> Option<WhitelistFilter> {
    use FilterOperator::{Equal, In, NotEqual, NotIn};
    let [key] = entity.key[..] else {
        return None;
    };
    let column = &entity.columns[key];
    if !is_key(column) {
        return None;
    }
    let is_id = |filter: &WhitelistFilter| filter.key == "id";
    let defined = match (only, listing) {
        (Some(only), _) => only.filters.iter().find(|filter| is_id(filter)).cloned(),
        (None, Some(draft)) => {
            // Mistakes in them are reported where they are defined.
            let mut elsewhere = Mistakes::default();
            let own = draft.filters.iter();
            let own = own.filter(|filter| filter.relation.is_none());
            let own = own.filter(|filter| !filter.computed);
            let of = Of {
                entity: &draft.entity,
                names: draft.names,
                fields: &[],
            };
            let mut own = own.filter_map(|filter| freeze_filter(of, filter, &mut elsewhere));
            own.find(is_id)
        }
        (None, None) => None,
    };
    let mut id = match defined {
        Some(filter) if filter.column == Some(key) => filter,
        // Something else that is called so.
        Some(_) => return None,
        None => WhitelistFilter {
            key: "id".to_owned(),
            column: Some(key),
            computed: None,
            part: None,
            kind: column.kind.clone(),
            values: None,
            operators: Vec::new(),
            default: None,
            custom: None,
            labels: None,
        },
    };
    for operator in [Equal, NotEqual, In, NotIn] {
        if !id.operators.contains(&operator) {
            id.operators.push(operator);
        }
    }
    Some(id)
}

fn freeze_only(
    only: &[RelatedFilter],
    target: Option<(&Draft, &[WhitelistField])>,
    (draft, meta): (&Draft, &RelationMeta),
    key: &str,
    mistakes: &mut Mistakes,
) -> RelatedOnly {
    let mut frozen = RelatedOnly {
        filters: Vec::new(),
        related: Vec::new(),
    };
    for named in only {
        if named.entity.is_some_and(|entity| entity != meta.target.id) {
            let what = match &named.by {
                RelatedBy::Name(name) => name,
                RelatedBy::Filter(filter) => &filter.key,
            };
            mistakes.add(
                "filter",
                key,
                format!(
                    "`{what}` in `only` belongs to another entity than `{}`",
                    meta.target.name
                ),
                "use columns and filters of the related entity",
            );
            continue;
        }
        match (&named.by, target) {
            (RelatedBy::Filter(filter), _) => {
                let of = Of {
                    entity: &meta.target,
                    names: target.map_or(draft.names, |(target, _)| target.names),
                    fields: target.map_or(&[], |(_, fields)| fields),
                };
                frozen.filters.extend(freeze_filter(of, filter, mistakes));
            }
            (RelatedBy::Name(name), Some((target, fields))) => {
                of_listing((target, fields), name, key, &mut frozen, mistakes);
            }
            (RelatedBy::Name(name), None) => {
                let filter = by_type(&meta.target, draft.names, name, key, mistakes);
                frozen.filters.extend(filter);
            }
        }
    }
    frozen
}

/// A filter of the related listing: by the name that its definition has, or by the one that clients see.
fn of_listing(
    (target, fields): (&Draft, &[WhitelistField]),
    name: &str,
    key: &str,
    frozen: &mut RelatedOnly,
    mistakes: &mut Mistakes,
) {
    let is_it = |filter: &&Filter<()>| {
        let public = target.public(filter.alias.as_deref(), &filter.key);
        filter.with_path(&filter.key) == name || filter.with_path(&public) == name
    };
    let Some(filter) = target.filters.iter().find(is_it) else {
        let known = target.filters.iter().map(|filter| filter.key.as_str());
        mistakes.add(
            "filter",
            key,
            format!(
                "`{}` has no filter `{name}`, which `only` names",
                target.listing
            ),
            suggest(name, known),
        );
        return;
    };
    if filter.relation.is_some() {
        let mut through = target.filters.iter().filter(|f| f.relation.is_some());
        // Two filters through one relation have the same key.
        let at = through.position(|f| std::ptr::eq(f, filter));
        frozen.related.extend(at);
        return;
    }
    // A mistake in it is reported where it is defined.
    let mut elsewhere = Mistakes::default();
    let of = Of {
        entity: &target.entity,
        names: target.names,
        fields,
    };
    let whole = freeze_filter(of, filter, &mut elsewhere);
    frozen.filters.extend(whole);
}

/// A column of an entity without a listing, with every operator that suits its type.
fn by_type(
    entity: &EntityMeta,
    names: Names,
    name: &str,
    key: &str,
    mistakes: &mut Mistakes,
) -> Option<WhitelistFilter> {
    let column = super::key_or_column(entity, name, "filter", key, mistakes)?;
    let operators = match &entity.columns[column].kind {
        Kind::Text => FilterOperator::for_text(),
        Kind::Integer | Kind::IntegerText if entity.key == [column] => FilterOperator::for_keys(),
        Kind::Integer
        | Kind::IntegerText
        | Kind::Decimal { .. }
        | Kind::Float32
        | Kind::Float64 => FilterOperator::for_numbers(),
        Kind::Boolean => FilterOperator::for_booleans(),
        Kind::Date | Kind::Time | Kind::Timestamp => FilterOperator::for_times(),
        Kind::Uuid | Kind::Enum(_) => FilterOperator::for_keys(),
        _ => FilterOperator::NULLS,
    };
    let filter = Filter::<()>::of_column(name, operators);
    let of = Of {
        entity,
        names,
        fields: &[],
    };
    freeze_filter(of, &filter, mistakes)
}
