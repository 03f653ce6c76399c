//! The endpoints for service managers, and request ids.

use std::io::Write;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::Request;
use listing_tests::{Engine, Reply, Service, on_each_database, run};
use sea_orm::ConnectionTrait;

fn id(reply: &Reply) -> String {
    let ids: Vec<_> = reply.headers.get_all("x-request-id").iter().collect();
    assert_eq!(ids.len(), 1, "{ids:?}");
    ids[0].to_str().unwrap().to_owned()
}

/// That it answers 503 without a database stands with the other tests of one that is away.
#[test]
fn the_service_tells_that_it_lives_and_that_its_database_answers() {
    on_each_database(async |service| {
        assert_eq!(service.get("/healthz").await.ok().text(), "ok");
        assert_eq!(service.get("/readyz").await.ok().text(), "ready");
    });
}

/// Rule b64.
#[test]
fn every_answer_carries_a_request_id_of_its_own() {
    on_each_database(async |service| {
        let mut ids = Vec::new();
        for path in [
            "/api/tags",
            "/api/tags",
            "/api/tags?pagination[page]=0",
            "/nothing",
            "/healthz",
            "/api/tags/query",
        ] {
            let id = id(&service.get(path).await);
            assert!(uuid::Uuid::parse_str(&id).is_ok(), "{id}");
            ids.push(id);
        }
        let all = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), all);
    });
}

/// Rule b64.
#[test]
fn a_request_id_that_was_sent_comes_back() {
    let send = async |service: &Service, path: &str| {
        let request = Request::get(path)
            .header("x-request-id", "trace-me <1>")
            .body(Body::empty())
            .unwrap();
        service.send(request).await
    };
    on_each_database(async |service| {
        for path in ["/api/tags", "/api/tags?sort=a:b", "/nothing"] {
            assert_eq!(id(&send(service, path).await), "trace-me <1>", "{path}");
        }
    });
}

/// Where a log goes that a test wants to read.
#[derive(Clone, Default)]
pub(crate) struct Log(pub(crate) Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Rule d53.
#[test]
fn what_a_client_is_not_told_stands_in_the_log_next_to_its_request_id() {
    for engine in Engine::ALL {
        let service = run(Service::fresh(engine));
        run(service.db.execute_unprepared("DROP TABLE seo")).unwrap();
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            // It is there whatever else the log leaves out.
            .with_max_level(tracing::Level::ERROR)
            .with_writer(move || writer.clone())
            .finish();
        let reply = tracing::subscriber::with_default(subscriber, || {
            run(service.get("/api/articles?populate=seo"))
        });
        assert_eq!(reply.error_code(500), "internal_error");
        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let refused = log.lines().find(|line| line.contains("a request failed"));
        let refused = refused.unwrap_or_else(|| panic!("{engine}: {log}"));
        assert!(
            refused.contains(" ERROR ") && refused.contains("seo"),
            "{refused}"
        );
        assert!(
            refused.contains(&format!("id=\"{}\"", id(&reply))),
            "{refused}"
        );
    }
}
