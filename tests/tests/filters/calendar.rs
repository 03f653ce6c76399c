//! Moments that are counted from now, whole months and years, and days of a time zone (d150).

use std::cmp::Ordering;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use listing::{Context, Now};
use serde_json::json;

use crate::articles::encoded;
use crate::bench::{Bench, on_each_bench};
use crate::samples::{Entity, Model, rows};

const NOW: &str = "2024-03-01T00:00:00Z";

/// Whether an order is one that an operator finds.
type Finds = fn(Ordering) -> bool;

const OPERATORS: [(&str, Finds); 9] = [
    ("$eq", Ordering::is_eq),
    ("$in", Ordering::is_eq),
    ("$ne", Ordering::is_ne),
    ("$notIn", Ordering::is_ne),
    ("$lt", Ordering::is_lt),
    ("$lte", Ordering::is_le),
    ("$gt", Ordering::is_gt),
    ("$gte", Ordering::is_ge),
    ("$between", Ordering::is_eq),
];

fn moment(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// Where a value is, compared with all from the first to the next.
fn place<T: Ord>(value: &T, first: &T, next: Option<&T>) -> Ordering {
    match next {
        _ if value < first => Ordering::Less,
        Some(next) if value >= next => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

async fn found(bench: &Bench, column: &str, operator: &str, text: &str, zone: &str) -> Vec<i64> {
    let text = encoded(text);
    let key = format!("filters[{column}][{operator}]");
    let filter = match operator {
        "$between" => format!("{key}[]={text}&{key}[]={text}"),
        "$in" | "$notIn" => format!("{key}[]={text}"),
        _ => format!("{key}={text}"),
    };
    let query = format!("{filter}&sort=id&timezone={}", encoded(zone));
    let context = Context::new().with(Now(moment(NOW)));
    let ids = bench.get_as::<Entity>(&query, context.clone()).await.ids();
    // Its complement, whatever is null.
    let negated = query.replacen("filters", "filters[$not]", 2);
    let negated = match operator {
        "$between" => negated,
        _ => query.replacen("filters", "filters[$not]", 1),
    };
    let others = bench.get_as::<Entity>(&negated, context).await.ids();
    let mut all: Vec<_> = ids.iter().chain(&others).copied().collect();
    all.sort_unstable();
    assert_eq!(all, [1, 2, 3, 4, 5, 6], "{negated}");
    ids
}

fn expected(
    holds: fn(Ordering) -> bool,
    operator: &str,
    of: impl Fn(&Model) -> Option<Ordering>,
) -> Vec<i64> {
    let without_value = matches!(operator, "$ne" | "$notIn");
    let rows = rows();
    let rows = rows.iter();
    let rows = rows.filter(|row| of(row).map_or(without_value, holds));
    rows.map(|row| row.id).collect()
}

/// Rules d150, d67.
#[test]
fn months_years_and_moments_from_now_hold_in_every_operator() {
    let micro = TimeDelta::microseconds(1);
    let whole = |text: &'static str, zone: &'static str, first: &str, next: &str| {
        let next = (!next.is_empty()).then(|| moment(next));
        (text, zone, moment(first), next)
    };
    let one = |text: &'static str, zone: &'static str, at: &str| {
        (text, zone, moment(at), Some(moment(at) + micro))
    };
    let values = [
        whole("2024", "", "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"),
        whole(
            "2024-02",
            "Z",
            "2024-02-01T00:00:00Z",
            "2024-03-01T00:00:00Z",
        ),
        whole(
            "2024-02",
            "+00:30",
            "2024-01-31T23:30:00Z",
            "2024-02-29T23:30:00Z",
        ),
        whole(
            "2024-03",
            "-11:00",
            "2024-03-01T11:00:00Z",
            "2024-04-01T11:00:00Z",
        ),
        whole(
            "2024-02-29",
            "+02:00",
            "2024-02-28T22:00:00Z",
            "2024-02-29T22:00:00Z",
        ),
        whole(
            "2024-02-29",
            "-02:00",
            "2024-02-29T02:00:00Z",
            "2024-03-01T02:00:00Z",
        ),
        whole("9999", "", "9999-01-01T00:00:00Z", ""),
        whole("1000", "", "1000-01-01T00:00:00Z", "1001-01-01T00:00:00Z"),
        one("now", "", NOW),
        one("now-1s", "", "2024-02-29T23:59:59Z"),
        one("now+1M", "+05:00", "2024-04-01T00:00:00Z"),
        one("now-1y", "", "2023-03-01T00:00:00Z"),
        one("2024-03-01T02:00:00", "+02:00", NOW),
        one("2024-03-01T00:00:00Z", "+02:00", NOW),
    ];
    on_each_bench(async |bench| {
        for (text, zone, first, next) in &values {
            for (operator, holds) in OPERATORS {
                let of = |at: Option<DateTime<Utc>>| Some(place(&at?, first, next.as_ref()));
                let right = expected(holds, operator, |row| of(row.moment));
                let ids = found(bench, "moment", operator, text, zone).await;
                assert_eq!(ids, right, "moment {operator} {text} {zone}");
                let right = expected(holds, operator, |row| of(row.local.map(|at| at.and_utc())));
                let ids = found(bench, "local", operator, text, zone).await;
                assert_eq!(ids, right, "local {operator} {text} {zone}");
            }
        }
    });
}

/// Rule d150.
#[test]
fn a_column_of_dates_takes_months_years_and_the_day_of_now() {
    let date = |text: &str| text.parse::<NaiveDate>().unwrap();
    let values = [
        ("2024", "", "2024-01-01", "2025-01-01"),
        ("2024-02", "+02:00", "2024-02-01", "2024-03-01"),
        ("now", "", "2024-03-01", "2024-03-02"),
        // Still yesterday there.
        ("now", "-02:00", "2024-02-29", "2024-03-01"),
        ("now-1d", "", "2024-02-29", "2024-03-01"),
    ];
    on_each_bench(async |bench| {
        for (text, zone, first, next) in values {
            for (operator, holds) in OPERATORS {
                let right = expected(holds, operator, |row| {
                    Some(place(&row.day?, &date(first), Some(&date(next))))
                });
                let ids = found(bench, "day", operator, text, zone).await;
                assert_eq!(ids, right, "{operator} {text} {zone}");
            }
        }
    });
}

/// Rule d150.
#[test]
fn what_depends_on_the_clock_is_told_as_it_was_sent_and_keeps_its_cursor() {
    on_each_bench(async |bench| {
        let query =
            "filters[moment][$lte]=now+1h&sort=id&pagination[pageSize]=2&pagination[cursor]=";
        let at = |text| Context::new().with(Now(moment(text)));
        let first = bench.get_as::<Entity>(query, at(NOW)).await;
        assert_eq!(first.meta()["filters"][0]["value"], "now+1h");
        let cursor = first.meta()["pagination"]["nextCursor"]
            .as_str()
            .unwrap()
            .to_owned();
        let later = at("2024-03-01T00:00:07Z");
        let next = bench
            .get_as::<Entity>(&format!("{query}{cursor}"), later.clone())
            .await;
        assert_eq!(next.ids(), [3, 5], "{}", next.text());
        // Days of another zone are another list.
        let other = format!("{query}{cursor}&timezone=-02:00");
        let reply = bench.get_as::<Entity>(&other, later).await;
        assert_eq!(reply.error_code(400), "cursor_mismatch");
        let reply = bench.get::<Entity>("filters[moment][$eq]=2024-02").await;
        assert_eq!(reply.meta()["filters"][0]["value"], "2024-02");
    });
}

/// Rules d150, b766.
#[test]
fn other_words_for_moments_and_zones_are_refused() {
    on_each_bench(async |bench| {
        for text in ["now-7", "now-7D", "yesterday", "2024-13", "24", "now-9999y"] {
            let reply = bench
                .get::<Entity>(&format!("filters[moment]={text}"))
                .await;
            let error = reply.error(400);
            assert_eq!(error["code"], "filter_wrong_value", "{text}");
            assert!(error["message"].as_str().unwrap().contains("`now-7d`"));
        }
        for zone in ["Europe/Berlin", "+2:00", "2", "+24:00"] {
            let reply = bench
                .get::<Entity>(&format!("timezone={}", encoded(zone)))
                .await;
            assert_eq!(reply.error_code(400), "bad_timezone", "{zone}");
        }
        let many: Vec<_> = (1..=101)
            .map(|year| format!("{:04}", 1900 + year))
            .collect();
        let reply = bench
            .post::<Entity>(&json!({ "moment": { "$in": many } }))
            .await;
        assert_eq!(reply.error_code(400), "filter_wrong_number_of_values");
        let reply = bench
            .post::<Entity>(&json!({ "moment": { "$in": many[1..] } }))
            .await;
        assert_eq!(reply.ids(), Vec::<i64>::new());
    });
}
