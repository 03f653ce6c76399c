//! Checks the requested filters and the listing's defaults, and records what `meta.filters` shows (contract 2.4).

use compact_str::{CompactString, ToCompactString};
use smallvec::{SmallVec, smallvec};

use super::cost::Costs;
use super::hints::{Hint, separate};
use super::level::Level;
use super::predicate::{RelatedRows, Values};
use super::{CheckError, ColumnOf, Predicate, visible};
use crate::define::{
    Absent, Context, CustomQuery, DefaultSource, EntityMeta, FilterValue, LabelResolver, Listings,
    Whitelist, WhitelistFilter, WhitelistRelated,
};
use crate::request::{AskedComparison, AskedFilter, AskedRelated, AskedValues, Quote};
use crate::vocabulary::{FilterOperator, Kind, Quantifier};

/// A filter that was applied, as `meta.filters` tells it.
#[derive(Debug, Clone)]
pub(crate) struct Applied<'w> {
    pub(crate) key: &'w str,
    pub(crate) operator: FilterOperator,
    /// In their one spelling.
    pub(crate) values: SmallVec<[CompactString; 1]>,
    pub(crate) labels: Option<&'w LabelResolver>,
    /// The groups and relations around it; none for a plain filter (d70).
    pub(crate) path: Option<Box<str>>,
}

/// Filters, as they hold and as they are told.
pub(super) struct Typed<'w> {
    pub(super) filters: Predicate<'w>,
    pub(super) applied: Vec<Applied<'w>>,
    pub(super) hints: Vec<Hint>,
}

/// The client's filters, and the defaults of the keys that it did not filter by.
pub(super) fn typed<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    asked: &AskedFilter,
    context: &Context,
    costs: &mut Costs<'w>,
) -> Result<Typed<'w>, CheckError> {
    let mut walk = Walk {
        listings,
        context,
        costs,
        applied: Vec::new(),
        hints: Vec::new(),
    };
    let mut level = Level::of_listing(whitelist);
    let mut all = Vec::new();
    walk.add(asked, &mut level, &mut all)?;
    for filter in &whitelist.filters {
        if level.touched.contains(&filter.key.as_str()) {
            continue;
        }
        if let Some((predicate, applied)) = apply_default(whitelist, filter, context)? {
            all.push(predicate);
            walk.applied.extend(applied);
        }
    }
    Ok(Typed {
        filters: Predicate::All(all),
        applied: walk.applied,
        hints: walk.hints,
    })
}

/// The client's filters of related rows, and the defaults of the keys that it did not filter by, each by themselves.
pub(super) fn apart<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    asked: &AskedFilter,
    context: &Context,
) -> Result<(Predicate<'w>, Predicate<'w>), CheckError> {
    let mut walk = Walk {
        listings,
        context,
        // They hold for the rows that belong to a page, and cost no more than those.
        costs: &mut Costs::default(),
        applied: Vec::new(),
        hints: Vec::new(),
    };
    let mut level = Level::of_listing(whitelist);
    let asked = walk.one(asked, &mut level)?;
    Ok((asked, defaults(whitelist, &level.touched, context)?))
}

/// The defaults of a listing, without those of the keys that the client filters by: what holds where rows of the listing
/// are reached through a relation.
pub(super) fn defaults<'w>(
    whitelist: &'w Whitelist,
    touched: &[&str],
    context: &Context,
) -> Result<Predicate<'w>, CheckError> {
    let mut all = Vec::new();
    let filters = whitelist.filters.iter();
    for filter in filters.filter(|filter| !touched.contains(&filter.key.as_str())) {
        let default = apply_default(whitelist, filter, context)?;
        all.extend(default.map(|(predicate, _)| predicate));
    }
    Ok(Predicate::All(all))
}

/// A walk through the tree of filters that was asked for.
struct Walk<'w, 'c> {
    listings: &'w Listings,
    context: &'c Context,
    /// What no index serves.
    costs: &'c mut Costs<'w>,
    applied: Vec<Applied<'w>>,
    hints: Vec<Hint>,
}

impl<'w> Walk<'w, '_> {
    /// Adds what was asked to what must hold.
    fn add(
        &mut self,
        asked: &AskedFilter,
        level: &mut Level<'w>,
        all: &mut Vec<Predicate<'w>>,
    ) -> Result<(), CheckError> {
        if let AskedFilter::All(parts) = asked {
            // And one for the rows that the caller can see.
            all.reserve(parts.len() + 1);
            self.applied.reserve(parts.len());
            return parts.iter().try_for_each(|part| self.add(part, level, all));
        }
        all.push(self.one(asked, level)?);
        Ok(())
    }

    fn one(
        &mut self,
        asked: &AskedFilter,
        level: &mut Level<'w>,
    ) -> Result<Predicate<'w>, CheckError> {
        match asked {
            AskedFilter::All(_) => {
                let mut all = Vec::new();
                self.add(asked, level, &mut all)?;
                Ok(Predicate::All(all))
            }
            AskedFilter::Any(parts) => {
                let parts = parts.iter().map(|part| self.one(part, level));
                Ok(Predicate::Any(parts.collect::<Result<_, _>>()?))
            }
            AskedFilter::Not(part) => Ok(self.one(part, level)?.negated()),
            AskedFilter::Compare(comparison) => self.comparison(comparison, level),
            AskedFilter::Related(related) => self.related(related, level),
        }
    }

    fn comparison(
        &mut self,
        asked: &AskedComparison,
        level: &mut Level<'w>,
    ) -> Result<Predicate<'w>, CheckError> {
        let Some(filter) = level.filter(self.listings, &asked.field) else {
            return match level.relation(self.listings, &asked.field) {
                Some(related) => self.existence(asked, related, level),
                None => {
                    let known = level.known(self.listings);
                    Err(CheckError::unknown_filter(asked, known))
                }
            };
        };
        let operator = FilterOperator::from_wire(&asked.operator)
            .filter(|operator| filter.operators.contains(operator))
            .ok_or_else(|| CheckError::operator_not_allowed(asked, &filter.operators))?;
        let values = client_values(asked, &filter.kind, operator)?;
        if let Some((unknown, error)) = filter.unknown_value(operator, &values) {
            return Err(CheckError::wrong_value(asked, &unknown.canonical(), error));
        }
        level.touched.push(&filter.key);
        if self.hints.len() < Hint::MOST {
            self.hints.extend(Hint::of(asked, operator));
        }
        self.applied.push(Applied {
            path: asked.path().map(Box::from),
            ..applied(filter, operator, &values)
        });
        let entity = level.entity();
        self.costs.filter(asked, entity, filter, operator);
        Ok(predicate(entity, filter, operator, values, self.context))
    }

    /// `filters[author][$null]`: whether there is a related row that can be seen (d76).
    fn existence(
        &mut self,
        asked: &AskedComparison,
        related: &'w WhitelistRelated,
        level: &Level<'w>,
    ) -> Result<Predicate<'w>, CheckError> {
        const ALLOWED: [FilterOperator; 2] = [FilterOperator::Null, FilterOperator::NotNull];
        let operator = FilterOperator::from_wire(&asked.operator)
            .filter(|operator| ALLOWED.contains(operator))
            .ok_or_else(|| {
                let filters = level.inside(related).known(self.listings);
                CheckError::operator_on_relation(asked, &filters)
            })?;
        self.within_depth(level, &asked.field, || asked.parameter())?;
        let values = client_values(asked, &Kind::Boolean, operator)?;
        let says_yes = values[..] == [FilterValue::Bool(true)];
        self.applied.push(Applied {
            key: &related.key,
            operator,
            values: canonical(&values),
            labels: None,
            path: asked.path().map(Box::from),
        });
        self.costs
            .relation(|| asked.parameter(), level.entity(), related);
        let visible = visible::related(self.listings, &related.relation, self.context)?;
        Ok(Predicate::Exists {
            rows: Box::new(self.rows(related, level, visible)?),
            negated: says_yes == (operator == FilterOperator::Null),
        })
    }

    /// `filters[author][name][$eq]`: what must hold for related rows (d72–d75).
    fn related(
        &mut self,
        asked: &AskedRelated,
        level: &Level<'w>,
    ) -> Result<Predicate<'w>, CheckError> {
        let Some(related) = level.relation(self.listings, &asked.key) else {
            return Err(self.not_a_relation(asked, level));
        };
        self.within_depth(level, &asked.key, || asked.parameter())?;
        let mut inside = level.inside(related);
        self.costs
            .relation(|| asked.parameter(), level.entity(), related);
        let mark = self.costs.mark();
        let condition = self.one(&asked.filter, &mut inside)?;
        self.costs.settle(mark, &condition);
        let relation = &related.relation;
        let visible =
            visible::related_except(self.listings, relation, &inside.touched, self.context)?;
        let the_one = visible::the_one(level.shown(self.listings, related), &visible);
        let (condition, negated) = match asked.quantifier.unwrap_or_default() {
            Quantifier::Some => (condition, false),
            Quantifier::None => (condition, true),
            // None may be otherwise.
            Quantifier::Every => (condition.negated(), true),
        };
        Ok(Predicate::Exists {
            rows: Box::new(self.rows(related, level, visible.and(condition).and(the_one))?),
            negated,
        })
    }

    /// One more relation must be within the bounds (d77).
    fn within_depth(
        &self,
        level: &Level<'w>,
        key: &str,
        parameter: impl FnOnce() -> Quote,
    ) -> Result<(), CheckError> {
        let deepest = self.listings.settings().bounds.relation_depth;
        match level.depth < deepest {
            true => Ok(()),
            false => Err(CheckError::too_deep(key, &parameter(), deepest)),
        }
    }

    fn rows(
        &self,
        related: &'w WhitelistRelated,
        level: &Level<'w>,
        counting: Predicate<'w>,
    ) -> Result<RelatedRows<'w>, CheckError> {
        let relation = &related.relation;
        Ok(RelatedRows {
            from: ColumnOf::new(level.entity(), relation.from),
            target: &relation.meta.target,
            to: ColumnOf::new(&relation.meta.target, relation.to),
            through: visible::junction(self.listings, relation, self.context)?,
            counting,
        })
    }

    /// What stands in front of a nested filter is not a relation that can be filtered through.
    fn not_a_relation(&self, asked: &AskedRelated, level: &Level<'w>) -> CheckError {
        if let Some(filter) = level.filter(self.listings, &asked.key) {
            return CheckError::not_an_operator(asked, &filter.operators);
        }
        let known = level.known(self.listings);
        match level.is_closed(self.listings, &asked.key) {
            true => CheckError::closed_relation(asked, known),
            false => CheckError::unknown_relation_filter(asked, known),
        }
    }
}

/// The values of a client's filter, typed, in the number that the operator takes.
fn client_values(
    asked: &AskedComparison,
    kind: &Kind,
    operator: FilterOperator,
) -> Result<Values, CheckError> {
    use FilterOperator::{Between, In, NotIn, NotNull, Null};
    let texts = match &asked.values {
        AskedValues::One(text) => std::slice::from_ref(text),
        AskedValues::Many(texts) => texts.as_slice(),
    };
    let kind = match operator {
        // Only being there is asked: `[$null]` alone means yes.
        Null | NotNull if texts == [""] => return Ok(smallvec![FilterValue::Bool(true)]),
        Null | NotNull => &Kind::Boolean,
        _ => kind,
    };
    let takes = match operator {
        In | NotIn => None,
        Between => Some(2),
        _ => Some(1),
    };
    let is_list = matches!(asked.values, AskedValues::Many(_));
    if takes.is_some_and(|takes| takes != texts.len() || (takes == 1 && is_list)) {
        let hint = texts
            .iter()
            .find_map(|text| separate(asked, operator, text));
        let takes = takes.unwrap_or(1);
        return Err(CheckError::wrong_count(asked, operator, takes, texts.len()).with(hint));
    }
    texts
        .iter()
        .map(|text| {
            FilterValue::parse(text, kind).map_err(|error| {
                CheckError::wrong_value(asked, text, error).with(separate(asked, operator, text))
            })
        })
        .collect()
}

fn apply_default<'w>(
    whitelist: &'w Whitelist,
    filter: &'w WhitelistFilter,
    context: &Context,
) -> Result<Option<(Predicate<'w>, Option<Applied<'w>>)>, CheckError> {
    let Some(default) = &filter.default else {
        return Ok(None);
    };
    let value = match &default.source {
        DefaultSource::Fixed(value) => Some(value.clone()),
        DefaultSource::Dynamic(value) => value(context),
    };
    let Some(value) = value else {
        return match default.absent {
            Absent::Skip => Ok(None),
            Absent::MatchNothing => Ok(Some((Predicate::NEVER, None))),
            Absent::Unauthorized => Err(CheckError::Unauthorized {
                filter: filter.key.clone(),
            }),
        };
    };
    match value.typed(default.operator, &filter.kind) {
        Ok((operator, values)) => {
            let applied = applied(filter, operator, &values);
            let predicate = predicate(&whitelist.entity, filter, operator, values, context);
            Ok(Some((predicate, Some(applied))))
        }
        Err(problem) => {
            // A fixed default was verified at start-up; a computed one can still be of the wrong type.
            // No row is the only answer that cannot show too many.
            tracing::error!(
                listing = &*whitelist.listing,
                filter = filter.key,
                problem,
                "a computed default has a wrong value; the filter matches nothing"
            );
            Ok(Some((Predicate::NEVER, None)))
        }
    }
}

fn applied<'w>(
    filter: &'w WhitelistFilter,
    operator: FilterOperator,
    values: &[FilterValue],
) -> Applied<'w> {
    Applied {
        key: &filter.key,
        operator,
        values: canonical(values),
        path: None,
        // What stands after `$null` is not a value of the field: a resolver would take it for one.
        labels: match operator {
            FilterOperator::Null | FilterOperator::NotNull => None,
            _ => filter.labels.as_ref(),
        },
    }
}

fn canonical(values: &[FilterValue]) -> SmallVec<[CompactString; 1]> {
    let text = |value: &FilterValue| match value {
        // Most values are integers or text, which need no formatter.
        FilterValue::Int(value) => value.to_compact_string(),
        FilterValue::Text(value) => value.into(),
        other => other.to_compact_string(),
    };
    values.iter().map(text).collect()
}

fn predicate<'w>(
    entity: &'w EntityMeta,
    filter: &WhitelistFilter,
    operator: FilterOperator,
    values: Values,
    context: &Context,
) -> Predicate<'w> {
    if let Some(apply) = &filter.custom {
        // In no list is nothing, and outside of it is everything: there is no value to ask about (d27).
        if values.is_empty() {
            return match operator {
                FilterOperator::NotIn => Predicate::ALWAYS,
                _ => Predicate::NEVER,
            };
        }
        let condition = apply(&CustomQuery { context }, &values, operator);
        return Predicate::Custom(condition.into_condition());
    }
    match filter.column {
        Some(column) => Predicate::of(ColumnOf::new(entity, column), operator, values),
        None => Predicate::NEVER,
    }
}
