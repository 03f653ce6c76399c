//! Freezes facets: each names a filter of the same listing by which its values can be chosen (d96).

use super::aggregate::is_ordered;
use super::{Draft, Mistakes, World, means_key, public_column, suggest};
use crate::define::facets::{FacetDraft, FacetDraftBy};
use crate::define::relation_name::NamedRelation;
use crate::define::{
    FacetBy, FieldSource, Filter, WhitelistFacet, WhitelistField, WhitelistFilter, WhitelistRelated,
};
use crate::vocabulary::{FilterOperator, Kind};

/// The names that facets of a listing can use.
pub(super) struct Known<'k> {
    pub(super) filters: &'k [WhitelistFilter],
    pub(super) related: &'k [WhitelistRelated],
    /// The fields of every listing.
    pub(super) fields: &'k [Vec<WhitelistField>],
}

pub(super) fn freeze_facets(
    world: &World<'_>,
    draft: &Draft,
    known: &Known<'_>,
    mistakes: &mut Mistakes,
) -> Vec<WhitelistFacet> {
    let mut frozen: Vec<WhitelistFacet> = Vec::with_capacity(draft.facets.len());
    for facet in &draft.facets {
        let Some((key, by)) = freeze_by(world, draft, known, facet, mistakes) else {
            continue;
        };
        if frozen.iter().any(|known| known.key == key) {
            mistakes.twice("facet", &key);
        }
        check_parts(facet, &key, mistakes);
        frozen.push(WhitelistFacet {
            key,
            by,
            limit: facet.limit.unwrap_or(WhitelistFacet::DEFAULT_LIMIT),
            narrowing: facet.narrowing,
        });
    }
    frozen
}

/// An option without effect is a misunderstanding.
fn check_parts(facet: &FacetDraft, key: &str, mistakes: &mut Mistakes) {
    let has_values = matches!(
        facet.by,
        FacetDraftBy::Values(_) | FacetDraftBy::Relation(_)
    );
    if let Some(limit) = facet.limit {
        let most = WhitelistFacet::MOST_VALUES;
        if !has_values {
            mistakes.add(
                "facet",
                key,
                "`limit` is for facets that show values",
                "remove it",
            );
        } else if !(1..=most).contains(&limit) {
            let problem = format!("the limit {limit} is out of range");
            let remedy = format!("choose a number from 1 to {most}");
            mistakes.add("facet", key, problem, remedy);
        }
    }
    if facet.label.is_some() && !matches!(facet.by, FacetDraftBy::Relation(_)) {
        mistakes.add(
            "facet",
            key,
            "`label` is for facets of relations",
            "remove it: the labels are those of the filter",
        );
    }
}

fn freeze_by(
    world: &World<'_>,
    draft: &Draft,
    known: &Known<'_>,
    facet: &FacetDraft,
    mistakes: &mut Mistakes,
) -> Option<(String, FacetBy)> {
    use FilterOperator::{Between, Equal, GreaterThanEqual, In, LessThan, LessThanEqual};
    let (said, by): (_, fn(usize) -> FacetBy) = match &facet.by {
        FacetDraftBy::Relation(relation) => {
            let label = facet.label.as_deref();
            return freeze_relation(world, known, (relation, label), mistakes);
        }
        FacetDraftBy::Values(said) => (said, FacetBy::Values),
        FacetDraftBy::Range(said) => (said, FacetBy::Range),
        FacetDraftBy::Calendar(said) => (said, FacetBy::Calendar),
    };
    let (at, filter) = named(draft, known.filters, said, mistakes)?;
    let has = |operator: FilterOperator| filter.operators.contains(&operator);
    let (can_choose, remedy) = match facet.by {
        FacetDraftBy::Values(_) => (has(Equal) || has(In), "allow `$eq` or `$in` on the filter"),
        _ => (
            has(Between) || (has(GreaterThanEqual) && (has(LessThan) || has(LessThanEqual))),
            "allow `$between`, or `$gte` and `$lt`, on the filter",
        ),
    };
    if !can_choose {
        let problem = "its filter does not let clients choose what the facet shows";
        mistakes.add("facet", said, problem, remedy);
    }
    let kind = &filter.kind;
    let (fits, remedy) = match facet.by {
        FacetDraftBy::Range(_) => (is_ordered(kind), "use a column of numbers or times"),
        FacetDraftBy::Calendar(_) => (
            matches!(kind, Kind::Date | Kind::Timestamp),
            "use a column of dates or timestamps",
        ),
        _ => (true, ""),
    };
    if !fits {
        let problem = format!("its column is of kind {}", kind.name());
        mistakes.add("facet", said, problem, remedy);
    }
    Some((filter.key.clone(), by(at)))
}

/// The filter on a column that is meant, by its key or by its column.
fn named<'k>(
    draft: &Draft,
    filters: &'k [WhitelistFilter],
    said: &str,
    mistakes: &mut Mistakes,
) -> Option<(usize, &'k WhitelistFilter)> {
    let meant = means_key(&draft.entity, said).or_else(|| draft.entity.column(said));
    let by_column = |filter: &WhitelistFilter| meant.is_some() && filter.column == meant;
    let found = filters.iter().position(|filter| filter.key == said);
    let found = found.or_else(|| filters.iter().position(by_column));
    let Some(at) = found else {
        let known: Vec<_> = filters.iter().map(|filter| filter.key.as_str()).collect();
        mistakes.add(
            "facet",
            said,
            "it is not a filter of this listing, so that clients could not choose what it shows",
            suggest(said, known.iter().copied()),
        );
        return None;
    };
    if filters[at].column.is_none() {
        mistakes.add(
            "facet",
            said,
            "its filter has a `custom_query`, whose values nobody can count",
            "use a filter on a column",
        );
        return None;
    }
    Some((at, &filters[at]))
}

fn freeze_relation(
    world: &World<'_>,
    known: &Known<'_>,
    (relation, label): (&NamedRelation, Option<&str>),
    mistakes: &mut Mistakes,
) -> Option<(String, FacetBy)> {
    let name = relation.name.as_str();
    let is_it = |related: &WhitelistRelated| related.relation.meta.name == name;
    let Some(at) = known.related.iter().position(is_it) else {
        let names: Vec<_> = known.related.iter().map(|one| one.key.as_str()).collect();
        mistakes.add(
            "facet",
            name,
            "there is no filter through this relation, so that clients could not choose what it shows",
            match names.is_empty() {
                true => format!("add `Filter::relation(\"{name}\")`"),
                false => suggest(name, names.iter().copied()),
            },
        );
        return None;
    };
    let related = &known.related[at];
    let [key] = related.relation.target_key[..] else {
        let problem = "the records of the related entity have no key of one column";
        mistakes.add("facet", name, problem, "remove the facet");
        return None;
    };
    let implied = || related.id.as_ref().map(|filter| filter.key.clone());
    let Some(id) = id_filter(world, related, key).or_else(implied) else {
        mistakes.add(
            "facet",
            name,
            "no filter of the related listing lets clients choose its records by `id`",
            "add a filter on its primary key that allows `$eq` or `$in`",
        );
        return None;
    };
    let label = label_column(related, known.fields, label, mistakes);
    let by = FacetBy::Relation {
        related: at,
        id,
        label,
    };
    Some((related.key.clone(), by))
}

/// The key of the filter inside a relation by which its records are chosen.
fn id_filter(world: &World<'_>, related: &WhitelistRelated, key: usize) -> Option<String> {
    use FilterOperator::{Equal, In};
    if let Some(only) = &related.only {
        let chooses = |filter: &&WhitelistFilter| {
            let mut operators = filter.operators.iter();
            filter.custom.is_none()
                && filter.column == Some(key)
                && operators.any(|operator| matches!(operator, Equal | In))
        };
        let found = only.filters.iter().find(chooses);
        return found.map(|filter| filter.key.clone());
    }
    let target = &world.drafts[related.relation.target.listing?];
    let chooses = |filter: &&Filter<()>| {
        let column = means_key(&target.entity, &filter.key);
        let column = column.or_else(|| target.entity.column(&filter.key));
        filter.relation.is_none()
            && filter.custom.is_none()
            && column == Some(key)
            && (filter.operators.contains(&Equal) || filter.operators.contains(&In))
    };
    let filter = target.filters.iter().find(chooses)?;
    // A mistake in its name is reported where it is defined.
    let mut elsewhere = Mistakes::default();
    let alias = filter.alias.as_deref();
    let (entity, names) = (&target.entity, target.names);
    Some(public_column(
        entity,
        names,
        alias,
        key,
        "filter",
        &mut elsewhere,
    ))
}

/// The column of related records that labels them: the one of the field that is named, or else of the first text that the
/// related list shows, as in descriptions.
fn label_column(
    related: &WhitelistRelated,
    fields: &[Vec<WhitelistField>],
    said: Option<&str>,
    mistakes: &mut Mistakes,
) -> Option<usize> {
    let fields = related.relation.target.listing.map(|at| &fields[at][..]);
    let fields = fields.unwrap_or_default();
    let column = |field: &WhitelistField| match field.source {
        FieldSource::Column(column) => Some(column),
        _ => None,
    };
    let Some(said) = said else {
        let texts = || {
            let shown = fields.iter().filter(|field| field.default);
            shown.filter(|field| field.kind == Kind::Text && column(field).is_some())
        };
        let is_name =
            |field: &&WhitelistField| ["name", "title", "label"].contains(&field.alias.as_str());
        let found = texts().find(is_name).or_else(|| texts().next());
        return found.and_then(column);
    };
    let found = fields.iter().find(|field| field.alias == said);
    let found = found.and_then(column);
    if found.is_none() {
        let names: Vec<_> = fields.iter().map(|field| field.alias.as_str()).collect();
        mistakes.add(
            "facet",
            &related.key,
            format!("the related listing has no field `{said}` that is a column"),
            suggest(said, names.iter().copied()),
        );
    }
    found
}
