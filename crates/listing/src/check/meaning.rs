//! Translates operators to trees of conditions on columns (d25–d29, d9).

use rust_decimal::RoundingStrategy;

use super::predicate::{ColumnOf, Comparison, Predicate, TextPlace, Values};
use crate::define::{Context, CustomQuery, EntityMeta, FilterValue, WhitelistFilter};
use crate::vocabulary::{FilterOperator, Kind};

/// The meaning of a filter with these values.
pub(super) fn of_filter<'w>(
    entity: &'w EntityMeta,
    filter: &'w WhitelistFilter,
    operator: FilterOperator,
    values: Values,
    context: &Context,
) -> Predicate<'w> {
    if let Some(apply) = &filter.custom {
        // An empty list contains no value: `$in` matches no row, and `$notIn` matches every row (d27).
        if values.is_empty() {
            return match operator {
                FilterOperator::NotIn => Predicate::ALWAYS,
                _ => Predicate::NEVER,
            };
        }
        let condition = apply(&CustomQuery { context }, &values, operator);
        return Predicate::Custom(condition.into_condition());
    }
    if let Some(part) = &filter.part {
        return Predicate::of(ColumnOf::part(entity, part), operator, values);
    }
    match filter.column {
        Some(column) => Predicate::of(ColumnOf::new(entity, column), operator, values),
        None => Predicate::NEVER,
    }
}

impl<'w> Predicate<'w> {
    /// The meaning of an operator with these values on a column. The number of values has been checked.
    pub(super) fn of(column: ColumnOf<'w>, operator: FilterOperator, values: Values) -> Self {
        use FilterOperator as Op;
        if let Kind::Array(_) = column.meta.kind {
            return of_array(column, operator, values);
        }
        match operator {
            Op::Equal => Self::each(column, values, equal),
            Op::NotEqual => Self::each(column, values, not_equal),
            Op::LessThan => Self::each(column, values, less),
            Op::LessThanEqual => Self::each(column, values, less_or_equal),
            Op::GreaterThan => Self::each(column, values, greater),
            Op::GreaterThanEqual => Self::each(column, values, greater_or_equal),
            Op::Contains => Self::each(column, values, contains),
            Op::NotContains => Self::each(column, values, contains).negated(),
            Op::StartsWith => Self::each(column, values, |column, value| {
                part(column, value, TextPlace::Start, false)
            }),
            Op::StartsWithInsensitive => Self::each(column, values, |column, value| {
                part(column, value, TextPlace::Start, true)
            }),
            Op::EndsWith => Self::each(column, values, |column, value| {
                part(column, value, TextPlace::End, false)
            }),
            Op::EndsWithInsensitive => Self::each(column, values, |column, value| {
                part(column, value, TextPlace::End, true)
            }),
            Op::EqualInsensitive => Self::each(column, values, equal_in_any_case),
            Op::NotEqualInsensitive => Self::each(column, values, equal_in_any_case).negated(),
            Op::In => one_of(column, values),
            Op::NotIn => none_of(column, values),
            Op::Null => Self::Null {
                column,
                is_null: values[..] == [FilterValue::Bool(true)],
            },
            Op::NotNull => Self::Null {
                column,
                is_null: values[..] != [FilterValue::Bool(true)],
            },
            Op::Between => {
                let mut ends = values.into_iter();
                match (ends.next(), ends.next()) {
                    (Some(low), Some(high)) => Self::All(vec![
                        greater_or_equal(column, low),
                        less_or_equal(column, high),
                    ]),
                    _ => Self::NEVER,
                }
            }
        }
    }

    fn each(
        column: ColumnOf<'w>,
        values: Values,
        test: fn(ColumnOf<'w>, FilterValue) -> Self,
    ) -> Self {
        let one = values.len() == 1;
        let mut tests = values.into_iter().map(|value| test(column, value));
        match tests.next() {
            // A missing value must never mean a missing condition.
            None => Self::NEVER,
            Some(test) if one => test,
            Some(first) => Self::All(std::iter::once(first).chain(tests).collect()),
        }
    }
}

/// Conditions on the elements of an array (d149). Without values, no array matches, and every array matches the complement.
fn of_array(column: ColumnOf<'_>, operator: FilterOperator, values: Values) -> Predicate<'_> {
    use FilterOperator::{Contains, In, NotContains, NotIn, NotNull, Null};
    let holds = |all: bool, values: Values| match values.is_empty() {
        true => Predicate::NEVER,
        false => Predicate::Holds {
            column,
            all,
            values: values.into_vec(),
        },
    };
    match operator {
        Contains => holds(true, values),
        NotContains => holds(true, values).negated(),
        In => holds(false, values),
        NotIn => holds(false, values).negated(),
        Null | NotNull => Predicate::Null {
            column,
            is_null: (operator == Null) == (values[..] == [FilterValue::Bool(true)]),
        },
        // Definitions allow no other operators.
        _ => Predicate::NEVER,
    }
}

fn compare(column: ColumnOf<'_>, comparison: Comparison, value: FilterValue) -> Predicate<'_> {
    Predicate::Compare {
        column,
        comparison,
        value,
    }
}

/// A date without a time stands for the whole day, and the same holds for months and years: the first moment, and the first
/// moment of the next one (d9, d150).
fn moments(value: &FilterValue) -> Option<(FilterValue, Option<FilterValue>)> {
    match value {
        FilterValue::Day(day) => {
            let (start, next) = FilterValue::day_bounds(*day);
            Some((
                FilterValue::Timestamp(start),
                next.map(FilterValue::Timestamp),
            ))
        }
        FilterValue::Period(period) => Some((period.first.clone(), period.next.clone())),
        _ => None,
    }
}

/// Whether a column can hold a value: a column with two decimal places cannot hold a value with three. MariaDB would cut off the
/// third to look the value up in an index, and find rows that are not equal. SQLite compares at most 16 digits.
fn can_hold(column: ColumnOf<'_>, value: &FilterValue) -> bool {
    neighbours(column, value).is_none()
}

/// The nearest values below and above that the column can hold, if it cannot hold this one. Every database compares these exactly
/// (b182).
fn neighbours(column: ColumnOf<'_>, value: &FilterValue) -> Option<(FilterValue, FilterValue)> {
    let (Kind::Decimal { scale: Some(scale) }, FilterValue::Decimal(number)) =
        (&column.meta.kind, value)
    else {
        return None;
    };
    let rounded = |strategy| {
        let mut rounded = number.round_dp_with_strategy(*scale, strategy);
        rounded.rescale(*scale);
        FilterValue::Decimal(rounded)
    };
    (number.normalize().scale() > *scale).then(|| {
        (
            rounded(RoundingStrategy::ToNegativeInfinity),
            rounded(RoundingStrategy::ToPositiveInfinity),
        )
    })
}

fn equal(column: ColumnOf<'_>, value: FilterValue) -> Predicate<'_> {
    if !can_hold(column, &value) {
        return Predicate::NEVER;
    }
    let Some((start, next)) = moments(&value) else {
        return compare(column, Comparison::Equal, value);
    };
    let mut both = vec![compare(column, Comparison::GreaterOrEqual, start)];
    both.extend(next.map(|next| compare(column, Comparison::Less, next)));
    Predicate::All(both)
}

fn not_equal(column: ColumnOf<'_>, value: FilterValue) -> Predicate<'_> {
    if !can_hold(column, &value) {
        return Predicate::ALWAYS;
    }
    let mut either = match moments(&value) {
        None => vec![compare(column, Comparison::NotEqual, value)],
        Some((start, next)) => {
            let mut outside = vec![compare(column, Comparison::Less, start)];
            outside.extend(next.map(|next| compare(column, Comparison::GreaterOrEqual, next)));
            outside
        }
    };
    or_null(column, &mut either);
    Predicate::Any(either)
}

fn less(column: ColumnOf<'_>, value: FilterValue) -> Predicate<'_> {
    if let Some((below, _)) = neighbours(column, &value) {
        return compare(column, Comparison::LessOrEqual, below);
    }
    let value = moments(&value).map_or(value, |(start, _)| start);
    compare(column, Comparison::Less, value)
}

fn less_or_equal(column: ColumnOf<'_>, value: FilterValue) -> Predicate<'_> {
    if let Some((below, _)) = neighbours(column, &value) {
        return compare(column, Comparison::LessOrEqual, below);
    }
    match moments(&value) {
        None => compare(column, Comparison::LessOrEqual, value),
        Some((_, Some(next))) => compare(column, Comparison::Less, next),
        // Every moment is at or before the last day of the calendar.
        Some((_, None)) => Predicate::Null {
            column,
            is_null: false,
        },
    }
}

fn greater(column: ColumnOf<'_>, value: FilterValue) -> Predicate<'_> {
    if let Some((_, above)) = neighbours(column, &value) {
        return compare(column, Comparison::GreaterOrEqual, above);
    }
    match moments(&value) {
        None => compare(column, Comparison::Greater, value),
        Some((_, Some(next))) => compare(column, Comparison::GreaterOrEqual, next),
        Some((_, None)) => Predicate::NEVER,
    }
}

fn greater_or_equal(column: ColumnOf<'_>, value: FilterValue) -> Predicate<'_> {
    if let Some((_, above)) = neighbours(column, &value) {
        return compare(column, Comparison::GreaterOrEqual, above);
    }
    let value = moments(&value).map_or(value, |(start, _)| start);
    compare(column, Comparison::GreaterOrEqual, value)
}

fn contains(column: ColumnOf<'_>, value: FilterValue) -> Predicate<'_> {
    text(column, value, TextPlace::Anywhere, true)
}

fn equal_in_any_case(column: ColumnOf<'_>, value: FilterValue) -> Predicate<'_> {
    text(column, value, TextPlace::Whole, true)
}

/// The start or the end of a text. Every text starts and ends with the empty text.
fn part(
    column: ColumnOf<'_>,
    value: FilterValue,
    place: TextPlace,
    any_case: bool,
) -> Predicate<'_> {
    match value {
        FilterValue::Text(text) if text.is_empty() => Predicate::Null {
            column,
            is_null: false,
        },
        value => text(column, value, place, any_case),
    }
}

fn text(
    column: ColumnOf<'_>,
    value: FilterValue,
    place: TextPlace,
    any_case: bool,
) -> Predicate<'_> {
    let text = match value {
        FilterValue::Text(text) => text,
        other => other.canonical(),
    };
    Predicate::Text {
        column,
        place,
        any_case,
        text,
    }
}

fn one_of(column: ColumnOf<'_>, values: Values) -> Predicate<'_> {
    let plain = |value| !is_whole(value) && can_hold(column, value);
    if !values.is_empty() && values.iter().all(plain) {
        return Predicate::OneOf {
            column,
            values: values.into_vec(),
            negated: false,
        };
    }
    let (days, moments) = split_days(column, values);
    let mut any = match many_days(column, &days, false) {
        Some(many) => vec![many],
        None => days.into_iter().map(|day| equal(column, day)).collect(),
    };
    if !moments.is_empty() {
        any.push(Predicate::OneOf {
            column,
            values: moments,
            negated: false,
        });
    }
    match any.len() {
        1 => any.remove(0),
        _ => Predicate::Any(any),
    }
}

fn none_of(column: ColumnOf<'_>, values: Values) -> Predicate<'_> {
    let (days, moments) = split_days(column, values);
    let mut all: Vec<_> = match many_days(column, &days, true) {
        Some(many) => vec![with_nulls(column, many)],
        None => days.into_iter().map(|day| not_equal(column, day)).collect(),
    };
    if !moments.is_empty() {
        let others = Predicate::OneOf {
            column,
            values: moments,
            negated: true,
        };
        all.push(with_nulls(column, others));
    }
    Predicate::All(all)
}

/// Combines more than `MANY` days into one condition. SQLite's time to plan ranges grows with the square of their number, and
/// would exceed what an index saves.
fn many_days<'w>(
    column: ColumnOf<'w>,
    days: &[FilterValue],
    negated: bool,
) -> Option<Predicate<'w>> {
    const MANY: usize = 100;
    let are_days = || days.iter().all(|day| matches!(day, FilterValue::Day(_)));
    (days.len() > MANY && are_days()).then(|| Predicate::OnDays {
        column,
        days: days
            .iter()
            .filter_map(|day| match day {
                FilterValue::Day(day) => Some(*day),
                _ => None,
            })
            .collect(),
        negated,
    })
}

/// Separates days, months and years from other values, without those that the column cannot hold.
fn split_days(column: ColumnOf<'_>, values: Values) -> (Vec<FilterValue>, Vec<FilterValue>) {
    values
        .into_iter()
        .filter(|value| can_hold(column, value))
        .partition(is_whole)
}

/// Whether it is a day, month or year rather than a moment.
fn is_whole(value: &FilterValue) -> bool {
    matches!(value, FilterValue::Day(_) | FilterValue::Period(_))
}

/// A null is not equal to anything (d25).
fn or_null<'w>(column: ColumnOf<'w>, either: &mut Vec<Predicate<'w>>) {
    if column.meta.nullable {
        either.push(Predicate::Null {
            column,
            is_null: true,
        });
    }
}

fn with_nulls<'w>(column: ColumnOf<'w>, condition: Predicate<'w>) -> Predicate<'w> {
    let mut either = vec![condition];
    or_null(column, &mut either);
    Predicate::Any(either)
}
