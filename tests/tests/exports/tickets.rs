//! Addresses of files that browsers can open without a header (d118).

use axum::extract::Request;
use axum::http::header;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use listing::Context;
use listing_axum::{Api, App, Config, ResourceRoutes};
use listing_tests::{Client, Service, on_each_database};
use serde_json::json;

use crate::refused::{Guarded, Pass};

/// Callers with this header have a pass.
async fn known(mut request: Request, next: Next) -> Response {
    let sent = request.headers().get(header::AUTHORIZATION);
    if sent.is_some_and(|sent| sent == "Bearer of-a-pass") {
        request.extensions_mut().insert(Context::new().with(Pass));
    }
    next.run(request).await
}

fn client(service: &Service) -> Client {
    let routes = ResourceRoutes::read::<Guarded>();
    let (router, _) = Api::<App>::new("/api").resource(routes).finish().unwrap();
    let (db, reads) = (service.db.clone(), service.reads.clone());
    let router = router.with_state(App::new(db, reads, service.listings.clone(), ()));
    Client::of(
        router.layer(from_fn(known)),
        &Context::new(),
        &Config::default(),
    )
}

/// Rules d118, b947.
#[test]
fn a_ticket_opens_one_address_for_the_caller_who_asked_for_it() {
    on_each_database(async |service| {
        let nobody = client(service);
        let known = nobody.with_header("authorization", "Bearer of-a-pass");
        let path = "/api/articles.csv?fields=id&filters%5Bviews%5D%5B$gte%5D=500&sort=id";
        let asked = json!({ "path": path });
        let reply = known.post("/api/_tickets", &asked).await.ok();
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        let data = reply.json()["data"].clone();
        assert_eq!(data["expires_in"], 60);
        let address = data["path"].as_str().unwrap();
        assert!(address.starts_with(path) && !address.contains("pass"));
        assert_eq!(nobody.get(path).await.error_code(403), "forbidden");
        let file = nobody.get(address).await.ok();
        assert_eq!(file.text(), known.get(path).await.ok().text());
        assert!(file.text().lines().count() > 1);
        // Who opens it has no say in who the caller is.
        let other = nobody.with_header("authorization", "Bearer of-nobody");
        assert_eq!(other.get(address).await.ok().text(), file.text());
        // It is for this address alone.
        for forged in [
            address.replace("500", "100"),
            address.replace(".csv", ".ndjson"),
            address.replace("ticket=A", "ticket=B"),
            format!("{address}A"),
            "/api/articles.csv?ticket=".to_owned(),
        ] {
            let reply = known.get(&forged).await;
            assert_eq!(reply.error_code(401), "invalid_token", "{forged}");
        }
        // It is for reading: a record with a text key can have such an address.
        for reply in [
            nobody.delete(address).await,
            nobody.post(address, &json!({})).await,
        ] {
            assert_eq!(reply.error_code(401), "invalid_token");
        }
        // A caller without an identity gets a ticket without one.
        let reply = nobody.post("/api/_tickets", &asked).await.ok();
        let address = reply.json()["data"]["path"].as_str().unwrap().to_owned();
        assert_eq!(known.get(&address).await.error_code(403), "forbidden");
    });
}

/// Rule d118.
#[test]
fn there_are_tickets_for_files_alone() {
    on_each_database(async |service| {
        let client = client(service);
        for wrong in [
            json!({}),
            json!({ "path": 5 }),
            json!({ "path": "" }),
            json!({ "path": "/api/articles" }),
            json!({ "path": "https://elsewhere.example/api/articles.csv" }),
            json!({ "path": "//elsewhere.example/api/articles.csv" }),
            json!({ "path": "/api/articles.csv?search=a b" }),
            json!({ "path": "/api/articles.csv?sort=id&ticket=x" }),
            json!({ "path": "/api/articles.csv#id" }),
        ] {
            let reply = client.post("/api/_tickets", &wrong).await;
            assert_eq!(reply.error_code(400), "malformed_body", "{wrong}");
        }
    });
}
