//! Divides and joins sums, as text: the same digits whichever database added them up (d105).
//!
//! Written by hand: the largest sums of PostgreSQL and MySQL fit in no Rust type.

use super::decimal::write_plain_text;

/// A sum, in plain digits, divided by the number of its values: six places, half away from zero. None for no value.
pub(crate) fn quotient(sum: &str, count: u64) -> Option<String> {
    const PLACES: u32 = 6;
    // One digit more decides how the last one is rounded.
    const READ: usize = 7;
    if count == 0 {
        return None;
    }
    let (sign, digits) = match sum.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", sum),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let zeros = std::iter::repeat_n(b'0', READ.saturating_sub(fraction.len()));
    let mut rest = 0_u128;
    let mut divided = |digits: &mut dyn Iterator<Item = u8>, text: &mut String| {
        for digit in digits {
            rest = rest * 10 + u128::from(digit.saturating_sub(b'0'));
            text.push_str(itoa::Buffer::new().format(rest / u128::from(count)));
            rest %= u128::from(count);
        }
    };
    let mut text = sign.to_owned();
    divided(&mut whole.bytes(), &mut text);
    text.push('.');
    divided(&mut fraction.bytes().chain(zeros), &mut text);
    let mut written = Vec::with_capacity(text.len());
    write_plain_text(&mut written, text.as_bytes(), Some(PLACES));
    String::from_utf8(written).ok()
}

/// The sum whose upper and lower 32 bits were added separately, with its decimal places.
pub(crate) fn combined(high: i64, low: i64, scale: u32) -> String {
    let sum = (i128::from(high) << 32) + i128::from(low);
    let scale = scale as usize;
    let digits = format!("{:0>width$}", sum.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let sign = if sum < 0 { "-" } else { "" };
    match fraction {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule d105.
    #[test]
    fn an_average_has_six_places_and_is_rounded_half_away_from_zero() {
        for (sum, count, right) in [
            ("10", 4, "2.500000"),
            ("1", 3, "0.333333"),
            ("2", 3, "0.666667"),
            ("-2", 3, "-0.666667"),
            ("1", 2_000_000, "0.000001"),
            ("-1", 2_000_000, "-0.000001"),
            ("1", 2_000_001, "0.000000"),
            ("-1", 2_000_001, "0.000000"),
            ("13.50", 4, "3.375000"),
            ("0.00", 7, "0.000000"),
            ("0.12345678", 1, "0.123457"),
            (
                "99999999999999999999999999999999999999999",
                1,
                "99999999999999999999999999999999999999999.000000",
            ),
            (
                "18446744073709551615",
                18_446_744_073_709_551_615,
                "1.000000",
            ),
        ] {
            assert_eq!(
                quotient(sum, count).as_deref(),
                Some(right),
                "{sum} / {count}"
            );
        }
        assert_eq!(quotient("0", 0), None);
    }

    /// Rule d105.
    #[test]
    fn a_sum_in_two_parts_is_exact_beyond_64_bits() {
        let parts = |value: i128| {
            let low = i64::try_from(value & 0xffff_ffff).unwrap();
            (i64::try_from(value >> 32).unwrap(), low)
        };
        for (value, scale, right) in [
            (0, 0, "0"),
            (0, 2, "0.00"),
            (5, 2, "0.05"),
            (-5, 2, "-0.05"),
            (12_345, 2, "123.45"),
            (-12_345, 0, "-12345"),
            (i128::from(i64::MAX) * 3, 0, "27670116110564327421"),
            (i128::from(i64::MIN) * 3, 1, "-2767011611056432742.4"),
        ] {
            let (high, low) = parts(value);
            assert_eq!(combined(high, low, scale), right);
        }
    }
}
