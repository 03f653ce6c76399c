//! Responses in the encoding that the client accepts (b96–b98).

use std::io::Read;

use listing_tests::{Client, Reply, Service, on_each_database};
use serde_json::json;

const LIST: &str = "/api/articles?populate=author";

fn taking(service: &Service, encodings: &str) -> Client {
    service.client().with_header("accept-encoding", encodings)
}

/// The body as it was before it was encoded.
fn decoded(reply: &Reply) -> Vec<u8> {
    let bytes = &reply.bytes[..];
    let mut body = Vec::new();
    match reply.header("content-encoding") {
        Some("gzip") => {
            flate2::read::GzDecoder::new(bytes)
                .read_to_end(&mut body)
                .unwrap();
        }
        Some("br") => brotli::BrotliDecompress(&mut &*bytes, &mut body).unwrap(),
        Some("zstd") => body = zstd::bulk::decompress(bytes, 1 << 20).unwrap(),
        other => panic!("{other:?}"),
    }
    body
}

/// Rule b96.
#[test]
fn a_client_gets_the_encoding_that_it_asks_for() {
    on_each_database(async |service| {
        let plain = service.get(LIST).await.ok();
        assert_eq!(plain.header("content-encoding"), None);
        assert_eq!(plain.header("vary"), Some("accept-encoding"));
        for encoding in ["gzip", "br", "zstd"] {
            let reply = taking(service, encoding).get(LIST).await.ok();
            assert_eq!(reply.header("content-encoding"), Some(encoding));
            assert_eq!(reply.header("vary"), Some("accept-encoding"));
            assert_eq!(reply.header("content-type"), Some("application/json"));
            let length = reply.bytes.len().to_string();
            assert_eq!(reply.header("content-length"), Some(&*length));
            assert_eq!(decoded(&reply), plain.bytes, "{encoding}");
            let share = plain.bytes.len() / reply.bytes.len();
            assert!(share >= 5, "{encoding} made it {share} times smaller");
        }
        // Nobody is refused for what it takes, not even who takes nothing.
        for refused in ["identity;q=0, *;q=0", "deflate", "gzip;q=0"] {
            let reply = taking(service, refused).get(LIST).await.ok();
            assert_eq!(reply.header("content-encoding"), None, "{refused}");
            assert_eq!(reply.bytes, plain.bytes, "{refused}");
        }
    });
}

/// Rule b96.
#[test]
fn every_way_to_ask_for_a_list_is_compressed_alike() {
    on_each_database(async |service| {
        let client = taking(service, "gzip");
        let list = client.get("/api/articles").await.ok();
        let head = client.bare("HEAD", "/api/articles").await.ok();
        assert!(head.bytes.is_empty());
        for name in ["content-encoding", "content-length", "vary", "etag"] {
            assert!(list.header(name).is_some(), "{name}");
            assert_eq!(head.header(name), list.header(name), "{name}");
        }
        for reply in [
            client.json("QUERY", "/api/articles", "{}").await.ok(),
            client.post("/api/articles/query", &json!({})).await.ok(),
        ] {
            assert_eq!(reply.header("content-encoding"), Some("gzip"));
            assert_eq!(decoded(&reply), decoded(&list));
        }
    });
}

/// Rule b97.
#[test]
fn small_bodies_and_errors_stay_as_they_are() {
    on_each_database(async |service| {
        let client = taking(service, "zstd");
        let small = client.get("/api/tags?pagination[pageSize]=1").await.ok();
        assert_eq!(small.header("content-encoding"), None);
        assert_eq!(small.ids().len(), 1);
        let wrong = client.get("/api/articles?pagination[page]=0").await;
        assert_eq!(wrong.header("content-encoding"), None);
        assert_eq!(wrong.error_code(400), "bad_number");
        let all = service.with_config(|config| config.http.compression_min_bytes = 1);
        let client = taking(&all, "zstd");
        let small = client.get("/api/tags?pagination[pageSize]=2").await.ok();
        assert_eq!(small.header("content-encoding"), Some("zstd"));
        // What would not become smaller is left alone.
        let probe = client.get("/healthz").await.ok();
        assert_eq!(
            (probe.header("content-encoding"), &*probe.text()),
            (None, "ok")
        );

        let off = service.with_config(|config| config.http.compression = false);
        let plain = taking(&off, "zstd").get(LIST).await.ok();
        assert_eq!(plain.header("content-encoding"), None);
        assert_eq!(plain.header("vary"), None);
    });
}

/// Rule b98.
#[test]
fn a_compressed_record_has_a_weak_tag_that_still_guards_it() {
    on_each_database(async |service| {
        let all = service.with_config(|config| config.http.compression_min_bytes = 1);
        let client = taking(&all, "br");
        let shown = client.get("/api/articles/1").await.ok();
        assert_eq!(shown.header("content-encoding"), Some("br"));
        let weak = shown.header("etag").unwrap();
        let strong = all.get("/api/articles/1").await.ok();
        assert_eq!(weak.strip_prefix("W/"), strong.header("etag"));

        // Both come back as the same.
        for tag in [weak, strong.header("etag").unwrap()] {
            let again = client.with_header("if-none-match", tag);
            let again = again.get("/api/articles/1").await;
            assert_eq!(again.status, 304);
            assert_eq!(again.header("etag"), Some(weak));
            assert_eq!(again.header("vary"), Some("accept-encoding"));
        }
        // A wrong tag is stale before the payload is looked at; a right one is not.
        let put = async |tag: &str| {
            let client = client.with_header("if-match", tag);
            client.put("/api/articles/1", &json!({})).await.status
        };
        assert_eq!(put("W/\"0\"").await, 412);
        assert_eq!(put(weak).await, 422);
    });
}
