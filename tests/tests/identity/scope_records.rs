//! No byte of any response tells a record of another company from one that does not exist.

use axum::body::Body;
use axum::http::Request;
use listing_tests::{Client, Reply};
use serde_json::{Value, json};

use crate::tenants::{
    A, MISSING, Rows, Tenants, on_each_fresh_tenants, on_each_tenants, rows, seen,
};

/// A request in which `ID` stands for an id.
#[derive(Debug, Clone)]
struct Ask {
    method: &'static str,
    path: &'static str,
    headers: Vec<(&'static str, &'static str)>,
    body: Option<String>,
}

fn ask(method: &'static str, path: &'static str) -> Ask {
    Ask {
        method,
        path,
        headers: Vec::new(),
        body: None,
    }
}

impl Ask {
    fn header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    fn body(mut self, body: &Value) -> Self {
        self.body = Some(body.to_string().replace("\"ID\"", "ID"));
        self.header("content-type", "application/json")
    }

    async fn send(&self, client: &Client, id: i64) -> Reply {
        let with_id = |text: &str| text.replace("ID", &id.to_string());
        let mut request = Request::builder()
            .method(self.method)
            .uri(with_id(self.path));
        for (name, value) in &self.headers {
            request = request.header(*name, *value);
        }
        let body = self.body.as_deref().map(with_id).unwrap_or_default();
        client.send(request.body(Body::from(body)).unwrap()).await
    }
}

/// What can be seen of a reply, with the id that was asked for taken out: a filter echoes it.
async fn told(client: &Client, ask: &Ask, id: i64) -> (u16, Vec<(String, Vec<u8>)>, String) {
    let (status, mut headers, text) = seen(&ask.send(client, id).await);
    // The tag of a list is made of its text, with the echo in it.
    headers.retain(|(name, value)| name != "etag" || !value.starts_with(b"W/"));
    // Ids of four digits occur nowhere else, and leave the length of an answer as it is.
    let echo = if id > 1_000 {
        id.to_string()
    } else {
        format!("\"{id}\"")
    };
    (status, headers, text.replace(&echo, "ID"))
}

/// Asks about each id as A, and finds the answers equal to that about an id which does not exist. An id of A's own is
/// answered otherwise: were it not, equal answers would mean nothing.
async fn tells_nothing(tenants: &Tenants, asks: &[Ask], theirs: &[i64], own: i64) {
    for ask in asks {
        let absent = told(&tenants.a, ask, MISSING).await;
        for id in theirs {
            assert_eq!(told(&tenants.a, ask, *id).await, absent, "{id}: {ask:?}");
        }
    }
    assert_eq!(Rows::read(&tenants.db).await, rows(), "nothing was written");
    for ask in asks {
        let absent = told(&tenants.a, ask, MISSING).await;
        assert_ne!(told(&tenants.a, ask, own).await, absent, "{own}: {ask:?}");
    }
}

fn project() -> Value {
    json!({ "name": "New", "slug": "new" })
}

/// Rule c4_2_r1.
#[test]
fn records_of_another_scope_do_not_exist() {
    let path = "/api/projects/ID";
    on_each_fresh_tenants(async |tenants| {
        let asks = [
            ask("GET", path),
            ask("HEAD", path),
            ask("GET", path).header("if-none-match", "*"),
            ask("PUT", path).body(&project()),
            ask("PUT", path).body(&json!({ "name": "", "slug": 1 })),
            ask("PUT", path).body(&json!({ "name": "New", "slug": "a-1" })),
            ask("PUT", path).body(&project()).header("if-match", "*"),
            ask("PUT", path)
                .body(&project())
                .header("if-match", "\"0\""),
            ask("DELETE", path).header("if-match", "\"0\""),
            ask("DELETE", path),
        ];
        tells_nothing(tenants, &asks, &[7_001, 7_002, 7_004], 3).await;
        for id in [7_001, 7_002] {
            let path = format!("/api/projects/{id}");
            assert_eq!(tenants.b.get(&path).await.status.as_u16(), 200, "{path}");
        }
    });
}

/// Rule c4_2_r1.
#[test]
fn records_whose_request_is_malformed_do_not_exist_either() {
    let path = "/api/projects/ID";
    on_each_tenants(async |tenants| {
        for ask in [
            ask("PUT", path).header("content-type", "application/json"),
            ask("PUT", path).header("content-type", "text/plain"),
            ask("PATCH", path).body(&project()),
            ask("POST", path).body(&project()),
            ask("OPTIONS", path),
        ] {
            let absent = told(&tenants.a, &ask, MISSING).await;
            for id in [7_001, 7_004] {
                assert_eq!(told(&tenants.a, &ask, id).await, absent, "{id}: {ask:?}");
            }
        }
    });
}

/// Rule d62.
#[test]
fn deleted_records_of_another_scope_do_not_exist() {
    on_each_fresh_tenants(async |tenants| {
        let restore = [ask("POST", "/api/projects/ID/restore")];
        tells_nothing(tenants, &restore, &[7_001, 7_004], 4).await;
        assert_eq!(tenants.b.get("/api/projects/7004").await.status, 404);
        let restored = tenants.b.bare("POST", "/api/projects/7004/restore").await;
        assert_eq!(restored.status, 200, "{}", restored.text());
    });
    on_each_fresh_tenants(async |tenants| {
        let force = [ask("DELETE", "/api/projects/ID?force=true")];
        tells_nothing(tenants, &force, &[7_001, 7_004], 4).await;
        let deleted = tenants.b.delete("/api/projects/7004?force=true").await;
        assert_eq!(deleted.status, 200, "{}", deleted.text());
    });
}

#[test]
fn lists_tell_nothing_of_an_id_of_another_scope() {
    on_each_tenants(async |tenants| {
        let by_body = json!({ "filters": { "id": { "$in": ["ID"] } }, "populate": ["tasks"] });
        let projects = [
            ask("GET", "/api/projects?filters[id]=ID"),
            ask("GET", "/api/projects?filters[id][$in][]=ID&populate=tasks"),
            ask("GET", "/api/projects?filters[id][$ne]=ID"),
            ask("GET", "/api/projects?filters[id][$notIn][]=ID&trashed=with"),
            ask("GET", "/api/projects?filters[id]=ID&trashed=with&fields=*"),
            ask("HEAD", "/api/projects?filters[id]=ID"),
            ask("POST", "/api/projects/query").body(&by_body),
            ask("QUERY", "/api/projects").body(&by_body),
            // With the label of the project, where there is one for A.
            ask("GET", "/api/tasks?filters[project_id]=ID"),
            ask("GET", "/api/tasks?filters[project_id][$in][]=ID"),
        ];
        tells_nothing(tenants, &projects, &[7_002, 7_004], 1).await;
    });
}

/// Rule d58.
#[test]
fn a_foreign_key_to_another_scope_points_to_nothing() {
    let task =
        |code: &str| json!({ "title": "T", "code": code, "priority": 1, "project_id": "ID" });
    on_each_fresh_tenants(async |tenants| {
        let store = ask("POST", "/api/tasks").body(&task("new"));
        let absent = store.send(&tenants.a, MISSING).await;
        assert_eq!(absent.error_code(422), "validation_failed");
        let expected = json!({ "project_id": ["project_id must reference an existing record."] });
        assert_eq!(absent.json()["errors"], expected);
        // A project in A's own bin is nothing to point to either.
        let own_deleted = told(&tenants.a, &store, 4).await;
        assert_eq!(own_deleted, told(&tenants.a, &store, MISSING).await);
        let asks = [
            store,
            ask("POST", "/api/tasks").body(&json!({ "project_id": "ID" })),
            ask("PUT", "/api/tasks/8").body(&task("c8")),
            ask("PUT", "/api/tasks/8").body(&json!({ "project_id": "ID" })),
            // Of a task that is not A's, nothing is said at all.
            ask("PUT", "/api/tasks/7001").body(&task("c8")),
        ];
        let (of_own, of_theirs) = asks.split_at(4);
        tells_nothing(tenants, of_own, &[7_001, 7_002, 7_004], 1).await;
        for ask in of_theirs {
            let absent = told(&tenants.a, ask, MISSING).await;
            assert_eq!(absent.0, 404);
            for id in [1, 7_001] {
                assert_eq!(told(&tenants.a, ask, id).await.0, 404, "{ask:?}");
            }
        }
    });
}

#[test]
fn mass_assignment_moves_no_record_into_another_scope() {
    let payload = json!({ "name": "New", "slug": "new", "tenant_id": 2, "id": 7_001 });
    on_each_fresh_tenants(async |tenants| {
        let stored = tenants.a.post("/api/projects", &payload).await;
        assert_eq!(stored.status, 201, "{}", stored.text());
        let id = stored.json()["data"]["id"].as_i64().unwrap();
        let payload = json!({ "name": "Newer", "slug": "newer", "tenant_id": 2, "id": 7_001 });
        let path = format!("/api/projects/{id}");
        assert_eq!(tenants.a.put(&path, &payload).await.status, 200);
        let mut rows = Rows::read(&tenants.db).await;
        let at = rows.projects.iter().position(|row| row.id == id).unwrap();
        let row = rows.projects.remove(at);
        assert_eq!((row.tenant_id, row.name.as_str()), (A, "Newer"));
        assert_eq!(rows, crate::tenants::rows());
    });
}
