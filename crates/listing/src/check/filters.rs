//! Checks the requested filters and the listing's defaults, and records what `meta.filters` shows (contract 2.4).

use compact_str::{CompactString, ToCompactString};
use sea_orm::sea_query::Condition;
use smallvec::{SmallVec, smallvec};

use super::predicate::Values;
use super::{CheckError, ColumnOf, Predicate};
use crate::define::{
    Absent, Context, CustomQuery, DefaultSource, FilterValue, LabelResolver, Whitelist,
    WhitelistFilter,
};
use crate::request::{AskedComparison, AskedFilter, AskedRelated, AskedValues};
use crate::vocabulary::{FilterOperator, Kind};

/// A filter that was applied, as `meta.filters` tells it.
#[derive(Debug, Clone)]
pub(crate) struct Applied<'w> {
    pub(crate) key: &'w str,
    pub(crate) operator: FilterOperator,
    /// In their one spelling.
    pub(crate) values: SmallVec<[CompactString; 1]>,
    pub(crate) labels: Option<&'w LabelResolver>,
}

/// The client's filters, and the defaults of the keys that it did not filter by.
pub(super) fn typed<'w>(
    whitelist: &'w Whitelist,
    asked: &AskedFilter,
    context: &Context,
) -> Result<(Predicate<'w>, Vec<Applied<'w>>), CheckError> {
    let mut walk = Walk {
        whitelist,
        context,
        applied: Vec::new(),
    };
    let mut all = Vec::new();
    walk.add(asked, &mut all)?;
    let by_client = walk.applied.len();
    for filter in &whitelist.filters {
        let touched = |applied: &Applied<'_>| applied.key == filter.key;
        if walk.applied[..by_client].iter().any(touched) {
            continue;
        }
        if let Some((predicate, applied)) = apply_default(whitelist, filter, context)? {
            all.push(predicate);
            walk.applied.extend(applied);
        }
    }
    Ok((Predicate::All(all), walk.applied))
}

/// Every default of a listing: what holds where another entity populates it.
pub(super) fn defaults<'w>(
    whitelist: &'w Whitelist,
    context: &Context,
) -> Result<Predicate<'w>, CheckError> {
    let mut all = Vec::new();
    for filter in &whitelist.filters {
        let default = apply_default(whitelist, filter, context)?;
        all.extend(default.map(|(predicate, _)| predicate));
    }
    Ok(Predicate::All(all))
}

/// A walk through the tree of filters that was asked for.
struct Walk<'w, 'c> {
    whitelist: &'w Whitelist,
    context: &'c Context,
    applied: Vec<Applied<'w>>,
}

impl<'w> Walk<'w, '_> {
    /// Adds what was asked to what must hold.
    fn add(&mut self, asked: &AskedFilter, all: &mut Vec<Predicate<'w>>) -> Result<(), CheckError> {
        match asked {
            AskedFilter::All(parts) => {
                // And one for the rows that exist for the asker.
                all.reserve(parts.len() + 1);
                self.applied.reserve(parts.len());
                parts.iter().try_for_each(|part| self.add(part, all))
            }
            AskedFilter::Compare(comparison) => {
                all.push(self.comparison(comparison)?);
                Ok(())
            }
            AskedFilter::Any(_) | AskedFilter::Not(_) => Err(CheckError::group()),
            AskedFilter::Related(related) => Err(self.related(related)),
        }
    }

    /// Relations cannot be filtered through yet; what stands after a field must be an operator.
    fn related(&self, asked: &AskedRelated) -> CheckError {
        let filters = || self.whitelist.filters.iter();
        let usable = |filter: &&WhitelistFilter| !filter.operators.is_empty();
        let known = filters().filter(usable);
        if let Some(filter) = known.clone().find(|filter| filter.key == asked.key) {
            return CheckError::not_an_operator(asked, &filter.operators);
        }
        let known = known.map(|filter| filter.key.as_str()).collect();
        let mut relations = self.whitelist.relation_names();
        match relations.any(|relation| relation == asked.key) {
            true => CheckError::closed_relation(asked, known),
            false => CheckError::unknown_relation_filter(asked, known),
        }
    }

    fn comparison(&mut self, asked: &AskedComparison) -> Result<Predicate<'w>, CheckError> {
        let usable = |filter: &&WhitelistFilter| !filter.operators.is_empty();
        let usable = || self.whitelist.filters.iter().filter(usable);
        let Some(filter) = usable().find(|filter| filter.key == asked.field) else {
            let known = usable().map(|filter| filter.key.as_str()).collect();
            return Err(CheckError::unknown_filter(asked, known));
        };
        let operator = FilterOperator::from_wire(&asked.operator)
            .filter(|operator| filter.operators.contains(operator))
            .ok_or_else(|| CheckError::operator_not_allowed(asked, &filter.operators))?;
        let values = client_values(asked, filter, operator)?;
        self.applied.push(applied(filter, operator, &values));
        Ok(predicate(
            self.whitelist,
            filter,
            operator,
            values,
            self.context,
        ))
    }
}

/// The values of a client's filter, typed, in the number that the operator takes.
fn client_values(
    asked: &AskedComparison,
    filter: &WhitelistFilter,
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
        _ => &filter.kind,
    };
    let takes = match operator {
        In | NotIn => None,
        Between => Some(2),
        _ => Some(1),
    };
    let is_list = matches!(asked.values, AskedValues::Many(_));
    if takes.is_some_and(|takes| takes != texts.len() || (takes == 1 && is_list)) {
        return Err(CheckError::wrong_count(
            asked,
            operator,
            takes.unwrap_or(1),
            texts.len(),
        ));
    }
    texts
        .iter()
        .map(|text| {
            FilterValue::parse(text, kind)
                .map_err(|error| CheckError::wrong_value(asked, text, error))
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
            let predicate = predicate(whitelist, filter, operator, values, context);
            Ok(Some((predicate, Some(applied))))
        }
        Err(problem) => {
            // A fixed default was verified at start-up; a computed one can still be of the wrong type.
            // No row is the only answer that cannot show too many.
            tracing::error!(
                listing = whitelist.listing,
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
        values: values
            .iter()
            .map(ToCompactString::to_compact_string)
            .collect(),
        // What stands behind `$null` is no value of the field: a resolver would take it for one.
        labels: match operator {
            FilterOperator::Null | FilterOperator::NotNull => None,
            _ => filter.labels.as_ref(),
        },
    }
}

fn predicate<'w>(
    whitelist: &'w Whitelist,
    filter: &WhitelistFilter,
    operator: FilterOperator,
    values: Values,
    context: &Context,
) -> Predicate<'w> {
    if let Some(apply) = &filter.custom {
        let mut query = CustomQuery {
            condition: Condition::all(),
            context,
        };
        apply(&mut query, &values, operator);
        return Predicate::Custom(query.condition);
    }
    match filter.column {
        Some(column) => Predicate::of(ColumnOf::new(&whitelist.entity, column), operator, values),
        None => Predicate::NEVER,
    }
}
