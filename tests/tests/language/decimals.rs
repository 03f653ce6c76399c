//! Decimals are compared by all their digits, on every database (b182).

use blog::data::demo_rows;
use listing_tests::on_each_database;
use rust_decimal::Decimal;

use crate::world::{PROJECTS, ids, on_each_world, project};

/// More digits than the column has lie between two of its values.
/// Rule b182.
#[test]
fn a_decimal_of_more_digits_than_its_column_is_compared_exactly() {
    let rows = demo_rows();
    let ratings = rows.articles.iter().filter(|row| row.deleted_at.is_none());
    let ratings: Vec<_> = ratings.filter_map(|row| row.rating).collect();
    let above = |least: &str| {
        let least = Decimal::from_str_exact(least).unwrap();
        ratings.iter().filter(|rating| **rating > least).count() as u64
    };
    let (over, all) = (above("4.5"), ratings.len() as u64);
    assert!(ratings.contains(&Decimal::new(45, 1)));
    on_each_database(async |service| {
        for digits in ["4.5000000000000000000000001", "4.500000001", "4.501"] {
            for (operator, expected) in [
                ("$gte", over),
                ("$gt", over),
                ("$lte", all - over),
                ("$lt", all - over),
                ("$eq", 0),
            ] {
                let query = format!("/api/articles?filters[rating][{operator}]={digits}");
                assert_eq!(service.get(&query).await.total(), expected, "{query}");
            }
        }
        let query = "/api/articles?filters[rating][$gte]=4.499999999999999999999&\
                     filters[rating][$lte]=4.5000000000000000000001";
        let equal = above("4.49") - over;
        assert_eq!(service.get(query).await.total(), equal);
    });
}

/// More digits than a float has: the nearest float means another decimal.
/// Rule b182.
#[test]
fn a_decimal_of_more_digits_than_a_float_is_compared_exactly() {
    on_each_world(async |world| {
        for asked in [
            "1234567890.1234567",
            "1234567890.1234567001",
            "1234567890.1234566999",
            "1234567890.123456789",
            "0.1000000001",
            "0.0999999999",
            "0.3",
        ] {
            let number = Decimal::from_str_exact(asked).unwrap();
            type Test = fn(&Decimal, &Decimal) -> bool;
            let tests: [(&str, Test); 6] = [
                ("$eq", |have, asked| have == asked),
                ("$gt", |have, asked| have > asked),
                ("$gte", |have, asked| have >= asked),
                ("$lt", |have, asked| have < asked),
                ("$lte", |have, asked| have <= asked),
                ("$in", |have, asked| have == asked),
            ];
            for (operator, test) in tests {
                let mine = PROJECTS.iter().filter(|project| project.3 == 1);
                let expected: Vec<_> = mine
                    .filter(|project| {
                        let budget = project.4.map(|text| Decimal::from_str_exact(text).unwrap());
                        budget.is_some_and(|budget| test(&budget, &number))
                    })
                    .map(|project| project.0)
                    .collect();
                let query = format!("filters[budget][{operator}]={asked}");
                let reply = world.list::<project::Entity>(&query).await;
                assert_eq!(ids(&reply), expected, "{query}");
            }
        }
    });
}
