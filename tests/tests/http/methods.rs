//! Methods, media types and slashes (d56).

use axum::body::Body;
use axum::http::{HeaderMap, Request, header};
use listing_tests::{Reply, on_each_database};

use crate::errors::assert_layout;

const LISTS: [&str; 4] = [
    "/api/articles",
    "/api/authors",
    "/api/comments",
    "/api/tags",
];

fn asked(method: &str, path: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path);
    request.body(Body::empty()).unwrap()
}

/// All headers but the one that is different each time.
pub(crate) fn headers(reply: &Reply) -> HeaderMap {
    let mut headers = reply.headers.clone();
    assert!(headers.remove("x-request-id").is_some());
    headers
}

/// Rule d56.
#[test]
fn answers_are_json() {
    on_each_database(async |service| {
        for list in LISTS {
            let reply = service.get(list).await.ok();
            let types: Vec<_> = reply.headers.get_all(header::CONTENT_TYPE).iter().collect();
            assert_eq!(types, ["application/json"], "{list}");
        }
    });
}

/// Rule d56.
#[test]
fn head_is_get_without_a_body() {
    on_each_database(async |service| {
        for path in [
            "/api/articles?populate=author&sort=title",
            "/api/comments",
            "/api/tags?pagination%5Bpage%5D=0",
            "/healthz",
        ] {
            let get = service.send(asked("GET", path)).await;
            let head = service.send(asked("HEAD", path)).await;
            assert_eq!(head.status, get.status, "{path}");
            assert_eq!(headers(&head), headers(&get), "{path}");
            assert!(!get.bytes.is_empty());
            assert_eq!(head.text(), "", "{path}");
            assert_eq!(
                head.headers[header::CONTENT_LENGTH],
                get.bytes.len().to_string(),
                "{path}"
            );
        }
    });
}

/// Rule d56.
#[test]
fn a_trailing_slash_is_the_same_route() {
    on_each_database(async |service| {
        for (plain, slash) in [
            ("/api/articles", "/api/articles/"),
            (
                "/api/articles?sort=views:desc&populate=tags",
                "/api/articles/?sort=views:desc&populate=tags",
            ),
            ("/api/tags?fields=name/", "/api/tags/?fields=name/"),
            ("/healthz", "/healthz/"),
        ] {
            let (plain, slash) = (service.get(plain).await, service.get(slash).await);
            assert_eq!(plain.ok().text(), slash.ok().text());
        }
        let body = serde_json::json!({ "sort": "id", "pagination": { "pageSize": 2 } });
        let posted = service.post_query("/api/articles", &body).await.ok();
        let request = Request::post("/api/articles/query/")
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        assert_eq!(service.send(request).await.ok().text(), posted.text());
    });
}

/// Rules d53, d56, b62.
#[test]
fn a_list_refuses_every_other_method_and_says_which_it_takes() {
    on_each_database(async |service| {
        for list in LISTS {
            for path in [list.to_owned(), format!("{list}/")] {
                // Articles can be created; the others cannot.
                let allowed = match list {
                    "/api/articles" => "GET,HEAD,POST,QUERY",
                    _ => "GET,HEAD,QUERY",
                };
                let refused = ["PATCH", "PUT", "DELETE", "POST", "OPTIONS", "TRACE", "BREW"];
                for method in refused
                    .into_iter()
                    .filter(|method| !allowed.contains(method))
                {
                    let reply = service.send(asked(method, &path)).await;
                    assert_layout(&reply);
                    assert_eq!(reply.error_code(405), "method_not_allowed", "{method}");
                    let allow: Vec<_> = reply.headers.get_all(header::ALLOW).iter().collect();
                    assert_eq!(allow, [allowed], "{method}");
                }
            }
            for method in ["GET", "HEAD", "PATCH", "PUT", "DELETE", "QUERY"] {
                let reply = service.send(asked(method, &format!("{list}/query"))).await;
                assert_eq!(reply.status, 405, "{method}");
                assert_eq!(reply.headers[header::ALLOW], "POST");
            }
        }
        let reply = service.send(asked("POST", "/healthz")).await;
        assert_layout(&reply);
        assert_eq!(reply.error_code(405), "method_not_allowed");
        assert_eq!(reply.headers[header::ALLOW], "GET,HEAD");
    });
}

/// Rule d56.
#[test]
fn an_answer_that_is_no_405_has_no_allow() {
    on_each_database(async |service| {
        let query = Request::builder()
            .method("QUERY")
            .uri("/api/tags")
            .header("content-type", "application/json")
            .body(Body::from("{}"))
            .unwrap();
        let by_query = service.send(query).await.ok();
        assert!(by_query.headers.get(header::ALLOW).is_none());
        let refused = service.send(asked("QUERY", "/api/tags")).await;
        assert_eq!(refused.error_code(415), "unsupported_media_type");
        assert!(refused.headers.get(header::ALLOW).is_none());
    });
}

/// Rules d53, b15.
#[test]
fn a_body_that_is_not_called_json_is_415() {
    on_each_database(async |service| {
        let send = async |method: &str, path: &str, kinds: &[&str]| {
            let mut request = Request::builder().method(method).uri(path);
            for kind in kinds {
                request = request.header(header::CONTENT_TYPE, *kind);
            }
            service.send(request.body(Body::from("{}")).unwrap()).await
        };
        for (method, path) in [("QUERY", "/api/tags"), ("POST", "/api/tags/query")] {
            for kind in [
                "text/plain",
                "text/json",
                "application/x-www-form-urlencoded",
                "multipart/form-data",
                "application/jsonx",
                "xapplication/json",
                "json",
                "",
            ] {
                let reply = send(method, path, &[kind]).await;
                assert_layout(&reply);
                assert_eq!(reply.error_code(415), "unsupported_media_type", "{kind}");
            }
            assert_eq!(send(method, path, &[]).await.status, 415);
            for kind in [
                "application/json",
                "application/json; charset=utf-8",
                "Application/JSON ;charset=UTF-8",
                "application/vnd.api+json",
            ] {
                assert_eq!(
                    send(method, path, &[kind]).await.ok().ids().len(),
                    25,
                    "{kind}"
                );
            }
        }
    });
}

/// Rule d56.
#[test]
fn what_a_get_carries_as_a_body_plays_no_part() {
    on_each_database(async |service| {
        let plain = service.get("/api/tags").await.ok();
        let request = Request::get("/api/tags")
            .header("content-type", "application/json")
            .body(Body::from(r#"{"pagination":{"pageSize":1}}"#))
            .unwrap();
        assert_eq!(service.send(request).await.ok().text(), plain.text());
    });
}
