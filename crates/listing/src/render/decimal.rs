//! Writes a decimal as plain text with the scale that was defined (d55).
//!
//! Written by hand: the largest decimals of PostgreSQL and MySQL fit in no Rust type, so none is used on the way.

use std::borrow::Cow;

#[cfg(feature = "postgres")]
use super::postgres::numeric::Numeric;

/// A decimal, borrowed from the wire.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decimal<'r> {
    Text(Cow<'r, [u8]>),
    #[cfg(feature = "postgres")]
    Numeric(Numeric<'r>),
    /// PostgreSQL's `money`.
    #[cfg(feature = "postgres")]
    Cents(i64),
}

/// The result of writing a decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plain {
    /// Its digits are written.
    Written,
    /// NaN or infinite: nothing is written.
    NotFinite,
    /// Not a number at all: nothing is written.
    NotANumber,
}

impl Decimal<'_> {
    /// Appends the digits, rounded or padded to `scale`, without quotes and exponent.
    pub(crate) fn write_plain(&self, out: &mut Vec<u8>, scale: Option<u32>) -> Plain {
        match self {
            Self::Text(text) => write_plain_text(out, text, scale),
            #[cfg(feature = "postgres")]
            Self::Numeric(numeric) if !numeric.is_finite() => Plain::NotFinite,
            #[cfg(feature = "postgres")]
            Self::Numeric(numeric) if scale.is_none_or(|scale| scale == numeric.scale()) => {
                numeric.write(out);
                Plain::Written
            }
            #[cfg(feature = "postgres")]
            Self::Numeric(numeric) => {
                let mut text = Vec::new();
                numeric.write(&mut text);
                write_plain_text(out, &text, scale)
            }
            #[cfg(feature = "postgres")]
            Self::Cents(cents) => {
                let mut buffer = itoa::Buffer::new();
                let shifted = [buffer.format(*cents).as_bytes(), b"e-2"].concat();
                write_plain_text(out, &shifted, scale)
            }
        }
    }
}

/// Appends a float's shortest digits as a decimal: what SQLite makes of one.
pub(crate) fn write_plain_float(out: &mut Vec<u8>, value: f64, scale: Option<u32>) -> Plain {
    if !value.is_finite() {
        return Plain::NotFinite;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value);
    // A whole number says nothing about its scale.
    let text = text.strip_suffix(".0").unwrap_or(text);
    write_plain_text(out, text.as_bytes(), scale)
}

/// Appends a decimal text as plain digits, rounded (half away from zero, as the databases do)
/// or padded to `scale`.
pub(crate) fn write_plain_text(out: &mut Vec<u8>, text: &[u8], scale: Option<u32>) -> Plain {
    if is_plain(text, scale) {
        out.extend_from_slice(text);
        return Plain::Written;
    }
    let Some(parts) = Parts::of(text) else {
        return match text.to_ascii_lowercase().as_slice() {
            b"nan" | b"inf" | b"-inf" | b"infinity" | b"-infinity" => Plain::NotFinite,
            _ => Plain::NotANumber,
        };
    };
    let own_scale = parts.scale();
    match scale.map_or(Some(own_scale), |scale| usize::try_from(scale).ok()) {
        Some(scale) if scale <= MOST_DIGITS => {
            parts.write(out, scale);
            Plain::Written
        }
        _ => Plain::NotANumber,
    }
}

/// Whether the text can be copied as it is, which is what MySQL sends for a declared scale.
fn is_plain(text: &[u8], scale: Option<u32>) -> bool {
    let whole = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let fraction = match &text[whole..] {
        [] => 0,
        [b'.', fraction @ ..] if fraction.iter().all(u8::is_ascii_digit) => fraction.len(),
        _ => return false,
    };
    let has_point = text.len() > whole;
    let leading_zero = whole > 1 && text[0] == b'0';
    whole > 0
        && !leading_zero
        && has_point == (fraction > 0)
        && scale.is_none_or(|scale| scale as usize == fraction)
}

/// More digits than any database has on one side of the point; keeps `1e999999999` small.
const MOST_DIGITS: usize = 20_000;

struct Parts<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: isize,
}

impl<'a> Parts<'a> {
    fn of(text: &'a [u8]) -> Option<Self> {
        let (negative, text) = match text.split_first() {
            Some((b'-', rest)) => (true, rest),
            Some((b'+', rest)) => (false, rest),
            _ => (false, text),
        };
        let (digits, exponent): (_, isize) =
            match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
                None => (text, 0),
                Some(at) => (
                    &text[..at],
                    str::from_utf8(&text[at + 1..]).ok()?.parse().ok()?,
                ),
            };
        let (whole, fraction) = match digits.iter().position(|byte| *byte == b'.') {
            None => (digits, &digits[digits.len()..]),
            Some(at) => (&digits[..at], &digits[at + 1..]),
        };
        let all_digits = whole.iter().chain(fraction).all(u8::is_ascii_digit);
        let any = !(whole.is_empty() && fraction.is_empty());
        let small = exponent.unsigned_abs() <= MOST_DIGITS
            && whole.len() <= 10 * MOST_DIGITS
            && fraction.len() <= MOST_DIGITS;
        (all_digits && any && small).then_some(Self {
            negative,
            whole,
            fraction,
            exponent,
        })
    }

    /// Digits after the point, once there is no exponent.
    fn scale(&self) -> usize {
        usize::try_from(self.fraction.len().cast_signed() - self.exponent).unwrap_or(0)
    }

    /// The digit at a place counted from the first one given; zeros stand on both sides.
    fn digit(&self, place: isize) -> u8 {
        usize::try_from(place).map_or(b'0', |place| {
            let fraction = place.wrapping_sub(self.whole.len());
            let digit = self
                .whole
                .get(place)
                .or_else(|| self.fraction.get(fraction));
            digit.copied().unwrap_or(b'0')
        })
    }

    fn write(&self, out: &mut Vec<u8>, scale: usize) {
        let point = self.whole.len().cast_signed() + self.exponent;
        let end = point + scale.cast_signed();
        let first = (0..point)
            .find(|place| self.digit(*place) != b'0')
            .unwrap_or(point);
        let start = out.len();
        if first == point {
            out.push(b'0');
        }
        out.extend((first..point).map(|place| self.digit(place)));
        if scale > 0 {
            out.push(b'.');
            out.extend((point..end).map(|place| self.digit(place)));
        }
        if self.digit(end) >= b'5' {
            increment(out, start);
        }
        let zero = out[start..].iter().all(|byte| matches!(byte, b'0' | b'.'));
        if self.negative && !zero {
            out.insert(start, b'-');
        }
    }
}

/// Adds one to the last digit of the number that begins at `start`.
fn increment(out: &mut Vec<u8>, start: usize) {
    for digit in out[start..].iter_mut().rev() {
        match digit {
            b'.' => {}
            b'9' => *digit = b'0',
            _ => {
                *digit += 1;
                return;
            }
        }
    }
    out.insert(start, b'1');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(text: &str, scale: Option<u32>) -> String {
        let mut out = b"#".to_vec();
        match write_plain_text(&mut out, text.as_bytes(), scale) {
            Plain::Written => String::from_utf8(out[1..].to_vec()).unwrap(),
            other => format!("{other:?}"),
        }
    }

    /// Rules d55, b53.
    #[test]
    fn decimals_keep_their_scale() {
        for (text, scale, expected) in [
            ("12.5", Some(2), "12.50"),
            ("12.50", None, "12.50"),
            ("12.50", Some(0), "13"),
            ("-0.05", Some(2), "-0.05"),
            ("-0.001", Some(2), "0.00"),
            ("0", Some(2), "0.00"),
            ("000012.5", None, "12.5"),
            (".5", Some(1), "0.5"),
            ("5.", Some(1), "5.0"),
            ("9.995", Some(2), "10.00"),
            ("-99.95", Some(1), "-100.0"),
            ("2.675", Some(2), "2.68"),
            ("1e21", None, "1000000000000000000000"),
            ("1.5e-7", None, "0.00000015"),
            ("1.5e-7", Some(3), "0.000"),
            ("5e-4", Some(3), "0.001"),
            ("5e-5", Some(3), "0.000"),
            ("1e3", Some(2), "1000.00"),
            (
                "12345678901234567890.123456789",
                Some(9),
                "12345678901234567890.123456789",
            ),
            ("1e999999999", None, "NotANumber"),
            ("1e99999", Some(1), "NotANumber"),
            ("NaN", None, "NotFinite"),
            ("-Infinity", Some(2), "NotFinite"),
            ("", None, "NotANumber"),
            (".", None, "NotANumber"),
            ("1,5", None, "NotANumber"),
            ("1", Some(u32::MAX), "NotANumber"),
        ] {
            assert_eq!(plain(text, scale), expected, "{text} at {scale:?}");
        }
    }

    /// Rules d55, b53.
    #[test]
    fn floats_and_cents_become_decimals() {
        let float = |value, scale| {
            let mut out = Vec::new();
            assert_eq!(write_plain_float(&mut out, value, scale), Plain::Written);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(float(0.1 + 0.2, Some(2)), "0.30");
        assert_eq!(float(1.0, None), "1");
        assert_eq!(float(1.0, Some(4)), "1.0000");
        assert_eq!(float(1e22, Some(1)), "10000000000000000000000.0");
        let cents = |cents, scale| {
            let mut out = Vec::new();
            Decimal::Cents(cents).write_plain(&mut out, scale);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(cents(-5, None), "-0.05");
        assert_eq!(cents(123_456, Some(4)), "1234.5600");
        assert_eq!(cents(i64::MIN, None), "-92233720368547758.08");
    }

    proptest! {
        #[test]
        fn any_number_keeps_its_value(whole in any::<i64>(), fraction in "[0-9]{1,12}") {
            let text = format!("{whole}.{fraction}");
            prop_assert_eq!(plain(&text, None), text.clone());
            let longer = u32::try_from(fraction.len()).unwrap() + 2;
            let padded = format!("{text}00");
            prop_assert_eq!(plain(&text, Some(longer)), padded);
        }

        #[test]
        fn no_text_panics(text in "[-+0-9.eE]{0,20}", scale in proptest::option::of(0_u32..40)) {
            plain(&text, scale);
        }
    }
}
