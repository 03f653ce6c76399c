//! An application's own handlers next to ours, and single pieces used alone (contract 4.2 rule 3).

use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use listing::{Context, SelectListing};
use listing_axum::{
    Api, ApiError, Bound, ListingQuery, Operation, ResourceRoutes, Valid, destroy, store, success,
    update,
};
use listing_tests::{Client, on_each_database};
use sea_orm::{DatabaseConnection, EntityTrait};
use serde_json::{Value, json};

use crate::own::entity::note;
use crate::own::{App, NotePayload, Notes, Own, on_each_own};

fn note(code: &str, place: i32) -> Value {
    json!({ "title": format!("Titled {code}"), "place": place, "code": code })
}

/// A user's client of these routes.
fn client(own: &Own, name: &str, router: Router<App>) -> Client {
    own.client_of(router, &Context::new())
        .with_header("x-user", name)
}

/// Rule c4_2_r3.
#[test]
fn the_replies_can_be_used_alone() {
    let router = Router::new()
        .route(
            "/success",
            get(async || success("Found.", Json(json!({ "id": 7, "b": null })), false)),
        )
        .route("/silent", get(async || success(None, Json([1, 2]), true)))
        .route(
            "/store",
            get(async || store("Stored.", &json!("k-7"), "/things/k-7")),
        )
        .route("/update", get(async || update("Updated.")))
        .route("/destroy", get(async || destroy(None)));
    let client = Client::of(router, &Context::new(), &listing_axum::Config::default());
    listing_tests::run(async {
        for (path, status, expected) in [
            (
                "/success",
                200,
                json!({ "message": "Found.", "data": { "id": 7, "b": null },
                    "meta": { "code": 200, "message": "Found." } }),
            ),
            (
                "/silent",
                200,
                json!({ "message": null, "data": [1, 2], "meta": { "code": 200, "message": null } }),
            ),
            (
                "/store",
                201,
                json!({ "message": "Stored.", "data": { "id": "k-7" },
                    "meta": { "code": 201, "message": "Stored." } }),
            ),
            (
                "/update",
                200,
                json!({ "message": "Updated.", "meta": { "code": 200, "message": "Updated." } }),
            ),
            (
                "/destroy",
                200,
                json!({ "message": null, "meta": { "code": 200, "message": null } }),
            ),
        ] {
            let reply = client.get(path).await;
            assert_eq!(reply.status.as_u16(), status, "{path}");
            assert_eq!(reply.text(), expected.to_string(), "{path}");
            assert_eq!(reply.header("content-type"), Some("application/json"));
            let location = (path == "/store").then_some("/things/k-7");
            assert_eq!(reply.header("location"), location);
        }
    });
}

/// Rule c4_2_r3.
#[test]
fn success_has_pagination_only_where_it_is_said() {
    on_each_database(async |service| {
        for has_pagination in [true, false] {
            let request = listing::ListingRequest::from_query(&service.listings, "").unwrap();
            let page = blog::entity::tag::Entity::find()
                .listing(&request)
                .listing_paginate(&service.db)
                .await
                .unwrap();
            let body = success("Tags.", page, has_pagination).into_body();
            let body = http_body_util::BodyExt::collect(body).await.unwrap();
            let json: Value = serde_json::from_slice(&body.to_bytes()).unwrap();
            assert_eq!(json["meta"].get("pagination").is_some(), has_pagination);
            assert_eq!(json["data"].as_array().unwrap().len(), 25);
        }
    });
}

/// Rule c4_2_r1.
#[test]
fn the_binding_of_a_record_can_be_used_alone() {
    async fn title(Bound(note): Bound<Notes>) -> String {
        note.title
    }
    on_each_own(async |own| {
        let router = Router::new()
            .route("/title/{id}", get(title))
            .route("/{shelf}/books/{id}/title/{line}", get(title));
        let (user, other) = (
            client(own, "bound", router.clone()),
            client(own, "bound-other", router),
        );
        let id = own
            .user("bound")
            .post("/api/notes", &note("bound", 1))
            .await;
        let id = id.created();
        for path in [format!("/title/{id}"), format!("/a/books/{id}/title/3")] {
            assert_eq!(user.get(&path).await.ok().text(), "Titled bound");
            assert_eq!(other.get(&path).await.error_code(404), "not_found");
        }
        for no_key in ["0", "x", "%FF", "9223372036854775808"] {
            let reply = user.get(&format!("/title/{no_key}")).await;
            assert_eq!(reply.error_code(404), "not_found", "{no_key}");
        }
        let _ = own
            .user("bound")
            .delete(&format!("/api/notes/{id}"))
            .await
            .ok();
        assert_eq!(
            user.get(&format!("/title/{id}")).await.error_code(404),
            "not_found"
        );
    });
}

/// Rules d57, d61.
#[test]
fn the_validation_of_a_payload_can_be_used_alone() {
    async fn preview(Valid(payload): Valid<NotePayload>) -> Response {
        success(None, Json(json!({ "title": payload.title })), false)
    }
    on_each_own(async |own| {
        let router = Router::new().route("/preview", post(preview));
        let user = client(own, "preview", router);
        let reply = user
            .post("/preview", &json!({ "data": note("p", 1) }))
            .await;
        assert_eq!(reply.ok().json()["data"]["title"], "Titled p");
        let wrong = json!({ "title": " ", "place": -1, "code": 7 });
        let reply = user.post("/preview", &wrong).await;
        assert_eq!(reply.invalid_fields(), ["code", "place", "title"]);
        let twice = user.json("POST", "/preview", "{\"a\":1,\"a\":1}").await;
        assert_eq!(twice.error_code(400), "malformed_body");
        assert_eq!(
            user.bare("POST", "/preview").await.error_code(415),
            "unsupported_media_type"
        );
    });
}

/// Rule c4_2_r4.
#[test]
fn each_handler_can_be_replaced_and_keeps_its_address_and_name() {
    async fn index(
        State(db): State<DatabaseConnection>,
        ListingQuery(request): ListingQuery,
    ) -> Result<Response, ApiError> {
        let page = note::Entity::find()
            .listing(&request)
            .listing_paginate(&db)
            .await?;
        Ok(success("Our own list.", page, false))
    }
    async fn said(what: &'static str) -> Response {
        update(what)
    }
    on_each_own(async |own| {
        let routes = ResourceRoutes::crud::<Notes>()
            .replace(Operation::Index, index)
            .replace(Operation::Show, || said("show"))
            .replace(Operation::Store, || said("store"))
            .replace(Operation::Update, || said("update"))
            .replace(Operation::Destroy, || said("destroy"))
            // A forced delete is the same address, so that this is the last word on both.
            .replace(Operation::ForceDestroy, || said("delete"))
            .replace(Operation::Restore, || said("restore"));
        let (router, names) = Api::new("/api").resource(routes).finish().unwrap();
        let (_, ours) = Api::<App>::new("/api").crud::<Notes>().finish().unwrap();
        let sorted = |table: &listing_axum::routes::RouteTable| {
            let mut names: Vec<_> = table.iter().map(|route| format!("{route:?}")).collect();
            names.sort();
            names
        };
        // Whoever updates in a way of their own decides about patches, too.
        let without_patch = |mut names: Vec<String>| {
            names.retain(|name| !name.contains("notes.patch"));
            names
        };
        assert_eq!(sorted(&names), without_patch(sorted(&ours)));
        let user = client(own, "replacing", router);
        let refused = user.bare("PATCH", "/api/notes/1").await;
        assert_eq!(refused.error_code(405), "method_not_allowed");
        own.user("replacing")
            .post("/api/notes", &note("replacing", 1))
            .await
            .created();
        for (method, path, message) in [
            ("GET", "/api/notes", "Our own list."),
            ("QUERY", "/api/notes", "Our own list."),
            ("POST", "/api/notes/query", "Our own list."),
            ("GET", "/api/notes/1", "show"),
            ("POST", "/api/notes", "store"),
            ("PUT", "/api/notes/1", "update"),
            ("DELETE", "/api/notes/1", "delete"),
            ("DELETE", "/api/notes/1?force=true", "delete"),
            ("POST", "/api/notes/1/restore", "restore"),
        ] {
            let reply = user.json(method, path, "{}").await.ok();
            assert_eq!(reply.json()["message"], message, "{method} {path}");
        }
        let listed = user.get("/api/notes").await;
        assert_eq!(listed.column("code"), ["replacing"]);
        assert_eq!(listed.meta().get("pagination"), None);
    });
}

/// Rule c4_2_r4.
#[test]
fn each_handler_can_be_left_out_and_takes_its_name_along() {
    on_each_own(async |own| {
        let id = own
            .user("without")
            .post("/api/notes", &note("without", 1))
            .await
            .created();
        for (operation, method, path, status, allow) in [
            (Operation::Index, "GET", "", 405, "POST"),
            (Operation::Store, "POST", "", 405, "GET,HEAD,QUERY"),
            (Operation::Show, "GET", "/{id}", 405, "PUT,PATCH,DELETE"),
            (Operation::Update, "PUT", "/{id}", 405, "GET,HEAD,DELETE"),
            (
                Operation::Destroy,
                "DELETE",
                "/{id}",
                405,
                "GET,HEAD,PUT,PATCH",
            ),
            (Operation::Restore, "POST", "/{id}/restore", 404, ""),
        ] {
            let routes = ResourceRoutes::crud::<Notes>().without(operation);
            let (router, names) = Api::new("/api").resource(routes).finish().unwrap();
            let name = |operation: Operation| format!("notes.{}", operation.name());
            assert_eq!(names.get(&name(operation)), None);
            // The list has two addresses, and an update two methods.
            let left = match operation {
                Operation::Index | Operation::Update => 6,
                _ => 7,
            };
            assert_eq!(names.iter().count(), left);
            let user = client(own, "without", router);
            let path = format!("/api/notes{}", path.replace("{id}", &id.to_string()));
            let reply = user
                .json(method, &path, note("without-2", 2).to_string())
                .await;
            let _ = reply.error(status);
            if status == 405 {
                let sorted = |list: &str| {
                    let mut list: Vec<_> = list.split(',').map(str::to_owned).collect();
                    list.sort();
                    list
                };
                assert_eq!(
                    sorted(reply.header("allow").unwrap()),
                    sorted(allow),
                    "{method} {path}"
                );
            }
        }
        let count = own.user("without").get("/api/notes").await.total();
        assert_eq!(count, 1);
    });
}

/// Rule d62.
#[test]
fn without_a_forced_delete_there_is_none() {
    on_each_own(async |own| {
        let routes = ResourceRoutes::crud::<Notes>().without(Operation::ForceDestroy);
        let (router, _) = Api::new("/api").resource(routes).finish().unwrap();
        let user = client(own, "unforced", router);
        let id = user
            .post("/api/notes", &note("unforced", 1))
            .await
            .created();
        let path = format!("/api/notes/{id}");
        for deleted in [false, true] {
            if deleted {
                let _ = user.delete(&format!("{path}?force=false")).await.ok();
            }
            let reply = user.delete(&format!("{path}?force=true")).await;
            assert_eq!(reply.error_code(403), "forbidden");
        }
        let found = note::Entity::find_by_id(id).one(own.db()).await.unwrap();
        assert!(found.unwrap().deleted_at.is_some());
    });
}

/// Rule d50.
#[test]
fn a_prefix_can_have_parameters_and_the_api_can_be_nested() {
    on_each_own(async |own| {
        let (router, names) = Api::new("/{tenant}/api/").crud::<Notes>().finish().unwrap();
        assert_eq!(
            names.get("notes.show").unwrap().path,
            "/{tenant}/api/notes/{id}"
        );
        let user = client(own, "nesting", Router::new().nest("/v2", router));
        let reply = user.post("/v2/acme/api/notes", &note("nesting", 1)).await;
        let path = format!("/v2/acme/api/notes/{}", reply.created());
        assert_eq!(reply.header("location"), Some(&*path));
        let shown = user.get(&path).await.ok().json();
        assert_eq!(shown["data"]["code"], "nesting");
        let _ = user.put(&path, &note("nesting", 2)).await.ok();
        let _ = user.delete(&path).await.ok();
        let _ = user.bare("POST", &format!("{path}/restore")).await.ok();
    });
}
