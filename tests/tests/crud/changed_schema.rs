//! Writing goes on while somebody changes the schema: every connection has read it before, and notices by itself.

use futures_util::future::join_all;
use listing_tests::{Engine, Service, on_each_fresh_database, run};
use sea_orm::ConnectionTrait;
use sea_orm::sqlx::Executor as _;

use crate::articles::{PATH, at, payload, restore};

/// Adds an index to the articles.
async fn change(service: &Service, name: &str) {
    let index = format!("CREATE INDEX {name} ON articles (views)");
    service.db.execute_unprepared(&index).await.unwrap();
}

/// Rule b562.
#[test]
fn writes_go_on_when_the_schema_changes() {
    on_each_fresh_database(async |service| {
        // As often as there are connections, and some more.
        for number in 0..12 {
            let slug = format!("before-and-after-{number}");
            change(service, &format!("first_{number}")).await;
            let id = service.post(PATH, &payload(&slug)).await.created();
            change(service, &format!("second_{number}")).await;
            let _ = service.put(&at(id), &payload(&slug)).await.ok();
            change(service, &format!("third_{number}")).await;
            let _ = service.delete(&at(id)).await.ok();
            change(service, &format!("fourth_{number}")).await;
            let _ = restore(service, id).await.ok();
        }
    });
}

/// What an application writes by itself, too: here each connection has read articles, but not used their full-text index.
/// Rule b562.
#[test]
fn every_connection_to_sqlite_knows_the_schema() {
    run(async {
        let service = Service::fresh(Engine::Sqlite).await;
        let file = service.db.get_sqlite_connection_pool().connect_options();
        let url = format!("sqlite:{}", file.get_filename().display());
        let db = blog::connect::connect(&url, 4).await.unwrap();
        let pool = db.get_sqlite_connection_pool();
        let all = async || join_all((0..4).map(|_| pool.acquire())).await;
        for connection in all().await {
            let read = "SELECT id FROM articles LIMIT 1";
            connection.unwrap().execute(read).await.unwrap();
        }
        change(&service, "of_views").await;
        let writes = [
            "UPDATE articles SET views = views WHERE id = 1",
            "DELETE FROM articles WHERE id = -1",
        ];
        for (connection, write) in all().await.into_iter().zip(writes.iter().cycle()) {
            let written = connection.unwrap().execute(*write).await;
            assert!(written.is_ok(), "{write}: {written:?}");
        }
    });
}
