//! The JSON that bytes from PostgreSQL must become.

use proptest::prelude::*;

use super::*;
use crate::render::error::DecodeError;
use crate::render::json;
use crate::render::scalar::Scalar;
use crate::vocabulary::Kind;

fn json_of(scalar: Result<Scalar<'_>, DecodeError>) -> String {
    let mut out = Vec::new();
    let written = scalar.and_then(|scalar| json::write(&mut out, &scalar, &Kind::Natural));
    match written {
        Ok(()) => String::from_utf8(out).unwrap(),
        Err(error) => error.to_string(),
    }
}

fn binary(oid: u32, bytes: &[u8]) -> String {
    json_of(binary::decode(Wire::of_oid(oid), bytes))
}

/// An array of `int4` or of what `oid` says, its elements given with their lengths.
fn array(oid: u32, dimensions: &[i32], elements: &[Option<&[u8]>]) -> Vec<u8> {
    let mut bytes = i32::try_from(dimensions.len())
        .unwrap()
        .to_be_bytes()
        .to_vec();
    bytes.extend(1_i32.to_be_bytes());
    bytes.extend(oid.to_be_bytes());
    for dimension in dimensions {
        bytes.extend(dimension.to_be_bytes());
        bytes.extend(1_i32.to_be_bytes());
    }
    for element in elements {
        match element {
            None => bytes.extend((-1_i32).to_be_bytes()),
            Some(element) => {
                bytes.extend(i32::try_from(element.len()).unwrap().to_be_bytes());
                bytes.extend_from_slice(element);
            }
        }
    }
    bytes
}

/// Rule d55.
#[test]
fn numbers() {
    assert_eq!(binary(16, &[1]), "true");
    assert_eq!(binary(16, &[0]), "false");
    assert_eq!(binary(21, &(-2_i16).to_be_bytes()), "-2");
    assert_eq!(binary(23, &i32::MIN.to_be_bytes()), "-2147483648");
    assert_eq!(binary(20, &i64::MAX.to_be_bytes()), "9223372036854775807");
    assert_eq!(binary(26, &u32::MAX.to_be_bytes()), "4294967295");
    assert_eq!(binary(700, &0.1_f32.to_be_bytes()), "0.1");
    assert_eq!(binary(701, &0.1_f64.to_be_bytes()), "0.1");
    assert_eq!(binary(701, &f64::NAN.to_be_bytes()), "null");
    assert_eq!(binary(790, &(-5_i64).to_be_bytes()), "\"-0.05\"");
    assert_eq!(
        binary(1700, &[0, 1, 255, 255, 0x40, 0, 0, 2, 1, 244]),
        "\"-0.05\""
    );
    assert_eq!(binary(1700, &[0, 0, 0, 0, 0xc0, 0, 0, 0]), "null");
}

/// Rules d54, b47.
#[test]
fn dates_and_times() {
    let day = 86_400_000_000_i64;
    assert_eq!(binary(1082, &(-10_957_i32).to_be_bytes()), "\"1970-01-01\"");
    assert_eq!(
        binary(1082, &(-730_119_i32).to_be_bytes()),
        "\"0001-01-01\""
    );
    assert_eq!(binary(1082, &i32::MAX.to_be_bytes()), "null");
    for oid in [1114, 1184] {
        assert_eq!(
            binary(oid, &0_i64.to_be_bytes()),
            "\"2000-01-01T00:00:00.000000Z\""
        );
        assert_eq!(
            binary(oid, &(-1_i64).to_be_bytes()),
            "\"1999-12-31T23:59:59.999999Z\""
        );
        assert_eq!(
            binary(oid, &(-10_958 * day).to_be_bytes()),
            "\"1969-12-31T00:00:00.000000Z\""
        );
        assert_eq!(
            binary(oid, &(-730_119 * day).to_be_bytes()),
            "\"0001-01-01T00:00:00.000000Z\""
        );
        assert_eq!(
            binary(oid, &(2_921_940 * day - 1).to_be_bytes()),
            "\"9999-12-31T23:59:59.999999Z\""
        );
        assert_eq!(binary(oid, &i64::MAX.to_be_bytes()), "null");
        assert_eq!(binary(oid, &i64::MIN.to_be_bytes()), "null");
    }
    assert_eq!(binary(1083, &day.to_be_bytes()), "\"24:00:00.000000\"");
    let mut with_zone = 3_723_000_001_i64.to_be_bytes().to_vec();
    with_zone.extend((-7200_i32).to_be_bytes());
    assert_eq!(binary(1266, &with_zone), "\"01:02:03.000001+02:00\"");
    let mut interval = 14_706_789_000_i64.to_be_bytes().to_vec();
    interval.extend(3_i32.to_be_bytes());
    interval.extend(14_i32.to_be_bytes());
    assert_eq!(binary(1186, &interval), "\"P1Y2M3DT4H5M6.789S\"");
}

/// Rule b55.
#[test]
fn text_json_bytes_and_addresses() {
    for oid in [18, 19, 25, 142, 705, 1042, 1043, 999_999] {
        assert_eq!(binary(oid, b"x\"\n"), "\"x\\\"\\n\"");
    }
    assert_eq!(binary(1042, b" ab  "), "\" ab\"");
    assert_eq!(binary(1042, b"   "), "\"\"");
    assert_eq!(binary(114, b" {\"a\" : [ ] }"), "{\"a\":[]}");
    assert_eq!(binary(3802, b"\x01{\"a\": 1}"), "{\"a\":1}");
    assert_eq!(binary(17, &[0, 255]), "\"AP8=\"");
    assert_eq!(
        binary(2950, &[0xab; 16]),
        "\"abababab-abab-abab-abab-abababababab\""
    );
    assert_eq!(binary(869, &[2, 32, 0, 4, 10, 0, 0, 1]), "\"10.0.0.1\"");
    assert_eq!(binary(869, &[2, 8, 0, 4, 10, 0, 0, 1]), "\"10.0.0.1/8\"");
    assert_eq!(binary(650, &[2, 32, 1, 4, 10, 0, 0, 1]), "\"10.0.0.1/32\"");
    let mut v6 = vec![3, 128, 0, 16];
    v6.extend([0; 15]);
    v6.push(1);
    assert_eq!(binary(869, &v6), "\"::1\"");
    assert_eq!(binary(829, &[8, 0, 0x2b, 1, 2, 3]), "\"08:00:2b:01:02:03\"");
    assert_eq!(binary(1560, &[0, 0, 0, 3, 0b1010_0000]), "\"101\"");
    assert_eq!(binary(1562, &[0, 0, 0, 0]), "\"\"");
    assert_eq!(binary(2278, &[]), "null");
}

#[test]
fn arrays_nest_and_hold_nulls() {
    let (one, two) = (1_i32.to_be_bytes(), 2_i32.to_be_bytes());
    let elements = [Some(&one[..]), None, Some(&two[..]), Some(&two[..])];
    assert_eq!(binary(1007, &array(23, &[], &[])), "[]");
    assert_eq!(binary(1007, &array(23, &[4], &elements)), "[1,null,2,2]");
    assert_eq!(
        binary(1007, &array(23, &[2, 2], &elements)),
        "[[1,null],[2,2]]"
    );
    assert_eq!(
        binary(1007, &array(23, &[1, 2, 2], &elements)),
        "[[[1,null],[2,2]]]"
    );
    assert_eq!(
        binary(1009, &array(25, &[1], &[Some(b"a\"b")])),
        "[\"a\\\"b\"]"
    );
    assert_eq!(
        binary(3807, &array(3802, &[1], &[Some(b"\x01{ }")])),
        "[{}]"
    );
    // An enum: only the column's type knows that its elements are text.
    let states = array(50_000, &[1], &[Some(b"new")]);
    assert_eq!(
        json_of(binary::decode(Wire::Array(Base::Text), &states)),
        "[\"new\"]"
    );
    let mut vector = vec![0, 2, 0, 0];
    vector.extend(0.1_f32.to_be_bytes());
    vector.extend((-2_f32).to_be_bytes());
    assert_eq!(
        json_of(binary::decode(Wire::One(Base::Vector), &vector)),
        "[0.1,-2.0]"
    );
}

#[test]
fn arrays_that_claim_more_than_they_hold_are_refused() {
    let one = 1_i32.to_be_bytes();
    for bytes in [
        array(23, &[i32::MAX, i32::MAX], &[Some(&one)]),
        array(23, &[2], &[Some(&one)]),
        array(23, &[0], &[]),
        array(23, &[i32::MAX, 0], &[]),
        array(23, &[1, 1, 1, 1, 1, 1, 1], &[Some(&one)]),
        array(23, &[1], &[Some(&one[..3])]),
        array(23, &[1], &[Some(&one)])[..20].to_vec(),
        vec![],
    ] {
        let error = binary(1007, &bytes);
        assert!(error.contains("malformed"), "{error}");
    }
}

/// Rule b59.
#[test]
fn types_without_a_json_form_are_named() {
    let error = binary::decode(Wire::of_oid(600), &[0; 16]).unwrap_err();
    assert_eq!(
        error.of_type("POINT").at(2).to_string(),
        "column 2 has the type POINT, which has no form in JSON: select it as text"
    );
    assert!(binary::decode(Wire::of_oid(60_000), &[0, 1]).is_err());
    assert!(binary::decode(Wire::of_oid(23), &[0; 3]).is_err());
    assert!(binary::decode(Wire::of_oid(3802), b"\x02{}").is_err());
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in any::<Vec<u8>>()) {
        let oids = (0..6000).filter(|oid| Wire::of_oid(*oid) != Wire::One(Base::Unknown));
        let mut wires: Vec<Wire> = oids.map(Wire::of_oid).collect();
        wires.extend([Wire::One(Base::Unknown), Wire::One(Base::Vector), Wire::Array(Base::Text)]);
        for wire in wires {
            if let Ok(scalar) = binary::decode(wire, &bytes) {
                json::tests::write_as_every_kind(&scalar);
            }
        }
    }

    #[test]
    fn no_array_panics(
        header in proptest::collection::vec(0_i32..4, 0..8),
        oid in prop_oneof![Just(23_u32), Just(25), Just(1700), Just(3802)],
        elements in proptest::collection::vec(proptest::option::of(any::<[u8; 4]>()), 0..8),
    ) {
        let elements: Vec<Option<&[u8]>> = elements.iter().map(|element| element.as_ref().map(<[u8; 4]>::as_slice)).collect();
        if let Ok(scalar) = binary::decode(Wire::Array(Base::Unknown), &array(oid, &header, &elements)) {
            json::tests::write_as_every_kind(&scalar);
        }
    }
}
