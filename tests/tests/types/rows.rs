//! Three rows, typical, extreme and empty, and the JSON that they must give.

use sea_orm::prelude::Uuid;
use serde_json::json;

use crate::entity::{Model, State};

pub(crate) fn typical() -> Model {
    Model {
        id: 1,
        code: Some("ab".to_owned()),
        title: Some("A \"title\"\n\\ \u{1} é 🦀".to_owned()),
        body: Some(String::new()),
        tiny: Some(-5),
        small: Some(300),
        medium: Some(-70_000),
        big: Some(9_007_199_254_740_993),
        tiny_unsigned: Some(200),
        small_unsigned: Some(60_000),
        medium_unsigned: Some(4_000_000_000),
        big_unsigned: Some(5_000_000_000),
        single: Some(0.1),
        double: Some(0.1),
        price: Some("12.5".parse().unwrap()),
        cost: Some("1234.56".parse().unwrap()),
        local: Some("2024-01-02T03:04:05.123456".parse().unwrap()),
        stamp: Some("2024-01-02T03:04:05".parse().unwrap()),
        zoned: Some("2024-01-02T05:04:05.120+02:00".parse().unwrap()),
        utc: Some("2024-01-02T03:04:05.000001Z".parse().unwrap()),
        day: Some("2024-02-29".parse().unwrap()),
        clock: Some("03:04:05.5".parse().unwrap()),
        large_bytes: Some(vec![0, 1, 2, 255]),
        fixed_bytes: Some(vec![1, 2, 3, 4]),
        some_bytes: Some(b"text".to_vec()),
        flag: Some(true),
        // In the order of JSONB: SeaORM sends even a JSON value as that.
        data: Some(json!({"a": {"é": "x\ny"}, "b": [1, 2.5, null]})),
        more_data: Some(json!({"a": true})),
        token: Some("01234567-89ab-cdef-0123-456789abcdef".parse().unwrap()),
        state: Some(State::SoldOut),
    }
}

pub(crate) const TYPICAL: &str = concat!(
    r#"{"id":1,"code":"ab","title":"A \"title\"\n\\ \u0001 é 🦀","body":"","tiny":-5,"small":300,"#,
    r#""medium":-70000,"big":9007199254740993,"tiny_unsigned":200,"small_unsigned":60000,"#,
    r#""medium_unsigned":4000000000,"big_unsigned":5000000000,"single":0.1,"double_value":0.1,"#,
    r#""price":"12.5000","cost":"1234.56","local":"2024-01-02T03:04:05.123456Z","#,
    r#""stamp":"2024-01-02T03:04:05.000000Z","zoned":"2024-01-02T03:04:05.120000Z","#,
    r#""utc":"2024-01-02T03:04:05.000001Z","day":"2024-02-29","clock":"03:04:05.500000","#,
    r#""large_bytes":"AAEC/w==","fixed_bytes":"AQIDBA==","some_bytes":"dGV4dA==","flag":true,"#,
    r#""data":{"a":{"é":"x\ny"},"b":[1,2.5,null]},"more_data":{"a":true},"#,
    r#""token":"01234567-89ab-cdef-0123-456789abcdef","state":"sold out""#
);

pub(crate) fn extreme() -> Model {
    Model {
        id: i64::MIN,
        code: Some("abcdef".to_owned()),
        title: Some("\u{7f}\u{2028}\t".to_owned()),
        body: Some("x".repeat(10_000)),
        tiny: Some(-128),
        small: Some(i16::MIN),
        medium: Some(i32::MIN),
        big: Some(i64::MAX),
        tiny_unsigned: Some(u8::MAX),
        small_unsigned: Some(u16::MAX),
        medium_unsigned: Some(u32::MAX),
        big_unsigned: Some(i64::MAX.cast_unsigned()),
        single: Some(f32::MAX),
        double: Some(-f64::MAX),
        price: Some("-9999999999.9999".parse().unwrap()),
        cost: Some("-0.05".parse().unwrap()),
        local: Some("9999-12-31T23:59:59.999999".parse().unwrap()),
        // As far as MySQL's TIMESTAMP reaches.
        stamp: Some("1970-01-01T00:00:01".parse().unwrap()),
        zoned: Some("2038-01-19T03:14:07Z".parse().unwrap()),
        utc: Some("1999-12-31T23:59:59.999999Z".parse().unwrap()),
        day: Some("1000-01-01".parse().unwrap()),
        clock: Some("23:59:59.999999".parse().unwrap()),
        large_bytes: Some(vec![]),
        fixed_bytes: Some(vec![255; 4]),
        some_bytes: Some(vec![0; 16]),
        flag: Some(false),
        data: Some(json!([])),
        more_data: Some(json!("just \"text\"")),
        token: Some(Uuid::nil()),
        state: Some(State::New),
    }
}

pub(crate) fn extreme_json() -> String {
    [
        r#"{"id":-9223372036854775808,"code":"abcdef","title":""#,
        "\u{7f}\u{2028}\\t",
        r#"","body":""#,
        &"x".repeat(10_000),
        r#"","tiny":-128,"small":-32768,"medium":-2147483648,"big":9223372036854775807,"#,
        r#""tiny_unsigned":255,"small_unsigned":65535,"medium_unsigned":4294967295,"#,
        r#""big_unsigned":9223372036854775807,"single":3.4028235e+38,"#,
        r#""double_value":-1.7976931348623157e+308,"price":"-9999999999.9999","cost":"-0.05","#,
        r#""local":"9999-12-31T23:59:59.999999Z","stamp":"1970-01-01T00:00:01.000000Z","#,
        r#""zoned":"2038-01-19T03:14:07.000000Z","utc":"1999-12-31T23:59:59.999999Z","#,
        r#""day":"1000-01-01","clock":"23:59:59.999999","large_bytes":"","#,
        r#""fixed_bytes":"/////w==","some_bytes":"AAAAAAAAAAAAAAAAAAAAAA==","flag":false,"#,
        r#""data":[],"more_data":"just \"text\"","#,
        r#""token":"00000000-0000-0000-0000-000000000000","state":"new""#,
    ]
    .concat()
}

pub(crate) fn empty() -> Model {
    Model {
        id: 0,
        code: None,
        title: None,
        body: None,
        tiny: None,
        small: None,
        medium: None,
        big: None,
        tiny_unsigned: None,
        small_unsigned: None,
        medium_unsigned: None,
        big_unsigned: None,
        single: None,
        double: None,
        price: None,
        cost: None,
        local: None,
        stamp: None,
        zoned: None,
        utc: None,
        day: None,
        clock: None,
        large_bytes: None,
        fixed_bytes: None,
        some_bytes: None,
        flag: None,
        data: None,
        more_data: None,
        token: None,
        state: None,
    }
}
