//! The blog as an author sees it: the default filter, its label, and the bin.

use blog::data::{DemoRows, demo_rows};
use blog::entity::article;
use jsonwebtoken::Algorithm;
use listing::{Context, ListingRequest, SelectListing};
use listing_tests::{Recorder, Service, on_each_database, on_each_fresh_database};
use sea_orm::EntityTrait;
use serde_json::{Value, json};

use crate::tokens::{AUTHOR, by_secret, claims_but, get_as, sign, strict};

/// Articles, as ids, in the order of their definition.
fn ids_of(demo: &DemoRows, wanted: impl Fn(&article::Model) -> bool) -> Vec<i64> {
    let wanted = demo.articles.iter().filter(|article| wanted(article));
    wanted.map(|article| article.id).collect()
}

/// An author who has articles, and some in the bin.
fn author_with_bin(demo: &DemoRows) -> (i64, String) {
    let deleted = |article: &&article::Model| article.deleted_at.is_some();
    let author = demo.articles.iter().filter(deleted).find_map(|article| {
        let author = article.author_id?;
        let living =
            |other: &article::Model| other.author_id == Some(author) && other.deleted_at.is_none();
        demo.articles.iter().any(living).then_some(author)
    });
    let author = demo
        .authors
        .iter()
        .find(|known| Some(known.id) == author)
        .unwrap();
    (author.id, author.name.clone())
}

fn token_of(subject: Value) -> String {
    let token = sign(Algorithm::HS256, &claims_but("sub", subject));
    format!("Bearer {token}")
}

fn service_with_tokens(service: &Service) -> Service {
    service.with_jwt(strict(&by_secret()))
}

const ALL: &str = "/api/articles?sort=id&pagination[pageSize]=100";

/// Rules d64, c5_p2.
#[test]
fn a_default_filter_comes_from_the_token() {
    let demo = demo_rows();
    let (author, name) = author_with_bin(&demo);
    let own = ids_of(&demo, |article| {
        article.author_id == Some(author) && article.deleted_at.is_none()
    });
    let living = ids_of(&demo, |article| article.deleted_at.is_none());
    assert!(!own.is_empty() && own.len() < 100 && own.len() < living.len());
    on_each_database(async |service| {
        let service = service_with_tokens(service);
        let token = token_of(json!(author.to_string()));
        let reply = get_as(&service, ALL, &token).await.ok();
        assert_eq!(reply.ids(), own);
        assert_eq!(reply.total(), own.len() as u64);
        let told = json!([{
            "key": "author_id", "value": author.to_string(), "label": name, "operator": "$eq",
        }]);
        assert_eq!(reply.meta()["filters"], told);

        let nobody = service.get(ALL).await.ok();
        assert_eq!(nobody.total(), living.len() as u64);
        assert_eq!(nobody.meta()["filters"], json!([]));
    });
}

/// Rules d64, d31.
#[test]
fn a_client_can_replace_the_default_because_it_is_no_scope() {
    let demo = demo_rows();
    let (author, _) = author_with_bin(&demo);
    let other = demo.authors.iter().find(|known| known.id != author);
    let other = other.unwrap();
    let theirs = ids_of(&demo, |article| {
        article.author_id == Some(other.id) && article.deleted_at.is_none()
    });
    on_each_database(async |service| {
        let service = service_with_tokens(service);
        let token = token_of(json!(author.to_string()));
        let path = format!("{ALL}&filters[author_id][$eq]={}", other.id);
        let reply = get_as(&service, &path, &token).await.ok();
        assert_eq!(reply.ids(), theirs);
        assert_eq!(reply.meta()["filters"][0]["label"], other.name.as_str());
        assert_eq!(reply.meta()["filters"].as_array().unwrap().len(), 1);
    });
}

/// Rules d62, d64.
#[test]
fn the_bin_opens_to_who_is_signed_in() {
    let demo = demo_rows();
    let (author, _) = author_with_bin(&demo);
    let of_author = |article: &article::Model| article.author_id == Some(author);
    let with = ids_of(&demo, of_author);
    let only = ids_of(&demo, |article| {
        of_author(article) && article.deleted_at.is_some()
    });
    let without = ids_of(&demo, |article| {
        of_author(article) && article.deleted_at.is_none()
    });
    assert!(!only.is_empty() && !without.is_empty());
    on_each_database(async |service| {
        let service = service_with_tokens(service);
        let token = token_of(json!(author.to_string()));
        let path = format!("{ALL}&filters[author_id][$eq]={author}");
        for (trashed, expected) in [("with", &with), ("only", &only), ("", &without)] {
            let path = format!("{path}&trashed={trashed}");
            let reply = get_as(&service, &path, &token).await;
            assert_eq!(reply.ids(), *expected, "trashed={trashed}");
            assert_eq!(reply.total(), expected.len() as u64, "trashed={trashed}");
            // To nobody it is an unknown parameter.
            let nobody = service.get(&path).await;
            assert_eq!(nobody.ids(), without, "trashed={trashed}");
        }
        let wrong = format!("{path}&trashed=yes");
        assert_eq!(get_as(&service, &wrong, &token).await.status.as_u16(), 400);
        assert_eq!(service.get(&wrong).await.ids(), without);
    });
}

/// Rule d64.
#[test]
fn a_token_about_no_author_is_valid_and_about_nobody() {
    on_each_database(async |service| {
        let service = service_with_tokens(service);
        let nobody = service.get(ALL).await.ok();
        for subject in [Value::Null, json!("ann"), json!(7), json!("7.0"), json!("")] {
            let reply = get_as(&service, ALL, &token_of(subject.clone())).await;
            assert_eq!(reply.ok().bytes, nobody.bytes, "{subject}");
        }
        // An author who does not exist has no articles, and no name.
        let reply = get_as(&service, ALL, &token_of(json!("999999"))).await;
        assert_eq!(reply.total(), 0);
        assert_eq!(reply.meta()["filters"][0]["label"], "999999");
    });
}

/// Rule b541.
#[test]
fn a_new_article_is_the_callers_own_and_in_the_callers_list() {
    on_each_fresh_database(async |service| {
        let service = service_with_tokens(service);
        let client_of = |author: i64| {
            let token = token_of(json!(author.to_string()));
            service.client().with_header("authorization", &token)
        };
        let new = json!({ "title": "Mine", "slug": "mine", "is_active": true, "author_id": 3 });
        let client = client_of(AUTHOR);
        let id = client.post("/api/articles", &new).await.created();
        let row = article::Entity::find_by_id(id).one(&service.db).await;
        assert_eq!(row.unwrap().unwrap().author_id, Some(AUTHOR));
        assert!(client.get(ALL).await.ok().ids().contains(&id));
        // A change leaves it with its author, whoever makes it.
        let other = client_of(3);
        let _ = other.put(&format!("/api/articles/{id}"), &new).await.ok();
        assert!(client.get(ALL).await.ok().ids().contains(&id));

        let new = json!({ "title": "Nobody's", "slug": "nobodys", "is_active": true });
        let told = client_of(999_999).post("/api/articles", &new).await;
        assert_eq!(told.status.as_u16(), 422);
        let problem = "author_id must reference an existing record.";
        assert!(told.text().contains(problem), "{}", told.text());
    });
}

/// Rule d34.
#[test]
fn labels_from_another_entity_cost_one_statement() {
    let demo = demo_rows();
    let names: Vec<_> = demo
        .authors
        .iter()
        .map(|author| author.name.clone())
        .collect();
    let values: Vec<_> = demo
        .authors
        .iter()
        .map(|author| author.id.to_string())
        .collect();
    on_each_database(async |service| {
        let recorder = Recorder::new(service.db.clone());
        let ask = async |query: String| {
            let request = ListingRequest::from_query(&service.listings, &query).unwrap();
            let request = request.with_context(Context::new());
            let page = article::Entity::find()
                .listing(&request)
                .listing_paginate(&recorder);
            let body = page.await.unwrap().body(200, None, true);
            let body: Value = serde_json::from_slice(&body).unwrap();
            (recorder.take().len(), body["meta"]["filters"].clone())
        };
        let (one, _) = ask(format!("filters[author_id][$eq]={}", values[0])).await;
        let list: Vec<_> = values
            .iter()
            .map(|value| format!("filters[author_id][$in][]={value}"))
            .collect();
        let (all, filters) = ask(list.join("&")).await;
        assert_eq!((one, all), (3, 3), "page, count and labels");
        let labels: Vec<_> = filters
            .as_array()
            .unwrap()
            .iter()
            .map(|filter| filter["label"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(labels, names);
    });
}
