//! Tests the JSON of values of every form and every kind.

use std::borrow::Cow;

use proptest::prelude::*;

use super::*;
use crate::render::decimal::Decimal;

fn json(scalar: &Scalar<'_>, kind: &Kind) -> String {
    let mut out = Vec::new();
    write(&mut out, scalar, kind).unwrap();
    String::from_utf8(out).unwrap()
}

/// For the tests of the decoders: whatever they give must become JSON, as whatever kind.
pub(crate) fn write_as_every_kind(scalar: &Scalar<'_>) {
    for kind in every_kind() {
        let mut out = Vec::new();
        if write(&mut out, scalar, &kind).is_ok() {
            // Not as a value: a decimal can have more digits than a number of serde_json holds.
            let parsed: Result<Box<serde_json::value::Value>, _> = serde_json::from_slice(&out);
            if let Err(error) = parsed {
                let text = String::from_utf8_lossy(&out);
                let too_much = error.to_string();
                assert!(
                    too_much.contains("out of range") || too_much.contains("recursion limit"),
                    "{kind:?} of {scalar:?}: {error}: {text}"
                );
            }
        }
    }
}

fn every_kind() -> Vec<Kind> {
    vec![
        Kind::Integer,
        Kind::IntegerText,
        Kind::Float32,
        Kind::Float64,
        Kind::Decimal { scale: None },
        Kind::Decimal { scale: Some(3) },
        Kind::Boolean,
        Kind::Text,
        Kind::Uuid,
        Kind::Date,
        Kind::Time,
        Kind::Timestamp,
        Kind::Json,
        Kind::Enum(["a".to_owned()].into()),
        Kind::Binary,
        Kind::Bits { length: None },
        Kind::Bits { length: Some(5) },
        Kind::Array(Box::new(Kind::Integer)),
        Kind::Natural,
    ]
}

fn text(text: &str) -> Scalar<'_> {
    Scalar::text(text.as_bytes())
}

fn decimal(text: &str) -> Scalar<'_> {
    Scalar::Decimal(Decimal::Text(Cow::Borrowed(text.as_bytes())))
}

#[test]
fn null_is_null_as_every_kind() {
    for kind in every_kind() {
        assert_eq!(json(&Scalar::Null, &kind), "null");
    }
}

/// Rules d55, b54.
#[test]
fn integers() {
    for (scalar, number) in [
        (Scalar::Int(i64::MIN), "-9223372036854775808"),
        (Scalar::UInt(u64::MAX), "18446744073709551615"),
        (Scalar::Bool(true), "1"),
        (Scalar::F64(3.0), "3"),
        (Scalar::F64(2.5), "2.5"),
        (Scalar::F64(1e20), "100000000000000000000"),
        (decimal("45"), "45"),
        (decimal("45.00"), "45"),
        (text("007"), "7"),
        (
            Scalar::Bits {
                length: None,
                bytes: &[1, 2],
            },
            "258",
        ),
    ] {
        assert_eq!(json(&scalar, &Kind::Integer), number);
        assert_eq!(json(&scalar, &Kind::IntegerText), format!("\"{number}\""));
    }
    assert_eq!(json(&Scalar::F64(f64::NAN), &Kind::Integer), "null");
    assert_eq!(json(&decimal("NaN"), &Kind::IntegerText), "null");
    assert_eq!(json(&text("seven"), &Kind::Integer), "\"seven\"");
    assert_eq!(json(&text("seven"), &Kind::IntegerText), "\"seven\"");
}

/// Rule d55.
#[test]
fn floats_have_the_digits_of_their_width() {
    let tenth = f64::from(0.1_f32);
    assert_eq!(json(&Scalar::F64(tenth), &Kind::Float32), "0.1");
    assert_eq!(json(&Scalar::F32(0.1), &Kind::Float32), "0.1");
    assert_eq!(json(&Scalar::F32(0.1), &Kind::Natural), "0.1");
    assert_eq!(json(&Scalar::F64(0.1), &Kind::Float64), "0.1");
    assert_eq!(json(&Scalar::Int(1), &Kind::Float64), "1.0");
    assert_eq!(json(&decimal("1.50"), &Kind::Float64), "1.5");
    assert_eq!(json(&Scalar::F64(1e300), &Kind::Float32), "1e+300");
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(json(&Scalar::F64(value), &Kind::Float64), "null");
        assert_eq!(json(&Scalar::F64(value), &Kind::Float32), "null");
        assert_eq!(
            json(&Scalar::F64(value), &Kind::Decimal { scale: None }),
            "null"
        );
        assert_eq!(json(&Scalar::F64(value), &Kind::Natural), "null");
        assert_eq!(json(&Scalar::F64(value), &Kind::Text), "null");
    }
}

/// Rule d55.
#[test]
fn decimals_are_strings_with_their_scale() {
    let two = Kind::Decimal { scale: Some(2) };
    for scalar in [
        decimal("12.50"),
        decimal("12.5"),
        text("12.5"),
        Scalar::F64(12.5),
        Scalar::F32(12.5),
    ] {
        assert_eq!(json(&scalar, &two), "\"12.50\"");
    }
    assert_eq!(json(&Scalar::Int(-12), &two), "\"-12.00\"");
    assert_eq!(json(&Scalar::UInt(12), &two), "\"12.00\"");
    assert_eq!(json(&decimal("12.50"), &Kind::Natural), "\"12.50\"");
    assert_eq!(json(&decimal("NaN"), &two), "null");
    assert_eq!(json(&decimal("?"), &two), "null");
    assert_eq!(json(&text("a lot"), &two), "\"a lot\"");
}

#[test]
fn booleans_of_every_database() {
    for scalar in [
        Scalar::Bool(true),
        Scalar::Int(1),
        Scalar::UInt(2),
        Scalar::F64(1.0),
        text("t"),
        text("TRUE"),
        decimal("1"),
        Scalar::Bits {
            length: None,
            bytes: &[1],
        },
    ] {
        assert_eq!(json(&scalar, &Kind::Boolean), "true", "{scalar:?}");
    }
    for scalar in [
        Scalar::Bool(false),
        Scalar::Int(0),
        text("false"),
        text("0"),
        decimal("0.0"),
    ] {
        assert_eq!(json(&scalar, &Kind::Boolean), "false", "{scalar:?}");
    }
    assert_eq!(json(&text("maybe"), &Kind::Boolean), "\"maybe\"");
}

#[test]
fn text_of_whatever_is_stored() {
    assert_eq!(json(&Scalar::Int(5), &Kind::Text), "\"5\"");
    assert_eq!(json(&Scalar::Bool(true), &Kind::Text), "\"true\"");
    assert_eq!(
        json(&Scalar::bytes(b"a\xffb"), &Kind::Text),
        "\"a\u{fffd}b\""
    );
    assert_eq!(json(&Scalar::bytes(b"a"), &Kind::Natural), "\"YQ==\"");
    assert_eq!(
        json(&Scalar::Json(Cow::Borrowed(b"{}")), &Kind::Text),
        "\"{}\""
    );
    assert_eq!(json(&Scalar::Date(0), &Kind::Text), "\"1970-01-01\"");
    let state = Kind::Enum(["new".to_owned()].into());
    assert_eq!(json(&text("new"), &state), "\"new\"");
}

/// Rule d41.
#[test]
fn uuids_are_lower_case_from_bytes_and_text() {
    let bytes: [u8; 16] = core::array::from_fn(|index| 0xa0 + u8::try_from(index).unwrap());
    let expected = "\"a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\"";
    for scalar in [
        Scalar::Uuid(bytes),
        Scalar::bytes(&bytes),
        text("A0A1A2A3-A4A5-A6A7-A8A9-AAABACADAEAF"),
        text("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"),
    ] {
        assert_eq!(json(&scalar, &Kind::Uuid), expected);
    }
    assert_eq!(
        json(&text("sixteen letters."), &Kind::Uuid),
        "\"sixteen letters.\""
    );
}

/// Rule b186.
#[test]
fn numbers_are_moments_of_this_calendar() {
    for number in [1_704_164_645, 1_704_164_645_000, 1_704_164_645_000_000] {
        assert_eq!(
            json(&Scalar::Int(number), &Kind::Timestamp),
            "\"2024-01-02T03:04:05.000000Z\"",
            "{number}"
        );
    }
    assert_eq!(
        json(&Scalar::Int(253_402_300_799), &Kind::Timestamp),
        "\"9999-12-31T23:59:59.000000Z\""
    );
    assert_eq!(
        json(&Scalar::Int(253_402_300_800), &Kind::Timestamp),
        "\"1978-01-11T21:31:40.800000Z\""
    );
    assert_eq!(
        json(&Scalar::Int(-1_000), &Kind::Timestamp),
        "\"1969-12-31T23:43:20.000000Z\""
    );
}

/// Rules d54, b58.
#[test]
fn timestamps_from_every_storage() {
    let expected = "\"2024-01-02T03:04:05.000000Z\"";
    for scalar in [
        Scalar::Timestamp(1_704_164_645_000_000),
        text("2024-01-02 03:04:05"),
        text("2024-01-02T05:04:05+02:00"),
        Scalar::Int(1_704_164_645),
        Scalar::F64(2_460_311.627_835_648),
    ] {
        assert_eq!(json(&scalar, &Kind::Timestamp), expected, "{scalar:?}");
    }
    assert_eq!(
        json(&Scalar::Date(1), &Kind::Timestamp),
        "\"1970-01-02T00:00:00.000000Z\""
    );
    assert_eq!(json(&Scalar::Timestamp(-1), &Kind::Date), "\"1969-12-31\"");
    assert_eq!(
        json(&Scalar::Timestamp(-1), &Kind::Time),
        "\"23:59:59.999999\""
    );
    assert_eq!(json(&text("1970-01-02"), &Kind::Date), "\"1970-01-02\"");
    assert_eq!(json(&text("01:02:03"), &Kind::Time), "\"01:02:03.000000\"");
    assert_eq!(json(&text("soon"), &Kind::Timestamp), "\"soon\"");
    assert_eq!(json(&Scalar::F64(f64::NAN), &Kind::Timestamp), "null");
}

/// Rule b52.
#[test]
fn json_is_copied_and_what_is_not_json_is_a_string() {
    for scalar in [
        Scalar::Json(Cow::Borrowed(b" [1, 2] ")),
        text(" [1, 2] "),
        Scalar::bytes(b"[1,2]"),
    ] {
        assert_eq!(json(&scalar, &Kind::Json), "[1,2]");
        assert_eq!(
            json(&scalar, &Kind::Array(Box::new(Kind::Integer))),
            "[1,2]"
        );
    }
    assert_eq!(json(&text("{oops"), &Kind::Json), "\"{oops\"");
    assert_eq!(
        json(&Scalar::Json(Cow::Borrowed(b"{oops")), &Kind::Natural),
        "\"{oops\""
    );
}

/// Rules b50, b51.
#[test]
fn binary_and_bits() {
    assert_eq!(json(&Scalar::bytes(&[0, 255]), &Kind::Binary), "\"AP8=\"");
    assert_eq!(json(&text("a"), &Kind::Binary), "\"YQ==\"");
    let five = Kind::Bits { length: Some(5) };
    assert_eq!(
        json(
            &Scalar::Bits {
                length: Some(3),
                bytes: &[0xa0]
            },
            &five
        ),
        "\"101\""
    );
    assert_eq!(
        json(
            &Scalar::Bits {
                length: None,
                bytes: &[5]
            },
            &five
        ),
        "\"00101\""
    );
    assert_eq!(json(&text("00101"), &five), "\"00101\"");
}

proptest! {
    /// Rule d55.
    #[test]
    fn floats_are_as_serde_json_writes_them(wide in any::<f64>(), narrow in any::<f32>()) {
        prop_assert_eq!(json(&Scalar::F64(wide), &Kind::Float64), serde_json::to_string(&wide).unwrap());
        prop_assert_eq!(json(&Scalar::F32(narrow), &Kind::Float32), serde_json::to_string(&narrow).unwrap());
        prop_assert_eq!(
            json(&Scalar::F64(f64::from(narrow)), &Kind::Float32),
            serde_json::to_string(&narrow).unwrap()
        );
    }

    #[test]
    fn no_value_breaks_the_json(
        bytes in any::<Vec<u8>>(), a in any::<i64>(), b in any::<i32>(), c in any::<i32>(), d in any::<f64>(),
        length in proptest::option::of(0_usize..100),
    ) {
        let scalars = [
            Scalar::Int(a),
            Scalar::UInt(a.cast_unsigned()),
            Scalar::F64(d),
            Scalar::text(&bytes),
            Scalar::bytes(&bytes),
            Scalar::Json(Cow::Borrowed(&bytes)),
            Scalar::Decimal(Decimal::Text(Cow::Borrowed(&bytes))),
            Scalar::Decimal(Decimal::Cents(a)),
            Scalar::Bits { length, bytes: &bytes },
            Scalar::Date(a),
            Scalar::Timestamp(a),
            Scalar::Time { micros: a, offset: Some(b) },
            Scalar::Interval { months: b, days: c, micros: a },
        ];
        for scalar in &scalars {
            write_as_every_kind(scalar);
        }
    }
}
