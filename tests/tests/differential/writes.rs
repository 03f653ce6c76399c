//! No byte of an answer to a write depends on what is hidden, nor does what the writes leave behind (d132).

use axum::http::Request;
use blog::data::{DemoRows, demo_rows};
use listing_tests::{Reply, Service, on_each, run};
use sea_orm::{ConnectionTrait, DbBackend};
use serde_json::{Value, json};

use crate::twins::{changed_rows, on};

/// Rules d126, d127, d128, d131, d132.
#[test]
fn no_byte_of_an_answer_to_a_write_depends_on_hidden_rows() {
    let requests = requests(&demo_rows());
    on_each(|engine| {
        run(async {
            let twins = [
                on(engine, demo_rows()).await,
                on(engine, changed_rows()).await,
            ];
            for service in &twins {
                continue_ids(service).await;
            }
            for (number, asked) in requests.iter().enumerate() {
                let [demo, changed] = [
                    asked.send(&twins[0], number).await,
                    asked.send(&twins[1], number).await,
                ];
                let what = format!("{engine}: {asked:?}\n{}", demo.text());
                assert_eq!(demo.status, asked.status, "{what}");
                assert_eq!(told(&demo), told(&changed), "{what}");
            }
        });
    });
}

/// A request, and the status that shows that it was meant.
#[derive(Debug)]
struct Asked {
    method: &'static str,
    path: String,
    body: Value,
    key: Option<&'static str>,
    status: u16,
}

impl Asked {
    async fn send(&self, service: &Service, number: usize) -> Reply {
        let mut request = Request::builder()
            .method(self.method)
            .uri(&self.path)
            .header("content-type", "application/json")
            .header("x-request-id", format!("twin-{number}"));
        if let Some(key) = self.key {
            request = request.header("idempotency-key", key);
        }
        let body = match &self.body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        service.send(request.body(body.into()).unwrap()).await
    }
}

/// Writes that meet what is hidden in every place that can name a record, and what they left in the histories of the others.
fn requests(demo: &DemoRows) -> Vec<Asked> {
    let is_hidden = |id: &i64| {
        let article = demo.articles.iter().find(|article| article.id == *id);
        article.is_some_and(|article| article.deleted_at.is_some())
    };
    let ids = || demo.articles.iter().map(|article| article.id);
    let hidden: Vec<i64> = ids().filter(is_hidden).take(3).collect();
    let seen: Vec<i64> = ids().filter(|id| !is_hidden(id)).take(8).collect();
    let slug = |id: i64| {
        let article = demo.articles.iter().find(|article| article.id == id);
        article.unwrap().slug.clone()
    };
    let ask = |method, path: &str, body, status| Asked {
        method,
        path: format!("/api/articles{path}"),
        body,
        key: None,
        status,
    };
    let keyed = |key, asked: Asked| Asked {
        key: Some(key),
        ..asked
    };
    let new = |slug: &str| json!({ "title": slug, "slug": slug, "is_active": true, "tags": [1] });
    let bulk = |body: Value, status| ask("POST", "/_bulk", body, status);
    let mut all = vec![
        bulk(
            json!({
                "create": [new("twin-1"), new("twin-2")],
                "update": [{ "id": seen[0], "title": "Twin" }],
                "upsert": [new(&slug(seen[1])), new("twin-3")],
                "delete": [seen[2]],
            }),
            200,
        ),
        bulk(
            json!({ "create": [new("twin-4"), new(&slug(seen[0]))] }),
            422,
        ),
    ];
    for id in [hidden[0], hidden[1], 999_999_999] {
        all.extend([
            bulk(
                json!({ "update": [{ "id": seen[0], "body": "x" }, { "id": id, "body": "x" }] }),
                404,
            ),
            bulk(json!({ "delete": [seen[3], id] }), 404),
            bulk(
                json!({ "update": [{ "id": id, "etag": "\"0\"", "body": "x" }] }),
                404,
            ),
            ask("PATCH", &format!("/{id}"), json!({ "title": "x" }), 404),
            ask("DELETE", &format!("/{id}"), Value::Null, 404),
            ask("GET", &format!("/{id}/_history"), Value::Null, 404),
        ]);
    }
    let both = json!({ "id": { "$in": [seen[4], hidden[0], hidden[1]] } });
    let titled = json!({ "title": { "$contains": "a" } });
    for (end, set) in [
        ("update", Some(json!({ "body": "Twin." }))),
        ("delete", None),
    ] {
        let path = format!("/query/{end}");
        let asked = |filters: &Value, expected: usize, status| {
            let mut body = json!({ "filters": filters, "expected": expected });
            if let Some(set) = &set {
                body["set"] = set.clone();
            }
            ask("POST", &path, body, status)
        };
        all.extend([
            asked(&both, 3, 409),
            asked(&both, 1, 200),
            asked(&titled, 0, 409),
            asked(&json!({ "id": { "$eq": hidden[2] } }), 1, 409),
            asked(&json!({ "id": { "$eq": hidden[2] } }), 0, 200),
        ]);
    }
    // The first answers, again; what failed is tried again.
    let same = || bulk(json!({ "create": [new("twin-5")] }), 200);
    let gone = || bulk(json!({ "delete": [hidden[0]] }), 404);
    let other = || bulk(json!({ "create": [new("twin-6")] }), 422);
    let matched = || {
        let body = json!({ "filters": { "id": { "$in": [seen[5], hidden[0]] } }, "set": { "body": "Once." }, "expected": 1 });
        ask("POST", "/query/update", body, 200)
    };
    all.extend([
        keyed("same", same()),
        keyed("same", same()),
        keyed("same", other()),
        keyed("gone", gone()),
        keyed("gone", gone()),
        keyed("matched", matched()),
        keyed("matched", matched()),
    ]);
    all.push(ask(
        "POST",
        &format!("/{}/restore", seen[2]),
        Value::Null,
        200,
    ));
    for id in [seen[0], seen[1], seen[2], seen[3], seen[5], seen[6]] {
        all.push(ask("GET", &format!("/{id}/_history"), Value::Null, 200));
    }
    all
}

/// Status, headers and bytes, without the moments at which something was written.
fn told(reply: &Reply) -> (u16, Vec<(String, String)>, String) {
    let headers = reply.headers.iter();
    let headers = headers.map(|(name, value)| (name.to_string(), format!("{value:?}")));
    let mut headers: Vec<_> = headers.collect();
    headers.sort();
    (
        reply.status.as_u16(),
        headers,
        without_moments(&reply.text()),
    )
}

/// `2026-01-02T03:04:05.678901Z` is `(now)` in the year of the test and later: the demo set is older.
fn without_moments(text: &str) -> String {
    const LENGTH: usize = 27;
    let year = chrono::Utc::now().format("\"%Y-").to_string();
    let mut pieces = text.split(&*year);
    let mut told = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.get(LENGTH - year.len() + 1..);
        match rest.filter(|rest| rest.starts_with('"')) {
            Some(rest) => told.extend(["\"(now)", rest]),
            None => told.extend([year.as_str(), piece]),
        }
    }
    told
}

/// Only PostgreSQL does not notice ids that were given.
async fn continue_ids(service: &Service) {
    if service.db.get_database_backend() != DbBackend::Postgres {
        return;
    }
    let sql =
        "SELECT setval(pg_get_serial_sequence('articles', 'id'), (SELECT MAX(id) FROM articles))";
    service.db.execute_unprepared(sql).await.unwrap();
}

#[test]
fn moments_are_left_out_of_a_comparison_and_nothing_else() {
    let year = chrono::Utc::now().format("%Y").to_string();
    let text = format!(r#"{{"at":"{year}-01-02T03:04:05.678901Z","day":"{year}-01-02"}}"#);
    let told = format!(r#"{{"at":"(now)","day":"{year}-01-02"}}"#);
    assert_eq!(without_moments(&text), told);
    assert_eq!(without_moments("2001-01-02"), "2001-01-02");
}
