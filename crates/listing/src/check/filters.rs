//! Checks the requested filters and the listing's defaults, and records what `meta.filters` shows (contract 2.4).

use super::applied::{Applied, applied, canonical};
use super::cost::Costs;
use super::hints::Hint;
use super::indexes::Indexes;
use super::level::Level;
use super::predicate::RelatedRows;
use super::values::client_values;
use super::{CheckError, ColumnOf, Computed, Predicate, meaning, visible};
use crate::define::{
    Absent, Calendar, Context, DefaultSource, FilterValue, Listings, Whitelist, WhitelistFilter,
    WhitelistRelated, told,
};
use crate::request::{AskedComparison, AskedFilter, AskedRelated, Quote};
use crate::vocabulary::{FilterOperator, Kind, Quantifier};

/// Filters as conditions, and as `meta.filters` shows them.
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
    (context, calendar): (&Context, &Calendar<'_>),
    costs: &mut Costs<'w>,
) -> Result<Typed<'w>, CheckError> {
    let mut walk = Walk {
        listings,
        context,
        calendar,
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

/// The conditions of these parts of the client's filters, with the defaults for keys without a filter, except the default
/// of one key (d99).
pub(super) fn without_default<'a, 'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    parts: impl Iterator<Item = &'a AskedFilter>,
    key: &str,
    (context, calendar): (&Context, &Calendar<'_>),
) -> Result<Predicate<'w>, CheckError> {
    let mut walk = Walk {
        listings,
        context,
        calendar,
        // The cost of the list has been checked already.
        costs: &mut Costs::default(),
        applied: Vec::new(),
        hints: Vec::new(),
    };
    let mut level = Level::of_listing(whitelist);
    let mut all = Vec::new();
    for part in parts {
        walk.add(part, &mut level, &mut all)?;
    }
    let mut touched = level.touched;
    let own = whitelist.filters.iter().map(|filter| filter.key.as_str());
    touched.extend(own.filter(|own| *own == key));
    all.push(defaults(whitelist, &touched, context)?);
    Ok(Predicate::All(all))
}

/// The client's filters on related rows and, separately, the defaults for keys without a filter.
pub(super) fn apart<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    asked: &AskedFilter,
    (context, calendar): (&Context, &Calendar<'_>),
) -> Result<(Predicate<'w>, Predicate<'w>), CheckError> {
    let mut walk = Walk {
        listings,
        context,
        calendar,
        // They apply to the rows of one page, and cost no more than reading them.
        costs: &mut Costs::default(),
        applied: Vec::new(),
        hints: Vec::new(),
    };
    let mut level = Level::of_listing(whitelist);
    let asked = walk.one(asked, &mut level)?;
    Ok((asked, defaults(whitelist, &level.touched, context)?))
}

/// The defaults of a listing, except for the keys that the client filters by. They apply when rows of the listing are reached
/// through a relation.
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

/// A walk through the tree of requested filters.
struct Walk<'w, 'c> {
    listings: &'w Listings,
    context: &'c Context,
    calendar: &'c Calendar<'c>,
    /// The parts of the request without an index.
    costs: &'c mut Costs<'w>,
    applied: Vec<Applied<'w>>,
    hints: Vec<Hint>,
}

impl<'w> Walk<'w, '_> {
    /// Adds the requested conditions.
    fn add(
        &mut self,
        asked: &AskedFilter,
        level: &mut Level<'w>,
        all: &mut Vec<Predicate<'w>>,
    ) -> Result<(), CheckError> {
        if let AskedFilter::All(parts) = asked {
            // One more, for the condition on the rows that the caller can see.
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
            AskedFilter::Counted(related) => self.counted(related, level),
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
                None if level.is_json(self.listings, &asked.field) => {
                    let inside = level.inside_json(&asked.field);
                    Err(CheckError::inside_json(
                        &asked.field,
                        asked.parameter(),
                        &inside.known(self.listings),
                    ))
                }
                None => {
                    let known = level.known(self.listings);
                    Err(CheckError::unknown_filter(asked, known))
                }
            };
        };
        let operator = FilterOperator::from_wire(&asked.operator)
            .filter(|operator| filter.operators.contains(operator))
            .ok_or_else(|| CheckError::operator_not_allowed(asked, &filter.operators))?;
        let is_own = filter.custom.is_none();
        let parse = |text: &str, kind: &Kind| self.calendar.parse(text, kind, is_own);
        let kind = (&filter.kind, filter.is_of_array());
        let values = client_values(asked, kind, operator, parse)?;
        if let Some((at, error)) = filter.unknown_value(operator, &values) {
            let unknown = values[at].canonical();
            return Err(CheckError::wrong_value(asked, at, &unknown, error));
        }
        level.touched.push(&filter.key);
        if self.hints.len() < Hint::MOST {
            self.hints.extend(Hint::of(asked, operator));
        }
        let mut applied = applied(filter, operator, &values);
        if matches!(filter.kind, Kind::Timestamp | Kind::Date) {
            let texts = asked.texts().iter().zip(&values);
            applied.values = texts.map(|(text, value)| told(text, value)).collect();
        }
        self.applied.push(Applied {
            path: asked.path().map(Box::from),
            ..applied
        });
        let entity = level.entity();
        self.costs.filter(asked, entity, filter, operator);
        let Some(computed) = &filter.computed else {
            return Ok(meaning::of_filter(
                entity,
                filter,
                operator,
                values,
                self.context,
            ));
        };
        let column = ColumnOf::computed(&computed.values);
        let test = Predicate::of(column, operator, values);
        let computed = Computed::of(self.listings, entity, &computed.source, self.context)?;
        Ok(Predicate::Computed {
            computed: Box::new(computed.unwrap_or_default()),
            test: Box::new(test),
        })
    }

    /// `filters[comments][$count][$gte]`: the number of related rows (d146).
    fn counted(
        &mut self,
        asked: &AskedRelated,
        level: &Level<'w>,
    ) -> Result<Predicate<'w>, CheckError> {
        let Some(related) = level.relation(self.listings, &asked.key) else {
            return Err(self.not_a_relation(asked, level));
        };
        let Some(count) = &related.count else {
            return Err(CheckError::not_countable(asked));
        };
        self.within_depth(level, &asked.key, || asked.parameter())?;
        self.costs
            .relation(|| asked.parameter(), level.entity(), related);
        self.one(&asked.filter, &mut level.counting(count))
    }

    /// `filters[author][$null]`: whether there is a visible related row (d76). `filters[author]=3` compares its id (d145).
    fn existence(
        &mut self,
        asked: &AskedComparison,
        related: &'w WhitelistRelated,
        level: &mut Level<'w>,
    ) -> Result<Predicate<'w>, CheckError> {
        use FilterOperator::{Equal, In, NotEqual, NotIn, NotNull, Null};
        let operator = match FilterOperator::from_wire(&asked.operator) {
            Some(operator @ (Null | NotNull)) => operator,
            Some(Equal | NotEqual | In | NotIn) if related.id.is_some() => {
                return self.related(&asked.of_related("id"), level);
            }
            _ => {
                let filters = level.inside(related).known(self.listings);
                let by_id = related.id.is_some();
                return Err(CheckError::operator_on_relation(asked, by_id, &filters));
            }
        };
        self.within_depth(level, &asked.field, || asked.parameter())?;
        let kind = (&Kind::Boolean, false);
        let values = client_values(asked, kind, operator, FilterValue::parse)?;
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
            rows: Box::new(self.rows(related, level, visible, false)?),
            negated: says_yes == (operator == FilterOperator::Null),
        })
    }

    /// `filters[author][name][$eq]`: conditions on related rows (d72–d75).
    fn related(
        &mut self,
        asked: &AskedRelated,
        level: &mut Level<'w>,
    ) -> Result<Predicate<'w>, CheckError> {
        let Some(related) = level.relation(self.listings, &asked.key) else {
            return match level.is_json(self.listings, &asked.key) && asked.quantifier.is_none() {
                true => self.inside_json(asked, level),
                false => Err(self.not_a_relation(asked, level)),
            };
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
            // No related row may fail the condition.
            Quantifier::Every => (condition.negated(), true),
        };
        let are_found = Indexes::of(self.listings).narrow(&condition);
        let counting = visible.and(condition).and(the_one);
        Ok(Predicate::Exists {
            rows: Box::new(self.rows(related, level, counting, are_found)?),
            negated,
        })
    }

    /// `filters[data][address][city][$eq]`: conditions inside a JSON column (d149).
    fn inside_json(
        &mut self,
        asked: &AskedRelated,
        level: &mut Level<'w>,
    ) -> Result<Predicate<'w>, CheckError> {
        let mut inside = level.inside_json(&asked.key);
        let condition = self.one(&asked.filter, &mut inside)?;
        level.touched.append(&mut inside.touched);
        Ok(condition)
    }

    /// Another level of relations must be within the bounds (d77).
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
        are_found: bool,
    ) -> Result<RelatedRows<'w>, CheckError> {
        let relation = &related.relation;
        Ok(RelatedRows {
            from: ColumnOf::new(level.entity(), relation.from),
            target: &relation.meta.target,
            to: ColumnOf::new(&relation.meta.target, relation.to),
            through: visible::junction(self.listings, relation, self.context)?,
            counting,
            are_found,
        })
    }

    /// The key of a nested filter is not a relation that can be filtered through.
    fn not_a_relation(&self, asked: &AskedRelated, level: &Level<'w>) -> CheckError {
        if let Some(filter) = level.filter(self.listings, &asked.key) {
            return CheckError::not_an_operator(asked, &filter.operators);
        }
        if level.is_json(self.listings, &asked.key) {
            let inside = level.inside_json(&asked.key);
            let known = inside.known(self.listings);
            return CheckError::inside_json(&asked.key, asked.parameter(), &known);
        }
        let known = level.known(self.listings);
        match level.is_closed(self.listings, &asked.key) {
            true => CheckError::closed_relation(asked, known),
            false => CheckError::unknown_relation_filter(asked, known),
        }
    }
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
            let predicate =
                meaning::of_filter(&whitelist.entity, filter, operator, values, context);
            Ok(Some((predicate, Some(applied))))
        }
        Err(problem) => {
            // A fixed default was verified at start-up, but a computed one can still have the wrong type. No rows is the only
            // answer that cannot show too many.
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
