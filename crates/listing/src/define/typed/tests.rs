//! Tests how texts are read as values of each kind.

use super::{FilterValue, boolean};
use crate::vocabulary::Kind;

fn canonical(text: &str, kind: &Kind) -> Option<String> {
    FilterValue::parse(text, kind)
        .ok()
        .map(|value| value.canonical())
}

/// Rules d9, b16.
#[test]
fn integers() {
    for (text, right) in [
        ("5", Some("5")),
        ("-5", Some("-5")),
        ("007", Some("7")),
        ("9223372036854775807", Some("9223372036854775807")),
        ("18446744073709551615", Some("18446744073709551615")),
        ("18446744073709551616", None),
        ("-9223372036854775809", None),
        ("abc", None),
        ("1.5", None),
        ("1e3", None),
        ("+5", None),
        (" 5", None),
        ("", None),
        ("-", None),
    ] {
        assert_eq!(
            canonical(text, &Kind::Integer).as_deref(),
            right,
            "{text:?}"
        );
    }
}

/// Rule d9.
#[test]
fn booleans_in_any_case() {
    for text in ["true", "1", "T", "Yes", "ON"] {
        assert_eq!(boolean(text), Some(true), "{text}");
    }
    for text in ["false", "0", "f", "NO", "off"] {
        assert_eq!(boolean(text), Some(false), "{text}");
    }
    for text in ["", "maybe", "2", "null"] {
        assert_eq!(boolean(text), None, "{text}");
    }
}

/// Rules d9, b19.
#[test]
fn decimals_and_floats() {
    let decimal = Kind::Decimal { scale: Some(2) };
    assert_eq!(canonical("4.50", &decimal).as_deref(), Some("4.50"));
    assert_eq!(canonical("4.5", &decimal).as_deref(), Some("4.50"));
    assert_eq!(canonical("04.5000", &decimal).as_deref(), Some("4.50"));
    assert_eq!(canonical("-0.5", &decimal).as_deref(), Some("-0.50"));
    assert_eq!(canonical("-0.0", &decimal).as_deref(), Some("0.00"));
    assert_eq!(canonical("4.5010", &decimal).as_deref(), Some("4.501"));
    for text in [
        "4,5",
        "1e3",
        "NaN",
        "inf",
        ".5",
        "5.",
        "",
        "99999999999999999999999999999999",
    ] {
        assert_eq!(canonical(text, &decimal), None, "{text:?}");
    }
    assert_eq!(canonical("4.50", &Kind::Float64).as_deref(), Some("4.5"));
    assert_eq!(canonical("NaN", &Kind::Float64), None);
}

/// Rules d9, b17, b18, b645.
#[test]
fn timestamps_have_one_spelling() {
    for (text, right) in [
        ("2026-01-31", Some("2026-01-31")),
        ("2026-01-31T13:45:00Z", Some("2026-01-31T13:45:00.000000Z")),
        (
            "2026-01-31T13:45:00.5Z",
            Some("2026-01-31T13:45:00.500000Z"),
        ),
        (
            "2026-01-31T13:45:00+02:00",
            Some("2026-01-31T11:45:00.000000Z"),
        ),
        (
            "2026-01-31T13:45:00 02:00",
            Some("2026-01-31T11:45:00.000000Z"),
        ),
        (
            "2026-01-31T13:45:00-02:30",
            Some("2026-01-31T16:15:00.000000Z"),
        ),
        // b645
        (
            "2026-01-31T13:45:00.000000-0230",
            Some("2026-01-31T16:15:00.000000Z"),
        ),
        (
            "2026-01-31T13:45:00 0200",
            Some("2026-01-31T11:45:00.000000Z"),
        ),
        ("2026-01-31T13:45:00+02", None),
        ("2026-01-31T13:45:00+02000", None),
        ("2026-01-31T13:45:00+2:00", None),
        ("2026-01-31T13:45:00+0é0", None),
        ("2026-01-31T13:45:00", Some("2026-01-31T13:45:00.000000Z")),
        ("2026-01-31 13:45", Some("2026-01-31T13:45:00.000000Z")),
        (
            "2026-01-31T13:45:00.123456000Z",
            Some("2026-01-31T13:45:00.123456Z"),
        ),
        ("2026-01-31T13:45:00.1234567Z", None),
        ("2026-02-30", None),
        ("2026-1-31", None),
        ("0000-01-01", None),
        ("0001-01-01T00:00:00+05:00", None),
        ("2026-01-31T25:00:00Z", None),
        ("2026-01-31T13:45:60Z", None),
        ("2026-01-31T", None),
        ("yesterday", None),
        ("1706713500", None),
        ("", None),
        ("ééééé", None),
    ] {
        assert_eq!(
            canonical(text, &Kind::Timestamp).as_deref(),
            right,
            "{text:?}"
        );
    }
}

/// Rule d9.
#[test]
fn dates_times_uuids_and_enums() {
    assert_eq!(
        canonical("2026-01-31", &Kind::Date).as_deref(),
        Some("2026-01-31")
    );
    assert_eq!(canonical("2026-01-31T00:00:00Z", &Kind::Date), None);
    assert_eq!(canonical("13:45", &Kind::Time).as_deref(), Some("13:45:00"));
    assert_eq!(
        canonical("13:45:01.5", &Kind::Time).as_deref(),
        Some("13:45:01.500")
    );
    assert_eq!(canonical("24:00", &Kind::Time), None);
    assert_eq!(
        canonical("67E55044-10B1-426F-9247-BB680E5FE0C8", &Kind::Uuid).as_deref(),
        Some("67e55044-10b1-426f-9247-bb680e5fe0c8")
    );
    assert_eq!(canonical("67e55044", &Kind::Uuid), None);
    let variants = Kind::Enum(["tea".to_owned(), "coffee".to_owned()].into());
    assert_eq!(canonical("tea", &variants).as_deref(), Some("tea"));
    let error = FilterValue::parse("milk", &variants).unwrap_err();
    assert_eq!(error.allowed, ["tea", "coffee"]);
}
