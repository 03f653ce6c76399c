//! Filters by a range: PostgreSQL plans them for their values (b442).

use blog::entity::article;
use blog::migration::Migrator;
use listing::{ListingRequest, Plans, SelectListing, Settings};
use listing_tests::{Engine, Recorder, Service, fresh_database, run};
use sea_orm::EntityTrait;
use sea_orm_migration::MigratorTrait;

/// Rule b442.
#[test]
fn a_range_is_planned_for_its_values_in_each_request() {
    run(async {
        let db = fresh_database(Engine::Postgres).await;
        Migrator::up(&db, None).await.unwrap();
        let service = Service::on(Engine::Postgres, db, Settings::default()).await;
        let recorder = Recorder::new(service.db.clone());
        for (query, planned) in [
            ("filters[views][$gte]=99990", Plans::ForEachRequest),
            ("filters[created_at][$lt]=2020-01-01", Plans::ForEachRequest),
            (
                "filters[views][$between][]=1&filters[views][$between][]=2",
                Plans::ForEachRequest,
            ),
            (
                "filters[$or][0][views]=3&filters[$or][1][views][$gt]=99990",
                Plans::ForEachRequest,
            ),
            ("filters[views]=5", Plans::Shared),
            ("filters[views][$ne]=5", Plans::Shared),
            // The place of a cursor is a range along the order, which every plan follows.
            ("sort=views&pagination[cursor]=", Plans::Shared),
        ] {
            let request = ListingRequest::from_query(&service.listings, query).unwrap();
            let list = article::Entity::find().listing(&request);
            let _ = list
                .listing_paginate(&recorder)
                .await
                .unwrap_or_else(|error| panic!("{query}: {error}"));
            let statements = recorder.take();
            assert!(!statements.is_empty(), "{query}");
            for statement in statements {
                assert_eq!(statement.plans, planned, "{}", statement.text);
            }
        }
    });
}
