//! Reads how far a time zone is ahead of UTC: `+02:00`.

/// The minutes that `+02:00`, `-0230` or ` 02:00` is ahead of UTC. A `+` that was not percent-encoded arrives as a space, and
/// some clients, such as Python's `%z`, leave out the colon.
pub(crate) fn offset_minutes(text: &str) -> Option<i32> {
    let sign = match text.as_bytes().first()? {
        b'-' => -1,
        b'+' | b' ' => 1,
        _ => return None,
    };
    let digits = text.get(1..)?;
    let (hours, minutes) = match digits.len() {
        4 => (digits.get(..2)?, digits.get(2..)?),
        5 => digits.split_once(':')?,
        _ => return None,
    };
    let number = |digits: &str, end: i32| {
        let is_number = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = is_number.then(|| digits.parse().ok()).flatten();
        number.filter(|number: &i32| *number < end)
    };
    Some(sign * (number(hours, 24)? * 60 + number(minutes, 60)?))
}

#[cfg(test)]
mod tests {
    use super::offset_minutes;

    /// Rules b645, d150.
    #[test]
    fn an_offset_has_a_sign_hours_and_minutes() {
        for (text, minutes) in [
            ("+02:00", Some(120)),
            (" 02:00", Some(120)),
            ("-0230", Some(-150)),
            ("+00:00", Some(0)),
            ("+23:59", Some(1439)),
            ("+24:00", None),
            ("+02:60", None),
            ("+2:00", None),
            ("+2:000", None),
            ("02:00", None),
            ("+02", None),
            ("+0é0", None),
            ("", None),
        ] {
            assert_eq!(offset_minutes(text), minutes, "{text:?}");
        }
    }
}
