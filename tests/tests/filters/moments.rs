//! How a moment can be written (d9).

use chrono::{DateTime, FixedOffset, Utc};
use listing_tests::on_each_database;

use crate::articles::{asked, assert_found, assert_some, encoded, ids_of, living};

/// Moments with every length of fraction.
fn moments() -> Vec<DateTime<Utc>> {
    let micros = |row: &&blog::entity::article::Model| row.created_at.timestamp_subsec_micros();
    let whole = living().find(|row| micros(row) == 0).unwrap();
    let millis = living().find(|row| micros(row) > 0 && micros(row) % 1_000 == 0);
    let most = living().find(|row| micros(row) % 1_000 != 0);
    vec![
        whole.created_at,
        millis.unwrap().created_at,
        most.unwrap().created_at,
    ]
}

/// Rule d9.
#[test]
fn rfc3339_in_any_zone_is_the_same_moment() {
    let zones = [-43_200, -12_600, 0, 5_400, 20_700, 50_400].map(FixedOffset::east_opt);
    on_each_database(async |service| {
        for moment in moments() {
            let expected = ids_of(|row| row.created_at == moment);
            let mut spellings: Vec<_> = zones
                .iter()
                .map(|zone| moment.with_timezone(&zone.unwrap()).to_rfc3339())
                .collect();
            let clock = moment.format("%Y-%m-%dT%H:%M:%S%.6f").to_string();
            spellings.push(format!("{clock}Z"));
            spellings.push(format!("{}z", clock.to_lowercase()));
            spellings.push(format!("{clock}000Z"));
            // Without a zone it is UTC.
            spellings.push(clock.clone());
            spellings.push(clock.replace('T', " "));
            for spelling in spellings {
                let query = format!("filters[created_at][$eq]={}", encoded(&spelling));
                let reply = asked(service, &query).await;
                assert_found(&reply, &spelling, &expected);
                // One spelling is told, whichever was sent.
                let told = &reply.meta()["filters"][0]["value"];
                assert_eq!(*told, format!("{clock}Z"), "{spelling}");
            }
        }
    });
}

/// A `+` in a query string is a space; what was meant is understood.
/// Rule d9.
#[test]
fn a_space_for_the_plus_of_a_zone_is_understood() {
    let zone = FixedOffset::east_opt(2 * 3_600).unwrap();
    on_each_database(async |service| {
        for moment in moments() {
            let expected = ids_of(|row| row.created_at == moment);
            let spelling = moment.with_timezone(&zone).to_rfc3339();
            assert!(spelling.ends_with("+02:00"));
            // Sent as it is, the plus arrives as a space.
            let query = format!("filters[created_at][$eq]={spelling}");
            assert_found(&asked(service, &query).await, &query, &expected);
            let query = format!(
                "filters[created_at][$eq]={}",
                encoded(&spelling.replace('+', " "))
            );
            assert_found(&asked(service, &query).await, &query, &expected);
        }
    });
}

/// Rule d9.
#[test]
fn hours_and_minutes_are_enough() {
    on_each_database(async |service| {
        let noon: DateTime<Utc> = "2024-03-05T12:30:00Z".parse().unwrap();
        for spelling in [
            "2024-03-05T12:30",
            "2024-03-05 12:30",
            "2024-03-05T12:30Z",
            "2024-03-05T14:30 02:00",
        ] {
            let query = format!("filters[created_at][$lt]={spelling}");
            let reply = asked(service, &query).await;
            assert_some(&reply, &query, |row| row.created_at < noon);
            assert_eq!(
                reply.meta()["filters"][0]["value"],
                "2024-03-05T12:30:00.000000Z"
            );
        }
    });
}

/// A microsecond more or less is another moment.
/// Rule d9.
#[test]
fn moments_are_exact_to_the_microsecond() {
    on_each_database(async |service| {
        for moment in moments() {
            for (difference, operator, found) in [
                (0, "$gte", true),
                (0, "$gt", false),
                (1, "$gte", false),
                (-1, "$gt", true),
                (0, "$lte", true),
                (0, "$lt", false),
                (-1, "$lte", false),
                (1, "$lt", true),
                (1, "$eq", false),
                (-1, "$eq", false),
            ] {
                let asked_for = moment + chrono::TimeDelta::microseconds(difference);
                let query = format!(
                    "filters[created_at][{operator}]={}",
                    encoded(&asked_for.to_rfc3339())
                );
                let ids = asked(service, &query).await.ids();
                let itself = ids_of(|row| row.created_at == moment);
                assert_eq!(
                    itself.iter().all(|id| ids.contains(id)),
                    found,
                    "{moment} {query}"
                );
            }
        }
    });
}

/// The ends of the calendar are values like any other.
/// Rules d9, b18.
#[test]
fn the_ends_of_the_calendar_are_no_error() {
    let all = ids_of(|_| true);
    on_each_database(async |service| {
        for early in ["0001-01-01", "0001-01-01T00:00:00Z", "0999-12-31"] {
            for (operator, expected) in [
                ("$gt", &all),
                ("$gte", &all),
                ("$ne", &all),
                ("$lt", &vec![]),
                ("$lte", &vec![]),
                ("$eq", &vec![]),
            ] {
                let query = format!("filters[created_at][{operator}]={early}");
                assert_found(&asked(service, &query).await, &query, expected);
            }
        }
        for late in ["9999-12-31", "9999-12-31T23:59:59.999999Z"] {
            for (operator, expected) in [
                ("$lt", &all),
                ("$lte", &all),
                ("$ne", &all),
                ("$gt", &vec![]),
                ("$gte", &vec![]),
                ("$eq", &vec![]),
            ] {
                let query = format!("filters[created_at][{operator}]={late}");
                assert_found(&asked(service, &query).await, &query, expected);
            }
        }
    });
}
