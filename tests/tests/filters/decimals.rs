//! Every decimal finds itself, and large or long ones do not fail (d9).
#![expect(unreachable_pub, reason = "the derives make public items")]

use listing::{Fields, Filter, FilterOperator, HasListing, Listing, Sorts};
use listing_tests::on_each_database;
use rust_decimal::Decimal;
use sea_orm::entity::prelude::*;
use sea_orm::{IntoActiveModel, Schema};
use serde_json::json;

use crate::articles::{asked, assert_found, assert_some, ids_of};
use crate::bench::on_each_bench;

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
#[sea_orm(table_name = "filter_prices")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    #[sea_orm(column_type = "Decimal(Some((14, 4)))")]
    pub price: Decimal,
}

impl ActiveModelBehavior for ActiveModel {}

pub struct PriceListing;

impl HasListing for Entity {
    type Listing = PriceListing;
}

impl Listing for PriceListing {
    type Entity = Entity;

    fn fields() -> Fields<Entity> {
        Fields::new().add_default(Column::Price)
    }

    fn filters() -> Vec<Filter<Entity>> {
        vec![
            Filter::make(Column::Price).allowed_operators(
                FilterOperator::ALL
                    .iter()
                    .copied()
                    .filter(|operator| !operator.is_textual())
                    .collect::<Vec<_>>(),
            ),
        ]
    }

    fn sorts() -> Sorts<Entity> {
        Sorts::new().add_default(Column::Id)
    }
}

/// Prices of every size, with every number of digits after the point, each once.
fn prices() -> Vec<Decimal> {
    let price = |n: i64| Decimal::new(n * n * 104_729 % 99_999_999_999_999 + n, 4);
    let mut prices: Vec<_> = (0..2_000).map(price).collect();
    prices.extend((1..1_000).map(|n| Decimal::new(n, 2)));
    prices.sort_unstable();
    prices.dedup();
    prices
}

/// Rule d9.
#[test]
fn every_decimal_finds_itself() {
    let prices = prices();
    assert!(prices.len() > 2_000);
    on_each_bench(async |bench| {
        let schema = Schema::new(bench.db.get_database_backend());
        let create = schema.create_table_from_entity(Entity);
        bench.db.execute(&create).await.unwrap();
        let rows = (1..)
            .zip(&prices)
            .map(|(id, price)| Model { id, price: *price });
        let rows: Vec<_> = rows
            .map(|row| row.into_active_model().reset_all())
            .collect();
        for some in rows.chunks(500) {
            let insert = Entity::insert_many(some.to_vec());
            insert.exec_without_returning(&bench.db).await.unwrap();
        }
        let all: Vec<_> = prices.iter().map(ToString::to_string).collect();
        let reply = bench
            .post::<Entity>(&json!({ "price": { "$in": all } }))
            .await;
        assert_eq!(reply.total(), prices.len() as u64);
        let reply = bench
            .post::<Entity>(&json!({ "price": { "$notIn": all } }))
            .await;
        assert_eq!(reply.total(), 0);
        for at in (0..prices.len()).step_by(97) {
            let price = prices[at].to_string();
            let up_to = at as u64;
            for (operator, total) in [
                ("$eq", 1),
                ("$lt", up_to),
                ("$lte", up_to + 1),
                ("$gt", prices.len() as u64 - up_to - 1),
                ("$gte", prices.len() as u64 - up_to),
            ] {
                let filters = json!({ "price": { operator: price } });
                let reply = bench.post::<Entity>(&filters).await;
                assert_eq!(reply.total(), total, "{filters}");
            }
        }
    });
}

/// Rule d9.
#[test]
fn large_and_long_decimals_are_compared() {
    let rated = ids_of(|row| row.rating.is_some());
    on_each_database(async |service| {
        for large in [
            "6",
            "1000",
            "99999999999999999999",
            "79228162514264337593543950335",
        ] {
            for (operator, expected) in [
                ("$lt", &rated[..]),
                ("$lte", &rated),
                ("$gt", &[]),
                ("$eq", &[]),
            ] {
                let query = format!("filters[rating][{operator}]={large}");
                assert_found(&asked(service, &query).await, &query, expected);
                let mirrored = match operator {
                    "$lt" => "$gt",
                    "$lte" => "$gte",
                    "$gt" => "$lt",
                    other => other,
                };
                let query = format!("filters[rating][{mirrored}]=-{large}");
                assert_found(&asked(service, &query).await, &query, expected);
            }
            let query = format!("filters[rating][$ne]={large}");
            assert_found(&asked(service, &query).await, &query, &ids_of(|_| true));
        }
        // More digits than the column has: between its values.
        let four = Decimal::new(4, 0);
        let query = "filters[rating][$gt]=3.999&filters[rating][$lt]=4.001";
        assert_some(&asked(service, query).await, query, |row| {
            row.rating == Some(four)
        });
        let query = "filters[rating][$eq]=4.001";
        assert_found(&asked(service, query).await, query, &[]);
        let query = "filters[rating][$gt]=0.0000000000000000000000000001";
        assert_some(&asked(service, query).await, query, |row| {
            row.rating.is_some_and(|rating| !rating.is_zero())
        });
        for zero in ["0", "-0", "0.00", "-0.0"] {
            let query = format!("filters[rating][$eq]={zero}");
            assert_some(&asked(service, &query).await, &query, |row| {
                row.rating.is_some_and(|rating| rating.is_zero())
            });
        }
    });
}

/// Rules d9, b19.
#[test]
fn decimals_with_too_many_digits_are_refused() {
    on_each_database(async |service| {
        for number in [
            "79228162514264337593543950336",
            "100000000000000000000000000000",
            "0.00000000000000000000000000001",
            "1.00000000000000000000000000001",
            &"9".repeat(1_000),
            &format!("0.{}", "1".repeat(1_000)),
        ] {
            for number in [number.to_owned(), format!("-{number}")] {
                let query = format!("filters[rating][$lt]={number}");
                let error = asked(service, &query).await.error(400);
                assert_eq!(error["code"], "filter_wrong_value", "{number}");
                assert!(error["message"].as_str().unwrap().contains("28 digits"));
            }
        }
    });
}
