//! The same request as a query string and as a JSON body: the same answer, to the byte (d13).

use axum::body::Body;
use axum::http::Request;
use blog::data::demo_rows;
use listing_tests::{Reply, Service, on_each_database};
use serde_json::{Value, json};

use crate::errors::assert_layout;
use crate::methods::headers;

async fn by_body(service: &Service, method: &str, path: &str, body: &Value) -> Reply {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .unwrap();
    service.send(request).await
}

/// List, query string, JSON body, status.
fn same_requests() -> Vec<(&'static str, &'static str, Value, u16)> {
    let articles = "/api/articles";
    vec![
        (articles, "", json!({}), 200),
        (
            articles,
            "fields[0]=title&fields[1]=views&populate[0]=author&sort[0]=views:desc&sort[1]=title",
            json!({ "fields": ["title", "views"], "populate": ["author"], "sort": ["views:desc", "title"] }),
            200,
        ),
        (
            articles,
            "fields=*&populate=*&sort=id&pagination[page]=2&pagination[pageSize]=7",
            json!({ "fields": "*", "populate": "*", "sort": "id", "pagination": { "page": 2, "pageSize": 7 } }),
            200,
        ),
        (
            articles,
            "filters[views][$gte]=100&filters[views][$lte]=5000&filters[is_active]=true&filters[rating][$null]=false",
            json!({ "filters": { "views": { "$gte": 100, "$lte": "5000" }, "is_active": true, "rating": { "$null": false } } }),
            200,
        ),
        (
            articles,
            "filters[id][$in][0]=5&filters[id][$in][1]=7&filters[id][$in][2]=6&sort=id:desc",
            json!({ "filters": { "id": { "$in": [5, "7", 6] } }, "sort": ["id:desc"] }),
            200,
        ),
        (
            articles,
            "filters[author_country][$in][]=DE&filters[author_country][$in][]=BR&filters[title][$contains]=%25",
            json!({ "filters": { "author_country": { "$in": ["DE", "BR"] }, "title": { "$contains": "%" } } }),
            200,
        ),
        (
            articles,
            "filters[created_at][$between][]=2023-05-01&filters[created_at][$between][]=2024-05-01T12:00:00%2B02:00",
            json!({ "filters": { "created_at": { "$between": ["2023-05-01", "2024-05-01T12:00:00+02:00"] } } }),
            200,
        ),
        (
            articles,
            "pagination[start]=490&pagination[limit]=500&pagination[withCount]=no",
            json!({ "pagination": { "start": 490, "limit": "500", "withCount": false } }),
            200,
        ),
        (
            articles,
            "fields=title,nothing&sort=nobody&populate=nowhere",
            json!({ "fields": ["title", "nothing"], "sort": ["nobody"], "populate": ["nowhere"] }),
            200,
        ),
        (
            "/api/comments",
            "filters[is_hidden]=on&unknown=1",
            json!({ "filters": { "is_hidden": "on" }, "unknown": [[{}]] }),
            200,
        ),
        (
            "/api/tags",
            "fields=name,articles_count&sort=name:desc",
            json!({ "fields": ["name", "articles_count"], "sort": "name:desc" }),
            200,
        ),
        (
            articles,
            "filters[views][$gt]=many",
            json!({ "filters": { "views": { "$gt": "many" } } }),
            400,
        ),
        (
            articles,
            "filters[email][$eq]=x",
            json!({ "filters": { "email": { "$eq": "x" } } }),
            400,
        ),
        (
            articles,
            "pagination[page]=1&pagination[limit]=1",
            json!({ "pagination": { "page": 1, "limit": 1 } }),
            400,
        ),
        (
            articles,
            "populate[author][fields]=name",
            json!({ "populate": { "author": { "fields": "name" } } }),
            200,
        ),
        (
            articles,
            "populate[author][email]=x",
            json!({ "populate": { "author": { "email": "x" } } }),
            400,
        ),
        (
            "/api/tags",
            "sort[0]=name:up",
            json!({ "sort": ["name:up"] }),
            400,
        ),
    ]
}

/// Rule d13.
#[test]
fn query_and_post_answer_as_get_does_to_the_byte() {
    on_each_database(async |service| {
        for (list, query, body, status) in same_requests() {
            let get = service.get(&format!("{list}?{query}")).await;
            assert_eq!(get.status, status, "{query}: {}", get.text());
            let post = by_body(service, "POST", &format!("{list}/query"), &body).await;
            let by_query = by_body(service, "QUERY", list, &body).await;
            for (method, other) in [("POST", post), ("QUERY", by_query)] {
                assert_eq!(other.status, get.status, "{method} {query}");
                assert_eq!(other.text(), get.text(), "{method} {query}");
                let mut expected = headers(&get);
                if method == "POST" {
                    // b100: what was posted cannot be asked for again by its tag.
                    expected.remove("etag");
                    expected.remove("cache-control");
                }
                assert_eq!(headers(&other), expected, "{method} {query}");
            }
        }
    });
}

/// Rule d13.
#[test]
fn a_body_takes_more_values_than_an_address() {
    // Every article, and ids that nobody has.
    let ids: Vec<u64> = (1..=10_000).collect();
    let living = demo_rows()
        .articles
        .iter()
        .filter(|article| article.deleted_at.is_none())
        .count();
    let asked = |ids: &[u64]| json!({ "filters": { "id": { "$in": ids } }, "fields": "title" });
    on_each_database(async |service| {
        let reply = service.post_query("/api/articles", &asked(&ids)).await;
        assert_eq!(reply.ok().total(), living as u64);
        let mut more = ids.clone();
        more.push(10_001);
        let reply = service.post_query("/api/articles", &asked(&more)).await;
        assert_layout(&reply);
        let error = reply.error(400);
        assert_eq!(error["code"], "too_many_values");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("10001 values") && message.contains("10000 are allowed"),
            "{message}"
        );
    });
}

/// Rules d13, d53.
#[test]
fn more_values_than_the_database_binds_are_400() {
    // 10,000 in each of four lists: over what SQLite binds in one statement, under what the others do.
    let ids: Vec<u64> = (1..=10_000).collect();
    let words: Vec<String> = ids.iter().map(|id| format!("x{id}")).collect();
    let body = json!({ "filters": {
        "id": { "$in": ids, "$notIn": ids },
        "slug": { "$in": words },
        "author_country": { "$in": words },
    } });
    on_each_database(async |service| {
        let service = service.with_settings(|settings| settings.bounds.body_in_values = 20_000);
        let reply = service.post_query("/api/articles", &body).await;
        if service.engine == listing_tests::Engine::Sqlite {
            assert_layout(&reply);
            let error = reply.error(400);
            assert_eq!(error["code"], "too_many_values");
            assert_eq!(error["details"]["token"], "40000");
        } else {
            assert_eq!(reply.ok().total(), 0);
        }
        // Over what any of them binds.
        let ids: Vec<u64> = (1..=20_000).collect();
        let words: Vec<String> = ids.iter().map(|id| format!("x{id}")).collect();
        let body = json!({ "filters": {
            "id": { "$in": ids, "$notIn": ids },
            "slug": { "$in": words },
            "author_country": { "$in": words },
        } });
        let reply = service.post_query("/api/articles", &body).await;
        assert_layout(&reply);
        assert_eq!(reply.error(400)["code"], "too_many_values");
    });
}

/// Rule d13.
#[test]
fn a_body_that_is_no_object_is_400() {
    on_each_database(async |service| {
        for (body, code) in [
            ("", "empty_body"),
            ("  \n", "empty_body"),
            ("[]", "body_not_an_object"),
            ("null", "body_not_an_object"),
            ("\"fields\"", "body_not_an_object"),
            ("{\"fields\": [\"title\"]", "malformed_json"),
            ("{\"fields\": [\"title\"],}", "malformed_json"),
            ("{} {}", "malformed_json"),
            ("{\"sort\": \"id\", \"sort\": \"id\"}", "duplicate_key"),
            (
                "{\"filters\": {\"id\": {\"$eq\": 1, \"$eq\": 2}}}",
                "duplicate_key",
            ),
            ("{\"filters\": {\"id\": null}}", "null_filter"),
            ("{\"filters\": {\"title\": \"a\\u0000b\"}}", "nul"),
            ("{\"filters\": [1]}", "object_expected"),
        ] {
            for (method, path) in [("POST", "/api/articles/query"), ("QUERY", "/api/articles")] {
                let request = Request::builder()
                    .method(method)
                    .uri(path)
                    .header("content-type", "application/json")
                    .body(Body::from(body))
                    .unwrap();
                let reply = service.send(request).await;
                assert_layout(&reply);
                assert_eq!(reply.error_code(400), code, "{body}");
            }
        }
    });
}

/// Rule b448.
#[test]
fn what_is_asked_next_to_a_body_is_refused_and_not_dropped() {
    on_each_database(async |service| {
        for (method, path) in [("QUERY", "/api/articles"), ("POST", "/api/articles/query")] {
            let ask = async |query: &str| {
                by_body(service, method, &format!("{path}?{query}"), &json!({})).await
            };
            for (query, parameter) in [
                ("filters[id]=1", "filters"),
                ("locale=en&sort=id", "sort"),
                ("fields=title", "fields"),
                ("populate=author", "populate"),
                ("pagination[page]=2", "pagination"),
                ("_q=rust", "_q"),
            ] {
                let error = ask(query).await.error(400);
                assert_eq!(error["code"], "query_and_body", "{method} {query}");
                assert_eq!(error["details"]["parameter"], parameter, "{method} {query}");
            }
            let error = ask("filter[id]=1").await.error(400);
            assert_eq!(error["code"], "misspelt_parameter", "{method}");
            // What no list has is ignored here as in the body.
            let reply = ask("_=123&filters=").await;
            assert_eq!(reply.status, 200, "{method}");
            assert_eq!(reply.meta()["ignored"]["parameters"], json!(["_"]));
        }
    });
}
