//! How many rows a file may have, how many exports run at the same time, and for how long (d116, d117).

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use listing::{ReadOptions, ReadPool};
use listing_axum::{App, Config, with_defaults};
use listing_tests::{RunningApp, Service, on_each_database};
use tower::ServiceExt;

use crate::csv::{articles, file};

/// Rules d117, b946.
#[test]
fn too_many_rows_are_refused_before_the_first_byte() {
    let one = format!("filters[id]={}", articles()[0].id);
    on_each_database(async |service| {
        let service = service.with_settings(|settings| settings.export_max_rows = 10);
        for path in [
            "/api/articles.csv",
            "/api/articles.csv?pagination[limit]=11",
            "/api/articles.ndjson",
            "/api/articles.ndjson?populate[author][fields]=name",
            "/api/articles.xlsx",
        ] {
            let reply = service.get(path).await;
            let error = reply.error(400);
            assert_eq!(error["code"], "too_many_rows");
            assert_eq!(reply.header("content-disposition"), None);
            assert!(
                error["message"]
                    .as_str()
                    .unwrap()
                    .contains("More than 10 rows")
            );
        }
        for (query, rows) in [("pagination[limit]=10", 10), (&*one, 1)] {
            let reply = service
                .get(&format!("/api/articles.csv?{query}"))
                .await
                .ok();
            assert_eq!(file(&reply).1.len(), rows);
        }
    });
}

/// A file that is larger than what is under way at once.
const LARGE: &str = "/api/articles.csv?fields=*&sort=id";

/// The service with one export at a time.
async fn with(service: &Service, options: ReadOptions) -> RunningApp {
    let options = options.connections(1).exports(1);
    let reads = ReadPool::alongside(&service.db, options).await.unwrap();
    let config = Config::default();
    let api = blog::resources::api(config.settings.clone()).unwrap();
    let app = App::new(service.db.clone(), reads, api.listings.clone(), ());
    let router = blog::service().router(api, app, &config);
    with_defaults(router, &config)
}

async fn ask(app: &RunningApp) -> Response<Body> {
    let request = Request::builder().uri(LARGE).header("host", "localhost");
    let request = request.body(Body::empty()).unwrap();
    app.clone().oneshot(request).await.unwrap()
}

/// Rule d116.
#[test]
fn more_exports_than_may_run_wait_and_are_refused_then() {
    on_each_database(async |service| {
        let options = ReadOptions::new().acquire_timeout(Duration::from_secs(1));
        let app = with(service, options).await;
        // Its client takes nothing, so that it does not end.
        let first = ask(&app).await;
        assert_eq!(first.status(), StatusCode::OK);
        let refused = ask(&app).await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(refused.headers().contains_key("retry-after"));
        // A page does not wait for exports.
        let request = Request::builder()
            .uri("/api/articles")
            .header("host", "localhost");
        let request = request.body(Body::empty()).unwrap();
        let page = app.clone().oneshot(request).await.unwrap();
        assert_eq!(page.status(), StatusCode::OK);
        // A client that leaves makes room.
        drop(first);
        let waiting = with(service, ReadOptions::new()).await;
        drop(ask(&waiting).await);
        let next = ask(&waiting).await;
        assert_eq!(next.status(), StatusCode::OK);
        let file = next.into_body().collect().await.unwrap().to_bytes();
        let own = service.get(LARGE).await.ok();
        assert_eq!(file, own.bytes);
    });
}

/// Rules d116, d117.
#[test]
fn a_file_that_takes_too_long_breaks_off_and_does_not_end() {
    on_each_database(async |service| {
        let options = ReadOptions::new().export_timeout(Duration::from_millis(500));
        let app = with(service, options).await;
        let first = ask(&app).await;
        assert_eq!(first.status(), StatusCode::OK);
        // It waits for the first, whose client takes nothing until its time is over.
        let second = ask(&app).await;
        assert_eq!(second.status(), StatusCode::OK);
        let broken = first.into_body().collect().await;
        assert!(broken.is_err());
    });
}

/// Rule d116.
#[test]
fn an_export_that_takes_too_long_before_its_first_byte_is_refused() {
    on_each_database(async |service| {
        let options = ReadOptions::new().export_timeout(Duration::ZERO);
        let refused = ask(&with(service, options).await).await;
        assert_eq!(refused.status(), StatusCode::GATEWAY_TIMEOUT);
    });
}
