//! The number of statements depends neither on the number of rows (d45) nor on the number of labels (d34).

use blog::entity::{article, author, comment};
use listing::{HasListing, ListingRequest, SelectListing};
use listing_tests::{Recorder, Service, on_each_database};

/// How many rows a list gives, and the statements that it costs.
pub(crate) async fn cost<E: HasListing>(service: &Service, query: &str) -> (usize, Vec<String>) {
    let recorder = Recorder::new(service.db.clone());
    let request = ListingRequest::from_query(&service.listings, query).unwrap();
    let page = E::find()
        .listing(&request)
        .listing_paginate(&recorder)
        .await
        .unwrap();
    let texts = recorder.take().into_iter().map(|statement| statement.text);
    (page.len(), texts.collect())
}

/// Rules d45, b42.
#[test]
fn two_relations_cost_two_statements_for_1_row_and_for_100() {
    on_each_database(async |service| {
        for populate in ["author,seo", "comments,tags", "author,comments", "tags,seo"] {
            for rows in [1, 2, 99, 100] {
                // Everybody's first article has an author and SEO texts.
                let query =
                    format!("populate={populate}&sort=author.name&pagination[pageSize]={rows}");
                let (shown, statements) = cost::<article::Entity>(service, &query).await;
                assert_eq!(shown, rows);
                // The page, its count, and one for each relation.
                assert_eq!(statements.len(), 4, "{query}: {statements:#?}");
                assert!(statements[1].contains("COUNT(*)"));
                assert!(
                    statements[2..]
                        .iter()
                        .all(|text| !text.contains("COUNT(*)"))
                );
            }
        }
        let query = "populate=*&pagination[pageSize]=100";
        assert_eq!(cost::<article::Entity>(service, query).await.1.len(), 6);
        let query = "populate=articles&pagination[pageSize]=100";
        assert_eq!(cost::<author::Entity>(service, query).await.1.len(), 3);
    });
}

/// Rule c2_3_r3.
#[test]
fn nothing_is_read_that_was_not_asked_for() {
    on_each_database(async |service| {
        for (query, most) in [
            ("", 2),
            ("pagination[withCount]=false", 1),
            ("fields=*&sort=comments_count", 2),
            ("sort=author.name,seo.meta_title:desc", 2),
            ("populate=author&pagination[withCount]=false", 2),
            ("populate=unknown", 2),
            // No row, so there is nothing to read or to populate.
            ("populate=*&filters[title][$eq]=none", 1),
        ] {
            let (_, statements) = cost::<article::Entity>(service, query).await;
            assert_eq!(statements.len(), most, "{query}: {statements:#?}");
        }
        // The default relation of comments, and without it.
        assert_eq!(cost::<comment::Entity>(service, "").await.1.len(), 3);
        assert_eq!(
            cost::<comment::Entity>(service, "populate=none")
                .await
                .1
                .len(),
            2
        );
    });
}

/// Rule d20.
#[test]
fn without_a_count_none_is_run() {
    on_each_database(async |service| {
        let counts = async |query: &str| {
            let (_, statements) = cost::<article::Entity>(service, query).await;
            statements
                .iter()
                .filter(|text| text.contains("COUNT(*)"))
                .count()
        };
        assert_eq!(counts("pagination[withCount]=false").await, 0);
        assert_eq!(counts("pagination[withCount]=true").await, 1);
        assert_eq!(counts("").await, 1);
    });
}

/// Rule d34.
#[test]
fn labels_cost_at_most_one_statement_for_each_filter() {
    on_each_database(async |service| {
        let ids = |count: usize| {
            let ids = (1..=count).map(|id| format!("&filters[author_id][$in][]={id}"));
            ids.collect::<String>()
        };
        for count in [1, 2, 19] {
            let query = format!("pagination[pageSize]=100{}", ids(count));
            let (_, statements) = cost::<article::Entity>(service, &query).await;
            assert_eq!(statements.len(), 3, "{statements:#?}");
        }
        // A second filter whose labels need no database.
        let query = format!("filters[is_active][$eq]=true{}", ids(5));
        assert_eq!(cost::<article::Entity>(service, &query).await.1.len(), 3);
        let query = "filters[is_active][$eq]=true&filters[views][$gt]=1";
        assert_eq!(cost::<article::Entity>(service, query).await.1.len(), 2);
    });
}

/// Rule c1_r4.
#[test]
fn values_are_bound_and_names_come_from_the_whitelist() {
    on_each_database(async |service| {
        let sly = "x'\"`;--";
        let query = format!(
            "fields=title,{sly}&populate=author,{sly}&sort=views,{sly}&filters[title][$ne]={sly}"
        );
        let (_, statements) = cost::<article::Entity>(service, &query).await;
        assert_eq!(statements.len(), 3);
        for text in statements {
            assert!(!text.contains(";--"), "{text}");
        }
    });
}
