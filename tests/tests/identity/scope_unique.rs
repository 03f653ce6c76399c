//! Unique values across companies that must not know about each other (d58).

use serde_json::{Value, json};

use crate::tenants::{on_each_fresh_tenants, rows, seen};

fn project(slug: &str) -> Value {
    json!({ "name": "New", "slug": slug })
}

fn task(code: &str) -> Value {
    json!({ "title": "New", "code": code, "priority": 1 })
}

/// Rule d58.
#[test]
fn of_a_globally_unique_value_no_more_is_told_than_that_it_is_taken() {
    on_each_fresh_tenants(async |tenants| {
        let a = &tenants.a;
        // By A's own project, in which there is nothing to hide.
        let stored = a.post("/api/projects", &project("a-1")).await;
        let errors = json!({ "slug": ["slug has already been taken."] });
        assert_eq!(stored.error_code(422), "validation_failed");
        assert_eq!(stored.json()["errors"], errors);
        let updated = a.put("/api/projects/2", &project("a-1")).await;
        assert_eq!(updated.json()["errors"], errors);
        // By A's deleted project, by B's, by B's deleted one.
        for slug in ["a-4", "b-7001", "b-7004"] {
            let reply = a.post("/api/projects", &project(slug)).await;
            assert_eq!(seen(&reply), seen(&stored), "{slug}");
            let reply = a.put("/api/projects/2", &project(slug)).await;
            assert_eq!(seen(&reply), seen(&updated), "{slug}");
        }
        // Of B's own project, who holds the slug is not told either.
        let reply = a.put("/api/projects/7001", &project("b-7001")).await;
        assert_eq!(reply.status, 404);
        assert_eq!(crate::tenants::Rows::read(&tenants.db).await, rows());
        let free = a.post("/api/projects", &project("b-7005")).await;
        assert_eq!(free.status, 201, "{}", free.text());
    });
}

/// Rule d58.
#[test]
fn a_value_that_is_unique_within_a_company_is_free_in_another() {
    on_each_fresh_tenants(async |tenants| {
        let (a, b) = (&tenants.a, &tenants.b);
        for code in ["mine", "yours"] {
            let stored = b.post("/api/tasks", &task(code)).await;
            assert_eq!(stored.status, 201, "{}", stored.text());
        }
        // To A, what B has is as free as what nobody has.
        let stored = a.post("/api/tasks", &task("mine")).await;
        assert_eq!(stored.status, 201, "{}", stored.text());
        let id = stored.json()["data"]["id"].as_i64().unwrap();
        let path = format!("/api/tasks/{id}");
        let theirs = a.put(&path, &task("yours")).await;
        let nobodys = a.put(&path, &task("free")).await;
        assert_eq!(theirs.status, 200, "{}", theirs.text());
        assert_eq!(seen(&theirs), seen(&nobodys));
        let again = a.put(&path, &task("yours")).await;
        assert_eq!(seen(&again), seen(&nobodys));
        // Within a company it is taken, and a deleted record keeps it.
        let errors = json!({ "code": ["code has already been taken."] });
        for code in ["yours", "c1", "c6"] {
            let reply = a.post("/api/tasks", &task(code)).await;
            assert_eq!(reply.error_code(422), "validation_failed", "{code}");
            assert_eq!(reply.json()["errors"], errors, "{code}");
        }
        for code in ["c1", "c6"] {
            let reply = a.put(&path, &task(code)).await;
            assert_eq!(reply.error_code(422), "validation_failed", "{code}");
            assert_eq!(reply.json()["errors"], errors, "{code}");
        }
        let twice = b.post("/api/tasks", &task("mine")).await;
        assert_eq!(twice.json()["errors"], errors);
    });
}
