//! Counts that several requests need at once run once, and are never shared across different scopes (b85, b86).

use std::pin::pin;

use blog::data::demo_rows;
use blog::entity::article;
use futures_util::future::{join, join3, poll_immediate};
use listing::execute::Reader;
use listing::reply::ListPage;
use listing::{Context, CountMode, Error, ListingRequest, Listings, SelectListing};
use listing_tests::{Service, on_each_database, on_each_fresh_database};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, TransactionTrait};

use crate::gate::Gate;
use crate::mine::{self, Me};

async fn list(listings: &Listings, query: &str, reader: &impl Reader) -> Result<ListPage, Error> {
    let request = ListingRequest::from_query(listings, query)?;
    let articles = article::Entity::find();
    articles.listing(&request).listing_paginate(reader).await
}

async fn total(listings: &Listings, query: &str, reader: &impl Reader) -> u64 {
    let page = list(listings, query, reader).await.unwrap();
    page.total().unwrap()
}

fn living() -> u64 {
    let rows = demo_rows();
    let living = rows.articles.iter().filter(|row| row.deleted_at.is_none());
    living.count() as u64
}

const IDLE: &str = "Counts { under_way: 0, kept: 0 }";

/// Rule b85.
#[test]
fn requests_that_come_while_a_count_runs_share_the_next_one() {
    on_each_database(async |service| {
        let gate = Gate::closed(&service.db);
        let mut first = pin!(list(&service.listings, "", &gate));
        // Another page of the same rows has the same count.
        let mut second = pin!(list(
            &service.listings,
            "pagination[page]=3&sort=title",
            &gate
        ));
        let mut third = pin!(list(&service.listings, "pagination[page]=2", &gate));
        // Other rows have another.
        let mut other = pin!(list(&service.listings, "filters[views][$gt]=5", &gate));
        assert!(poll_immediate(&mut first).await.is_none());
        assert!(poll_immediate(&mut second).await.is_none());
        assert!(poll_immediate(&mut third).await.is_none());
        assert_eq!(gate.counted(), 1);
        assert!(poll_immediate(&mut other).await.is_none());
        assert_eq!(gate.counted(), 2);
        gate.let_through(3);
        let (first, second, third) = join3(first, second, third).await;
        for page in [first, second, third] {
            assert_eq!(page.unwrap().total(), Some(living()));
        }
        assert_eq!(gate.counted(), 3);
        assert!(other.await.unwrap().total().unwrap() < living());
        // What is over is not shared.
        assert_eq!(gate.state(), IDLE);
        gate.let_through(1);
        assert_eq!(total(&service.listings, "", &gate).await, living());
        assert_eq!(gate.counted(), 4);
    });
}

/// Rule b85.
#[test]
fn a_count_that_began_before_a_write_is_not_shared_by_those_who_come_after_it() {
    on_each_fresh_database(async |service: &Service| {
        let gate = Gate::closed(&service.db);
        let first = list(&service.listings, "", &gate);
        let then = async {
            // Its number is known, and on its way.
            gate.until_read(1).await;
            let _ = service.delete("/api/articles/1").await.ok();
            let second = list(&service.listings, "", &gate);
            let third = list(&service.listings, "pagination[page]=2", &gate);
            let go_on = async { gate.let_through(2) };
            let (second, third, ()) = join3(second, third, go_on).await;
            [second.unwrap(), third.unwrap()]
        };
        let (first, after) = join(first, then).await;
        assert_eq!(first.unwrap().total(), Some(living()));
        for page in after {
            assert_eq!(page.total(), Some(living() - 1));
            assert!(page.total_is_exact());
        }
        assert_eq!(gate.counted(), 2);
        assert_eq!(gate.state(), IDLE);
    });
}

/// Rule b85.
#[test]
fn a_cached_total_may_be_older_than_the_request_and_is_not_exact_then() {
    on_each_database(async |service| {
        let service = service.with_settings(|settings| settings.count = CountMode::Cached(60));
        let gate = Gate::closed(&service.db);
        let first = list(&service.listings, "", &gate);
        let then = async {
            gate.until_read(1).await;
            let second = list(&service.listings, "", &gate);
            let go_on = async { gate.let_through(1) };
            join(second, go_on).await.0.unwrap()
        };
        let (first, second) = join(first, then).await;
        let first = first.unwrap();
        assert!(first.total_is_exact() && !second.total_is_exact());
        assert_eq!(
            (first.total(), second.total()),
            (Some(living()), Some(living()))
        );
        assert_eq!(gate.counted(), 1);
    });
}

#[test]
fn a_count_goes_on_when_the_request_that_began_it_is_dropped() {
    on_each_database(async |service| {
        let gate = Gate::closed(&service.db);
        let mut second = pin!(list(&service.listings, "", &gate));
        {
            let mut first = pin!(list(&service.listings, "", &gate));
            assert!(poll_immediate(&mut first).await.is_none());
            assert!(poll_immediate(&mut second).await.is_none());
        }
        gate.let_through(2);
        assert_eq!(second.await.unwrap().total(), Some(living()));
        assert_eq!(gate.counted(), 2);
        assert_eq!(gate.state(), IDLE);
    });
}

#[test]
fn a_count_that_nobody_waits_for_ends_and_is_begun_anew() {
    on_each_database(async |service| {
        let gate = Gate::closed(&service.db);
        {
            let mut first = pin!(list(&service.listings, "", &gate));
            assert!(poll_immediate(&mut first).await.is_none());
        }
        assert_eq!(gate.state(), IDLE);
        gate.let_through(1);
        assert_eq!(total(&service.listings, "", &gate).await, living());
        assert_eq!(gate.counted(), 2);
    });
}

#[test]
fn an_error_goes_to_those_whose_count_it_is_and_to_nobody_after() {
    on_each_database(async |service| {
        for mode in [CountMode::Exact, CountMode::Cached(60)] {
            let service = service.with_settings(|settings| settings.count = mode);
            let gate = Gate::closed(&service.db);
            let mut first = pin!(list(&service.listings, "", &gate));
            let mut second = pin!(list(&service.listings, "", &gate));
            assert!(poll_immediate(&mut first).await.is_none());
            assert!(poll_immediate(&mut second).await.is_none());
            gate.fail_once();
            gate.let_through(2);
            let (first, second) = join(first, second).await;
            let status = |failed: Result<ListPage, Error>| {
                let error = listing_axum::ApiError::from(failed.unwrap_err());
                let reply = axum::response::IntoResponse::into_response(error);
                reply.status().as_u16()
            };
            assert_eq!(status(first), 503);
            if mode == CountMode::Exact {
                // Its own count began after the one that failed.
                assert_eq!(second.unwrap().total(), Some(living()));
            } else {
                assert_eq!(status(second), 503);
                assert_eq!(total(&service.listings, "", &gate).await, living());
            }
            assert_eq!(gate.counted(), 2);
        }
    });
}

/// Rule b86.
#[test]
fn who_sees_other_rows_never_shares_a_count() {
    on_each_database(async |service| {
        let listings = mine::listings();
        let ask = async |me: Option<i64>, gate: &Gate| {
            let request = ListingRequest::from_query(&listings, "").unwrap();
            let context = me.map_or_else(Context::new, |me| Context::new().with(Me(me)));
            let request = request.with_context(context);
            let mine = mine::Entity::find().listing(&request);
            mine.listing_paginate(gate).await.unwrap()
        };
        let of = |me: i64| {
            let rows = demo_rows();
            let mine = rows.articles.iter().filter(|row| row.author_id == Some(me));
            mine.count() as u64
        };
        let gate = Gate::closed(&service.db);
        let mut ann = pin!(ask(Some(1), &gate));
        let mut bob = pin!(ask(Some(2), &gate));
        let mut nobody = pin!(ask(None, &gate));
        assert!(poll_immediate(&mut ann).await.is_none());
        assert!(poll_immediate(&mut bob).await.is_none());
        assert!(poll_immediate(&mut nobody).await.is_none());
        assert_eq!(gate.counted(), 3, "{:?}", gate.statements());
        gate.let_through(3);
        assert_eq!(ann.await.total(), Some(of(1)));
        assert_eq!(bob.await.total(), Some(of(2)));
        assert_eq!(nobody.await.total(), Some(0));
        // Kept apart as well.
        assert_eq!(ask(Some(2), &gate).await.total(), Some(of(2)));
        assert_eq!(ask(Some(1), &gate).await.total(), Some(of(1)));
        assert_eq!(gate.counted(), 3);
        // Nor does the application's own condition.
        let all = article::Entity::find();
        let some = article::Entity::find().filter(article::Column::Views.gt(100));
        let request = ListingRequest::from_query(&service.listings, "").unwrap();
        let gate = Gate::open(&service.db);
        let (all, some) = join(
            all.listing(&request).listing_paginate(&gate),
            some.listing(&request).listing_paginate(&gate),
        )
        .await;
        assert_eq!(gate.counted(), 2);
        assert!(some.unwrap().total() < all.unwrap().total());
    });
}

/// Rule b86.
#[test]
fn a_transaction_shares_nothing() {
    on_each_fresh_database(async |service| {
        let service = service.with_settings(|settings| settings.count = CountMode::Cached(3_600));
        let gate = Gate::open(&service.db);
        assert_eq!(total(&service.listings, "", &gate).await, living());
        let transaction = service.db.begin().await.unwrap();
        assert!(transaction.shared().is_none());
        assert!(service.db.shared().is_none());
        let gone = article::Entity::update_many()
            .set(article::ActiveModel {
                deleted_at: Set(Some(chrono::DateTime::UNIX_EPOCH)),
                ..Default::default()
            })
            .filter(article::Column::Id.gt(100));
        gone.exec(&transaction).await.unwrap();
        let in_it = total(&service.listings, "", &transaction).await;
        assert!(in_it <= 100, "{in_it}");
        // It says so exactly, and everybody else still has what was kept.
        let page = list(&service.listings, "", &transaction).await.unwrap();
        assert!(page.total_is_exact());
        assert_eq!(total(&service.listings, "", &gate).await, living());
        transaction.rollback().await.unwrap();
    });
}

/// A connection without a pool of readers around it counts for itself.
/// Rule b87.
#[test]
fn a_bare_connection_counts_at_each_request() {
    on_each_fresh_database(async |service: &Service| {
        let service = service.with_settings(|settings| settings.count = CountMode::Cached(3_600));
        assert_eq!(total(&service.listings, "", &service.db).await, living());
        let _ = service.delete("/api/articles/1").await.ok();
        let page = list(&service.listings, "", &service.db).await.unwrap();
        assert!(page.total_is_exact());
        let left = total(&service.listings, "", &service.db).await;
        assert_eq!(left, living() - 1);
    });
}

/// The lists of a service are read through its pool, which keeps what was counted.
#[test]
fn a_pool_of_readers_keeps_totals() {
    on_each_fresh_database(async |service: &Service| {
        let service = service.with_settings(|settings| settings.count = CountMode::Cached(3_600));
        assert_eq!(service.get("/api/articles").await.total(), living());
        let _ = service.delete("/api/articles/1").await.ok();
        let reply = service.get("/api/articles").await;
        assert_eq!(reply.total(), living());
        assert_eq!(reply.meta()["pagination"]["totalIsExact"], false);
    });
}
