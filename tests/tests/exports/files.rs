//! What surrounds a file: its headers, its encoding, and HEAD (d118).

use std::io::Read;

use axum::body::Body;
use axum::http::{Request, Version};
use listing::{Context, Now};
use listing_tests::on_each_database;

const PATH: &str = "/api/articles.csv?sort=id";

/// Rule d118.
#[test]
fn a_file_has_a_name_and_is_not_kept() {
    on_each_database(async |service| {
        let now = Now("2026-11-18T23:59:00Z".parse().unwrap());
        let service = service.with_context(Context::new().with(now));
        for (format, content_type) in [
            ("csv", "text/csv; charset=utf-8"),
            ("ndjson", "application/x-ndjson"),
            (
                "xlsx",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            ),
        ] {
            let path = format!("/api/articles.{format}");
            let file = service.get(&path).await.ok();
            let name = format!("attachment; filename=\"articles-2026-11-18.{format}\"");
            let head = service.client().bare("HEAD", &path).await.ok();
            assert!(head.bytes.is_empty());
            for reply in [&file, &head] {
                assert_eq!(reply.header("content-disposition"), Some(&*name));
                assert_eq!(reply.header("content-type"), Some(content_type));
                assert_eq!(reply.header("cache-control"), Some("no-store"));
                assert_eq!(reply.header("etag"), None);
                assert_eq!(reply.header("content-length"), None);
            }
        }
    });
}

/// Rule d118.
#[test]
fn a_file_is_compressed_for_clients_that_take_it() {
    on_each_database(async |service| {
        let plain = service.get(PATH).await.ok();
        assert_eq!(plain.header("content-encoding"), None);
        for encoding in ["gzip", "br", "zstd"] {
            let client = service.client().with_header("accept-encoding", encoding);
            let reply = client.get(PATH).await.ok();
            assert_eq!(reply.header("content-encoding"), Some(encoding));
            let (bytes, mut file) = (&reply.bytes[..], Vec::new());
            assert!(bytes.len() * 2 < plain.bytes.len(), "{encoding}");
            match encoding {
                "gzip" => drop(
                    flate2::read::MultiGzDecoder::new(bytes)
                        .read_to_end(&mut file)
                        .unwrap(),
                ),
                "br" => brotli::BrotliDecompress(&mut &*bytes, &mut file).unwrap(),
                _ => file = zstd::stream::decode_all(bytes).unwrap(),
            }
            assert_eq!(file, plain.bytes, "{encoding}");
        }
    });
}

/// Rules d117, b944.
#[test]
fn a_version_of_http_that_cannot_tell_a_broken_file_gets_none() {
    on_each_database(async |service| {
        let request = Request::builder()
            .version(Version::HTTP_10)
            .uri(PATH)
            .header("host", "localhost")
            .body(Body::empty());
        let reply = service.send(request.unwrap()).await;
        assert_eq!(reply.error_code(400), "bad_request");
        assert!(reply.text().contains("HTTP/1.1"));
    });
}
