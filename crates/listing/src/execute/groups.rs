//! Reads the groups of a list, and chooses, orders and labels those of a page (d106).
//!
//! All groups are read, because their number is limited: every database then gives the same order.

use std::cmp::Ordering;
use std::str::FromStr as _;

use rust_decimal::Decimal;

use super::error::ExecuteError;
use super::facets::{by_value, directed, natural, text_of};
use super::labels::{labels, resolved};
use super::numbers::{total_columns, totals_of};
use super::reader::Reader;
use super::statement::read;
use crate::plan::{
    CheckedGroups, CheckedTotal, Comparison, GroupKey, GroupNumber, Having, HavingValue, Plan,
};
use crate::render::{Batch, Shape, ShapeColumn, bucket};
use crate::sql::{MOST_GROUPS, Statement};
use crate::vocabulary::{Key, Kind};

/// The groups of a page.
pub(crate) struct Groups {
    pub(crate) groups: Vec<ReadGroup>,
    /// How many there are on all pages.
    pub(crate) total: u64,
    /// The labels of each applied filter's values; `None` if values are their own labels.
    pub(crate) labels: Vec<Option<Vec<String>>>,
}

/// A group.
pub(crate) struct ReadGroup {
    pub(crate) keys: Vec<GroupValue>,
    pub(crate) count: u64,
    /// Each function of each total, as JSON.
    pub(crate) totals: Vec<Vec<String>>,
}

/// A value that the rows of a group have in common.
pub(crate) struct GroupValue {
    /// Its text, and the number of a unit of the calendar; `None` if the rows have no value.
    pub(crate) text: Option<String>,
    number: Option<i64>,
    pub(crate) label: Option<String>,
}

pub(crate) async fn groups(
    reader: &dyn Reader,
    plan: &Plan<'_>,
    groups: &CheckedGroups<'_>,
    totals: &[CheckedTotal<'_>],
    statement: Statement,
) -> Result<Groups, ExecuteError> {
    let dialect = reader.dialect()?;
    let keys = groups.keys.iter().enumerate().map(|(at, key)| {
        let kind = match key.calendar {
            Some(_) => Kind::Integer,
            None => key.kind.clone(),
        };
        ShapeColumn::output(&format!("k{at}"), kind).and_key()
    });
    let count = [ShapeColumn::key(Kind::Integer)];
    let shape = Shape {
        columns: keys
            .chain(count)
            .chain(total_columns(totals, dialect))
            .collect(),
    };
    let batch = read(reader, statement, &shape).await?;
    if batch.len() as u64 > MOST_GROUPS {
        return Err(ExecuteError::TooManyGroups {
            parameter: "by".to_owned(),
            most: MOST_GROUPS,
        });
    }
    let group = |row| ReadGroup {
        keys: keys_of(groups, &batch, row),
        count: batch.keys(row).last().map_or(0, natural),
        totals: totals_of(totals, dialect, &batch, row),
    };
    let mut all: Vec<ReadGroup> = (0..batch.len()).map(group).collect();
    all.retain(|group| groups.having.iter().all(|having| holds(having, group)));
    all.sort_by(|a, b| compare(groups, a, b));
    let total = all.len() as u64;
    let page = plan.page;
    let skip = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let take = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    let mut shown: Vec<_> = all.into_iter().skip(skip).take(take).collect();
    label(reader, plan, groups, &mut shown).await;
    Ok(Groups {
        groups: shown,
        total,
        labels: labels(&plan.applied, reader, plan.context).await,
    })
}

fn keys_of(groups: &CheckedGroups<'_>, batch: &Batch, row: usize) -> Vec<GroupValue> {
    let object = [batch.row(row), b"}"].concat();
    let members: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(&object).unwrap_or_default();
    let value = |(at, key): (usize, &GroupKey<'_>)| {
        let number = match batch.keys(row).get(at) {
            Some(Key::Int(number)) if key.calendar.is_some() => Some(*number),
            _ => None,
        };
        let text = match key.calendar {
            Some(options) => number.and_then(|number| {
                let found = bucket(options.unit, number, options.offset, options.dates);
                found.map(|bucket| bucket.value)
            }),
            None => {
                let value = members.get(&format!("k{at}"));
                value.and_then(|value| text_of(value.clone(), key.kind))
            }
        };
        GroupValue {
            text,
            number,
            label: None,
        }
    };
    groups.keys.iter().enumerate().map(value).collect()
}

/// The labels of the groups that are shown, from one look-up for each key.
async fn label(
    reader: &dyn Reader,
    plan: &Plan<'_>,
    groups: &CheckedGroups<'_>,
    shown: &mut [ReadGroup],
) {
    for (at, key) in groups.keys.iter().enumerate() {
        if key.calendar.is_some() {
            continue;
        }
        let texts = shown.iter().filter_map(|group| group.keys[at].text.clone());
        let mut values: Vec<String> = texts.collect();
        values.sort_unstable();
        values.dedup();
        let found = resolved((key.key, key.labels), &values, reader, plan.context).await;
        let found = found.as_ref().unwrap_or(&values);
        for group in shown.iter_mut() {
            let value = &mut group.keys[at];
            let place = value.text.as_ref().map(|text| values.binary_search(text));
            if let Some(Ok(place)) = place {
                value.label = found.get(place).cloned();
            }
        }
    }
}

/// Whether a group meets a condition; a number that is null meets none.
fn holds(having: &Having, group: &ReadGroup) -> bool {
    let ordering = match &having.value {
        HavingValue::Number(value) => number(group, having.number).map(|own| own.cmp(value)),
        HavingValue::Text(value) => told(group, having.number).map(|own| own.cmp(value.as_str())),
    };
    ordering.is_some_and(|ordering| match having.comparison {
        Comparison::Equal => ordering.is_eq(),
        Comparison::NotEqual => ordering.is_ne(),
        Comparison::Less => ordering.is_lt(),
        Comparison::LessOrEqual => ordering.is_le(),
        Comparison::Greater => ordering.is_gt(),
        Comparison::GreaterOrEqual => ordering.is_ge(),
    })
}

/// A total as its text; `None` if it is null.
fn told(group: &ReadGroup, number: GroupNumber) -> Option<&str> {
    let GroupNumber::Total(total, function) = number else {
        return None;
    };
    let json = group.totals.get(total)?.get(function)?;
    (json != "null").then(|| json.trim_matches('"'))
}

fn number(group: &ReadGroup, number: GroupNumber) -> Option<Decimal> {
    match number {
        GroupNumber::Count => Some(group.count.into()),
        _ => {
            let text = told(group, number)?;
            let exact = Decimal::from_str(text).ok();
            // Only the largest numbers do not fit into a decimal.
            exact.or_else(|| {
                let is_negative = text.starts_with('-');
                let end = if is_negative {
                    Decimal::MIN
                } else {
                    Decimal::MAX
                };
                text.bytes()
                    .any(|byte| byte.is_ascii_digit())
                    .then_some(end)
            })
        }
    }
}

/// Compares by the requested order; groups without a value come last.
fn compare(groups: &CheckedGroups<'_>, a: &ReadGroup, b: &ReadGroup) -> Ordering {
    for (by, direction) in &groups.order {
        let ordering = match by {
            GroupNumber::Count => directed(a.count.cmp(&b.count), *direction),
            GroupNumber::Key(at) => {
                let (one, other) = (&a.keys[*at], &b.keys[*at]);
                let kind = groups.keys[*at].kind;
                nulls_last(one.text.as_ref(), other.text.as_ref(), |a, b| {
                    let by_number = one.number.cmp(&other.number);
                    directed(by_number.then_with(|| by_value(kind, a, b)), *direction)
                })
            }
            GroupNumber::Total(..) => nulls_last(told(a, *by), told(b, *by), |one, other| {
                let numbers = number(a, *by).zip(number(b, *by));
                let is_date = one.contains(':') || one.matches('-').count() > 1;
                let ordering = match numbers.filter(|_| !is_date) {
                    Some((one, other)) => one.cmp(&other),
                    None => one.cmp(other),
                };
                directed(ordering, *direction)
            }),
        };
        if ordering.is_ne() {
            return ordering;
        }
    }
    Ordering::Equal
}

fn nulls_last<T>(a: Option<T>, b: Option<T>, compare: impl FnOnce(T, T) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare(a, b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}
