//! The five endpoints as the contract has them: section 2.7, 3, 4.2, 5 (d49, d50, d51).

use blog::data::demo_rows;
use blog::entity::{article, author};
use blog::listings::CurrentUser;
use blog::resources::api;
use chrono::{SubsecRound, Utc};
use listing::{Context, ListingRequest, SelectListing, Settings};
use listing_axum::success;
use listing_tests::{on_each_database, on_each_fresh_database, on_each_written_database};
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait};
use serde_json::{Value, json};

use crate::articles::{
    PATH, at, create, moment, payload, payload_with, payload_without, restore, row, rows_of,
};

/// Rules c2_7_t1, c4_2_t2, d50.
#[test]
fn create_answers_201_with_the_generated_id_and_where_it_is() {
    on_each_written_database(async |service| {
        let reply = service.post(PATH, &payload("created")).await;
        let id = reply.created();
        let message = "Article created.";
        let expected = json!({ "message": message, "data": { "id": id },
            "meta": { "code": 201, "message": message } });
        assert_eq!(reply.json(), expected);
        assert_eq!(reply.header("content-type"), Some("application/json"));
        let location = reply.header("location").unwrap();
        assert_eq!(location, at(id));
        let shown = service.get(location).await.ok().json();
        assert_eq!(shown["data"]["slug"], "created");
        let rows = rows_of(service, "created").await;
        assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [id]);
    });
}

/// Rules c2_7_t2, c8_t2, d57.
#[test]
fn title_is_required_text_of_at_most_255_characters() {
    on_each_written_database(async |service| text_of_255(service, "title").await);
}

/// Rules c2_7_t3, c8_t2, d57.
#[test]
fn slug_is_required_text_of_at_most_255_characters() {
    on_each_written_database(async |service| text_of_255(service, "slug").await);
}

async fn text_of_255(service: &listing_tests::Service, field: &str) {
    let slug = format!("text-{field}");
    let absent = service.post(PATH, &payload_without(&slug, field)).await;
    assert_eq!(absent.invalid()[field], [format!("{field} is required.")]);
    for wrong in [json!(null), json!(7), json!(true), json!(["a"]), json!({})] {
        let reply = service.post(PATH, &payload_with(&slug, field, wrong)).await;
        let text = format!("{field} must be a string.");
        assert_eq!(reply.invalid()[field], [text]);
    }
    // Characters, not bytes: of these each has four.
    let longest = "𝄞".repeat(255);
    let too_long = payload_with(&slug, field, format!("{longest}x"));
    let reply = service.post(PATH, &too_long).await;
    assert_eq!(reply.invalid_fields(), [field]);
    let id = service
        .post(PATH, &payload_with(&slug, field, &*longest))
        .await
        .created();
    let reply = service.put(&at(id), &too_long).await;
    assert_eq!(reply.invalid_fields(), [field]);
    let shown = service.get(&at(id)).await.ok().json();
    assert_eq!(shown["data"][field], longest);
}

/// Rule c2_7_t3.
#[test]
fn a_slug_is_unique_except_for_the_record_itself() {
    on_each_written_database(async |service| {
        let first = create(service, "one-of-a-kind").await;
        let second = create(service, "another-kind").await;
        let reply = service.post(PATH, &payload("one-of-a-kind")).await;
        assert_eq!(reply.invalid()["slug"], ["slug has already been taken."]);
        let reply = service.put(&at(second), &payload("one-of-a-kind")).await;
        assert_eq!(reply.invalid()["slug"], ["slug has already been taken."]);
        let own = payload_with("one-of-a-kind", "title", "Changed");
        let _ = service.put(&at(first), &own).await.ok();
        assert_eq!(row(service, first).await.unwrap().title, "Changed");
        assert_eq!(row(service, second).await.unwrap().slug, "another-kind");
    });
}

/// Rule c2_7_t4.
#[test]
fn body_is_text_or_null() {
    on_each_written_database(async |service| {
        for (slug, body, stored) in [
            ("body-null", json!(null), None),
            ("body-empty", json!(""), Some("")),
            ("body-text", json!(" two\nlines "), Some(" two\nlines ")),
        ] {
            let payload = payload_with(slug, "body", body);
            let id = service.post(PATH, &payload).await.created();
            assert_eq!(row(service, id).await.unwrap().body.as_deref(), stored);
        }
        let absent = payload_without("body-absent", "body");
        let id = service.post(PATH, &absent).await.created();
        assert_eq!(row(service, id).await.unwrap().body, None);
        // Longer than what MySQL calls a text.
        let long = "ä".repeat(100_000);
        let payload = payload_with("body-long", "body", &*long);
        let id = service.post(PATH, &payload).await.created();
        assert_eq!(row(service, id).await.unwrap().body, Some(long));
        let wrong = payload_with("body-wrong", "body", 5);
        let reply = service.post(PATH, &wrong).await;
        assert_eq!(reply.invalid()["body"], ["body must be a string."]);
    });
}

/// Rule c2_7_t5.
#[test]
fn is_active_is_a_required_boolean_and_true_by_default_in_the_table() {
    on_each_written_database(async |service| {
        let absent = payload_without("active-absent", "is_active");
        let reply = service.post(PATH, &absent).await;
        assert_eq!(reply.invalid()["is_active"], ["is_active is required."]);
        for given in [true, false] {
            let payload = payload_with(&format!("active-{given}"), "is_active", given);
            let id = service.post(PATH, &payload).await.created();
            assert_eq!(row(service, id).await.unwrap().is_active, given);
            let shown = service.get(&at(id)).await.ok().json();
            assert_eq!(shown["data"]["is_active"], given);
        }
        let moment = "2026-01-02 03:04:05";
        let insert = format!(
            "INSERT INTO articles (title, slug, created_at, updated_at) \
             VALUES ('Bare', 'active-table', '{moment}', '{moment}')"
        );
        service.db.execute_unprepared(&insert).await.unwrap();
        assert!(rows_of(service, "active-table").await[0].is_active);
    });
}

/// Rules c2_7_t6, d54.
#[test]
fn the_times_are_ours_in_microseconds_and_an_update_keeps_the_first() {
    on_each_written_database(async |service| {
        let before = Utc::now().trunc_subsecs(6);
        let id = create(service, "timed").await;
        let created = row(service, id).await.unwrap();
        assert!(created.created_at >= before && created.created_at <= Utc::now());
        assert_eq!(created.updated_at, created.created_at);
        assert_eq!(created.created_at, created.created_at.trunc_subsecs(6));

        let between = Utc::now().trunc_subsecs(6);
        let _ = service.put(&at(id), &payload("timed")).await.ok();
        let updated = row(service, id).await.unwrap();
        assert_eq!(updated.created_at, created.created_at);
        assert!(updated.updated_at >= between && updated.updated_at <= Utc::now());
        let shown = service.get(&at(id)).await.ok().json();
        assert_eq!(shown["data"]["created_at"], moment(created.created_at));
        assert_eq!(shown["data"]["updated_at"], moment(updated.updated_at));
    });
}

/// Rules c2_7_t7, c3_p1.
#[test]
fn an_entity_that_opts_in_marks_a_deleted_record() {
    on_each_written_database(async |service| {
        let id = create(service, "marked").await;
        assert_eq!(row(service, id).await.unwrap().deleted_at, None);
        let before = Utc::now().trunc_subsecs(6);
        let _ = service.delete(&at(id)).await.ok();
        let deleted = row(service, id).await.unwrap();
        assert!(deleted.deleted_at.unwrap() >= before);
        assert_eq!(deleted.title, "About marked");
    });
}

/// Rule c2_7_p1.
#[test]
fn an_article_may_belong_to_an_author() {
    on_each_written_database(async |service| {
        let id = create(service, "signed").await;
        let path = format!("{PATH}?filters[id][$eq]={id}&populate=author");
        assert_eq!(service.get(&path).await.column("author"), [Value::Null]);
        let mut signed = row(service, id).await.unwrap().into_active_model();
        signed.author_id = Set(Some(3));
        signed.update(&service.db).await.unwrap();
        let author = &demo_rows().authors[2];
        let found = service.get(&path).await.column("author");
        assert_eq!(found[0]["name"], author.name);
        // Changing the article leaves it whose it is.
        let _ = service.put(&at(id), &payload("signed")).await.ok();
        assert_eq!(row(service, id).await.unwrap().author_id, Some(3));
    });
}

/// Rules c4_2_t1, c4_2_r2.
#[test]
fn the_list_is_the_listing_of_the_request_and_then_its_page() {
    on_each_database(async |service| {
        let query = "filters[views][$gte]=100&sort=views:desc&pagination[pageSize]=7&populate=tags";
        let request = ListingRequest::from_query(&service.listings, query).unwrap();
        let page = article::Entity::find()
            .listing(&request)
            .listing_paginate(&service.db)
            .await
            .unwrap();
        let expected = success("Articles retrieved.", page, true);
        let expected = http_body_util::BodyExt::collect(expected.into_body()).await;
        let reply = service.get(&format!("{PATH}?{query}")).await.ok();
        assert_eq!(reply.bytes, expected.unwrap().to_bytes());
        assert_eq!(reply.json()["message"], "Articles retrieved.");
        assert_eq!(reply.items().len(), 7);
        assert_eq!(reply.meta()["pagination"]["pageSize"], 7);
    });
}

/// Rules c4_2_t3, c4_2_r1, d49.
#[test]
fn show_gives_the_record_of_the_id_in_its_transformers_shape() {
    let demo = demo_rows();
    on_each_database(async |service| {
        for article in demo.articles.iter().step_by(9) {
            let reply = service.get(&at(article.id)).await;
            if article.deleted_at.is_some() {
                assert_eq!(reply.error_code(404), "not_found");
                continue;
            }
            let message = "Article retrieved.";
            let expected = json!({
                "message": message,
                "data": {
                    "id": article.id,
                    "title": article.title,
                    "slug": article.slug,
                    "body": article.body,
                    "is_active": article.is_active,
                    "created_at": moment(article.created_at),
                    "updated_at": moment(article.updated_at),
                },
                "meta": { "code": 200, "message": message },
            });
            // As text: the order of the keys counts too.
            assert_eq!(reply.ok().text(), expected.to_string());
        }
    });
}

/// Rule d49.
#[test]
fn without_a_transformer_every_plain_whitelisted_field_is_shown_and_nothing_else() {
    let demo = demo_rows();
    on_each_database(async |service| {
        let author = &demo.authors[4];
        let comment = &demo.comments[10];
        let tag = &demo.tags[5];
        for (path, record) in [
            (
                format!("/api/authors/{}", author.id),
                json!({ "id": author.id, "name": author.name, "country": author.country,
                    "joined_at": moment(author.created_at) }),
            ),
            (
                format!("/api/comments/{}", comment.id),
                json!({ "id": comment.id, "author_name": comment.author_name, "body": comment.body,
                    "created_at": moment(comment.created_at), "article_id": comment.article_id,
                    "is_hidden": comment.is_hidden }),
            ),
            (
                format!("/api/tags/{}", tag.id),
                json!({ "id": tag.id, "name": tag.name }),
            ),
        ] {
            let shown = service.get(&path).await.ok().json();
            assert_eq!(shown["data"].to_string(), record.to_string(), "{path}");
        }
    });
}

/// Rules c4_2_t4, d51.
#[test]
fn update_answers_with_a_message_alone() {
    on_each_written_database(async |service| {
        let id = create(service, "to-update").await;
        let changed =
            json!({ "title": "New", "slug": "updated", "body": "Other.", "is_active": false });
        let reply = service.put(&at(id), &changed).await.ok();
        let message = "Article updated.";
        let expected = json!({ "message": message, "meta": { "code": 200, "message": message } });
        assert_eq!(reply.json(), expected);
        let row = row(service, id).await.unwrap();
        let values = (&*row.title, &*row.slug, row.body.as_deref(), row.is_active);
        assert_eq!(values, ("New", "updated", Some("Other."), false));
    });
}

/// Rules c4_2_t5, d51.
#[test]
fn destroy_answers_with_a_message_alone() {
    on_each_written_database(async |service| {
        let id = create(service, "to-destroy").await;
        let reply = service.delete(&at(id)).await.ok();
        let message = "Article deleted.";
        let expected = json!({ "message": message, "meta": { "code": 200, "message": message } });
        assert_eq!(reply.json(), expected);
        assert_eq!(service.get(&at(id)).await.error_code(404), "not_found");
    });
}

/// Rules c4_2_r4, c9_p1.
#[test]
fn routes_have_names_and_addresses() {
    let routes = api(Settings::default()).unwrap().routes;
    let named = |name: &str| {
        let route = routes.get(name).unwrap();
        (route.method, route.path.clone())
    };
    let one = || format!("{PATH}/{{id}}");
    assert_eq!(named("articles.index"), ("GET", PATH.to_owned()));
    assert_eq!(named("articles.store"), ("POST", PATH.to_owned()));
    assert_eq!(named("articles.show"), ("GET", one()));
    assert_eq!(named("articles.update"), ("PUT", one()));
    assert_eq!(named("articles.destroy"), ("DELETE", one()));
    assert_eq!(named("articles.restore"), ("POST", one() + "/restore"));
    assert_eq!(named("articles.query"), ("POST", format!("{PATH}/query")));

    assert_eq!(routes.url("articles.index").as_deref(), Some(PATH));
    assert_eq!(routes.url_of("articles.show", 7), Some(at(7)));
    let restore = routes.url_of("articles.restore", 7);
    assert_eq!(restore.as_deref(), Some("/api/articles/7/restore"));
    let escaped = routes.url_of("articles.show", "a/b c%");
    assert_eq!(escaped.as_deref(), Some("/api/articles/a%2Fb%20c%25"));
    // A path with a placeholder is not a URL, nor is a record's path without a record.
    assert_eq!(routes.url("articles.show"), None);
    assert_eq!(routes.url_of("articles.index", 7), None);
    assert_eq!(routes.url("articles.nothing"), None);

    let names: Vec<_> = routes.iter().map(|route| route.name.as_str()).collect();
    for read_only in ["authors", "comments", "tags"] {
        for (operation, is_there) in [
            ("index", true),
            ("show", true),
            ("store", false),
            ("update", false),
            ("patch", false),
            ("destroy", false),
            ("restore", false),
        ] {
            let name = format!("{read_only}.{operation}");
            assert_eq!(names.contains(&&*name), is_there, "{name}");
        }
    }
}

/// Rule c4_2_r4.
#[test]
fn every_named_route_is_answered_by_its_method() {
    on_each_fresh_database(async |service| {
        for route in api(Settings::default()).unwrap().routes.iter() {
            let path = route.path.replace("{id}", "3");
            let reply = service.client().bare(route.method, &path).await;
            // Deleted by the route before, the article can be restored. Without a body nothing is written.
            let expected = match route.name.as_str() {
                "articles.store" | "articles.update" | "articles.patch" => 415,
                "articles.bulk" | "articles.import" => 415,
                "articles.query.update" | "articles.query.delete" => 415,
                // The article is deleted by the route before.
                "articles.history" => 404,
                name if name.ends_with(".query") => 415,
                // Groups want something to group by.
                name if name.ends_with(".groups") => 400,
                _ => 200,
            };
            assert_eq!(reply.status.as_u16(), expected, "{route:?}");
        }
    });
}

/// Rules c5_p1, d63.
#[test]
fn everybody_may_do_everything_by_default() {
    on_each_written_database(async |service| {
        let id = create(service, "by-nobody").await;
        let _ = service.put(&at(id), &payload("by-nobody")).await.ok();
        let _ = service.delete(&at(id)).await.ok();
        let _ = restore(service, id).await.ok();
        let _ = service.delete(&format!("{}?force=true", at(id))).await.ok();
        assert_eq!(row(service, id).await, None);
    });
}

/// Rule c5_p2.
#[test]
fn a_default_filter_comes_from_the_current_user() {
    let demo = demo_rows();
    on_each_database(async |service| {
        let author_id = 5;
        let user = service.with_context(Context::new().with(CurrentUser { author_id }));
        let own = demo
            .articles
            .iter()
            .filter(|article| article.author_id == Some(author_id) && article.deleted_at.is_none());
        assert_eq!(user.get(PATH).await.total(), own.count() as u64);
        let authors = author::Entity::find().count(&service.db).await.unwrap();
        assert_eq!(user.get("/api/authors").await.total(), authors);
    });
}
