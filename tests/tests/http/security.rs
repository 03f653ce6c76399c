//! What protects browsers and the service: headers, pages, other origins, `Host`.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use axum::routing::get;
use listing::Context;
use listing_axum::Config;
use listing_axum::reply::page;
use listing_tests::{Client, on_each_database, run};

use crate::wire::Server;

/// Rule b255.
#[test]
fn no_response_is_taken_for_another_type() {
    on_each_database(async |service| {
        for path in [
            "/api/articles",
            "/api/articles/1",
            "/api/articles?filters[nothing]=1",
            "/nothing",
            "/healthz",
        ] {
            let reply = service.get(path).await;
            assert_eq!(
                reply.header("x-content-type-options"),
                Some("nosniff"),
                "{path}"
            );
            assert_eq!(reply.header("access-control-allow-origin"), None);
        }
    });
}

/// Rule b255.
#[test]
fn a_page_loads_nothing_from_elsewhere_and_stands_in_no_frame() {
    run(async {
        let router = Router::new().route("/page", get(async || page("<!doctype html><p>Hello")));
        let client = Client::of(router, &Context::new(), &Config::default());
        let reply = client.get("/page").await.ok();
        let policy = reply.header("content-security-policy").unwrap();
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(
            !policy.contains("unsafe") && !policy.contains("http"),
            "{policy}"
        );
        assert_eq!(reply.header("x-frame-options"), Some("DENY"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(
            reply.header("content-type"),
            Some("text/html; charset=utf-8")
        );
    });
}

/// Rule b255.
#[test]
fn http_1_1_without_a_host_is_400() {
    on_each_database(async |service| {
        let server = Server::start(service.app()).await;
        let reply = server
            .ask("GET /api/articles HTTP/1.1\r\n\r\n".to_owned())
            .await;
        assert_eq!(reply.status, 400);
        assert!(
            reply.text().contains("needs the header `Host`"),
            "{}",
            reply.text()
        );
        assert!(reply.header("x-request-id").is_some());
        // The protocol before had no such header.
        let reply = server.ask("GET /healthz HTTP/1.0\r\n\r\n".to_owned()).await;
        assert_eq!(reply.status, 200);
    });
}

fn asked_by(origin: &str, method: &str) -> Request<Body> {
    let mut request = Request::builder()
        .method(method)
        .uri("/api/articles")
        .header(header::ORIGIN, origin);
    if method == "OPTIONS" {
        request = request
            .header("access-control-request-method", "PUT")
            .header(
                "access-control-request-headers",
                "authorization,content-type",
            );
    }
    request.body(Body::empty()).unwrap()
}

/// Rule b256.
#[test]
fn other_origins_may_ask_only_where_they_are_named() {
    on_each_database(async |service| {
        let allowed = "access-control-allow-origin";
        for method in ["GET", "OPTIONS"] {
            let reply = service.send(asked_by("https://a.example", method)).await;
            assert_eq!(reply.header(allowed), None, "off by default");
        }
        let named = service.with_config(|config| {
            config.http.cors_origins = "https://a.example, https://b.example".into();
        });
        for origin in ["https://a.example", "https://b.example"] {
            let reply = named.send(asked_by(origin, "GET")).await.ok();
            assert_eq!(reply.header(allowed), Some(origin));
            assert_eq!(reply.header("access-control-allow-credentials"), None);
            assert!(
                reply
                    .header("access-control-expose-headers")
                    .unwrap()
                    .contains("etag")
            );
            let reply = named.send(asked_by(origin, "OPTIONS")).await;
            assert_eq!(reply.status, 200);
            assert_eq!(reply.header(allowed), Some(origin));
            let methods = reply.header("access-control-allow-methods").unwrap();
            assert!(
                methods.contains("PUT") && methods.contains("QUERY"),
                "{methods}"
            );
            let headers = reply.header("access-control-allow-headers").unwrap();
            assert!(headers.contains("authorization"), "{headers}");
        }
        for origin in ["https://c.example", "http://a.example", "null"] {
            let reply = named.send(asked_by(origin, "GET")).await;
            assert_eq!(reply.header(allowed), None, "{origin}");
        }
        let any = service.with_config(|config| config.http.cors_origins = "*".into());
        let reply = any.send(asked_by("https://c.example", "GET")).await.ok();
        assert_eq!(reply.header(allowed), Some("*"));
    });
}

/// Rule b256.
#[test]
fn an_origin_that_is_none_keeps_the_service_from_starting() {
    for wrong in [
        "example.org",
        "https://example.org/",
        "https://*.example.org",
    ] {
        let text = format!("[http]\ncors_origins = \"{wrong}\"");
        let told = Config::from_parts("listing.toml", &text, []).unwrap_err();
        assert!(told.to_string().contains("http.cors_origins"), "{told}");
    }
}
