//! Freezes filters through relations: the relation, and which filters of the related entity can stand inside (d72).

use super::filter::freeze_filter;
use super::link::{Link, Place};
use super::{Draft, Mistakes, World, check_name, suggest};
use crate::define::defaults::Absent;
use crate::define::filters::{Filter, RelatedBy, RelatedFilter};
use crate::define::{EntityMeta, RelatedOnly, RelationMeta, WhitelistFilter, WhitelistRelated};
use crate::vocabulary::{FilterOperator, Kind, Names};

/// The filters through relations, in the order of definition. Their places are what `only` of another listing refers to.
pub(super) fn freeze_related(
    world: &World<'_>,
    draft: &Draft,
    filters: &[WhitelistFilter],
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
        let is_known = filters.iter().any(|known| known.key == key);
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
                let target = listing.map(|listing| &world.drafts[listing]);
                Some(freeze_only(
                    only,
                    target,
                    (draft, link.meta),
                    &key,
                    mistakes,
                ))
            }
        };
        let relation = link.freeze(key.clone());
        frozen.push(WhitelistRelated {
            key,
            relation,
            only,
        });
    }
    frozen
}

/// What is said of filters on columns means nothing here.
fn check_parts(filter: &Filter<()>, key: &str, mistakes: &mut Mistakes) {
    let said = [
        ("allowed_operators", !filter.operators.is_empty()),
        ("default", filter.default.is_some()),
        ("when_absent", filter.absent != Absent::default()),
        ("custom_query", filter.custom.is_some()),
        ("value_kind", filter.value_kind.is_some()),
        ("labels", filter.labels.is_some()),
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

fn freeze_only(
    only: &[RelatedFilter],
    target: Option<&Draft>,
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
                let names = target.map_or(draft.names, |target| target.names);
                frozen
                    .filters
                    .extend(freeze_filter(&meta.target, names, filter, mistakes));
            }
            (RelatedBy::Name(name), Some(target)) => {
                of_listing(target, name, key, &mut frozen, mistakes);
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
    target: &Draft,
    name: &str,
    key: &str,
    frozen: &mut RelatedOnly,
    mistakes: &mut Mistakes,
) {
    let is_it = |filter: &&Filter<()>| {
        filter.key == name || target.public(filter.alias.as_deref(), &filter.key) == name
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
    // What is wrong with it is said where it is defined.
    let mut elsewhere = Mistakes::default();
    let whole = freeze_filter(&target.entity, target.names, filter, &mut elsewhere);
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
    freeze_filter(entity, names, &filter, mistakes)
}
