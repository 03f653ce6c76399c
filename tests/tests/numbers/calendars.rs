//! Counts for each unit of the calendar (d103).

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveDateTime, Timelike, Utc};
use listing_tests::on_each_database;
use serde_json::json;

use crate::demo::{articles, counts, facet, values};

/// The first moment of the unit in which a moment lies.
fn first(unit: &str, moment: NaiveDateTime) -> NaiveDateTime {
    let day = moment.date();
    let month = |month: u32| NaiveDate::from_ymd_opt(day.year(), month, 1).unwrap();
    let day = match unit {
        "year" => month(1),
        "quarter" => month((day.month() - 1) / 3 * 3 + 1),
        "month" => month(day.month()),
        "week" => day - Duration::days(i64::from(day.weekday().num_days_from_monday())),
        _ => day,
    };
    let hour = if unit == "hour" { moment.hour() } else { 0 };
    day.and_hms_opt(hour, 0, 0).unwrap()
}

fn spelled(unit: &str, first: NaiveDateTime, zone: &str) -> String {
    match unit {
        "hour" => format!("{}{zone}", first.format("%Y-%m-%dT%H:%M:%S")),
        _ => first.date().to_string(),
    }
}

/// Rules d103, b742.
#[test]
fn buckets_are_named_by_their_first_moment_and_empty_ones_have_none() {
    let all = articles();
    on_each_database(async |service| {
        for (unit, offset, minutes) in [
            ("year", "", 0),
            ("quarter", "Z", 0),
            ("month", "", 0),
            ("month", "+02:00", 120),
            ("week", "-11:30", -690),
            ("year", "+13:00", 780),
        ] {
            let local = |moment: DateTime<Utc>| moment.naive_utc() + Duration::minutes(minutes);
            let expected = counts(&all, |article| Some(first(unit, local(article.created_at))));
            let query = format!(
                "facets[created_at][unit]={unit}&facets[created_at][offset]={}",
                offset.replace('+', "%2B")
            );
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            let shown = facet(&reply, "created_at");
            let mut given = values(&shown);
            // Those in between are there, with nothing in them.
            let (from, to) = (
                expected.keys().next().unwrap(),
                expected.keys().last().unwrap(),
            );
            assert_eq!(given[0].0, spelled(unit, *from, ""));
            assert_eq!(given.last().unwrap().0, spelled(unit, *to, ""));
            given.retain(|(_, count)| *count > 0);
            let expected: Vec<_> = expected
                .iter()
                .map(|(first, count)| (spelled(unit, *first, ""), *count))
                .collect();
            assert_eq!(given, expected, "{unit} {offset}");
            assert_eq!(shown["missing"], 0);
            assert_eq!(shown["unit"], unit);
        }
    });
}

/// Rule d103.
#[test]
fn days_and_hours_of_a_shorter_time_can_be_chosen_by_their_ends() {
    let all = articles();
    let from = NaiveDate::from_ymd_opt(2024, 2, 20).unwrap();
    let near: Vec<_> = all
        .into_iter()
        .filter(|one| {
            let day = one.created_at.date_naive();
            day >= from && day < from + Duration::days(14)
        })
        .collect();
    assert!(near.len() > 3);
    on_each_database(async |service| {
        for (unit, zone, minutes) in [("day", "", 0), ("hour", "Z", 0), ("hour", "+05:30", 330)] {
            let local = |moment: DateTime<Utc>| moment.naive_utc() + Duration::minutes(minutes);
            let expected = counts(&near, |article| {
                Some(first(unit, local(article.created_at)))
            });
            let offset = if minutes == 0 {
                ""
            } else {
                "&facets[created_at][offset]=%2B05:30"
            };
            // Inside a group, so that it holds for the facet too.
            let query = format!(
                "filters[$and][0][created_at][$gte]=2024-02-20&filters[$and][1][created_at][$lt]=2024-03-05&facets[created_at][unit]={unit}{offset}"
            );
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            let shown = facet(&reply, "created_at");
            let mut given = values(&shown);
            given.retain(|(_, count)| *count > 0);
            let expected: Vec<_> = expected
                .iter()
                .map(|(first, count)| (spelled(unit, *first, zone), *count))
                .collect();
            assert_eq!(given, expected, "{unit} {zone}");
            let fullest = shown["values"]
                .as_array()
                .unwrap()
                .iter()
                .max_by_key(|one| one["count"].as_u64())
                .unwrap();
            let text = |name: &str| fullest[name].as_str().unwrap();
            let chosen = format!(
                "filters[created_at][$gte]={}&filters[created_at][$lt]={}",
                text("from"),
                text("to")
            );
            let reply = service.get(&format!("/api/articles?{chosen}")).await.ok();
            assert_eq!(json!(reply.total()), fullest["count"]);
        }
    });
}

/// Rule d103.
#[test]
fn more_than_400_buckets_are_refused_with_the_next_larger_unit() {
    on_each_database(async |service| {
        for (unit, larger) in [("day", "week"), ("hour", "day")] {
            let reply = service
                .get(&format!("/api/articles?facets[created_at][unit]={unit}"))
                .await;
            let error = reply.error(400);
            assert_eq!(error["code"], "too_many_buckets");
            assert_eq!(error["details"]["nearest"], larger);
            assert_eq!(error["details"]["parameter"], "facets[created_at][unit]");
        }
    });
}

/// Rule d103.
#[test]
fn a_calendar_without_rows_has_no_buckets() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?filters[id]=0&facets=created_at")
            .await
            .ok();
        assert_eq!(
            facet(&reply, "created_at"),
            json!({ "key": "created_at", "unit": "month", "offset": "+00:00", "values": [], "missing": 0 })
        );
    });
}
