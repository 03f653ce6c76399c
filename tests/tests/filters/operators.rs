//! Every operator of contract 2.5, with rows that match, rows that do not, and rows that are null.

use std::cmp::Ordering;

use blog::entity::article::{self, Model};
use listing::{ListingRequest, SelectListing};
use listing_tests::on_each_database;
use rust_decimal::Decimal;
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter};
use serde_json::json;

use crate::articles::{DEMO, asked, assert_found, assert_some, encoded, ids_of, living, posted};

/// A rating that several articles have.
fn four() -> Decimal {
    Decimal::new(4_00, 2)
}

/// A moment with a fraction of a second, in the midst of the others.
fn middle() -> chrono::DateTime<chrono::Utc> {
    let fractions = living().filter(|row| row.created_at.timestamp_subsec_micros() % 1_000 != 0);
    fractions.map(|row| row.created_at).nth(50).unwrap()
}

fn rfc3339(moment: chrono::DateTime<chrono::Utc>) -> String {
    encoded(&moment.to_rfc3339())
}

/// Rule c2_5_t1.
#[test]
fn eq_finds_what_is_equal() {
    let views = living().next().unwrap().views;
    on_each_database(async |service| {
        let query = format!("filters[views][$eq]={views}");
        assert_some(&asked(service, &query).await, &query, |row| {
            row.views == views
        });

        let query = format!("filters[title][$eq]={}", encoded("100% wool, 0% regret"));
        assert_found(&asked(service, &query).await, &query, &[1]);

        for spelling in ["4", "4.0", "4.00", "04.000"] {
            let query = format!("filters[rating][$eq]={spelling}");
            assert_some(&asked(service, &query).await, &query, |row| {
                row.rating == Some(four())
            });
        }

        let query = format!("filters[created_at][$eq]={}", rfc3339(middle()));
        assert_some(&asked(service, &query).await, &query, |row| {
            row.created_at == middle()
        });
    });
}

/// Rules c2_5_t2, d25.
#[test]
fn ne_finds_what_is_not_equal_and_nulls() {
    assert!(living().any(|row| row.rating.is_none()));
    on_each_database(async |service| {
        let query = "filters[rating][$ne]=4.00";
        assert_some(&asked(service, query).await, query, |row| {
            row.rating != Some(four())
        });
        let query = "filters[views][$ne]=25";
        assert_some(&asked(service, query).await, query, |row| row.views != 25);
        let query = "filters[title][$ne]=Case matters";
        assert_some(&asked(service, query).await, query, |row| {
            row.title != "Case matters"
        });
        let query = "filters[id][$ne]=1";
        assert_some(&asked(service, query).await, query, |row| row.id != 1);
        let query = format!("filters[created_at][$ne]={}", rfc3339(middle()));
        assert_some(&asked(service, &query).await, &query, |row| {
            row.created_at != middle()
        });
    });
}

/// One of the four orders, on an integer, on a decimal that can be null, and on a moment.
fn assert_order(operator: &'static str, holds: fn(Ordering) -> bool) {
    // The value itself is there, so that `$lt` and `$lte` differ.
    let middle_views = living().map(|row| row.views).find(|views| *views == 500);
    let views = middle_views.unwrap();
    assert!(living().any(|row| row.rating == Some(four())));
    on_each_database(async |service| {
        let query = format!("filters[views][{operator}]={views}");
        assert_some(&asked(service, &query).await, &query, |row| {
            holds(row.views.cmp(&views))
        });
        let query = format!("filters[rating][{operator}]=4");
        assert_some(&asked(service, &query).await, &query, |row| {
            row.rating.is_some_and(|rating| holds(rating.cmp(&four())))
        });
        let query = format!("filters[created_at][{operator}]={}", rfc3339(middle()));
        assert_some(&asked(service, &query).await, &query, |row| {
            holds(row.created_at.cmp(&middle()))
        });
    });
}

/// Rule c2_5_t3.
#[test]
fn lt_finds_what_is_less() {
    assert_order("$lt", Ordering::is_lt);
}

/// Rule c2_5_t4.
#[test]
fn lte_finds_what_is_less_or_equal() {
    assert_order("$lte", Ordering::is_le);
}

/// Rule c2_5_t5.
#[test]
fn gt_finds_what_is_greater() {
    assert_order("$gt", Ordering::is_gt);
}

/// Rule c2_5_t6.
#[test]
fn gte_finds_what_is_greater_or_equal() {
    assert_order("$gte", Ordering::is_ge);
}

/// Rule c2_5_t7.
#[test]
fn contains_finds_text_within_text() {
    on_each_database(async |service| {
        let query = "filters[title][$contains]=bread";
        assert_some(&asked(service, query).await, query, |row| {
            row.title.contains("bread")
        });
        // A body that is null contains nothing.
        let query = "filters[body][$contains]=patience";
        let has = |row: &Model| {
            row.body
                .as_ref()
                .is_some_and(|body| body.contains("patience"))
        };
        assert_some(&asked(service, query).await, query, has);
    });
}

/// Rule c2_5_t8.
#[test]
fn in_finds_what_is_in_the_list() {
    let slugs: Vec<_> = living().take(3).map(|row| row.slug.as_str()).collect();
    on_each_database(async |service| {
        let query = "filters[id][$in][0]=3&filters[id][$in][1]=1&filters[id][$in][2]=999999";
        assert_found(&asked(service, query).await, query, &[1, 3]);
        let reply = posted(service, &json!({ "slug": { "$in": slugs } })).await;
        assert_some(&reply, "slugs", |row| slugs.contains(&row.slug.as_str()));
        let reply = posted(service, &json!({ "author_id": { "$in": [1, 2] } })).await;
        assert_some(&reply, "authors", |row| {
            matches!(row.author_id, Some(1 | 2))
        });
    });
}

/// Rule c2_5_t9.
#[test]
fn not_in_finds_what_is_not_in_the_list() {
    on_each_database(async |service| {
        let query = "filters[id][$notIn][0]=3&filters[id][$notIn][1]=1";
        assert_some(&asked(service, query).await, query, |row| {
            ![1, 3].contains(&row.id)
        });
    });
}

/// Rules c2_5_t10, c2_5_t11.
#[test]
fn null_and_not_null_part_the_rows() {
    on_each_database(async |service| {
        for (column, is_null) in [
            ("rating", (|row| row.rating.is_none()) as fn(&Model) -> bool),
            ("author_id", |row| row.author_id.is_none()),
            // An empty body is there: it is not null.
            ("body", |row| row.body.is_none()),
        ] {
            let query = format!("filters[{column}][$null]=true");
            assert_some(&asked(service, &query).await, &query, is_null);
            let query = format!("filters[{column}][$notNull]=true");
            assert_some(&asked(service, &query).await, &query, |row| !is_null(row));
        }
    });
}

/// Rule c2_5_p1.
#[test]
fn between_finds_what_is_in_the_range() {
    on_each_database(async |service| {
        let query = "filters[views][$between][0]=100&filters[views][$between][1]=500";
        assert_some(&asked(service, query).await, query, |row| {
            (100..=500).contains(&row.views)
        });
    });
}

/// Rule c4_1_t3.
#[test]
fn a_filter_is_a_field_an_operator_and_a_value_or_an_array() {
    on_each_database(async |service| {
        let one = asked(service, "filters[id][$eq]=7").await;
        assert_found(&one, "scalar", &[7]);
        let several = asked(service, "filters[id][$in][0]=7&filters[id][$in][1]=8").await;
        assert_found(&several, "array", &[7, 8]);
        // The same by JSON.
        let one = posted(service, &json!({ "id": { "$eq": 7 } })).await;
        assert_found(&one, "scalar", &[7]);
        let several = posted(service, &json!({ "id": { "$in": [7, "8"] } })).await;
        assert_found(&several, "array", &[7, 8]);
    });
}

/// Rule c4_1_r3.
#[test]
fn two_operators_on_one_field_make_a_range() {
    on_each_database(async |service| {
        let query = "filters[views][$gte]=100&filters[views][$lte]=500";
        let within = |row: &Model| (100..=500).contains(&row.views);
        let by_two = asked(service, query).await;
        assert_some(&by_two, query, within);
        let between = "filters[views][$between][]=100&filters[views][$between][]=500";
        assert_eq!(by_two.ids(), asked(service, between).await.ids());
        let query = "filters[created_at][$gte]=2024-01-01&filters[created_at][$lt]=2025-01-01";
        assert_some(&asked(service, query).await, query, |row| {
            row.created_at.format("%Y").to_string() == "2024"
        });
    });
}

/// Rule d30.
#[test]
fn all_filters_and_all_operators_must_hold() {
    let author = living().find_map(|row| row.author_id).unwrap();
    on_each_database(async |service| {
        let query = format!(
            "filters[author_id][$eq]={author}&filters[is_active]=true&filters[views][$gt]=100\
             &filters[views][$ne]=500&filters[rating][$notNull]=true"
        );
        assert_some(&asked(service, &query).await, &query, |row| {
            row.author_id == Some(author)
                && row.is_active
                && row.views > 100
                && row.views != 500
                && row.rating.is_some()
        });
        // One that nothing meets leaves nothing, wherever it stands.
        for query in [
            "filters[id][$eq]=0&filters[views][$gte]=0",
            "filters[views][$gte]=0&filters[id][$eq]=0",
            "filters[views][$gt]=500&filters[views][$lt]=500",
        ] {
            assert_found(&asked(service, query).await, query, &[]);
        }
        assert_eq!(
            asked(service, "filters[views][$gte]=0").await.ids(),
            ids_of(|_| true)
        );
    });
}

/// Deleted articles stay away whatever is asked for.
/// Rule d30.
#[test]
fn no_filter_reaches_what_the_list_does_not_show() {
    let deleted = DEMO.articles.iter().find(|row| row.deleted_at.is_some());
    let deleted = deleted.unwrap();
    on_each_database(async |service| {
        for query in [
            format!("filters[id][$eq]={}", deleted.id),
            format!("filters[id][$in][]={}", deleted.id),
            format!("filters[slug][$eq]={}", deleted.slug),
        ] {
            assert_found(&asked(service, &query).await, &query, &[]);
        }
        let query = "filters[id][$notIn][]=0";
        assert_found(&asked(service, query).await, query, &ids_of(|_| true));
    });
}

/// What application code put on the query before holds as well, however it is joined.
/// Rule d30.
#[test]
fn conditions_of_the_application_stay() {
    on_each_database(async |service| {
        let query = "filters[views][$gt]=100&sort=id&pagination[pageSize]=100";
        let request = ListingRequest::from_query(&service.listings, query).unwrap();
        let page = article::Entity::find()
            .filter(
                Condition::any()
                    .add(article::Column::Id.lt(20))
                    .add(article::Column::Id.eq(30)),
            )
            .listing(&request)
            .listing_paginate(&service.db)
            .await
            .unwrap();
        let items: Vec<serde_json::Value> = serde_json::from_slice(page.items()).unwrap();
        let ids: Vec<_> = items
            .iter()
            .map(|item| item["id"].as_i64().unwrap())
            .collect();
        let expected = ids_of(|row| row.views > 100 && (row.id < 20 || row.id == 30));
        assert!(!expected.is_empty());
        assert_eq!(ids, expected);
        assert_eq!(page.total(), Some(expected.len() as u64));
    });
}
