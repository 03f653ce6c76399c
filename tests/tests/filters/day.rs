//! A date alone stands for the whole UTC day, in every operator (d9).

use chrono::{DateTime, NaiveDate, Utc};
use listing_tests::on_each_database;
use serde_json::{Value, json};

use crate::articles::{asked, assert_some, living};
use crate::bench::on_each_bench;
use crate::samples::{Entity, rows};

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// A day with several articles.
fn busy_day() -> NaiveDate {
    let days: Vec<_> = living().map(|row| row.created_at.date_naive()).collect();
    let several = |day: &&NaiveDate| days.iter().filter(|other| other == day).count() > 1;
    *days.iter().filter(several).nth(20).unwrap()
}

/// Rule d9.
#[test]
fn a_date_alone_is_its_whole_day_in_every_comparison() {
    let day = busy_day();
    type Holds = fn(NaiveDate, NaiveDate) -> bool;
    let operators: [(&str, Holds); 6] = [
        ("$eq", |a, b| a == b),
        ("$ne", |a, b| a != b),
        ("$lt", |a, b| a < b),
        ("$lte", |a, b| a <= b),
        ("$gt", |a, b| a > b),
        ("$gte", |a, b| a >= b),
    ];
    on_each_database(async |service| {
        for (operator, holds) in operators {
            let query = format!("filters[created_at][{operator}]={day}");
            let reply = asked(service, &query).await;
            assert_some(&reply, &query, |row| {
                holds(row.created_at.date_naive(), day)
            });
            // It is told as it was sent: as a day.
            assert_eq!(reply.meta()["filters"][0]["value"], day.to_string());
        }
    });
}

/// Rules d9, d28.
#[test]
fn between_two_dates_has_both_days_in_full() {
    let (first, last) = (busy_day(), date("2024-12-31"));
    on_each_database(async |service| {
        let query = format!(
            "filters[created_at][$between][0]={first}&filters[created_at][$between][1]={last}"
        );
        assert_some(&asked(service, &query).await, &query, |row| {
            (first..=last).contains(&row.created_at.date_naive())
        });
        // One day alone.
        let query = format!(
            "filters[created_at][$between][0]={first}&filters[created_at][$between][1]={first}"
        );
        assert_some(&asked(service, &query).await, &query, |row| {
            row.created_at.date_naive() == first
        });
        // A day and a moment.
        let noon: DateTime<Utc> = "2024-12-31T12:00:00Z".parse().unwrap();
        let query = format!(
            "filters[created_at][$between][0]={first}&filters[created_at][$between][1]=2024-12-31T12:00:00Z"
        );
        assert_some(&asked(service, &query).await, &query, |row| {
            row.created_at.date_naive() >= first && row.created_at <= noon
        });
    });
}

/// Which samples have a moment on one of these days; the row of nulls has none.
fn on_days(days: &[&str], of: fn(&crate::samples::Model) -> Option<NaiveDate>) -> Vec<i64> {
    let days: Vec<_> = days.iter().map(|day| date(day)).collect();
    let rows = rows();
    let on = rows
        .iter()
        .filter(|row| of(row).is_some_and(|day| days.contains(&day)));
    on.map(|row| row.id).collect()
}

/// Rules d9, d27.
#[test]
fn days_in_a_list_are_whole_days() {
    type Of = fn(&crate::samples::Model) -> Option<NaiveDate>;
    let columns: [(&str, Of); 2] = [
        ("moment", |row| row.moment.map(|moment| moment.date_naive())),
        ("local", |row| row.local.map(|moment| moment.date())),
    ];
    on_each_bench(async |bench| {
        for (column, of) in columns {
            for days in [
                &["2024-02-29"][..],
                &["2024-02-29", "2024-03-01"],
                &["9999-12-31"],
                &["1000-01-01", "9999-12-31", "2024-02-28"],
                &["2030-01-01"],
            ] {
                let expected = on_days(days, of);
                let reply = bench
                    .post::<Entity>(&json!({ column: { "$in": days } }))
                    .await;
                assert_eq!(reply.ids(), expected, "{column} $in {days:?}");
                // Nulls are not on any of them (d25).
                let others: Vec<i64> = (1..=6).filter(|id| !expected.contains(id)).collect();
                let reply = bench
                    .post::<Entity>(&json!({ column: { "$notIn": days } }))
                    .await;
                assert_eq!(reply.ids(), others, "{column} $notIn {days:?}");
            }
        }
    });
}

/// Rules d9, d27.
#[test]
fn days_and_moments_mix_in_a_list() {
    on_each_bench(async |bench| {
        let both = json!([
            "2024-02-29",
            "2024-03-01T00:00:00Z",
            "2024-02-28T23:59:59.999998Z"
        ]);
        let reply = bench
            .post::<Entity>(&json!({ "moment": { "$in": both } }))
            .await;
        assert_eq!(reply.ids(), [1, 2]);
        let values: Vec<Value> = reply.meta()["filters"]
            .as_array()
            .unwrap()
            .iter()
            .map(|filter| filter["value"].clone())
            .collect();
        assert_eq!(
            values,
            [
                "2024-02-29",
                "2024-03-01T00:00:00.000000Z",
                "2024-02-28T23:59:59.999998Z"
            ]
        );
        let reply = bench
            .post::<Entity>(&json!({ "moment": { "$notIn": both } }))
            .await;
        assert_eq!(reply.ids(), [3, 4, 5, 6]);
    });
}

/// The first and the last microsecond belong to the day, their neighbours do not. Nulls count as not equal only.
/// Rules d9, d25.
#[test]
fn the_bounds_of_a_day_are_exact() {
    on_each_bench(async |bench| {
        for (operator, expected) in [
            ("$eq", &[1_i64][..]),
            ("$ne", &[2, 3, 4, 5, 6]),
            ("$lt", &[3, 5]),
            ("$lte", &[1, 3, 5]),
            ("$gt", &[2, 4]),
            ("$gte", &[1, 2, 4]),
        ] {
            let reply = bench
                .post::<Entity>(&json!({ "moment": { operator: "2024-02-29" } }))
                .await;
            assert_eq!(reply.ids(), expected, "{operator}");
        }
        // The calendar's last day has no next one.
        for (operator, expected) in [
            ("$eq", &[4_i64][..]),
            ("$ne", &[1, 2, 3, 5, 6]),
            ("$lt", &[1, 2, 3, 5]),
            ("$lte", &[1, 2, 3, 4, 5]),
            ("$gt", &[]),
            ("$gte", &[4]),
        ] {
            for column in ["moment", "local"] {
                let reply = bench
                    .post::<Entity>(&json!({ column: { operator: "9999-12-31" } }))
                    .await;
                assert_eq!(reply.ids(), expected, "{column} {operator}");
            }
        }
    });
}

/// In a column of dates a date is just a date.
/// Rule d9.
#[test]
fn a_date_in_a_column_of_dates_is_that_date() {
    on_each_bench(async |bench| {
        for (operator, expected) in [
            ("$eq", &[1_i64][..]),
            ("$lt", &[3, 5]),
            ("$lte", &[1, 3, 5]),
            ("$gt", &[2, 4]),
        ] {
            let reply = bench
                .post::<Entity>(&json!({ "day": { operator: "2024-02-29" } }))
                .await;
            assert_eq!(reply.ids(), expected, "{operator}");
        }
    });
}
