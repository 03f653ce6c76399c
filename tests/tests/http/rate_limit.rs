//! How many requests one client may send (d56, b102, b103).

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use listing_axum::config::RateLimit;
use listing_tests::{Client, Engine, Reply, Service, run};

fn limited(service: &Service, limit: &str, trusted_proxies: usize) -> Client {
    let limited = service.with_config(|config| {
        config.http.rate_limit = Some(RateLimit::parse(limit).unwrap());
        config.http.trusted_proxies = trusted_proxies;
    });
    limited.client()
}

async fn ask(client: &Client, peer: &str, forwarded: Option<&str>) -> Reply {
    let mut request = Request::builder().uri("/api/tags").header("host", "blog");
    if let Some(forwarded) = forwarded {
        request = request.header("x-forwarded-for", forwarded);
    }
    let mut request = request.body(Body::empty()).unwrap();
    let peer: SocketAddr = peer.parse().unwrap();
    request.extensions_mut().insert(ConnectInfo(peer));
    client.send(request).await
}

/// Rules d56, b102.
#[test]
fn who_asks_too_often_is_told_when_to_come_back() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let client = limited(&service, "2/hour", 0);
        for _ in 0..2 {
            assert_eq!(ask(&client, "10.0.0.1:1000", None).await.status, 200);
        }
        // Another port, another claim about where it comes from: the same client.
        let refused = ask(&client, "10.0.0.1:1001", Some("10.7.7.7")).await;
        assert_eq!(refused.error_code(429), "too_many_requests");
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=1_800).contains(&wait), "{wait}");
        assert_eq!(refused.header("content-type"), Some("application/json"));
        assert!(refused.header("x-request-id").is_some());
        assert_eq!(ask(&client, "10.0.0.2:1000", None).await.status, 200);
        // An address without a route counts too: else it could be asked without end.
        let missing = limited(&service, "1/hour", 0);
        assert_eq!(missing.get("/nothing").await.status, 404);
        assert_eq!(missing.get("/nothing").await.status, 429);
    });
}

/// Rules b102, b620.
#[test]
fn probes_are_answered_however_often_they_are_sent() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let client = limited(&service, "1/hour", 0);
        for path in ["/healthz", "/readyz"] {
            for _ in 0..3 {
                assert_eq!(client.get(path).await.status, 200, "{path}");
            }
        }
        assert_eq!(client.get("/api/tags").await.status, 200);
        assert_eq!(client.get("/api/tags").await.status, 429);
    });
}

/// Rules d56, b102.
#[test]
fn there_is_no_limit_until_one_is_set() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let client = service.client();
        for _ in 0..300 {
            assert_eq!(client.get("/healthz").await.status, 200);
        }
    });
}

/// Rule b103.
#[test]
fn behind_a_trusted_proxy_the_client_is_who_it_names() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let client = limited(&service, "1/hour", 1);
        let proxy = "10.0.0.1:1000";
        assert_eq!(ask(&client, proxy, Some("1.1.1.1")).await.status, 200);
        assert_eq!(ask(&client, proxy, Some("2.2.2.2")).await.status, 200);
        assert_eq!(
            ask(&client, proxy, Some("9.9.9.9, 1.1.1.1")).await.status,
            429
        );
        // Who comes without the header is the proxy itself.
        assert_eq!(ask(&client, proxy, None).await.status, 200);
        assert_eq!(ask(&client, proxy, Some("nobody")).await.status, 429);
    });
}
