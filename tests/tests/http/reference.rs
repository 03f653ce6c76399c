//! The API reference at `/docs`.

use listing_tests::{Engine, Service};

#[tokio::test]
async fn b297_the_reference_comes_from_the_binary_and_nothing_from_elsewhere() {
    let service = Service::fresh(Engine::Sqlite).await;
    let page = service.get("/docs").await.ok();
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"));
    let text = page.text();
    assert!(text.contains("spec-url=\"/api/openapi.json\""));
    assert!(!text.contains("://"));
    let viewer = text.split("src=\"").nth(1).unwrap();
    let viewer = viewer.split('"').next().unwrap();

    let plain = service.get(viewer).await.ok();
    assert!(plain.text().contains("rapi-doc"));
    let client = service.client().with_header("accept-encoding", "gzip, br");
    let compressed = client.get(viewer).await.ok();
    assert_eq!(compressed.header("content-encoding"), Some("gzip"));
    let seen = compressed.header("etag").unwrap();
    let again = client.with_header("if-none-match", seen);
    assert_eq!(again.get(viewer).await.status.as_u16(), 304);
}
