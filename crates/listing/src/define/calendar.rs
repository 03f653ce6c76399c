//! Resolves a client's words for moments: `now-7d`, a year, a month, and days and times of a time zone (d150).

use std::cell::OnceCell;

use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveDateTime, SubsecRound, TimeDelta, Utc};
use compact_str::{CompactString, ToCompactString};

use super::Context;
use super::typed::{FilterValue, Period, ValueError, at_offset};
use crate::vocabulary::Kind;

/// The value of `now` in the filters of a request, if its context has one; otherwise `now` is the system time.
///
/// ```
/// use listing::{Context, Now};
///
/// let context = Context::new().with(Now("2026-01-31T13:45:00Z".parse().unwrap()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now(pub DateTime<Utc>);

/// The words for moments of one request: `now` is the same in all of its filters.
pub(crate) struct Calendar<'c> {
    context: &'c Context,
    /// The minutes that the client's time zone is ahead of UTC.
    offset: i32,
    now: OnceCell<DateTime<Utc>>,
}

impl<'c> Calendar<'c> {
    pub(crate) fn new(context: &'c Context, offset: i32) -> Self {
        Self {
            context,
            offset,
            now: OnceCell::new(),
        }
    }

    /// The value that a client's text is. Years and months are for columns: a custom query takes moments and days.
    pub(crate) fn parse(
        &self,
        text: &str,
        kind: &Kind,
        of_column: bool,
    ) -> Result<FilterValue, ValueError> {
        if !matches!(kind, Kind::Timestamp | Kind::Date) {
            return FilterValue::parse(text, kind);
        }
        let is_date = *kind == Kind::Date;
        let own = match text.strip_prefix("now") {
            Some(step) => self.after_now(step, is_date),
            None if of_column => self.period(text, is_date),
            None => None,
        };
        own.map_or_else(|| FilterValue::parse_at(text, kind, self.offset), Ok)
    }

    /// `now`, `now-7d`, `now+1h`: a moment, or the day of it in a column of dates.
    fn after_now(&self, step: &str, is_date: bool) -> Option<FilterValue> {
        let local = stepped(self.now().naive_utc() + self.ahead(), step)?;
        if is_date {
            let is_known = (1..=9999).contains(&local.year());
            return is_known.then(|| FilterValue::Date(local.date()));
        }
        at_offset(local, self.offset).map(FilterValue::Timestamp)
    }

    /// `2025` and `2025-01`: all of the year or the month.
    fn period(&self, text: &str, is_date: bool) -> Option<FilterValue> {
        let (year, month) = match text.len() {
            4 => (text, "01"),
            7 => text.split_once('-')?,
            _ => return None,
        };
        let number = |digits: &str, length| {
            let is_number = digits.len() == length && digits.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| digits.parse::<u32>().ok()).flatten()
        };
        let year = i32::try_from(number(year, 4)?).ok();
        let year = year.filter(|year| *year >= 1)?;
        let first = NaiveDate::from_ymd_opt(year, number(month, 2)?, 1)?;
        let months = if text.len() == 4 { 12 } else { 1 };
        let next = first.checked_add_months(Months::new(months))?;
        let begin = |day: NaiveDate| match is_date {
            true => (day.year() <= 9999).then_some(FilterValue::Date(day)),
            false => at_offset(day.into(), self.offset).map(FilterValue::Timestamp),
        };
        Some(FilterValue::Period(Box::new(Period {
            first: begin(first)?,
            next: begin(next),
            text: text.to_owned(),
        })))
    }

    fn now(&self) -> DateTime<Utc> {
        let now = || {
            let set = self.context.get::<Now>();
            // No more digits than columns have.
            set.map_or_else(Utc::now, |now| now.0).trunc_subsecs(6)
        };
        *self.now.get_or_init(now)
    }

    fn ahead(&self) -> TimeDelta {
        TimeDelta::minutes(self.offset.into())
    }
}

/// The moment that is one step away: a sign, a number, and a unit. A `+` that was not percent-encoded arrives as a space.
fn stepped(from: NaiveDateTime, step: &str) -> Option<NaiveDateTime> {
    const LONGEST: usize = 7;
    if step.is_empty() {
        return Some(from);
    }
    let back = match step.as_bytes()[0] {
        b'-' => true,
        b'+' | b' ' => false,
        _ => return None,
    };
    let rest = step.get(1..)?;
    let (number, unit) = rest.split_at_checked(rest.len().checked_sub(1)?)?;
    let is_number = (1..=LONGEST).contains(&number.len());
    if !is_number || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u32 = number.parse().ok()?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 7 * 86_400,
        "M" | "y" => {
            let months = Months::new(number.checked_mul(if unit == "y" { 12 } else { 1 })?);
            return match back {
                true => from.checked_sub_months(months),
                false => from.checked_add_months(months),
            };
        }
        _ => return None,
    };
    let step = TimeDelta::seconds(i64::from(number) * seconds);
    match back {
        true => from.checked_sub_signed(step),
        false => from.checked_add_signed(step),
    }
}

/// The value for `meta.filters` and for cursors. A value that depends on the clock stays as it was sent, so that the next page
/// belongs to the same list.
pub(crate) fn told(text: &str, value: &FilterValue) -> CompactString {
    match (text.strip_prefix("now"), value) {
        (Some(_), FilterValue::Timestamp(_) | FilterValue::Date(_)) => {
            text.replace(' ', "+").into()
        }
        _ => value.to_compact_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Calendar, Now, told};
    use crate::define::{Context, FilterValue};
    use crate::vocabulary::Kind;

    fn read(text: &str, kind: &Kind, offset: i32) -> Option<String> {
        let context = Context::new().with(Now("2024-03-31T23:30:00.1234567Z"
            .parse()
            .expect("a moment")));
        let value = Calendar::new(&context, offset)
            .parse(text, kind, true)
            .ok()?;
        Some(match value {
            FilterValue::Period(period) => {
                let next = period
                    .next
                    .map_or_else(String::new, |next| next.to_string());
                format!("{}..{next} ({})", period.first, period.text)
            }
            value => value.to_string(),
        })
    }

    /// Rule d150.
    #[test]
    fn moments_are_counted_from_now() {
        for (text, offset, moment, date) in [
            ("now", 0, "2024-03-31T23:30:00.123456Z", "2024-03-31"),
            ("now-7d", 0, "2024-03-24T23:30:00.123456Z", "2024-03-24"),
            ("now+1h", 0, "2024-04-01T00:30:00.123456Z", "2024-04-01"),
            ("now 1h", 0, "2024-04-01T00:30:00.123456Z", "2024-04-01"),
            ("now-90m", 0, "2024-03-31T22:00:00.123456Z", "2024-03-31"),
            ("now-10s", 0, "2024-03-31T23:29:50.123456Z", "2024-03-31"),
            ("now-1w", 0, "2024-03-24T23:30:00.123456Z", "2024-03-24"),
            // The last day of a shorter month.
            ("now-1M", 0, "2024-02-29T23:30:00.123456Z", "2024-02-29"),
            ("now-1y", 0, "2023-03-31T23:30:00.123456Z", "2023-03-31"),
            // Tomorrow there: the first of April, and a month before it the first of March.
            ("now", 120, "2024-03-31T23:30:00.123456Z", "2024-04-01"),
            ("now-1M", 120, "2024-02-29T23:30:00.123456Z", "2024-03-01"),
        ] {
            let read = |kind| read(text, &kind, offset);
            assert_eq!(read(Kind::Timestamp).as_deref(), Some(moment), "{text}");
            assert_eq!(read(Kind::Date).as_deref(), Some(date), "{text}");
        }
        for text in [
            "now-",
            "now7d",
            "now-7",
            "now-d",
            "now-7D",
            "now--7d",
            "now-7d-1h",
            "Now",
            "now-7é",
            "nowé",
            "now-99999999d",
            "now-9999999y",
            "now-3000y",
            "now+8000y",
        ] {
            assert_eq!(read(text, &Kind::Timestamp, 0), None, "{text}");
            assert_eq!(read(text, &Kind::Date, 0), None, "{text}");
        }
        assert_eq!(read("now", &Kind::Text, 0).as_deref(), Some("now"));
        assert_eq!(read("now", &Kind::Time, 0), None);
    }

    /// Rule d150.
    #[test]
    fn a_year_a_month_and_a_day_are_whole_in_the_time_zone() {
        for (text, kind, offset, whole) in [
            (
                "2025",
                Kind::Timestamp,
                0,
                "2025-01-01T00:00:00.000000Z..2026-01-01T00:00:00.000000Z (2025)",
            ),
            (
                "2025-02",
                Kind::Timestamp,
                -330,
                "2025-02-01T05:30:00.000000Z..2025-03-01T05:30:00.000000Z (2025-02)",
            ),
            (
                "2024-12",
                Kind::Date,
                120,
                "2024-12-01..2025-01-01 (2024-12)",
            ),
            ("9999", Kind::Date, 0, "9999-01-01.. (9999)"),
            (
                "9999-12",
                Kind::Timestamp,
                0,
                "9999-12-01T00:00:00.000000Z.. (9999-12)",
            ),
            ("2025-01-31", Kind::Timestamp, 0, "2025-01-31"),
            (
                "2025-01-31",
                Kind::Timestamp,
                120,
                "2025-01-30T22:00:00.000000Z..2025-01-31T22:00:00.000000Z (2025-01-31)",
            ),
            (
                "9999-12-31",
                Kind::Timestamp,
                120,
                "9999-12-30T22:00:00.000000Z..9999-12-31T22:00:00.000000Z (9999-12-31)",
            ),
            // A time of day in the zone, unless it says another.
            (
                "2025-01-31T12:00:00",
                Kind::Timestamp,
                120,
                "2025-01-31T10:00:00.000000Z",
            ),
            (
                "2025-01-31T12:00:00Z",
                Kind::Timestamp,
                120,
                "2025-01-31T12:00:00.000000Z",
            ),
            ("2025-01-31", Kind::Date, 120, "2025-01-31"),
        ] {
            assert_eq!(read(text, &kind, offset).as_deref(), Some(whole), "{text}");
        }
        for text in [
            "0000",
            "2025-13",
            "2025-00",
            "202",
            "20255",
            "2025-1",
            "2025-1-",
            "２０２５",
        ] {
            assert_eq!(read(text, &Kind::Timestamp, 0), None, "{text}");
        }
        // The year 1 begins in the year 0 of UTC.
        assert_eq!(read("0001-01", &Kind::Timestamp, 60), None);
        let context = Context::new();
        let custom = Calendar::new(&context, 0).parse("2025", &Kind::Timestamp, false);
        assert!(custom.is_err());
    }

    /// Rule d150.
    #[test]
    fn what_depends_on_the_clock_is_told_as_it_was_sent() {
        let context = Context::new();
        let calendar = Calendar::new(&context, 0);
        for (text, canonical) in [
            ("now-7d", "now-7d"),
            ("now 1h", "now+1h"),
            ("2025-01", "2025-01"),
            ("2025-01-31T12:00Z", "2025-01-31T12:00:00.000000Z"),
        ] {
            let value = calendar
                .parse(text, &Kind::Timestamp, true)
                .expect("a value");
            assert_eq!(told(text, &value), canonical);
        }
        assert_eq!(told("now", &FilterValue::Text("now".to_owned())), "now");
    }
}
