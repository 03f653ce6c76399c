//! The API reference at `/docs`, alone and next to the explorer (b297, b400).

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use listing_axum::{Config, Explorer, Reference};
use listing_tests::{Engine, Service};
use tower::ServiceExt;

/// Rule b297.
#[tokio::test]
async fn the_reference_comes_from_the_binary_and_nothing_from_elsewhere() {
    let service = Service::fresh(Engine::Sqlite).await;
    let page = service.get("/docs").await.ok();
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"));
    let text = page.text();
    assert!(text.contains("data-document=\"/api/openapi.json\""));
    assert!(!text.contains("://"));
    assert!(!text.contains("<script>"));
    let scripts: Vec<_> = text
        .split("src=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    let [setup, viewer] = scripts[..] else {
        panic!("{scripts:?}")
    };
    let setup = service.get(setup).await.ok().text();
    assert!(setup.contains("loadSpec"));
    let imports = setup.split(" from \"./").skip(1);
    let imports: Vec<_> = imports
        .map(|rest| format!("/docs/{}", rest.split('"').next().unwrap()))
        .collect();
    assert_eq!(imports.len(), 2);
    for script in imports.iter().map(String::as_str).chain(["/docs/page.js"]) {
        let script = service.get(script).await.ok();
        assert!(!script.text().contains("://"));
    }

    for takes in ["gzip, br", "*", "br, gzip;q=0.5"] {
        let client = service.client().with_header("accept-encoding", takes);
        let compressed = client.get(viewer).await.ok();
        assert_eq!(compressed.header("content-encoding"), Some("gzip"));
        let seen = compressed.header("etag").unwrap();
        let again = client.with_header("if-none-match", seen);
        assert_eq!(again.get(viewer).await.status.as_u16(), 304);
    }
    for refuses in ["identity", "br", "gzip;q=0"] {
        let client = service.client().with_header("accept-encoding", refuses);
        assert_eq!(client.get(viewer).await.status.as_u16(), 406, "{refuses}");
    }
}

async fn page(router: &Router, path: &str) -> (u16, String) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let reply = router.clone().oneshot(request).await.unwrap();
    let status = reply.status().as_u16();
    let body = reply.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// Rule b400.
#[tokio::test]
async fn the_explorer_and_the_reference_lead_to_each_other_where_both_are() {
    let config = Config::default();
    let both: Router = Explorer::new("/api").with_reference().routes(&config);
    let (_, explorer) = page(&both, "/explorer").await;
    assert!(explorer.contains("<meta name=\"docs\" content=\"/docs\">"));
    let (_, reference) = page(&both, "/docs").await;
    assert!(reference.contains("href=\"/explorer\""));
    assert!(reference.contains("data-document=\"/api/openapi.json\""));

    let alone: Router = Explorer::new("/api").routes(&config);
    let (_, explorer) = page(&alone, "/explorer").await;
    assert!(explorer.contains("<meta name=\"docs\" content=\"\">"));
    assert_eq!(page(&alone, "/docs").await.0, 404);

    let alone: Router = Reference::new("/api").routes();
    assert!(!page(&alone, "/docs").await.1.contains("/explorer"));
}

/// Rule b400.
#[tokio::test]
async fn the_setting_that_turns_the_explorer_off_turns_both_pages_off() {
    let mut config = Config::default();
    config.explorer = false;
    let off: Router = Explorer::new("/api").with_reference().routes(&config);
    let script = "/docs/landing.js";
    for path in ["/", "/explorer", "/docs", "/docs/page.js", script] {
        assert_eq!(page(&off, path).await.0, 404, "{path}");
    }
}
