//! Facets and totals without rows, and the segments of paths that are reserved for them (d108).

use axum::body::Body;
use axum::http::Request;
use listing_tests::on_each_database;
use serde_json::{Value, json};

/// Rules d108, b744.
#[test]
fn numbers_come_without_rows_and_are_those_of_the_list() {
    on_each_database(async |service| {
        let query = "filters[is_active]=true&search=the&facets=*&totals[views]=sum&fields=titel";
        let list = service.get(&format!("/api/articles?{query}")).await.ok();
        let alone = service
            .get(&format!("/api/articles/_facets?{query}"))
            .await
            .ok();
        let (list, json) = (list.meta(), alone.json());
        assert_eq!(json["data"], Value::Null);
        for member in ["facets", "totals", "filters", "ignored", "code"] {
            assert_eq!(json["meta"][member], list[member], "{member}");
        }
        assert_eq!(json["meta"].get("pagination"), None);
        let tag = alone.header("etag").unwrap();
        let again = service.client().with_header("if-none-match", tag);
        let again = again.get(&format!("/api/articles/_facets?{query}")).await;
        assert_eq!(again.status, 304);
        let body = json!({
            "filters": { "is_active": true },
            "search": "the",
            "facets": "*",
            "totals": { "views": "sum" },
            "fields": "titel",
        });
        let request = Request::builder()
            .method("QUERY")
            .uri("/api/articles/_facets")
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        let by_body = service.send(request).await.ok();
        assert_eq!(by_body.json(), json);
    });
}

/// Rules d108, b744.
#[test]
fn segments_that_begin_with_an_underscore_are_reserved() {
    on_each_database(async |service| {
        for path in [
            "/api/articles/_other",
            "/api/tags/_facets",
            "/api/articles/_facets/x",
        ] {
            assert_eq!(service.get(path).await.status, 404, "{path}");
        }
        assert_eq!(service.delete("/api/articles/_1").await.status, 404);
        assert_eq!(service.delete("/api/articles/_facets").await.status, 405);
        let wrong = service
            .get("/api/articles/_facets?totals[views]=median")
            .await;
        assert_eq!(wrong.error_code(400), "total_not_allowed");
    });
}
