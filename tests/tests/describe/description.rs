//! The description of the reference service.

use blog::resources::api;
use listing::{Context, Settings};
use listing_axum::describe::ApiDescription;
use listing_tests::{Engine, Service};
use serde_json::{Value, json};

/// What the blog tells to a caller without a token.
async fn described() -> Value {
    let service = Service::fresh(Engine::Sqlite).await;
    service.get("/api/_describe").await.ok().json()
}

fn listing<'d>(document: &'d Value, name: &str) -> &'d Value {
    let listings = document["listings"].as_array().unwrap();
    listings
        .iter()
        .find(|listing| listing["name"] == name)
        .unwrap()
}

fn named<'d>(list: &'d Value, name: &str) -> &'d Value {
    let list = list.as_array().unwrap();
    list.iter().find(|one| one["name"] == name).unwrap()
}

/// Rule b290.
#[tokio::test]
async fn the_description_of_the_blog() {
    let mut document = described().await;
    document["version"] = "0.0.0".into();
    insta::assert_json_snapshot!("blog", document);
}

/// Rule b290.
#[tokio::test]
async fn a_filter_tells_its_values_labels_and_default() {
    let document = described().await;
    let articles = listing(&document, "articles");
    assert_eq!(
        named(&articles["filters"], "is_active"),
        &json!({
            "name": "is_active", "type": "boolean", "operators": ["$eq"], "labels": true,
            "options": [{"value": true, "label": "Active"}, {"value": false, "label": "Inactive"}],
        })
    );
    let author = named(&articles["filters"], "author_id");
    assert_eq!(author["references"], "authors");
    assert_eq!(
        author["default"],
        json!({"operator": "$eq", "computed": true})
    );
    let comments = listing(&document, "comments");
    let hidden = named(&comments["filters"], "is_hidden");
    assert_eq!(
        hidden["default"],
        json!({"operator": "$eq", "value": false})
    );
}

/// Rule b290.
#[tokio::test]
async fn a_payload_tells_its_rules() {
    let document = described().await;
    let operations = &listing(&document, "articles")["operations"];
    assert_eq!(
        named(&operations["store"]["payload"], "slug"),
        &json!({
            "name": "slug", "type": "string", "required": true, "nullable": false,
            "minLength": 1, "maxLength": 255, "trim": true, "unique": true,
        })
    );
    assert_eq!(
        named(&operations["update"]["payload"], "body"),
        &json!({"name": "body", "type": "string", "required": false, "nullable": true})
    );
    assert_eq!(
        operations["forceDestroy"]["path"],
        "/api/articles/{id}?force=true"
    );
    assert!(
        listing(&document, "authors")["operations"]
            .get("store")
            .is_none()
    );
}

/// Rule b291.
#[tokio::test]
async fn columns_that_are_in_no_whitelist_appear_nowhere() {
    let text = described().await.to_string();
    for hidden in ["email", "deleted_at", "article_tag", "Listing", "seo_id"] {
        assert!(!text.contains(hidden), "{hidden}");
    }
}

/// Rule b290.
#[tokio::test]
async fn a_description_reads_back_as_it_was_written() {
    let document = described().await;
    let read: ApiDescription = serde_json::from_value(document.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), document);
}

/// Rule b290.
#[tokio::test]
async fn a_client_that_has_the_description_is_told_so() {
    let service = Service::fresh(Engine::Sqlite).await;
    let first = service.get("/api/_describe").await;
    let tag = first.header("etag").unwrap().to_owned();
    let client = service.client().with_header("if-none-match", &tag);
    assert_eq!(client.get("/api/_describe").await.status, 304);
}

/// Rule b290.
#[test]
fn names_follow_the_convention_of_the_project() {
    let mut settings = Settings::default();
    settings.names = listing::Names::CamelCase;
    let api = api(settings).unwrap();
    let context = Context::new();
    let db = sea_orm::DatabaseConnection::default();
    let described = ApiDescription::for_caller(&api.listings, &api.routes, &context, &db);
    let described = listing_tests::run(described).unwrap();
    let document = serde_json::to_value(described).unwrap();
    assert_eq!(document["settings"]["names"], "camelCase");
    let comments = listing(&document, "comments");
    assert_eq!(comments["label"], "authorName");
    assert_eq!(comments["lookup"], "filters[authorName][$contains]");
    let articles = listing(&document, "articles");
    assert_eq!(
        named(&articles["relations"], "comments")["inverse"],
        "articleId"
    );
}

/// The clients in `clients/` are made from this.
/// Rule b293.
#[test]
fn the_description_for_developers() {
    let api = api(Settings::default()).unwrap();
    let described = ApiDescription::for_developers(&api.listings, &api.routes);
    let mut document = serde_json::to_value(described).unwrap();
    document["version"] = "0.0.0".into();
    assert_eq!(
        listing(&document, "articles")["trashed"],
        json!(["with", "only"])
    );
    insta::assert_json_snapshot!("developers", document);
}
