//! Writes dates, times and timestamps from days and microseconds: the same text on every database (d54).
//!
//! Written by hand: most rows hold a timestamp or two, and a formatter costs more than everything else in the row.

/// Microseconds.
pub(crate) const SECOND: i64 = 1_000_000;
pub(crate) const DAY: i64 = 86_400 * SECOND;

/// `YYYY-MM-DD`, from days since 1970-01-01.
pub(crate) fn write_date(out: &mut Vec<u8>, days: i64) {
    let usual = u32::try_from(days.saturating_add(BEFORE_1970));
    if let Some(days) = usual.ok().filter(|days| *days < FOUR_DIGITS) {
        out.extend_from_slice(&date_digits(days));
        return;
    }
    let (year, month, day) = civil(days);
    let [m, d] = [two(month), two(day)];
    if (0..=9999).contains(&year) {
        // The first two months of the year 0.
        let [a, b] = [two(year / 100), two(year % 100)];
        out.extend_from_slice(&[a[0], a[1], b[0], b[1], b'-', m[0], m[1], b'-', d[0], d[1]]);
    } else {
        // RFC 3339 ends at 9999: from there the form with a sign and six digits, which
        // JavaScript's `Date` reads.
        out.push(if year < 0 { b'-' } else { b'+' });
        let mut buffer = itoa::Buffer::new();
        let digits = buffer.format(year.unsigned_abs()).as_bytes();
        out.extend(core::iter::repeat_n(
            b'0',
            6_usize.saturating_sub(digits.len()),
        ));
        out.extend_from_slice(digits);
        out.extend_from_slice(&[b'-', m[0], m[1], b'-', d[0], d[1]]);
    }
}

/// `HH:MM:SS.ffffff`, and the offset if there is one.
pub(crate) fn write_time(out: &mut Vec<u8>, micros: i64, offset: Option<i32>) {
    if micros < 0 {
        out.push(b'-');
    }
    let micros = micros.unsigned_abs();
    let (seconds, fraction) = (micros / 1_000_000, (micros % 1_000_000).cast_signed());
    let hours = seconds / 3600;
    if hours > 99 {
        // Only MySQL's TIME, which is a span of up to 838 hours.
        out.extend_from_slice(itoa::Buffer::new().format(hours).as_bytes());
    } else {
        out.extend_from_slice(&two(hours.cast_signed()));
    }
    let [m, s] = [seconds / 60 % 60, seconds % 60].map(|value| two(value.cast_signed()));
    let [a, b, c] = [fraction / 10_000, fraction / 100 % 100, fraction % 100].map(two);
    out.extend_from_slice(&[
        b':', m[0], m[1], b':', s[0], s[1], b'.', a[0], a[1], b[0], b[1], c[0], c[1],
    ]);
    match offset {
        None => {}
        Some(0) => out.push(b'Z'),
        Some(offset) => {
            let seconds = i64::from(offset.unsigned_abs());
            let [h, m, s] = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(two);
            let sign = if offset < 0 { b'-' } else { b'+' };
            out.extend_from_slice(&[sign, h[0], h[1], b':', m[0], m[1]]);
            // As PostgreSQL writes it; there were such offsets before there were zones.
            if seconds % 60 != 0 {
                out.extend_from_slice(&[b':', s[0], s[1]]);
            }
        }
    }
}

/// `YYYY-MM-DDTHH:MM:SS.ffffffZ`, from microseconds since the Unix epoch.
pub(crate) fn write_timestamp(out: &mut Vec<u8>, micros: i64) {
    // Nearly all of them, with one copy. What is before the first day is a very large number here.
    let day = DAY.cast_unsigned();
    let usual = micros.wrapping_add(BEFORE_1970 * DAY).cast_unsigned();
    if usual < u64::from(FOUR_DIGITS) * day {
        let mut text = *b"YYYY-MM-DDTHH:MM:SS.ffffffZ";
        #[expect(clippy::cast_possible_truncation, reason = "less than the bound")]
        let days = (usual / day) as u32;
        text[..10].copy_from_slice(&date_digits(days));
        text[11..26].copy_from_slice(&time_digits(usual % day));
        out.extend_from_slice(&text);
        return;
    }
    write_date(out, micros.div_euclid(DAY));
    out.push(b'T');
    write_time(out, micros.rem_euclid(DAY), Some(0));
}

/// From 0000-03-01, on which the years of the algorithms below begin, to 1970-01-01.
const BEFORE_1970: i64 = 719_468;

/// From there to the first year that has five digits.
const FOUR_DIGITS: u32 = 3_652_365;

/// `YYYY-MM-DD` of a day since 0000-03-01 whose year has four digits (after Neri and Schneider, "Euclidean affine functions":
/// multiplications where others divide).
#[expect(clippy::cast_possible_truncation, reason = "the halves of a product")]
fn date_digits(days: u32) -> [u8; 10] {
    let quarters = 4 * days + 3;
    let (century, day_of_century) = (quarters / 146_097, quarters % 146_097 / 4);
    let product = u64::from(4 * day_of_century + 3) * 2_939_745;
    let year_of_century = (product >> 32) as u32;
    let day_of_year = product as u32 / 2_939_745 / 4;
    let months = 2_141 * day_of_year + 197_913;
    let (month, day) = (months >> 16, (months & 0xffff) / 2_141 + 1);
    // January and February belong to the next year.
    let is_next = day_of_year >= 306;
    let month = if is_next { month - 12 } else { month };
    let year = 100 * century + year_of_century + u32::from(is_next);
    let [[a, b], [c, d], [m, n], [x, y]] =
        [year / 100, year % 100, month, day].map(|value| two(value.into()));
    [a, b, c, d, b'-', m, n, b'-', x, y]
}

/// `HH:MM:SS.ffffff` of the microseconds of a day.
#[expect(clippy::cast_possible_truncation, reason = "a day has few seconds")]
fn time_digits(micros: u64) -> [u8; 15] {
    let seconds = (micros / 1_000_000) as u32;
    let fraction = (micros % 1_000_000) as u32;
    let minutes = seconds / 60;
    let clock = [minutes / 60, minutes % 60, seconds % 60];
    let [[h, i], [m, n], [s, t]] = clock.map(|value| two(value.into()));
    let pairs = [fraction / 10_000, fraction / 100 % 100, fraction % 100];
    let [[a, b], [c, d], [e, f]] = pairs.map(|value| two(value.into()));
    [h, i, b':', m, n, b':', s, t, b'.', a, b, c, d, e, f]
}

/// An ISO 8601 duration, each part with its own sign as PostgreSQL's `iso_8601` style has it.
pub(crate) fn write_interval(out: &mut Vec<u8>, months: i32, days: i32, micros: i64) {
    fn part(out: &mut Vec<u8>, value: i64, unit: u8) {
        if value != 0 {
            out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
            out.push(unit);
        }
    }
    if months == 0 && days == 0 && micros == 0 {
        out.extend_from_slice(b"PT0S");
        return;
    }
    out.push(b'P');
    part(out, i64::from(months / 12), b'Y');
    part(out, i64::from(months % 12), b'M');
    part(out, i64::from(days), b'D');
    if micros == 0 {
        return;
    }
    out.push(b'T');
    part(out, micros / (3600 * SECOND), b'H');
    part(out, micros / (60 * SECOND) % 60, b'M');
    let (seconds, fraction) = (micros / SECOND % 60, micros % SECOND);
    if fraction == 0 {
        part(out, seconds, b'S');
        return;
    }
    // Here the sign would be lost with a whole part of 0.
    if micros < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(
        itoa::Buffer::new()
            .format(seconds.unsigned_abs())
            .as_bytes(),
    );
    out.push(b'.');
    let mut digits = fraction.unsigned_abs();
    let mut place = 100_000;
    while digits > 0 {
        out.push(b'0' + u8::try_from(digits / place).unwrap_or(0));
        digits %= place;
        place /= 10;
    }
    out.push(b'S');
}

/// Two digits of a number that has no more.
fn two(value: i64) -> [u8; 2] {
    let value = usize::try_from(value).unwrap_or(0);
    *TWO_DIGITS.get(value).unwrap_or(b"00")
}

/// From `00` to `99`: a division by ten for each would cost more.
static TWO_DIGITS: [[u8; 2]; 100] = {
    let mut all = [[b'0'; 2]; 100];
    let mut tens = 0;
    while tens < 10 {
        let mut ones = 0;
        while ones < 10 {
            all[tens as usize * 10 + ones as usize] = [b'0' + tens, b'0' + ones];
            ones += 1;
        }
        tens += 1;
    }
    all
};

/// Year, month and day of a number of days since 1970-01-01, in the Gregorian calendar
/// (after Howard Hinnant's `civil_from_days`: eras of 400 years that begin on 1 March).
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// Days since 1970-01-01, if the day exists.
pub(crate) fn days_from_civil(year: i64, month: i64, day: i64) -> Option<i64> {
    // Far beyond every database; keeps the arithmetic below from overflowing.
    if !(-1_000_000..=1_000_000).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1..=last).contains(&day) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn timestamp(micros: i64) -> String {
        let mut out = Vec::new();
        write_timestamp(&mut out, micros);
        String::from_utf8(out).unwrap()
    }

    /// Rules d54, b46.
    #[test]
    fn six_digits_and_z_in_every_century() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
            (1_704_164_645_123_456, "2024-01-02T03:04:05.123456Z"),
            (946_684_799_999_999, "1999-12-31T23:59:59.999999Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (-62_135_596_800_000_000, "0001-01-01T00:00:00.000000Z"),
            (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
            (-62_162_035_200_000_001, "0000-02-29T23:59:59.999999Z"),
            (-62_162_035_200_000_000, "0000-03-01T00:00:00.000000Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
            (253_402_300_800_000_000, "+010000-01-01T00:00:00.000000Z"),
            (-62_198_755_200_000_000, "-000001-01-01T00:00:00.000000Z"),
        ] {
            assert_eq!(timestamp(micros), text);
        }
    }

    /// Rule b45.
    #[test]
    fn times_and_their_offsets() {
        let time = |micros, offset| {
            let mut out = Vec::new();
            write_time(&mut out, micros, offset);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(time(DAY, None), "24:00:00.000000");
        assert_eq!(
            time(-(838 * 3600 + 59 * 60 + 59) * SECOND, None),
            "-838:59:59.000000"
        );
        assert_eq!(time(1, Some(0)), "00:00:00.000001Z");
        assert_eq!(time(0, Some(-19_800)), "00:00:00.000000-05:30");
        assert_eq!(time(0, Some(4_772)), "00:00:00.000000+01:19:32");
        assert_eq!(time(0, Some(-1)), "00:00:00.000000-00:00:01");
        assert_eq!(time(i64::MIN, Some(i32::MIN)).chars().next(), Some('-'));
    }

    /// Rule b49.
    #[test]
    fn intervals_are_iso_8601() {
        for (months, days, micros, text) in [
            (0, 0, 0, "PT0S"),
            (14, 3, 14_706_789_000, "P1Y2M3DT4H5M6.789S"),
            (-14, 0, 0, "P-1Y-2M"),
            (0, -3, -500_000, "P-3DT-0.5S"),
            (0, 0, -90 * SECOND, "PT-1M-30S"),
            (0, 0, 1, "PT0.000001S"),
        ] {
            let mut out = Vec::new();
            write_interval(&mut out, months, days, micros);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }

    /// Rule d54.
    #[test]
    fn every_day_of_four_digits_is_the_same_in_both_ways() {
        for days in 0..FOUR_DIGITS {
            let (year, month, day) = civil(i64::from(days) - BEFORE_1970);
            let [century, of_century, month, day] = [year / 100, year % 100, month, day].map(two);
            let expected = [&century[..], &of_century, b"-", &month, b"-", &day].concat();
            assert_eq!(date_digits(days)[..], expected);
        }
    }

    proptest! {
        #[test]
        fn every_instant_reads_as_chrono_writes_it(micros in -62_135_596_800_000_000_i64..=253_402_300_799_999_999) {
            let instant = sea_orm::prelude::ChronoDateTimeUtc::from_timestamp_micros(micros).unwrap();
            prop_assert_eq!(timestamp(micros), instant.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string());
        }

        #[test]
        fn days_go_both_ways(days in -100_000_000_i64..100_000_000) {
            let (year, month, day) = civil(days);
            prop_assert_eq!(days_from_civil(year, month, day), Some(days));
        }

        #[test]
        fn no_number_panics(a in any::<i64>(), b in any::<i32>(), c in any::<i32>()) {
            let mut out = Vec::new();
            write_timestamp(&mut out, a);
            write_date(&mut out, a);
            write_time(&mut out, a, Some(b));
            write_interval(&mut out, b, c, a);
            prop_assert!(out.is_ascii());
        }
    }
}
