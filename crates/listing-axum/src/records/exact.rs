//! Refuses numbers inside JSON that would lose digits on their way into a column (b251).
//!
//! SeaORM keeps JSON as `serde_json::Value`, whose numbers are 64-bit integers and floats. Its feature
//! `arbitrary_precision` would keep every digit, but in the whole program of every application: it changes how numbers are
//! read into types that have nothing to do with this.

use std::borrow::Cow;

/// Fails with the expected JSON if one of its numbers would be stored inexactly.
pub(super) fn check(json: &str) -> Result<(), Cow<'static, str>> {
    let lost = numbers(json).find(|number| !is_kept(number));
    lost.map_or(Ok(()), |number| {
        let shown: String = number.chars().take(40).collect();
        Err(format!(
            "JSON whose numbers fit into 64 bits; {shown} would lose digits (send it as a string)"
        )
        .into())
    })
}

/// Every number in valid JSON.
fn numbers(json: &str) -> impl Iterator<Item = &str> {
    let (mut in_text, mut escaped) = (false, false);
    // Texts count as separators here, like everything that is not part of a number.
    json.split(move |character: char| {
        let was_in_text = in_text;
        match character {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            _ => {}
        }
        was_in_text || in_text || !matches!(character, '0'..='9' | '.' | '-' | '+' | 'e' | 'E')
    })
    .filter(|token| token.bytes().any(|byte| byte.is_ascii_digit()))
}

fn is_kept(number: &str) -> bool {
    if number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok() {
        return true;
    }
    let Ok(float) = number.parse::<f64>() else {
        return false;
    };
    float.is_finite() && Digits::of(number) == Digits::of(&format!("{float:e}"))
}

/// A number as its digits, without zeros at either end, and the power of ten of the last of them.
#[derive(Debug, PartialEq, Eq)]
struct Digits {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Digits {
    /// Returns `None` if the exponent is out of any reasonable range.
    fn of(number: &str) -> Option<Self> {
        let (negative, number) = number
            .strip_prefix('-')
            .map_or((false, number), |number| (true, number));
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut exponent: i64 = exponent.parse().ok()?;
        exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
        let all = format!("{whole}{fraction}");
        let digits = all.trim_end_matches('0');
        exponent = exponent.checked_add(i64::try_from(all.len() - digits.len()).ok()?)?;
        let digits = digits.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            // A zero has neither sign nor size.
            return Some(Self {
                negative: false,
                digits,
                exponent: 0,
            });
        }
        Some(Self {
            negative,
            digits,
            exponent,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b251.
    #[test]
    fn numbers_in_json_keep_their_digits_or_are_refused() {
        for kept in [
            "{}",
            "[1, -2, 0, -0, 0.0, 1.10, 1e3, 1E+3, 0.1, 4.5, 18446744073709551615]",
            "9007199254740993",
            "-9223372036854775808",
            "1.7976931348623157e308",
            "123456789.12345678",
            "100000000000000000000000",
            r#"{"a": "12345678901234567.89", "b\"12345678901234567.89": 1}"#,
            "null",
            "true",
        ] {
            assert_eq!(check(kept), Ok(()), "{kept}");
        }
        for (lost, number) in [
            (r#"{"a": 12345678901234567.89}"#, "12345678901234567.89"),
            (r#"["\\", 0.1234567890123456789]"#, "0.1234567890123456789"),
            ("[18446744073709551617]", "18446744073709551617"),
            ("[[1e400]]", "1e400"),
            ("[1e-400]", "1e-400"),
            ("-1.00000000000000000001", "-1.00000000000000000001"),
        ] {
            let told = check(lost).unwrap_err();
            assert!(told.contains(&format!("; {number} would lose")), "{told}");
        }
    }
}
