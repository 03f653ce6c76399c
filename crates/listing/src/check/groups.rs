//! Checks the keys, the conditions and the order of a request for groups (d106).

use std::str::FromStr as _;

use rust_decimal::Decimal;

use super::cost::Costs;
use super::facet_options::{CalendarOptions, calendar_unit};
use super::numbers::CheckedTotal;
use super::{CheckError, Checked, ColumnOf, Comparison, against};
use crate::define::{
    Context, FacetBy, FilterValue, LabelResolver, Listings, Whitelist, WhitelistFacet,
};
use crate::request::{AskedFacets, AskedGroups, AskedHaving, AskedKey, AskedSort, Request};
use crate::vocabulary::{AggregateFunction, FilterOperator, Kind, SortDirection};

/// The keys of groups, and the conditions on them.
pub(crate) struct CheckedGroups<'w> {
    pub(crate) keys: Vec<GroupKey<'w>>,
    pub(crate) having: Vec<Having>,
    /// Ends in the keys.
    pub(crate) order: Vec<(GroupNumber, SortDirection)>,
}

/// A key of groups.
pub(crate) struct GroupKey<'w> {
    pub(crate) key: &'w str,
    pub(crate) column: ColumnOf<'w>,
    pub(crate) kind: &'w Kind,
    pub(crate) labels: Option<&'w LabelResolver>,
    /// How moments are grouped, if the key is a moment.
    pub(crate) calendar: Option<CalendarOptions>,
}

/// Something that is known of each group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GroupNumber {
    Key(usize),
    Count,
    /// A total and its function, by their places.
    Total(usize, usize),
}

/// A condition that groups must meet.
pub(crate) struct Having {
    pub(crate) number: GroupNumber,
    pub(crate) comparison: Comparison,
    pub(crate) value: HavingValue,
}

/// The value that a number of a group is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum HavingValue {
    Number(Decimal),
    /// A date or a time, in its one spelling.
    Text(String),
}

/// Keys in one request, at most.
const MOST_KEYS: usize = 3;

/// Holds a request for groups against a whitelist: filters, search and pages as for the list, and the groups.
pub(crate) fn groups<'w>(
    listings: &'w Listings,
    whitelist: &'w Whitelist,
    request: &Request,
    context: &'w Context,
) -> Result<(Checked<'w>, CheckedGroups<'w>), CheckError> {
    let none = AskedGroups::default();
    let asked = request.groups.as_deref().unwrap_or(&none);
    if request.cursor.is_some() {
        return Err(CheckError::groups_by_cursor());
    }
    // Rows are neither shown nor sorted, and the groups are counted, not the rows.
    let mut of_list = Request {
        sort: None,
        fields: None,
        populate: None,
        with_count: Some(false),
        exact_count: false,
        ..request.clone()
    };
    if let Some(numbers) = &mut of_list.numbers {
        numbers.facets = AskedFacets::default();
    }
    let checked = against(listings, whitelist, &of_list, context)?;
    let mut costs = Costs::of(listings);
    let first = asked.by.first().map_or("", |key| key.name.as_str());
    costs.facet(first, whitelist, &checked.predicate);
    costs.finish(whitelist)?;
    let keys = keys(whitelist, asked)?;
    let known = Known {
        keys: &keys,
        totals: checked
            .numbers
            .as_deref()
            .map(|numbers| &numbers.totals[..]),
    };
    let having = asked.having.iter().map(|one| known.having(one));
    let having = having.collect::<Result<_, _>>()?;
    let order = known.order(request.sort.as_deref().unwrap_or_default())?;
    Ok((
        checked,
        CheckedGroups {
            keys,
            having,
            order,
        },
    ))
}

fn keys<'w>(
    whitelist: &'w Whitelist,
    asked: &AskedGroups,
) -> Result<Vec<GroupKey<'w>>, CheckError> {
    let can_group =
        |facet: &&WhitelistFacet| matches!(facet.by, FacetBy::Values(_) | FacetBy::Calendar(_));
    let all = || whitelist.facets.iter().filter(can_group);
    let known = || all().map(|facet| facet.key.as_str()).collect::<Vec<_>>();
    if asked.by.is_empty() || asked.by.len() > MOST_KEYS {
        return Err(CheckError::group_keys(asked.by.len(), MOST_KEYS, &known()));
    }
    let key = |asked: &AskedKey| {
        let facet = all().find(|facet| facet.key == asked.name);
        let facet = facet.ok_or_else(|| CheckError::group_key(&asked.name, &known()))?;
        let filter = facet.filter(whitelist);
        let filter = filter.ok_or_else(|| CheckError::group_key(&asked.name, &known()))?;
        let unit = asked.unit.as_deref();
        let calendar = match facet.by {
            FacetBy::Calendar(_) => {
                let dates = filter.kind == Kind::Date;
                Some(CalendarOptions {
                    unit: calendar_unit(&facet.key, unit, dates)?,
                    offset: 0,
                    dates,
                })
            }
            _ if unit.is_some() => {
                let unit = unit.unwrap_or_default();
                return Err(CheckError::facet_option(&facet.key, "unit", unit, &[]));
            }
            _ => None,
        };
        Ok(GroupKey {
            key: &facet.key,
            column: ColumnOf::new(&whitelist.entity, filter.column.unwrap_or_default()),
            kind: &filter.kind,
            labels: filter.labels.as_ref(),
            calendar,
        })
    };
    asked.by.iter().map(key).collect()
}

/// The numbers that are known of each group.
struct Known<'k, 'w> {
    keys: &'k [GroupKey<'w>],
    totals: Option<&'k [CheckedTotal<'w>]>,
}

impl Known<'_, '_> {
    fn totals(&self) -> impl Iterator<Item = (GroupNumber, String, &CheckedTotal<'_>)> {
        let totals = self.totals.unwrap_or_default().iter().enumerate();
        totals.flat_map(|(at, total)| {
            let functions = total.functions.iter().enumerate();
            functions.map(move |(function, wire)| {
                let name = format!("{}.{wire}", total.name);
                (GroupNumber::Total(at, function), name, total)
            })
        })
    }

    /// A condition on a group: comparisons only.
    fn having(&self, asked: &AskedHaving) -> Result<Having, CheckError> {
        let mut names = vec!["count".to_owned()];
        names.extend(self.totals().map(|(_, name, _)| name));
        let total = self.totals().find(|(_, name, _)| *name == asked.number);
        let (number, kind) = match total {
            Some((number, _, total)) => (number, self.kind(number, total)),
            None if asked.number == "count" => (GroupNumber::Count, None),
            None => return Err(CheckError::group_number("having", &asked.number, &names)),
        };
        let comparison = match FilterOperator::from_wire(&asked.operator) {
            Some(FilterOperator::Equal) => Comparison::Equal,
            Some(FilterOperator::NotEqual) => Comparison::NotEqual,
            Some(FilterOperator::LessThan) => Comparison::Less,
            Some(FilterOperator::LessThanEqual) => Comparison::LessOrEqual,
            Some(FilterOperator::GreaterThan) => Comparison::Greater,
            Some(FilterOperator::GreaterThanEqual) => Comparison::GreaterOrEqual,
            _ => return Err(CheckError::having_operator(asked)),
        };
        let value = match kind {
            None => Decimal::from_str(&asked.value)
                .ok()
                .map(HavingValue::Number),
            Some(kind) => {
                let typed = FilterValue::parse(&asked.value, kind).ok();
                typed.map(|value| HavingValue::Text(value.canonical()))
            }
        };
        Ok(Having {
            number,
            comparison,
            value: value.ok_or_else(|| CheckError::having_value(asked))?,
        })
    }

    /// The kind of a number that is a date or a time; `None` if it is a plain number.
    fn kind<'t>(&self, number: GroupNumber, total: &CheckedTotal<'t>) -> Option<&'t Kind> {
        let GroupNumber::Total(_, function) = number else {
            return None;
        };
        let is_value = matches!(
            total.functions.get(function),
            Some(AggregateFunction::Min | AggregateFunction::Max)
        );
        let is_time = matches!(total.kind, Kind::Date | Kind::Time | Kind::Timestamp);
        (is_value && is_time).then_some(total.kind)
    }

    /// The order, which ends in the keys.
    fn order(&self, asked: &[AskedSort]) -> Result<Vec<(GroupNumber, SortDirection)>, CheckError> {
        let mut order = Vec::with_capacity(asked.len() + self.keys.len());
        for AskedSort { name, direction } in asked {
            let key = self.keys.iter().position(|key| key.key == name);
            let number = match name.as_str() {
                "count" => Some(GroupNumber::Count),
                _ => key.map(GroupNumber::Key),
            };
            let total = || self.totals().find(|(_, known, _)| known == name);
            let number = number.or_else(|| total().map(|(number, ..)| number));
            let number = number.ok_or_else(|| {
                let mut names = vec!["count".to_owned()];
                names.extend(self.keys.iter().map(|key| key.key.to_owned()));
                names.extend(self.totals().map(|(_, name, _)| name));
                CheckError::group_number("sort", name, &names)
            })?;
            order.push((number, *direction));
        }
        for at in 0..self.keys.len() {
            let key = GroupNumber::Key(at);
            if !order.iter().any(|(number, _)| *number == key) {
                order.push((key, SortDirection::Asc));
            }
        }
        Ok(order)
    }
}
