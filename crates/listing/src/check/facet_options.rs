//! Checks the options of a facet: how many values, their order, or the calendar unit (d97, d101, d103).

use super::CheckError;
use crate::define::{FacetBy, WhitelistFacet};
use crate::request::{AskedFacet, AskedSort};
use crate::vocabulary::{CalendarUnit, Kind, SortDirection};

/// Selects the values of a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueOptions {
    pub(crate) limit: u64,
    pub(crate) sort: FacetSort,
    pub(crate) direction: SortDirection,
    /// The text to find in labels and values, in lower case.
    pub(crate) search: Option<String>,
}

impl ValueOptions {
    /// Whether labels decide which values are shown, so the labels of all values are needed.
    pub(crate) fn need_labels(&self) -> bool {
        self.sort == FacetSort::Label || self.search.is_some()
    }
}

/// The order of a facet's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FacetSort {
    Count,
    Label,
    Value,
}

/// How the moments of a facet are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CalendarOptions {
    pub(crate) unit: CalendarUnit,
    /// Minutes east of Greenwich.
    pub(crate) offset: i32,
    /// Whether the column holds dates.
    pub(crate) dates: bool,
}

/// Refuses options that the facet does not have.
pub(super) fn check(facet: &WhitelistFacet, asked: &AskedFacet) -> Result<(), CheckError> {
    let of_values = [
        ("limit", asked.limit.is_some()),
        ("sort", asked.sort.is_some()),
        ("search", asked.search.is_some()),
    ];
    let of_calendars = [
        ("unit", asked.unit.is_some()),
        ("offset", asked.offset.is_some()),
    ];
    let (refused, allowed): (&[_], &[&str]) = match facet.by {
        FacetBy::Values(_) | FacetBy::Relation { .. } => {
            (&of_calendars, &["limit", "sort", "search"])
        }
        FacetBy::Calendar(_) => (&of_values, &["unit", "offset"]),
        FacetBy::Range(_) => match of_values.iter().find(|(_, is_sent)| *is_sent) {
            Some(_) => (&of_values, &[]),
            None => (&of_calendars, &[]),
        },
    };
    match refused.iter().find(|(_, is_sent)| *is_sent) {
        None => Ok(()),
        Some((option, _)) => Err(CheckError::facet_option(&facet.key, option, "", allowed)),
    }
}

pub(super) fn of_values(
    facet: &WhitelistFacet,
    asked: &AskedFacet,
) -> Result<ValueOptions, CheckError> {
    let most = WhitelistFacet::MOST_VALUES;
    let limit = asked.limit.unwrap_or(facet.limit);
    if limit > most {
        let (token, allowed) = (limit.to_string(), format!("a number from 1 to {most}"));
        return Err(CheckError::facet_option(
            &facet.key,
            "limit",
            &token,
            &[&allowed],
        ));
    }
    let (sort, direction) = match &asked.sort {
        None => (FacetSort::Count, SortDirection::Desc),
        Some(AskedSort { name, direction }) => {
            let sort = match name.as_str() {
                "count" => FacetSort::Count,
                "label" => FacetSort::Label,
                "value" => FacetSort::Value,
                other => {
                    let allowed = ["count", "label", "value"];
                    return Err(CheckError::facet_option(
                        &facet.key, "sort", other, &allowed,
                    ));
                }
            };
            (sort, *direction)
        }
    };
    Ok(ValueOptions {
        limit,
        sort,
        direction,
        search: asked.search.as_ref().map(|text| text.to_lowercase()),
    })
}

pub(super) fn of_calendar(
    facet: &WhitelistFacet,
    asked: &AskedFacet,
    kind: &Kind,
) -> Result<CalendarOptions, CheckError> {
    let dates = *kind == Kind::Date;
    let (unit, offset) = (asked.unit.as_deref(), asked.offset.as_deref());
    Ok(CalendarOptions {
        unit: calendar_unit(&facet.key, unit, dates)?,
        offset: match offset {
            None => 0,
            Some(text) if dates => {
                return Err(CheckError::facet_option(&facet.key, "offset", text, &[]));
            }
            Some(text) => minutes(text).ok_or_else(|| {
                let allowed = ["`Z`", "an offset such as `+02:00`"];
                CheckError::facet_option(&facet.key, "offset", text, &allowed)
            })?,
        },
        dates,
    })
}

/// The unit with this name; months by default. Dates do not have hours.
pub(super) fn calendar_unit(
    key: &str,
    asked: Option<&str>,
    dates: bool,
) -> Result<CalendarUnit, CheckError> {
    let Some(text) = asked else {
        return Ok(CalendarUnit::Month);
    };
    let is_there = |unit: &CalendarUnit| !dates || *unit != CalendarUnit::Hour;
    CalendarUnit::from_wire(text)
        .filter(is_there)
        .ok_or_else(|| {
            let all = CalendarUnit::ALL.into_iter().filter(is_there);
            let allowed: Vec<_> = all.map(CalendarUnit::wire).collect();
            CheckError::facet_option(key, "unit", text, &allowed)
        })
}

/// `+02:00`, `-0330` or `Z`, in minutes. A `+` that was not percent-encoded arrives as a space.
fn minutes(text: &str) -> Option<i32> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' | b' ' => 1,
        b'-' => -1,
        _ => return None,
    };
    let clock = text.get(1..)?;
    let (hours, rest) = (clock.get(..2)?, clock.get(2..)?);
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let number = |digits: &str| -> Option<i32> {
        let is_pair = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_pair.then(|| digits.parse().ok())?
    };
    let (hours, minutes) = (number(hours)?, number(rest)?);
    (hours <= 18 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

#[cfg(test)]
mod tests {
    use super::minutes;

    /// Rule d103.
    #[test]
    fn an_offset_is_read_in_minutes() {
        for (text, right) in [
            ("+02:00", Some(120)),
            (" 02:00", Some(120)),
            ("-03:30", Some(-210)),
            ("+0545", Some(345)),
            ("Z", Some(0)),
            ("+19:00", None),
            ("02:00", None),
            ("+2:00", None),
            ("+02:60", None),
            ("Europe/Berlin", None),
            ("+é", None),
        ] {
            assert_eq!(minutes(text), right, "{text:?}");
        }
    }
}
