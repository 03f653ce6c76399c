//! Every kind of value is bound as SeaORM binds it: the same type, the same text, the same null.

use chrono::{DateTime, Local, NaiveDate};
use listing::{ExecuteError, ReadOptions, ReadPool};
use listing_tests::{Engine, fresh_database, on_each, run};
use sea_orm::sea_query::{ArrayType, Value};

use crate::base::rows;

fn everything(engine: Engine) -> Vec<Value> {
    let day = NaiveDate::from_ymd_opt(2024, 2, 29).unwrap();
    let moment = day.and_hms_micro_opt(3, 4, 5, 600).unwrap();
    let zoned = DateTime::parse_from_rfc3339("2024-01-02T03:04:05.120+02:00").unwrap();
    let mut values: Vec<Value> = vec![
        true.into(),
        false.into(),
        (-7_i8).into(),
        (-300_i16).into(),
        70_000_i32.into(),
        i64::MIN.into(),
        200_u8.into(),
        60_000_u16.into(),
        4_000_000_000_u32.into(),
        5_000_000_000_u64.into(),
        0.1_f32.into(),
        (-0.1_f64).into(),
        "text with ' and \u{1F980}".into(),
        "".into(),
        'c'.into(),
        vec![0_u8, 1, 255].into(),
        Vec::<u8>::new().into(),
        day.into(),
        moment.into(),
        moment.time().into(),
        zoned.into(),
        zoned.to_utc().into(),
        zoned.with_timezone(&Local).into(),
        uuid::Uuid::from_u128(0x0123_4567).into(),
        "12.50".parse::<rust_decimal::Decimal>().unwrap().into(),
        "-0.000001".parse::<rust_decimal::Decimal>().unwrap().into(),
        serde_json::json!({"a": [1, null]}).into(),
        None::<bool>.into(),
        None::<i64>.into(),
        None::<String>.into(),
        None::<Vec<u8>>.into(),
        None::<uuid::Uuid>.into(),
        None::<rust_decimal::Decimal>.into(),
        None::<NaiveDate>.into(),
    ];
    if engine == Engine::Postgres {
        let array = |of, values: Vec<Value>| Value::Array(of, Some(Box::new(values)));
        values.extend([
            array(ArrayType::BigInt, vec![1_i64.into(), 2_i64.into()]),
            array(ArrayType::Int, vec![]),
            array(ArrayType::String, vec!["a\"b".into(), "NULL".into()]),
            array(ArrayType::Uuid, vec![uuid::Uuid::nil().into()]),
            array(ArrayType::Bool, vec![true.into()]),
            array(ArrayType::ChronoDateTimeUtc, vec![zoned.to_utc().into()]),
            Value::Array(ArrayType::BigInt, None),
        ]);
    }
    values
}

#[test]
fn every_value_is_bound_as_seaorm_binds_it() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            // One connection: the same text comes with every type, and must never meet what was prepared for another.
            let reads = ReadPool::alongside(&db, ReadOptions::new().connections(1))
                .await
                .unwrap();
            let text = match engine {
                Engine::Postgres => "SELECT pg_typeof($1)::text, $1::text",
                Engine::Sqlite => "SELECT typeof(v), quote(v) FROM (SELECT ? AS v)",
                Engine::Mysql => "SELECT COLLATION(v), HEX(v) FROM (SELECT ? AS v) AS bound",
            };
            for round in 0..2 {
                for (number, value) in everything(engine).into_iter().enumerate() {
                    let fast = rows(&reads, 2, text, vec![value.clone()]).await.unwrap();
                    // SeaORM's driver keeps statements by their text alone.
                    let text = format!("{text} /* {number} */");
                    let slow = rows(&db, 2, &text, vec![value.clone()]).await.unwrap();
                    assert_eq!(fast, slow, "{engine}, {value:?}, round {round}");
                    assert_eq!(fast.len(), 1);
                }
            }
        });
    });
}

/// SeaORM's driver would panic.
#[test]
fn an_integer_that_the_database_does_not_have_is_refused() {
    on_each(|engine| {
        run(async {
            let db = fresh_database(engine).await;
            let reads = ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
            let text = match engine {
                Engine::Postgres => "SELECT $1",
                _ => "SELECT ?",
            };
            let read = rows(&reads, 1, text, vec![u64::MAX.into()]).await;
            match engine {
                Engine::Mysql => assert_eq!(read.unwrap(), [[u64::MAX.to_string()]]),
                _ => assert!(matches!(read, Err(ExecuteError::Refused(_))), "{read:?}"),
            }
            assert_eq!(
                rows(&reads, 1, text, vec![7_u64.into()]).await.unwrap(),
                [["7"]]
            );
        });
    });
}
