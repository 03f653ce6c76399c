//! The body of a list, byte for byte (contract 4.3, d48).

use axum::body::Body;
use axum::extract::State;
use axum::http::Request;
use axum::response::Response;
use blog::data::{country_name, demo_rows};
use blog::entity::tag;
use listing::{Layout, SelectListing};
use listing_axum::{ApiError, App, Config, ListingQuery, list_routes, success, with_defaults};
use listing_tests::{Reply, Service, on_each_database};
use sea_orm::{DatabaseConnection, EntityTrait};
use serde_json::{Value, json};
use tower::ServiceExt;

/// One row, so that the order of text plays no part.
const ONE_TAG: &str = "/api/tags?filters[name][$eq]=";

fn a_tag() -> tag::Model {
    demo_rows().tags[0].clone()
}

fn one_tag_item() -> String {
    let tag = a_tag();
    format!(r#"{{"id":{},"name":{}}}"#, tag.id, json!(tag.name))
}

fn one_tag_filter() -> String {
    let name = json!(a_tag().name);
    format!(r#"[{{"key":"name","value":{name},"label":{name},"operator":"$eq"}}]"#)
}

/// Rules d48, c4_3_t3.
#[test]
fn a_list_has_its_items_at_the_top_and_under_meta() {
    let (item, filters) = (one_tag_item(), one_tag_filter());
    let body = format!(
        r#"{{"message":"Tags retrieved.","data":[{item}],"meta":{{"code":200,"message":"Tags retrieved.","data":[{item}],"filters":{filters},"pagination":{{"page":1,"pageSize":25,"pageCount":1,"total":1}}}}}}"#
    );
    on_each_database(async |service| {
        let reply = service.get(&format!("{ONE_TAG}{}", a_tag().name)).await;
        assert_eq!(reply.ok().text(), body);
    });
}

/// Rule d48.
#[test]
fn the_lean_layout_leaves_the_copy_out_and_nothing_else() {
    let (item, filters) = (one_tag_item(), one_tag_filter());
    let body = format!(
        r#"{{"message":"Tags retrieved.","data":[{item}],"meta":{{"code":200,"message":"Tags retrieved.","filters":{filters},"pagination":{{"page":1,"pageSize":25,"pageCount":1,"total":1}}}}}}"#
    );
    on_each_database(async |service| {
        let lean = service.with_settings(|settings| settings.layout = Layout::Lean);
        let reply = lean.get(&format!("{ONE_TAG}{}", a_tag().name)).await;
        assert_eq!(reply.ok().text(), body);

        // A page with everything in it: the items are the same, whichever the layout.
        let everything = "/api/articles?fields=*&populate=*&sort=id,nothing";
        let (full, lean) = (service.get(everything).await, lean.get(everything).await);
        assert_eq!(full.ids().len(), 25);
        assert_eq!(full.json()["data"], full.meta()["data"]);
        assert_eq!(full.json()["data"], lean.json()["data"]);
        let mut meta = full.meta();
        meta.as_object_mut().unwrap().remove("data");
        assert_eq!(lean.meta(), meta);
    });
}

/// Rules c4_3_t1, c4_3_t2.
#[test]
fn meta_repeats_status_and_message() {
    on_each_database(async |service| {
        for (path, message) in [
            ("articles", "Articles retrieved."),
            ("authors", "Authors retrieved."),
            ("comments", "Comments retrieved."),
            ("tags", "Tags retrieved."),
        ] {
            let json = service.get(&format!("/api/{path}")).await.ok().json();
            assert_eq!(json["meta"]["code"], 200, "{path}");
            assert_eq!(json["meta"]["message"], message);
            assert_eq!(json["message"], message);
        }
        let refused = service.get("/api/tags?pagination[page]=0").await.json();
        assert_eq!(refused["meta"]["code"], 400);
        assert!(refused["meta"]["message"].is_string());
        assert_eq!(refused["meta"]["message"], refused["message"]);
    });
}

/// Rules c4_3_t4, c4_3_p1, c4_3_p2.
#[test]
fn each_value_of_an_in_is_told_with_its_label() {
    let codes: Vec<String> = {
        let mut codes: Vec<_> = demo_rows().authors.into_iter().map(|a| a.country).collect();
        codes.sort();
        codes.dedup();
        codes.truncate(3);
        codes
    };
    let told: Vec<_> = codes
        .iter()
        .map(|code| {
            json!({ "key": "country", "value": code, "label": country_name(code).unwrap(), "operator": "$in" })
        })
        .collect();
    assert!(told.iter().all(|told| told["label"] != told["value"]));
    let query: Vec<_> = codes
        .iter()
        .map(|code| format!("filters[country][$in][]={code}"))
        .collect();
    on_each_database(async |service| {
        let reply = service
            .get(&format!("/api/authors?{}", query.join("&")))
            .await;
        assert_eq!(reply.ok().meta()["filters"], Value::from(told.clone()));
    });
}

/// Rule c4_3_t4.
#[test]
fn a_list_without_filters_tells_an_empty_array() {
    on_each_database(async |service| {
        let meta = service.get("/api/articles").await.ok().meta();
        assert_eq!(meta["filters"], json!([]));
    });
}

/// Rule c4_3_p3.
#[test]
fn applied_defaults_are_told_and_replaced_ones_are_not() {
    let told =
        |value| json!([{ "key": "is_hidden", "value": value, "label": value, "operator": "$eq" }]);
    on_each_database(async |service| {
        let meta = service.get("/api/comments").await.ok().meta();
        assert_eq!(meta["filters"], told("false"));
        let meta = service
            .get("/api/comments?filters[is_hidden]=yes")
            .await
            .ok()
            .meta();
        assert_eq!(meta["filters"], told("true"));
    });
}

/// Rule d7.
#[test]
fn meta_ignored_is_there_only_when_something_was_ignored() {
    on_each_database(async |service| {
        let keys = async |query: &str| -> Vec<String> {
            let meta = service.get(query).await.ok().meta();
            meta.as_object().unwrap().keys().cloned().collect()
        };
        let plain = ["code", "message", "data", "filters", "pagination"];
        assert_eq!(keys("/api/articles?fields=title&sort=id").await, plain);
        assert_eq!(
            keys("/api/articles?populate=tags").await,
            [&plain[..], &["relations"]].concat()
        );
        assert_eq!(
            keys("/api/articles?populate=tags,nobody").await,
            [&plain[..], &["relations", "ignored"]].concat()
        );
    });
}

/// Rule c9_p1.
#[test]
fn paths_begin_with_api_and_carry_no_version() {
    on_each_database(async |service| {
        for path in ["articles", "authors", "comments", "tags"] {
            assert_eq!(
                service.get(&format!("/api/{path}")).await.ok().meta()["code"],
                200
            );
            for wrong in [format!("/{path}"), format!("/api/v1/{path}")] {
                assert_eq!(
                    service.get(&wrong).await.error_code(404),
                    "route_not_found",
                    "{wrong}"
                );
            }
        }
    });
}

/// A list of tags that is answered with that message.
async fn tags_answered_with(
    service: &Service,
    message: Option<&'static str>,
    has_pagination: bool,
) -> Reply {
    let handler = async move |State(db): State<DatabaseConnection>,
                              ListingQuery(request): ListingQuery|
                -> Result<Response, ApiError> {
        let page = tag::Entity::find()
            .listing(&request)
            .listing_paginate(&db)
            .await?;
        Ok(success(message, page, has_pagination))
    };
    let (db, reads) = (service.db.clone(), service.reads.clone());
    let app = App::new(db, reads, service.listings.clone(), ());
    let router = list_routes("/api/tags", handler).with_state(app);
    let request = Request::get("/api/tags?populate=articles&fields=nothing")
        .body(Body::empty())
        .unwrap();
    let response = with_defaults(router, &Config::default())
        .oneshot(request)
        .await;
    Reply::of(response.unwrap()).await.ok()
}

/// Rules d48, c4_3_t2.
#[test]
fn a_message_is_null_where_the_application_gives_none() {
    on_each_database(async |service| {
        let silent = tags_answered_with(service, None, true).await;
        assert!(
            silent.text().starts_with(r#"{"message":null,"data":[{"#),
            "{}",
            silent.text()
        );
        assert_eq!(silent.meta()["message"], Value::Null);
        assert_eq!(silent.meta()["code"], 200);
        let quoted = tags_answered_with(service, Some("\"Tags\"\n"), true).await;
        assert_eq!(quoted.json()["message"], "\"Tags\"\n");
        assert_eq!(quoted.meta()["message"], "\"Tags\"\n");
        assert_eq!(quoted.json()["data"], silent.json()["data"]);
    });
}

/// Rules d19, d48.
#[test]
fn success_without_pagination_has_no_such_block() {
    on_each_database(async |service| {
        let with = tags_answered_with(service, Some("Tags."), true).await;
        let without = tags_answered_with(service, Some("Tags."), false).await;
        let mut expected = with.json();
        let block = expected["meta"]
            .as_object_mut()
            .unwrap()
            .remove("pagination");
        assert_eq!(block.unwrap()["total"], demo_rows().tags.len());
        assert_eq!(without.json(), expected);
        for told in ["data", "filters", "relations", "ignored"] {
            assert!(without.meta().get(told).is_some(), "{told}");
        }
    });
}
