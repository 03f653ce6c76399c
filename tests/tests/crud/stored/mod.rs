//! What SQLite keeps in other forms than SeaORM's is found by what it is shown as, and can be written (b610–b613).

mod classes;
mod moments;
mod parcels;
mod uuids;

use listing::{Context, Listings, ReadPool};
use listing_axum::{Api, Config};
use listing_tests::{Client, reads};
use sea_orm::DatabaseConnection;

#[derive(Clone, axum::extract::FromRef)]
struct App {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
}

/// A client of an application that has looked at its database, as applications do when they start.
async fn started(api: Api<App>, db: &DatabaseConnection, context: &Context) -> Client {
    let api = api.build(listing::Settings::default()).unwrap();
    api.listings.inspect_indexes(db).await.unwrap();
    let router = api.router.with_state(App {
        reads: reads(db).await,
        db: db.clone(),
        listings: api.listings,
    });
    Client::of(router, context, &Config::default())
}

/// Every id of a list, from a walk by cursors.
async fn walked(client: &Client, list: &str) -> Vec<String> {
    let (mut cursor, mut seen) = (String::new(), Vec::new());
    for _ in 0..20 {
        let path = format!("{list}&pagination[pageSize]=2&pagination[cursor]={cursor}");
        let page = client.get(&path).await.ok();
        seen.extend(page.column("id").iter().map(ToString::to_string));
        let next = page.meta()["pagination"]["nextCursor"].clone();
        match next.as_str() {
            Some(next) => cursor = next.to_owned(),
            None => return seen,
        }
    }
    panic!("a walk that does not end: {seen:?}");
}
