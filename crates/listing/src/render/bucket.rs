//! Names an hour, day, week, month, quarter or year by its first moment (d103).

use chrono::{DateTime, Duration, NaiveDate, NaiveDateTime, NaiveTime};

use crate::vocabulary::CalendarUnit;

/// A unit of the calendar, by its first moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bucket {
    /// The first day of it, or its first moment for an hour, on the clock of the offset.
    pub(crate) value: String,
    /// Its first moment, and the first one after it, as filters take them.
    pub(crate) from: String,
    pub(crate) to: String,
}

/// The unit of that number, in a zone that is `offset` minutes ahead of UTC; `None` beyond the calendar.
pub(crate) fn bucket(
    unit: CalendarUnit,
    number: i64,
    offset: i32,
    of_dates: bool,
) -> Option<Bucket> {
    let first = first(unit, number)?;
    let next = self::first(unit, number.checked_add(1)?)?;
    let ahead = Duration::minutes(offset.into());
    let moment = |local: NaiveDateTime| {
        let utc = local.checked_sub_signed(ahead)?;
        Some(match of_dates {
            true => utc.date().to_string(),
            false => utc.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string(),
        })
    };
    Some(Bucket {
        value: match unit {
            CalendarUnit::Hour => format!("{}{}", first.format("%Y-%m-%dT%H:%M:%S"), zone(offset)),
            _ => first.date().to_string(),
        },
        from: moment(first)?,
        to: moment(next)?,
    })
}

fn first(unit: CalendarUnit, number: i64) -> Option<NaiveDateTime> {
    let day = |days: i64| {
        let day = NaiveDate::from_epoch_days(i32::try_from(days).ok()?)?;
        Some(day.and_time(NaiveTime::MIN))
    };
    let month = |months: i64| {
        let year = i32::try_from(months.div_euclid(12)).ok()?;
        let month = u32::try_from(months.rem_euclid(12)).ok()? + 1;
        Some(NaiveDate::from_ymd_opt(year, month, 1)?.and_time(NaiveTime::MIN))
    };
    match unit {
        CalendarUnit::Hour => {
            let moment = DateTime::from_timestamp(number.checked_mul(3_600)?, 0)?;
            Some(moment.naive_utc())
        }
        CalendarUnit::Day => day(number),
        // 1970 began on a Thursday.
        CalendarUnit::Week => day((number - CalendarUnit::WEEKS_BEFORE) * 7 - 3),
        CalendarUnit::Month => month(number),
        CalendarUnit::Quarter => month(number.checked_mul(3)?),
        CalendarUnit::Year => month(number.checked_mul(12)?),
    }
}

/// `Z`, or `+02:00`.
fn zone(offset: i32) -> String {
    match offset {
        0 => "Z".to_owned(),
        _ => self::offset(offset),
    }
}

/// `+02:00`
pub(crate) fn offset(minutes: i32) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.unsigned_abs();
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule d103.
    #[test]
    fn a_bucket_is_named_by_its_first_moment() {
        let week = CalendarUnit::WEEKS_BEFORE;
        for (unit, number, offset, [value, from, to]) in [
            (
                CalendarUnit::Day,
                0,
                0,
                [
                    "1970-01-01",
                    "1970-01-01T00:00:00.000000Z",
                    "1970-01-02T00:00:00.000000Z",
                ],
            ),
            (
                CalendarUnit::Week,
                week,
                0,
                [
                    "1969-12-29",
                    "1969-12-29T00:00:00.000000Z",
                    "1970-01-05T00:00:00.000000Z",
                ],
            ),
            (
                CalendarUnit::Month,
                2024 * 12 + 4,
                120,
                [
                    "2024-05-01",
                    "2024-04-30T22:00:00.000000Z",
                    "2024-05-31T22:00:00.000000Z",
                ],
            ),
            (
                CalendarUnit::Quarter,
                2024 * 4 + 1,
                0,
                [
                    "2024-04-01",
                    "2024-04-01T00:00:00.000000Z",
                    "2024-07-01T00:00:00.000000Z",
                ],
            ),
            (
                CalendarUnit::Year,
                2024,
                -210,
                [
                    "2024-01-01",
                    "2024-01-01T03:30:00.000000Z",
                    "2025-01-01T03:30:00.000000Z",
                ],
            ),
            (
                CalendarUnit::Hour,
                -1,
                0,
                [
                    "1969-12-31T23:00:00Z",
                    "1969-12-31T23:00:00.000000Z",
                    "1970-01-01T00:00:00.000000Z",
                ],
            ),
            (
                CalendarUnit::Hour,
                13,
                330,
                [
                    "1970-01-01T13:00:00+05:30",
                    "1970-01-01T07:30:00.000000Z",
                    "1970-01-01T08:30:00.000000Z",
                ],
            ),
        ] {
            let found = bucket(unit, number, offset, false).unwrap();
            assert_eq!([&*found.value, &*found.from, &*found.to], [value, from, to]);
        }
        let dates = bucket(CalendarUnit::Month, 2024 * 12 + 4, 0, true).unwrap();
        assert_eq!([&*dates.from, &*dates.to], ["2024-05-01", "2024-06-01"]);
        assert_eq!(bucket(CalendarUnit::Year, i64::MAX, 0, false), None);
    }
}
