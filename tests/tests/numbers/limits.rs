//! The time that numbers may take, and lists that are too large for them (d107).

use std::sync::Arc;

use blog::entity::article;
use listing::execute::{Counts, ReadFuture, Reader, SharedReader};
use listing::render::Shape;
use listing::{
    Dialect, ExecuteError, ListingQuery, ListingRequest, ReadPool, Statement, Unindexed,
};
use listing_tests::on_each_database;
use sea_orm::{ConnAcquireErr, DbErr};
use serde_json::json;

/// Reads everything but facets of authors and totals.
#[derive(Clone)]
struct Stuck {
    reads: ReadPool,
    /// Whether those find no connection; otherwise they never end.
    is_busy: bool,
}

impl Reader for Stuck {
    fn dialect(&self) -> Result<Dialect, ExecuteError> {
        self.reads.dialect()
    }

    fn read<'a>(&'a self, statement: Statement, shape: &'a Shape) -> ReadFuture<'a> {
        let text = statement.text.as_str();
        let of_authors = text.contains("listing_value") && text.contains("author_id");
        if of_authors || text.contains("MAX(") {
            let is_busy = self.is_busy;
            return Box::pin(async move {
                match is_busy {
                    true => Err(ExecuteError::Unavailable(DbErr::ConnectionAcquire(
                        ConnAcquireErr::Timeout,
                    ))),
                    false => std::future::pending().await,
                }
            });
        }
        self.reads.read(statement, shape)
    }

    fn shared(&self) -> Option<SharedReader> {
        Some(SharedReader::new(
            Arc::new(self.clone()),
            Arc::new(Counts::default()),
        ))
    }
}

/// Rules d107, b746, b1261.
#[test]
fn what_takes_too_long_says_so_and_the_rows_are_answered_all_the_same() {
    on_each_database(async |service| {
        let service = service.with_settings(|settings| settings.numbers_timeout_ms = 500);
        let query = "facets=author_id,is_active&totals[views]=max,min&pagination[pageSize]=3";
        let request = ListingRequest::from_query(&service.listings, query).unwrap();
        for is_busy in [false, true] {
            let reads = service.reads.clone();
            let page = ListingQuery::<article::Entity>::all(&request)
                .listing_paginate(&Stuck { reads, is_busy })
                .await
                .unwrap();
            assert_eq!(page.len(), 3);
            let body = page.body(200, None, true);
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            let meta = &body["meta"];
            assert_eq!(
                meta["facets"][0],
                json!({ "key": "author_id", "values": null, "timedOut": true })
            );
            assert_eq!(meta["facets"][1]["values"].as_array().unwrap().len(), 2);
            assert_eq!(
                meta["totals"]["views"],
                json!({ "max": null, "min": null, "timedOut": true })
            );
        }
    });
}

/// Rule d107.
#[test]
fn facets_of_a_large_table_need_a_filter_that_an_index_serves() {
    on_each_database(async |service| {
        let refusing = service.with_settings(|settings| {
            settings.unindexed = Unindexed::Refuse;
            settings.unindexed_rows = 10;
        });
        refusing
            .listings
            .inspect_indexes(&service.db)
            .await
            .unwrap();
        for query in ["facets=is_active", "facets=author_id&filters[author_id]=3"] {
            let reply = refusing.get(&format!("/api/articles?{query}")).await;
            let error = reply.error(400);
            assert_eq!(error["code"], "unindexed", "{query}");
            assert_eq!(error["details"]["parameter"], "facets");
        }
        for query in [
            "facets=is_active&filters[author_id]=3",
            "facets=is_active&filters[id]=3",
            "",
        ] {
            let reply = refusing.get(&format!("/api/articles?{query}")).await;
            assert_eq!(reply.status, 200, "{query}: {}", reply.text());
        }
    });
}
