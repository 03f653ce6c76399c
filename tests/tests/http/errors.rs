//! Errors of list requests: one layout for all, and what each of them says (d52, d53).

use axum::body::Body;
use axum::http::{Request, header};
use listing_tests::{Reply, on_each_database};
use serde_json::{Value, json};

/// The layout that every error has, and nothing else in it.
#[track_caller]
pub(crate) fn assert_layout(reply: &Reply) {
    let keys = |value: &Value| -> Vec<String> {
        let object = value.as_object().unwrap_or_else(|| panic!("{value}"));
        object.keys().cloned().collect()
    };
    assert_eq!(reply.headers[header::CONTENT_TYPE], "application/json");
    let json = reply.json();
    let (error, status) = (&json["error"], reply.status.as_u16());
    assert_eq!(keys(&json), ["data", "message", "error", "meta"], "{json}");
    assert_eq!(keys(&json["meta"]), ["code", "message"], "{json}");
    let mut expected = vec!["status", "name", "code", "message"];
    if let Some(details) = error.get("details") {
        expected.push("details");
        let of_details = ["parameter", "token", "allowed", "nearest"];
        assert_eq!(keys(details), of_details, "{json}");
        assert!(details["parameter"].is_string() && details["token"].is_string());
        assert!(details["allowed"].is_array(), "{json}");
    }
    assert_eq!(keys(error), expected, "{json}");
    assert_eq!(json["data"], Value::Null);
    assert_eq!(
        (&error["status"], &json["meta"]["code"]),
        (&json!(status), &json!(status))
    );
    assert_eq!(json["message"], error["message"]);
    assert_eq!(json["message"], json["meta"]["message"]);
    assert!(!json["message"].as_str().unwrap().is_empty(), "{json}");
}

/// Rule d52.
#[test]
fn every_error_has_one_layout() {
    let body = |method: &str, path: &str, kind: Option<&str>, body: Vec<u8>| {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(kind) = kind {
            request = request.header(header::CONTENT_TYPE, kind);
        }
        request.body(Body::from(body)).unwrap()
    };
    let json = Some("application/json");
    let cases = || {
        let long = format!("/api/tags?x={}", "x".repeat(40_000));
        let get = |path: &str| body("GET", path, None, Vec::new());
        [
            (404, "route_not_found", get("/nothing")),
            (404, "route_not_found", get("/api/nothing")),
            (
                405,
                "method_not_allowed",
                body("DELETE", "/api/tags", None, Vec::new()),
            ),
            (
                405,
                "method_not_allowed",
                body("POST", "/healthz", None, Vec::new()),
            ),
            (405, "method_not_allowed", get("/api/tags/query")),
            (400, "bad_number", get("/api/tags?pagination%5Bpage%5D=0")),
            (
                400,
                "filter_unknown_field",
                get("/api/tags?filters%5Bnam%5D=x"),
            ),
            (414, "query_too_long", get(&long)),
            (
                413,
                "body_too_large",
                body("POST", "/api/tags/query", json, vec![b' '; 2_000_000]),
            ),
            (
                415,
                "unsupported_media_type",
                body("POST", "/api/tags/query", None, b"{}".to_vec()),
            ),
            (
                415,
                "unsupported_media_type",
                body("QUERY", "/api/tags", Some("text/plain"), b"{}".to_vec()),
            ),
            (
                400,
                "malformed_json",
                body("QUERY", "/api/tags", json, b"{".to_vec()),
            ),
            (
                400,
                "empty_body",
                body("POST", "/api/tags/query", json, Vec::new()),
            ),
            (
                400,
                "invalid_utf8",
                body("POST", "/api/tags/query", json, b"{\"\xff\":1}".to_vec()),
            ),
        ]
    };
    on_each_database(async |service| {
        for (status, code, request) in cases() {
            let reply = service.send(request).await;
            assert_eq!(reply.error_code(status), code);
            assert_layout(&reply);
        }
    });
}

/// Rules d52, d8.
#[test]
fn the_details_of_a_bad_query_name_the_offender_what_is_allowed_and_the_nearest() {
    let cases = [
        (
            "filters[titel][$eq]=x",
            "filter_unknown_field",
            json!({
                "parameter": "filters[titel][$eq]",
                "token": "titel",
                "allowed": ["id", "title", "slug", "body", "is_active", "views", "rating", "author_id", "created_at", "author_country", "author", "comments", "tags", "seo"],
                "nearest": "title",
            }),
        ),
        (
            "filters[slug][$contains]=x",
            "filter_operator_not_allowed",
            json!({ "parameter": "filters[slug][$contains]", "token": "$contains", "allowed": ["$eq", "$in"], "nearest": null }),
        ),
        (
            "filters[title][$contain]=x",
            "filter_unknown_operator",
            json!({ "parameter": "filters[title][$contain]", "token": "$contain", "allowed": ["$eq", "$ne", "$contains"], "nearest": "$contains" }),
        ),
        (
            "filters[is_active]=maybe",
            "filter_wrong_value",
            json!({ "parameter": "filters[is_active]", "token": "maybe", "allowed": ["true", "false"], "nearest": null }),
        ),
        (
            "pagination[pagesize]=5",
            "unknown_pagination_key",
            json!({ "parameter": "pagination", "token": "pagesize", "allowed": ["page", "pageSize", "start", "limit", "cursor", "withCount", "count"], "nearest": "pageSize" }),
        ),
        (
            "sort=views:down",
            "bad_direction",
            json!({ "parameter": "sort", "token": "down", "allowed": ["asc", "desc"], "nearest": null }),
        ),
        (
            "pagination[page]=1&pagination[start]=0",
            "page_with_offset",
            json!({ "parameter": "pagination[page]", "token": "start", "allowed": [], "nearest": null }),
        ),
    ];
    on_each_database(async |service| {
        for (query, code, details) in &cases {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_layout(&reply);
            let error = reply.error(400);
            assert_eq!(error["code"], *code, "{query}");
            assert_eq!(error["name"], "BadRequest");
            assert_eq!(error["details"], *details, "{query}");
        }
    });
}

/// Rule d52.
#[test]
fn an_error_echoes_no_more_than_a_little_of_what_was_sent() {
    let long = "é".repeat(2_000);
    on_each_database(async |service| {
        for query in [
            format!("filters[{long}]=1"),
            format!("filters[views]={long}"),
            format!("filters[views][{long}]=1"),
            format!("pagination[{long}]=1"),
            format!("pagination[page]={long}"),
            format!("sort=views:{long}"),
            format!("fields[{long}]=title"),
        ] {
            // The address is sent escaped, and an escaped é has six characters.
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_layout(&reply);
            assert_eq!(reply.status, 400);
            let echoed = reply.text().matches('é').count();
            assert!((1..1_000).contains(&echoed), "{echoed} in {query:.40}");
        }
    });
}

/// Rule b147.
#[test]
fn a_missing_record_and_a_wrong_path_are_told_apart() {
    on_each_database(async |service| {
        for path in ["/nothing", "/api/articels", "/api/articles/1/comments"] {
            let error = service.get(path).await.error(404);
            assert_eq!(error["code"], "route_not_found", "{path}");
            assert_eq!(error["message"], "Not found: no route matches this path.");
        }
        for path in ["/api/articles/987654321", "/api/articles/x"] {
            let error = service.get(path).await.error(404);
            assert_eq!(error["code"], "not_found", "{path}");
            assert_eq!(error["message"], "Not found: there is no such record.");
        }
    });
}
