//! A search finds nothing that the client cannot see: neither in rows, nor in totals, nor in the bytes of an answer.

use listing::{Context, HasListing, ListingQuery, ListingRequest};
use listing_tests::{on_each, on_each_fresh_database, run};
use serde_json::json;

use crate::notes::{Notes, Tenant, letters, words};

async fn tell(notes: &Notes, id: i64, tenant: i64, deleted: bool, title: &str) {
    notes.add(id, tenant, title, Some("a secret of ours")).await;
    if deleted {
        let text = "UPDATE notes SET deleted_at = '2026-01-01 00:00:00' WHERE id = ?";
        notes.change(text, [id.into()]).await.unwrap();
    }
}

/// Rule d87.
#[test]
fn scope_and_soft_delete_hold_in_a_search() {
    on_each(|engine| {
        run(async {
            let notes = Notes::new(engine).await;
            tell(&notes, 1, 1, false, "plum").await;
            tell(&notes, 2, 1, true, "plum").await;
            tell(&notes, 3, 2, false, "plum").await;
            for search in ["plum", "secret", "-apple", "\"a secret\""] {
                assert_eq!(notes.both(search).await, [1], "{search}");
            }
            let as_two = async |search: &str| {
                let context = || Context::new().with(Tenant(2));
                let query = format!("search={search}");
                let found = notes.ids_for::<words::Entity>(context(), &query).await;
                let letters = notes.ids_for::<letters::Entity>(context(), &query).await;
                assert_eq!(found.as_ref().unwrap(), &letters.unwrap());
                found.unwrap()
            };
            assert_eq!(as_two("plum").await, [3]);
            assert_eq!(as_two("-apple").await, [3]);
        });
    });
}

/// The bytes of every answer.
async fn answers<E: HasListing>(notes: &Notes, sort: &str) -> Vec<String> {
    let mut told = Vec::new();
    for search in [
        "plum",
        "-plum",
        "pear",
        "plum -pear",
        "\"of ours\"",
        "nothing",
        "%25",
    ] {
        let query = format!("search={search}&sort={sort}");
        let request = ListingRequest::from_query(&notes.listings, &query).unwrap();
        let page = ListingQuery::<E>::all(&request)
            .listing_paginate(&notes.reads)
            .await
            .unwrap();
        told.push(String::from_utf8(page.body(200, None, true)).unwrap());
    }
    told
}

/// Rule d87.
#[test]
fn databases_that_differ_in_hidden_rows_give_the_same_bytes() {
    on_each(|engine| {
        run(async {
            let plain = Notes::new(engine).await;
            let twin = Notes::new(engine).await;
            for notes in [&plain, &twin] {
                for id in 1..20 {
                    let title = ["plum", "pear and plum", "fig"][usize::try_from(id).unwrap() % 3];
                    tell(notes, id, 1, false, title).await;
                }
            }
            for id in 100..130 {
                tell(&twin, id, 2, false, "plum plum pear").await;
                tell(&twin, id + 100, 1, true, "pear pear pear plum").await;
            }
            for sort in ["id", "relevance", "relevance:desc"] {
                let same = answers::<words::Entity>(&plain, sort).await;
                assert_eq!(answers::<words::Entity>(&twin, sort).await, same, "{sort}");
            }
            let same = answers::<letters::Entity>(&plain, "id").await;
            assert_eq!(answers::<letters::Entity>(&twin, "id").await, same);
        });
    });
}

/// Rule d87.
#[test]
fn an_article_is_found_as_soon_as_it_is_saved_and_no_longer_when_it_is_deleted() {
    on_each_fresh_database(async |service| {
        let found = async |search: &str| {
            let path = format!("/api/articles?search={search}");
            service.get(&path).await.ok().json()["meta"]["pagination"]["total"].clone()
        };
        assert_eq!(found("zeppelins").await, 0);
        let article = json!({"title": "Of zeppelins", "slug": "of-zeppelins", "body": "They fly.", "is_active": true});
        let id = service.post("/api/articles", &article).await.created();
        assert_eq!(found("zeppelins").await, 1);
        let changed = json!({"title": "Of balloons", "slug": "of-zeppelins", "body": "They fly.", "is_active": true});
        let _ = service
            .put(&format!("/api/articles/{id}"), &changed)
            .await
            .ok();
        assert_eq!(found("zeppelins").await, 0);
        assert_eq!(found("balloons").await, 1);
        let _ = service.delete(&format!("/api/articles/{id}")).await.ok();
        assert_eq!(found("balloons").await, 0, "soft-deleted");
    });
}
