//! Labels: one call for all values of a filter, from a closure or from the database; a failure costs the labels alone (d34).
#![expect(unreachable_pub, reason = "the derives make public items")]

use std::sync::atomic::{AtomicUsize, Ordering};

use listing::{ListingRequest, SelectListing};
use listing_tests::{Recorder, on_each_database, warnings_of};
use sea_orm::EntityTrait;
use serde_json::{Value, json};

use crate::articles::{DEMO, asked};
use crate::bench::{Bench, on_each_bench};
use crate::notes::notes;

static ALL_CALLS: AtomicUsize = AtomicUsize::new(0);
static ALL_VALUES: AtomicUsize = AtomicUsize::new(0);

notes! {
    each => vec![Filter::make(Column::State).allowed_operators([Equal, In, NotIn, Null, NotNull])
        .label_resolver(|value| format!("<{value}>"))];
    all => vec![Filter::make(Column::Views).allowed_operators([Equal, In, Between])
        .label_resolver_all(|values| {
            ALL_CALLS.fetch_add(1, Ordering::Relaxed);
            ALL_VALUES.fetch_add(values.len(), Ordering::Relaxed);
            values.iter().enumerate().map(|(at, value)| format!("{at}: {value}")).collect()
        })];
    too_few => vec![Filter::make(Column::Views).allowed_operators(In)
        .label_resolver_all(|values| values.iter().skip(1).cloned().collect())];
    too_many => vec![Filter::make(Column::Views).allowed_operators(In)
        .label_resolver_all(|values| values.iter().chain(values).map(|_| "?".to_owned()).collect())];
    failing => vec![Filter::make(Column::Views).allowed_operators(In)
        .label_resolver_async(|_, _| Box::pin(async { Err("no labels today".into()) }))];
    too_few_later => vec![Filter::make(Column::Views).allowed_operators(In)
        .label_resolver_async(|_, _| Box::pin(async { Ok(Vec::new()) }))];
    /// Asks the database for a table that is not there.
    refused => vec![Filter::make(Column::Views).allowed_operators(In)
        .label_resolver_async(|values, lookup| Box::pin(async move {
            let mut missing = sea_orm::sea_query::Query::select();
            missing.column("a").column("b").from("filter_no_such_table");
            let found = lookup.pairs(Raw(missing)).await?;
            Ok(values.iter().map(|value| found[value].clone()).collect())
        }))];
    /// Notes by views: the label is the note's state.
    looked_up => vec![Filter::make(Column::Views).allowed_operators([Equal, In, NotIn]).default([10, 20], In)
        .label_resolver_async(|values, lookup| Box::pin(async move {
            use sea_orm::{QueryFilter, QuerySelect};
            let views = values.iter().filter_map(|value| value.parse::<i32>().ok());
            let states = Entity::find().select_only().columns([Column::Views, Column::State])
                .filter(Column::Views.is_in(views));
            let states = lookup.pairs(states).await?;
            let greeting = lookup.context().get::<&str>().copied().unwrap_or("");
            let label = |value| states.get(value).map_or(String::new(), |state| format!("{greeting}{state}"));
            Ok(values.iter().map(label).collect())
        }))];
}

/// A query that does not belong to an entity.
struct Raw(sea_orm::sea_query::SelectStatement);

impl sea_orm::QueryTrait for Raw {
    type QueryStatement = sea_orm::sea_query::SelectStatement;
    fn query(&mut self) -> &mut Self::QueryStatement {
        &mut self.0
    }
    fn as_query(&self) -> &Self::QueryStatement {
        &self.0
    }
    fn into_query(self) -> Self::QueryStatement {
        self.0
    }
}

#[track_caller]
fn labels(meta: &Value) -> Vec<&str> {
    let filters = meta["filters"].as_array().unwrap();
    filters
        .iter()
        .map(|filter| filter["label"].as_str().unwrap())
        .collect()
}

/// Rules c2_4_t5, c2_4_r4.
#[test]
fn a_resolver_labels_one_value_and_each_of_an_array() {
    on_each_bench(async |bench| {
        let reply = bench
            .post::<each::Entity>(&json!({ "state": "open" }))
            .await;
        assert_eq!(reply.ids(), [2, 3]);
        assert_eq!(labels(&reply.meta()), ["<open>"]);
        for operator in ["$in", "$notIn"] {
            let filters = json!({ "state": { operator: ["open", "", "draft"] } });
            let reply = bench.post::<each::Entity>(&filters).await;
            assert_eq!(labels(&reply.meta()), ["<open>", "<>", "<draft>"]);
            // The values stay what they are.
            assert_eq!(reply.meta()["filters"][0]["value"], "open");
        }
    });
    on_each_database(async |service| {
        let reply = service.get("/api/authors?filters[country]=CI").await;
        assert_eq!(labels(&reply.meta()), ["Côte d'Ivoire"]);
    });
}

/// The value of `$null` is not a value of the field, but a resolver would take it for one.
/// Rules d33, d34.
#[test]
fn null_and_not_null_are_labelled_with_their_value() {
    on_each_bench(async |bench| {
        for (filters, label) in [
            (json!({ "state": { "$null": true } }), "true"),
            (json!({ "state": { "$notNull": "off" } }), "false"),
        ] {
            let reply = bench.post::<each::Entity>(&filters).await;
            assert_eq!(labels(&reply.meta()), [label], "{filters}");
        }
    });
}

/// Rule d34.
#[test]
fn a_resolver_of_all_values_is_called_once() {
    on_each_bench(async |bench| {
        ALL_CALLS.store(0, Ordering::Relaxed);
        ALL_VALUES.store(0, Ordering::Relaxed);
        let reply = bench
            .post::<all::Entity>(&json!({ "views": { "$in": [30, 10, 99] } }))
            .await;
        assert_eq!(labels(&reply.meta()), ["0: 30", "1: 10", "2: 99"]);
        assert_eq!(ALL_CALLS.load(Ordering::Relaxed), 1);
        assert_eq!(ALL_VALUES.load(Ordering::Relaxed), 3);
        let reply = bench
            .post::<all::Entity>(&json!({ "views": { "$between": [10, 20] } }))
            .await;
        assert_eq!(labels(&reply.meta()), ["0: 10", "1: 20"]);
        assert_eq!(ALL_CALLS.load(Ordering::Relaxed), 2);
        // With nothing to label it is not called, nor without its filter.
        for filters in [json!({ "views": { "$in": [] } }), json!({})] {
            assert_eq!(bench.post::<all::Entity>(&filters).await.status, 200);
        }
        assert_eq!(ALL_CALLS.load(Ordering::Relaxed), 2);
    });
}

/// Rules d34, b30.
#[test]
fn labels_from_the_database_cost_one_statement() {
    on_each_bench(async |bench| {
        let recorder = Recorder::new(bench.db.clone());
        for (filters, expected) in [
            (json!({}), vec!["draft", "open"]),
            (json!({ "views": 40 }), vec!["closed"]),
            (
                json!({ "views": { "$in": [40, 10, 777, 50, 10] } }),
                vec!["closed", "draft", "", "", "draft"],
            ),
        ] {
            let reply = Bench::post_on::<looked_up::Entity>(&recorder, &filters).await;
            assert_eq!(labels(&reply.meta()), expected, "{filters}");
            // The page, the count and the labels.
            let statements = recorder.take();
            assert_eq!(statements.len(), 3, "{statements:?}");
        }
        let many: Vec<i32> = (1..=500).collect();
        let filters = json!({ "views": { "$in": many } });
        let reply = Bench::post_on::<looked_up::Entity>(&recorder, &filters).await;
        assert_eq!(labels(&reply.meta())[39], "closed");
        assert_eq!(recorder.take().len(), 3);
        let reply =
            Bench::post_on::<looked_up::Entity>(&recorder, &json!({ "views": { "$in": [] } }))
                .await;
        assert_eq!(reply.meta()["filters"], json!([]));
        // Nothing matches: the count says so, and no page is read.
        assert_eq!(recorder.take().len(), 1);
        // The resolver knows the caller.
        let context = listing::Context::new().with("Dear ");
        let reply = bench
            .get_as::<looked_up::Entity>("filters[views]=20", context)
            .await;
        assert_eq!(labels(&reply.meta()), ["Dear open"]);
    });
}

/// Rule d34.
#[test]
fn the_blogs_authors_are_named_in_one_statement() {
    on_each_database(async |service| {
        let recorder = Recorder::new(service.db.clone());
        let query = "filters[author_id][$in][]=5&filters[author_id][$in][]=999&filters[author_id][$in][]=19";
        let request = ListingRequest::from_query(&service.listings, query).unwrap();
        let page = blog::entity::article::Entity::find()
            .listing(&request)
            .listing_paginate(&recorder)
            .await
            .unwrap();
        let body: Value = serde_json::from_slice(&page.body(200, None, true)).unwrap();
        let names = [&*DEMO.authors[4].name, "999", &*DEMO.authors[18].name];
        assert_eq!(labels(&body["meta"]), names);
        assert_eq!(names, ["Élodie Fontaine", "999", "山田 花子"]);
        assert_eq!(recorder.take().len(), 3);
        let reply = asked(service, query).await;
        assert_eq!(labels(&reply.meta()), names);
    });
}

/// A filter can stand in many places of the tree, and is asked about once.
/// Rule d34.
#[test]
fn conditions_in_many_places_are_labelled_by_one_statement() {
    on_each_database(async |service| {
        let recorder = Recorder::new(service.db.clone());
        let ids = (1..=50).map(|id| id % 20 + 1);
        let any: Vec<_> = ids.clone().map(|id| json!({ "author_id": id })).collect();
        let body = json!({ "filters": { "$or": any } }).to_string();
        let request = ListingRequest::from_json(&service.listings, body.as_bytes()).unwrap();
        let page = blog::entity::article::Entity::find()
            .listing(&request)
            .listing_paginate(&recorder)
            .await
            .unwrap();
        let body: Value = serde_json::from_slice(&page.body(200, None, true)).unwrap();
        let names: Vec<_> = ids.map(|id| &*DEMO.authors[id - 1].name).collect();
        assert_eq!(labels(&body["meta"]), names);
        // The page, the count and the labels.
        let statements = recorder.take();
        assert_eq!(statements.len(), 3, "{statements:?}");
    });
}

/// No row has such a key, whatever its column can hold.
/// Rule d34.
#[test]
fn a_key_beyond_its_column_is_its_own_label() {
    on_each_database(async |service| {
        let most = u64::MAX.to_string();
        for (query, names) in [
            (format!("filters[author_id]={most}"), vec![&*most]),
            (
                format!("filters[author_id][$in][]=5&filters[author_id][$in][]={most}"),
                vec![&*DEMO.authors[4].name, &*most],
            ),
        ] {
            let (reply, logged) = warnings_of(asked(service, &query)).await;
            assert_eq!(labels(&reply.meta()), names, "{query}");
            assert_eq!(logged, "", "{query}");
        }
    });
}

/// Rule d34.
#[test]
fn a_resolver_that_fails_costs_its_labels_and_a_warning() {
    on_each_bench(async |bench| {
        let filters = json!({ "views": { "$in": [20, 10] } });
        for (asked, warning) in [
            (
                warnings_of(bench.post::<failing::Entity>(&filters)).await,
                "no labels today",
            ),
            (
                warnings_of(bench.post::<refused::Entity>(&filters)).await,
                "a label resolver failed",
            ),
            (
                warnings_of(bench.post::<too_few::Entity>(&filters)).await,
                "a label resolver gave a wrong number of labels",
            ),
            (
                warnings_of(bench.post::<too_many::Entity>(&filters)).await,
                "a label resolver gave a wrong number of labels",
            ),
            (
                warnings_of(bench.post::<too_few_later::Entity>(&filters)).await,
                "a label resolver gave a wrong number of labels",
            ),
        ] {
            let (reply, logged) = asked;
            assert_eq!(reply.ids(), [1, 2]);
            assert_eq!(labels(&reply.meta()), ["20", "10"]);
            assert!(logged.contains("WARN"), "{logged:?}");
            assert!(logged.contains(warning), "{logged:?}");
            assert!(logged.contains("views"), "{logged:?}");
            assert!(!reply.text().contains("filter_no_such_table"));
        }
    });
}
