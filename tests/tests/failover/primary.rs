//! A service whose PostgreSQL fails over: nothing that was acknowledged is lost, and writes go on.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::{Request, header};
use blog::migration::Migrator;
use listing_axum::database::connect;
use listing_tests::{Engine, Reply, Service, patient, run};
use sea_orm_migration::MigratorTrait;
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::postgres::{Postgres, url};
use crate::server::PATIENCE;

const CALLERS: usize = 4;

/// Writes that were acknowledged before the failover and after it, for each caller.
const EACH: usize = 15;

/// A service on a primary that fails over to its standby.
async fn service(primary: &Postgres, standby: &Postgres, connections: u32) -> Service {
    let db = connect(&url(&[standby, primary]), connections)
        .await
        .unwrap();
    Migrator::up(&db, None).await.unwrap();
    blog::data::load_demo(&db).await.unwrap();
    let service = Service::on(Engine::Postgres, db, patient()).await;
    service.with_config(|config| config.request_timeout_seconds = 3)
}

async fn create(service: &Service, slug: &str) -> Reply {
    let article = json!({ "title": "Written", "slug": slug, "is_active": true });
    let request = Request::post("/api/articles")
        .header("content-type", "application/json")
        .header("idempotency-key", slug);
    service
        .send(request.body(Body::from(article.to_string())).unwrap())
        .await
}

/// Sends a write until it is acknowledged. Everything else that it is answered says that it can be sent again.
async fn written(service: &Service, slug: &str) {
    loop {
        let reply = create(service, slug).await;
        match reply.status.as_u16() {
            201 => return,
            503 => assert_eq!(reply.headers[header::RETRY_AFTER], "1", "{}", reply.text()),
            // The server was there and did not answer; or the first of two still waits for it.
            504 => {}
            409 => assert_eq!(reply.error_code(409), "idempotency_key_under_way"),
            _ => panic!("{}", reply.text()),
        }
        sleep(std::time::Duration::from_millis(50)).await;
    }
}

/// Writes from several callers, before and after `fail` is called.
async fn written_through(service: &Service, fail: impl Future<Output = ()>) -> HashSet<String> {
    let done = Arc::new(AtomicUsize::new(0));
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let (service, done) = (service.clone(), Arc::clone(&done));
            tokio::spawn(async move {
                let mut slugs = Vec::new();
                for number in 0..EACH * 2 {
                    let slug = format!("failover-{caller}-{number}");
                    written(&service, &slug).await;
                    done.fetch_add(1, Ordering::SeqCst);
                    slugs.push(slug);
                }
                slugs
            })
        })
        .collect();
    while done.load(Ordering::SeqCst) < CALLERS * EACH {
        sleep(std::time::Duration::from_millis(5)).await;
    }
    fail.await;
    let mut all = HashSet::new();
    for caller in callers {
        all.extend(timeout(PATIENCE, caller).await.unwrap().unwrap());
    }
    all
}

/// Every write that was acknowledged is there once.
async fn are_there(service: &Service, slugs: &HashSet<String>) {
    for slug in slugs {
        let list = format!("/api/articles?filters[slug]={slug}");
        assert_eq!(service.get(&list).await.ids().len(), 1, "{slug}");
    }
}

/// Rules b1152, b1153.
#[test]
fn a_primary_that_is_killed_loses_no_acknowledged_write_and_its_standby_takes_the_next() {
    run(async {
        let mut primary = Postgres::primary();
        let standby = primary.standby().await;
        let service = service(&primary, &standby, 5).await;
        let slugs = written_through(&service, async {
            primary.process.kill();
            standby.promote().await;
        })
        .await;
        are_there(&service, &slugs).await;
        let there = service.db.get_postgres_connection_pool().connect_options();
        assert_eq!(there.get_port(), standby.port, "{}", standby.log());
    });
}

/// Rules b1152, b1153.
#[test]
fn a_primary_that_answers_nothing_is_left_for_its_standby_and_stays_left() {
    run(async {
        let primary = Postgres::primary();
        let standby = primary.standby().await;
        // There are fewer connections than commits that the former primary never answers.
        let service = service(&primary, &standby, 2).await;
        let slugs = written_through(&service, async {
            primary.process.pause();
            standby.promote().await;
        })
        .await;
        are_there(&service, &slugs).await;
        primary.process.resume();
        written(&service, "afterwards").await;
        let list = "/api/articles?filters[slug]=afterwards";
        assert_eq!(service.get(list).await.ids().len(), 1);
    });
}
