//! `search` and `_q` in requests: where they are allowed, what they may hold, and what the answer tells of them.

use listing::Dialect;
use listing_tests::{Service, on_each_database};
use serde_json::{Value, json};

use crate::notes::escaped;

/// The ids of a page.
fn ids(reply: &Value) -> Vec<i64> {
    let rows = reply["data"].as_array().unwrap();
    rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

async fn found(service: &Service, query: &str) -> Value {
    service
        .get(&format!("/api/articles?{query}"))
        .await
        .ok()
        .json()
}

/// Rules d87, b450.
#[test]
fn a_listing_without_a_search_refuses_it() {
    on_each_database(async |service| {
        for path in ["/api/authors", "/api/comments", "/api/tags"] {
            for parameter in ["search", "_q"] {
                let reply = service.get(&format!("{path}?{parameter}=night")).await;
                let error = reply.error(400);
                assert_eq!(error["code"], "no_search");
                assert_eq!(error["details"]["parameter"], parameter);
                assert_eq!(error["details"]["token"], "night");
                let message = error["message"].as_str().unwrap();
                assert!(message.contains("cannot be searched"), "{message}");
                let empty = service.get(&format!("{path}?{parameter}=")).await;
                assert_eq!(empty.status, 200, "empty means not sent");
            }
        }
    });
}

/// Rule d87.
#[test]
fn a_search_narrows_a_list_and_is_told_in_meta_filters() {
    on_each_database(async |service| {
        let all = found(service, "").await;
        let reply = found(service, "search=night  trains").await;
        let total = reply["meta"]["pagination"]["total"].as_u64().unwrap();
        assert!(total > 0);
        assert!(total < all["meta"]["pagination"]["total"].as_u64().unwrap());
        assert_eq!(
            reply["meta"]["filters"],
            json!([{"key": "search", "value": "night trains", "label": "night trains", "operator": "$search"}])
        );
        let reply = found(service, "_q=night&filters[is_active][$eq]=true").await;
        assert_eq!(
            reply["meta"]["filters"],
            json!([
                {"key": "is_active", "value": "true", "label": "Active", "operator": "$eq"},
                {"key": "search", "value": "night", "label": "night", "operator": "$search"}
            ])
        );
    });
}

/// Rule d87.
#[test]
fn q_is_search_and_a_json_body_says_it_too() {
    on_each_database(async |service| {
        let search = found(service, "search=night").await;
        assert_eq!(found(service, "_q=night").await, search);
        let body = json!({"search": "night"});
        let reply = service.post_query("/api/articles", &body).await.ok();
        assert_eq!(reply.json(), search);
        let body = json!({"_q": "night"});
        let reply = service.post_query("/api/articles", &body).await.ok();
        assert_eq!(reply.json(), search);
    });
}

/// Rule d87.
#[test]
fn search_and_q_together_are_400() {
    on_each_database(async |service| {
        let reply = service.get("/api/articles?search=night&_q=night").await;
        assert_eq!(reply.error_code(400), "search_twice");
    });
}

/// Rules d87, b240.
#[test]
fn empty_means_not_sent() {
    on_each_database(async |service| {
        let all = found(service, "").await;
        for query in [
            "search=",
            "_q=",
            "search=%20%20",
            "search=%22",
            "search=-",
            "search=%22%22",
        ] {
            assert_eq!(found(service, query).await, all, "{query}");
        }
    });
}

/// Rule b245.
#[test]
fn a_search_has_at_most_1024_bytes_and_32_words() {
    on_each_database(async |service| {
        let code = async |text: &str| {
            let path = format!("/api/articles?search={}", escaped(text));
            service.get(&path).await.error_code(400)
        };
        assert_eq!(code(&"x".repeat(1_025)).await, "search_too_long");
        assert_eq!(code(&"x ".repeat(33)).await, "too_many_words");
        let path = format!("/api/articles?_q={}", "x".repeat(1_025));
        let error = service.get(&path).await.error(400);
        let message = "`_q` has 1025 bytes; at most 1024 are allowed.";
        assert_eq!(error["message"], message);
        let _ = found(service, &format!("search={}", "x".repeat(1_024))).await;
        let most = ["night"; 32].join("%20");
        assert!(!ids(&found(service, &format!("search={most}")).await).is_empty());
        let _ = found(service, &format!("search={most}&sort=relevance")).await;
    });
}

/// Rule d87.
#[test]
fn a_cursor_belongs_to_its_search() {
    on_each_database(async |service| {
        let first = found(
            service,
            "search=night&pagination[cursor]=&pagination[pageSize]=2",
        )
        .await;
        let next = first["meta"]["pagination"]["nextCursor"].as_str().unwrap();
        let with =
            |search: &str| format!("{search}&pagination[cursor]={next}&pagination[pageSize]=2");
        let second = found(service, &with("search=night")).await;
        assert_eq!(ids(&second).len(), 2);
        assert_ne!(ids(&second), ids(&first));
        for other in ["search=trains", "search=-night", "sort=created_at:desc"] {
            let reply = service.get(&format!("/api/articles?{}", with(other))).await;
            assert_eq!(reply.error_code(400), "cursor_mismatch", "{other}");
        }
        let spelt = found(service, &with("search=%20night%20")).await;
        assert_eq!(ids(&spelt), ids(&second), "the same search");
    });
}

/// Rule d87.
#[test]
fn a_walk_by_cursor_shows_each_found_row_once() {
    on_each_database(async |service| {
        let mut seen = Vec::new();
        let mut cursor = String::new();
        loop {
            let query = format!("search=the&pagination[pageSize]=20&pagination[cursor]={cursor}");
            let page = found(service, &query).await;
            seen.extend(ids(&page));
            match page["meta"]["pagination"]["nextCursor"].as_str() {
                Some(next) => cursor = next.to_owned(),
                None => break,
            }
        }
        let whole = found(service, "search=the&pagination[pageSize]=1").await;
        let total = whole["meta"]["pagination"]["total"].as_u64().unwrap();
        assert_eq!(seen.len() as u64, total);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len() as u64, total);
    });
}

/// Rule d87.
#[test]
fn descriptions_and_explanations_show_the_search() {
    on_each_database(async |service| {
        let described = service.listings.describe();
        let search = |table: &str| {
            let listing = described.iter().find(|listing| listing.table.name == table);
            listing.unwrap().search.clone()
        };
        let articles = search("articles").unwrap();
        assert_eq!(articles.columns, ["title", "body"]);
        assert_eq!(articles.full_text.as_deref(), Some("simple"));
        assert_eq!(search("authors"), None);

        let listing = service
            .listings
            .of::<blog::entity::article::Entity>()
            .unwrap();
        let query = "search=night -trains&sort=relevance";
        let told = service
            .listings
            .explain(listing, query, Dialect::Postgres)
            .unwrap()
            .to_string();
        for line in [
            "  search       night -trains",
            "  search       night -trains in title, body by full text",
            "  order        relevance asc, articles.id asc",
            "plainto_tsquery('simple', $1)",
        ] {
            assert!(told.contains(line), "{line} in\n{told}");
        }
    });
}

/// Rule d87.
#[test]
fn the_example_of_the_guide_is_true() {
    on_each_database(async |service| {
        let query = "fields=title&search=%22night+trains%22+notebook+-week&sort=relevance&pagination[pageSize]=2";
        let reply = found(service, query).await;
        assert_eq!(ids(&reply), [48, 390]);
        assert_eq!(reply["meta"]["pagination"]["total"], 4);
        let told = &reply["meta"]["filters"][0]["value"];
        assert_eq!(told, r#""night trains" notebook -week"#);
    });
}
