//! Reads a date, a time or a timestamp from text.
//!
//! SQLite keeps them as text in whatever form they were written: chrono's, `CURRENT_TIMESTAMP`'s or ISO 8601.

use super::calendar::{DAY, SECOND, days_from_civil};

/// Days since 1970-01-01, from `2024-01-02` or from the front of a timestamp.
pub(crate) fn parse_date(text: &[u8]) -> Option<i64> {
    let mut rest = Rest(text.trim_ascii());
    let (days, before_christ) = (rest.date()?, rest.before_christ());
    match rest.0 {
        [] | [b' ' | b'T' | b't', ..] => before_christ.apply(days),
        _ => None,
    }
}

/// Microseconds since midnight, and the offset in seconds if the text has one.
pub(crate) fn parse_time(text: &[u8]) -> Option<(i64, Option<i32>)> {
    let mut rest = Rest(text.trim_ascii());
    let negative = rest.eat(b'-');
    let micros = rest.time()?;
    let offset = rest.offset()?;
    let micros = if negative { -micros } else { micros };
    rest.0.is_empty().then_some((micros, offset))
}

/// Microseconds since the Unix epoch. Text without a zone means UTC; digits below the
/// microsecond are cut, as the drivers do when they send them to the other databases.
pub(crate) fn parse_timestamp(text: &[u8]) -> Option<i64> {
    let mut rest = Rest(text.trim_ascii());
    let Some(date) = rest.date() else {
        // SQLite's other form, kept as text by a column whose declared type says so.
        return unix_seconds(text);
    };
    let mut micros = 0;
    let mut offset = None;
    if rest.eat(b'T') || rest.eat(b't') || matches!(rest.0, [b' ', b'0'..=b'9', ..]) {
        rest.eat(b' ');
        micros = rest.time()?;
        offset = rest.offset()?;
        if micros > DAY {
            return None;
        }
    }
    let days = rest.before_christ().apply(date)?;
    if !rest.0.is_empty() {
        return None;
    }
    days.checked_mul(DAY)?
        .checked_add(micros)?
        .checked_sub(i64::from(offset.unwrap_or(0)) * SECOND)
}

/// Appends a timestamp in UTC as it is shown, if its text is the one that drivers write (`2024-01-02T03:04:05.678+00:00`):
/// most are, and need not be taken apart. The rest is for [`parse_timestamp`].
pub(crate) fn copy_timestamp(out: &mut Vec<u8>, text: &[u8]) -> bool {
    let Some((whole, rest)) = text.split_first_chunk::<19>() else {
        return false;
    };
    let Some(fraction) = rest.strip_suffix(b"+00:00") else {
        return false;
    };
    let fraction = match fraction {
        [] => fraction,
        [b'.', digits @ ..] if digits.len() <= 6 => digits,
        _ => return false,
    };
    let [
        y,
        e,
        a,
        r,
        b'-',
        m,
        n,
        b'-',
        d,
        c,
        b'T' | b' ',
        h,
        i,
        b':',
        j,
        k,
        b':',
        s,
        t,
    ] = whole
    else {
        return false;
    };
    let digits = [y, e, a, r, m, n, d, c, h, i, j, k, s, t];
    if !digits.into_iter().chain(fraction).all(u8::is_ascii_digit) {
        return false;
    }
    let two = |tens: &u8, ones: &u8| (tens - b'0') * 10 + (ones - b'0');
    // The last days of a month, which some months do not have, and the last second of a minute, which some minutes have, are
    // handled there.
    let is_usual = (1..=12).contains(&two(m, n))
        && (1..=28).contains(&two(d, c))
        && two(h, i) < 24
        && two(j, k) < 60
        && two(s, t) < 60;
    if is_usual {
        let start = out.len();
        out.extend_from_slice(whole);
        out[start + 10] = b'T';
        let mut micros = *b".000000Z";
        micros[1..=fraction.len()].copy_from_slice(fraction);
        out.extend_from_slice(&micros);
    }
    is_usual
}

fn unix_seconds(text: &[u8]) -> Option<i64> {
    let seconds: i64 = str::from_utf8(text).ok()?.parse().ok()?;
    seconds.checked_mul(SECOND)
}

/// The rest of the text.
struct Rest<'a>(&'a [u8]);

/// PostgreSQL writes the years before 1 with ` BC` at the end.
struct BeforeChrist(bool);

impl BeforeChrist {
    fn apply(&self, (year, month, day): (i64, i64, i64)) -> Option<i64> {
        days_from_civil(if self.0 { 1 - year } else { year }, month, day)
    }
}

impl Rest<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if *first == byte => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    /// A number of `least` to `most` digits.
    fn number(&mut self, least: usize, most: usize) -> Option<i64> {
        let end = self
            .0
            .iter()
            .take(most)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if end < least {
            return None;
        }
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(
            digits
                .iter()
                .fold(0, |value, digit| value * 10 + i64::from(digit - b'0')),
        )
    }

    fn date(&mut self) -> Option<(i64, i64, i64)> {
        let before = self.0;
        let date = self.year_month_day();
        if date.is_none() {
            self.0 = before;
        }
        date
    }

    fn year_month_day(&mut self) -> Option<(i64, i64, i64)> {
        let negative = self.eat(b'-');
        if !negative {
            self.eat(b'+');
        }
        let year = self.number(4, 6)?;
        let year = if negative { -year } else { year };
        let month = self.eat(b'-').then(|| self.number(1, 2))??;
        let day = self.eat(b'-').then(|| self.number(1, 2))??;
        Some((year, month, day))
    }

    fn time(&mut self) -> Option<i64> {
        let hours = self.number(1, 3)?;
        let minutes = self.eat(b':').then(|| self.number(2, 2))??;
        let seconds = if self.eat(b':') {
            self.number(2, 2)?
        } else {
            0
        };
        let mut micros = 0;
        if self.eat(b'.') || self.eat(b',') {
            let end = self
                .0
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            let (digits, rest) = self.0.split_at(end);
            let mut place = SECOND;
            for digit in digits {
                place /= 10;
                micros += i64::from(digit - b'0') * place;
            }
            self.0 = rest;
        }
        // 60 is a leap second, which counts as the next minute's first.
        if minutes > 59 || seconds > 60 {
            return None;
        }
        Some(((hours * 60 + minutes) * 60 + seconds) * SECOND + micros)
    }

    /// `None` if what follows is not an offset, `Some(None)` if nothing follows.
    #[expect(
        clippy::option_option,
        reason = "no offset and a wrong offset are different"
    )]
    fn offset(&mut self) -> Option<Option<i32>> {
        if matches!(self.0, [b' ', b'+' | b'-' | b'Z' | b'U', ..]) {
            self.eat(b' ');
        }
        if self.eat(b'Z') || self.eat(b'z') {
            return Some(Some(0));
        }
        if let Some(rest) = self.0.strip_prefix(b"UTC") {
            self.0 = rest;
            return Some(Some(0));
        }
        let sign = match self.0.first() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return Some(None),
        };
        self.0 = &self.0[1..];
        let hours = self.number(2, 2)?;
        self.eat(b':');
        let minutes = self.number(2, 2).unwrap_or(0);
        let seconds = if self.eat(b':') {
            self.number(2, 2)?
        } else {
            0
        };
        let offset = sign * ((hours * 60 + minutes) * 60 + seconds);
        Some(i32::try_from(offset).ok())
    }

    fn before_christ(&mut self) -> BeforeChrist {
        match self.0.strip_prefix(b" BC") {
            Some(rest) => {
                self.0 = rest;
                BeforeChrist(true)
            }
            None => BeforeChrist(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::render::calendar::write_timestamp;

    /// Copied text must equal the result of parsing and writing it; returns how many were copied.
    fn copied(texts: impl IntoIterator<Item = String>) -> usize {
        let mut copies = 0;
        for text in texts {
            let mut copy = Vec::new();
            if copy_timestamp(&mut copy, text.as_bytes()) {
                let mut written = Vec::new();
                write_timestamp(&mut written, parse_timestamp(text.as_bytes()).unwrap());
                assert_eq!(copy, written, "{text}");
                copies += 1;
            } else {
                assert!(copy.is_empty(), "{text}");
            }
        }
        copies
    }

    /// Rule d54.
    #[test]
    fn a_copied_timestamp_is_the_same_text() {
        let usual = ["2024-01-02T03:04:05+00:00", "0000-12-28 23:59:59.5+00:00"];
        assert_eq!(copied(usual.map(str::to_owned)), 2);
        let others = [
            "2024-01-02T03:04:05Z",
            "2024-01-02T03:04:05+01:00",
            "2024-02-29T03:04:05+00:00",
            "2024-02-30T03:04:05+00:00",
            "2024-00-02T03:04:05+00:00",
            "2024-01-00T03:04:05+00:00",
            "2024-13-02T03:04:05+00:00",
            "2024-01-02T24:04:05+00:00",
            "2024-01-02T03:60:05+00:00",
            "2024-01-02T03:04:60+00:00",
            "2024-01-02T03:04:05.1234567+00:00",
            "2024-01-02T03:04:05.x+00:00",
            "2024-01-02x03:04:05+00:00",
            "2024-01-0:T03:04:05+00:00",
            "",
        ];
        assert_eq!(copied(others.map(str::to_owned)), 0);
        // Every place of one, with every byte that may matter.
        let text = "2024-01-02T03:04:05.678901+00:00";
        let changed = (0..text.len()).flat_map(|at| {
            "/019:-. +TZ"
                .chars()
                .map(move |byte| [&text[..at], &byte.to_string(), &text[at + 1..]].concat())
        });
        assert!(copied(changed) > 50);
    }

    /// Rule d54.
    #[test]
    fn every_stored_form_is_the_same_instant() {
        let instant = 1_704_164_645_000_000;
        for (text, micros) in [
            ("2024-01-02T03:04:05Z", 0),
            ("2024-01-02 03:04:05", 0),
            ("2024-01-02 03:04:05.123456", 123_456),
            ("2024-01-02T03:04:05.123456+00:00", 123_456),
            ("2024-01-02T03:04:05.123456789+00:00", 123_456),
            ("2024-01-02 03:04:05.5 UTC", 500_000),
            ("2024-01-02 05:04:05+02", 0),
            ("2024-01-02 05:04:05 +02:00", 0),
            ("2024-01-01T21:34:05-0530", 0),
            ("2024-01-02 04:23:37+01:19:32", 0),
            ("1704164645", 0),
        ] {
            assert_eq!(
                parse_timestamp(text.as_bytes()),
                Some(instant + micros),
                "{text}"
            );
        }
        assert_eq!(parse_timestamp(b"1970-01-01"), Some(0));
        assert_eq!(parse_timestamp(b"1970-01-01 00:01"), Some(60 * SECOND));
        assert_eq!(
            parse_timestamp(b"0044-03-15 00:00:00 BC"),
            parse_timestamp(b"-0043-03-15")
        );
        for text in [
            "",
            "x",
            "2024-1",
            "2024-13-01",
            "2023-02-29",
            "2024-01-02T",
            "infinity",
            "2024-01-02 03:04:05x",
            "2024-01-02 03:60:05",
            "2024-01-02 25:00:00",
            "0000-00-00",
        ] {
            assert_eq!(parse_timestamp(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn dates_and_times() {
        assert_eq!(parse_date(b"1970-01-02"), Some(1));
        assert_eq!(parse_date(b"1970-01-02 03:04:05"), Some(1));
        assert_eq!(parse_date(b"1970-01-02x"), None);
        assert_eq!(parse_date(b"0001-01-01 BC"), days_from_civil(0, 1, 1));
        assert_eq!(parse_time(b"01:02:03.5"), Some((3_723_500_000, None)));
        assert_eq!(parse_time(b"-838:59:59"), Some((-3_020_399_000_000, None)));
        assert_eq!(
            parse_time(b"01:02:03+01:30"),
            Some((3_723_000_000, Some(5400)))
        );
        assert_eq!(parse_time(b"1:2"), None);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[-+0-9: TZ.BCU]{0,40}", bytes in any::<Vec<u8>>()) {
            for text in [text.as_bytes(), &bytes] {
                let _ = (parse_date(text), parse_time(text), parse_timestamp(text));
            }
        }

        #[test]
        fn what_is_written_can_be_read(micros in -62_135_596_800_000_000_i64..=253_402_300_799_999_999) {
            let mut out = Vec::new();
            write_timestamp(&mut out, micros);
            prop_assert_eq!(parse_timestamp(&out), Some(micros));
        }
    }
}
