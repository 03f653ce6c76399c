//! Lists that a client already has are not sent again (d53, b99–b101).

use listing_tests::{Client, on_each_database, on_each_fresh_database};
use serde_json::json;

const LIST: &str = "/api/articles?sort=id&pagination[pageSize]=3";

fn knowing(client: &Client, tag: &str) -> Client {
    client.with_header("if-none-match", tag)
}

/// Rules d53, b99.
#[test]
fn a_list_that_the_client_has_is_answered_with_304() {
    on_each_database(async |service| {
        let client = service.client();
        let list = client.get(LIST).await.ok();
        let tag = list.header("etag").unwrap();
        assert!(tag.starts_with("W/\""), "{tag}");
        assert_eq!(list.header("cache-control"), Some("private, no-cache"));
        let strong = tag.strip_prefix("W/").unwrap();
        for sent in [tag, strong, "*", &format!("\"x\", {tag}")] {
            for method in ["GET", "HEAD"] {
                let reply = knowing(&client, sent).bare(method, LIST).await;
                assert_eq!(reply.status, 304, "{method} {sent}");
                assert!(reply.bytes.is_empty());
                assert_eq!(reply.header("etag"), Some(tag));
                assert_eq!(reply.header("cache-control"), Some("private, no-cache"));
                assert_eq!(reply.header("vary"), Some("accept-encoding"));
                assert!(reply.header("x-request-id").is_some());
                for absent in ["content-length", "content-type", "content-encoding"] {
                    assert_eq!(reply.header(absent), None, "{method} {absent}");
                }
            }
        }
        for sent in ["W/\"x\"", "x", ""] {
            let reply = knowing(&client, sent).get(LIST).await.ok();
            assert_eq!(reply.bytes, list.bytes, "{sent}");
        }
        // Another list has another tag; so has the same in another layout.
        let other = client
            .get("/api/articles?sort=id&pagination[pageSize]=4")
            .await;
        assert_ne!(other.header("etag"), Some(tag));
        let head = client.bare("HEAD", LIST).await.ok();
        assert_eq!(head.header("etag"), Some(tag));
    });
}

/// Rule b99.
#[test]
fn what_is_sent_compressed_has_the_tag_of_the_plain_list() {
    on_each_database(async |service| {
        let plain = service.get("/api/articles").await.ok();
        let tag = plain.header("etag").unwrap();
        for encoding in ["gzip", "br", "zstd"] {
            let client = service.client().with_header("accept-encoding", encoding);
            let list = client.get("/api/articles").await.ok();
            assert_eq!(list.header("content-encoding"), Some(encoding));
            assert_eq!(list.header("etag"), Some(tag));
            assert_eq!(knowing(&client, tag).get("/api/articles").await.status, 304);
        }
    });
}

/// Rule b100.
#[test]
fn query_is_revalidated_and_post_is_not() {
    on_each_database(async |service| {
        let client = service.client();
        let body = r#"{"sort": ["id"], "pagination": {"pageSize": 3}}"#;
        let list = client.json("QUERY", "/api/articles", body).await.ok();
        let tag = list.header("etag").unwrap();
        assert_eq!(client.get(LIST).await.header("etag"), Some(tag));
        let knowing = knowing(&client, tag);
        let again = knowing.json("QUERY", "/api/articles", body).await;
        assert_eq!(again.status, 304);
        assert!(again.bytes.is_empty());

        let posted = knowing.json("POST", "/api/articles/query", body).await.ok();
        assert_eq!(posted.header("etag"), None);
        assert_eq!(posted.bytes, list.bytes);
    });
}

/// Rules b99, b101.
#[test]
fn errors_have_no_tag_and_are_not_hidden_by_one() {
    on_each_database(async |service| {
        let client = knowing(&service.client(), "*");
        let wrong = client.get("/api/articles?pagination[page]=0").await;
        assert_eq!(wrong.error_code(400), "bad_number");
        assert_eq!(wrong.header("etag"), None);
        assert_eq!(client.get("/api/nothing").await.status, 404);
    });
}

/// Rule b99.
#[test]
fn a_change_of_any_row_of_the_page_changes_the_tag() {
    on_each_fresh_database(async |service| {
        let client = service.client();
        let before = client.get(LIST).await.ok();
        let tag = before.header("etag").unwrap();
        let id = before.ids()[1];
        let changed = json!({ "title": "Changed", "slug": "changed", "is_active": true });
        let reply = service.put(&format!("/api/articles/{id}"), &changed).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let after = knowing(&client, tag).get(LIST).await.ok();
        assert_ne!(after.header("etag"), Some(tag));
        assert_eq!(after.column("title")[1], "Changed");
        assert_eq!(after.ids(), before.ids());
    });
}
