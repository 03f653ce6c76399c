//! The table of statuses, and the body that the layer around a router gives to each of them (d52, d53).

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderValue, Request, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use listing::{ListingRequest, Listings, SelectListing, Settings};
use listing_axum::reply::STATUSES;
use listing_axum::{ApiError, Config, with_defaults};
use listing_tests::{Reply, on_each_database, run, warnings_of};
use sea_orm::EntityTrait;
use serde_json::json;
use tower::ServiceExt;

use crate::errors::assert_layout;

/// A router of which we know nothing, with our layers around it.
pub(crate) async fn ask(router: Router, config: &Config, path: &str) -> Reply {
    let request = Request::get(path).body(Body::empty()).unwrap();
    Reply::of(
        with_defaults(router, config)
            .oneshot(request)
            .await
            .unwrap(),
    )
    .await
}

/// Rules d53, d127, d128.
#[test]
fn the_table_has_every_error_status_of_the_decision() {
    let statuses: Vec<_> = STATUSES.iter().map(|known| known.status).collect();
    assert_eq!(
        statuses,
        [
            400, 401, 403, 404, 405, 408, 409, 412, 413, 414, 415, 422, 428, 429, 500, 503, 504
        ]
    );
    for known in STATUSES {
        let code = known.code.bytes();
        assert!(
            code.clone().all(|b| b.is_ascii_lowercase() || b == b'_'),
            "{known:?}"
        );
        let named = known.name.bytes().all(|b| b.is_ascii_alphabetic());
        assert!(named && !known.name.is_empty(), "{known:?}");
        assert!(
            known.message.ends_with('.') && known.remedy.ends_with('.'),
            "{known:?}"
        );
    }
    let mut codes: Vec<_> = STATUSES.iter().map(|known| known.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), STATUSES.len(), "a code means one thing");
}

/// Rules d52, d53.
#[test]
fn an_error_of_the_framework_gets_our_body() {
    let bare = async |Path(status): Path<u16>| StatusCode::from_u16(status).unwrap();
    let worded = async |Path(status): Path<u16>| {
        (
            StatusCode::from_u16(status).unwrap(),
            "SELECT * FROM secrets",
        )
    };
    let router = Router::new()
        .route("/bare/{status}", get(bare))
        .route("/worded/{status}", get(worded));
    run(async {
        for known in STATUSES {
            for kind in ["bare", "worded"] {
                let path = format!("/{kind}/{}", known.status);
                let reply = ask(router.clone(), &Config::default(), &path).await;
                assert_layout(&reply);
                // The framework's 404 is about a route, not about a record.
                let (code, message) = match known.status {
                    404 => ("route_not_found", "Not found: no route matches this path."),
                    // Nor is its 503 about the database.
                    503 => (known.code, "The service is not available; try again later."),
                    _ => (known.code, known.message),
                };
                assert_eq!(
                    reply.error(known.status),
                    json!({
                        "status": known.status,
                        "name": known.name,
                        "code": code,
                        "message": message,
                    })
                );
                let retry = reply.headers.get(header::RETRY_AFTER);
                assert_eq!(retry.is_some(), known.status == 503, "{path}");
            }
        }
        let teapot = ask(router.clone(), &Config::default(), "/worded/418").await;
        assert_layout(&teapot);
        assert_eq!(teapot.error_code(418), "error");
        let fine = ask(router, &Config::default(), "/worded/200").await;
        assert_eq!(fine.text(), "SELECT * FROM secrets");
    });
}

/// Rule d52.
#[test]
fn what_stands_beside_an_error_stays() {
    let refused = async || -> Response {
        let mut response = (StatusCode::TOO_MANY_REQUESTS, "slowly!").into_response();
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("7"));
        headers.append(header::VARY, HeaderValue::from_static("a"));
        headers.append(header::VARY, HeaderValue::from_static("b"));
        response
    };
    let own = async || (StatusCode::CONFLICT, axum::Json(json!({ "mine": true })));
    let router = Router::new()
        .route("/refused", get(refused))
        .route("/own", get(own));
    run(async {
        let reply = ask(router.clone(), &Config::default(), "/refused").await;
        assert_layout(&reply);
        assert_eq!(reply.error_code(429), "too_many_requests");
        assert_eq!(reply.headers[header::RETRY_AFTER], "7");
        let vary: Vec<_> = reply.headers.get_all(header::VARY).iter().collect();
        assert_eq!(vary, ["a", "b", "accept-encoding"]);
        // An application's own JSON is not ours to replace.
        let reply = ask(router, &Config::default(), "/own").await;
        assert_eq!(
            (reply.status.as_u16(), reply.text()),
            (409, r#"{"mine":true}"#.to_owned())
        );
    });
}

/// Rule b65.
#[test]
fn an_entity_whose_listing_was_not_added_is_500_and_the_log_says_what_to_call() {
    on_each_database(async |service| {
        let none = Listings::builder(Settings::default()).build().unwrap();
        let list = async {
            let request = ListingRequest::from_query(&none, "").unwrap();
            let tags = blog::entity::tag::Entity::find().listing(&request);
            let error = tags.listing_paginate(&service.db).await.unwrap_err();
            ApiError::from(error).into_response()
        };
        let (response, logged) = warnings_of(list).await;
        assert_eq!(response.status(), 500);
        assert!(logged.contains(".add::<"), "{logged}");
    });
}

/// Rules d53, d56.
#[test]
fn an_answer_over_the_time_limit_is_504() {
    let router = Router::new().route("/", get(std::future::pending::<&str>));
    let mut config = Config::default();
    assert_eq!(config.request_timeout_seconds, 10);
    config.request_timeout_seconds = 0;
    let reply = run(ask(router, &config, "/"));
    assert_layout(&reply);
    assert_eq!(reply.error_code(504), "timeout");
}

/// Rule d53.
#[test]
fn a_panic_is_500_and_its_text_stays_here() {
    let broken = async || -> &'static str { panic!("the secret of the handler") };
    let router = Router::new().route("/", get(broken));
    let reply = run(ask(router, &Config::default(), "/"));
    assert_layout(&reply);
    assert_eq!(reply.error_code(500), "internal_error");
    assert!(!reply.text().contains("secret"), "{}", reply.text());
}
