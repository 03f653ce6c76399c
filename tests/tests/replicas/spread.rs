//! Lists and records are read from replicas, in turn, with the same answers as from the primary.

use listing::observe::TALLY;
use listing_tests::Engine;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::json;

use crate::servers::{on_each_replicated, statements};

const READS: [&str; 8] = [
    "/api/articles?populate=author,comments,tags,seo&pagination[pageSize]=7",
    "/api/articles?pagination[cursor]=&sort=title",
    "/api/articles?facets=author_id,created_at&totals[views]=sum",
    "/api/articles/7",
    "/api/articles/_facets?facets=author_id",
    "/api/authors?filters[country][$eq]=DE&sort=name",
    "/api/comments?pagination[page]=3",
    "/api/tags?pagination[withCount]=false",
];

const EXPORTS: [&str; 2] = [
    "/api/articles.csv?sort=id&fields=*&populate=author",
    "/api/articles.ndjson?populate=author,comments&sort=id",
];

/// Rule b1130.
#[test]
fn what_is_read_from_replicas_has_the_same_bytes_and_the_primary_has_next_to_nothing() {
    on_each_replicated(async |servers| {
        let service = servers.service().await;
        let mut alone = service.clone();
        alone.reads = listing::ReadPool::alongside(&service.db, listing::ReadOptions::new())
            .await
            .unwrap();
        for read in READS.iter().chain(&EXPORTS) {
            let (expected, found) = (alone.get(read).await.ok(), service.get(read).await.ok());
            assert!(expected.bytes == found.bytes, "{read}");
        }

        let before = (
            statements(&service.reads.replicas()),
            TALLY.statements_primary.get(),
        );
        let selects = selects(&service.db, servers.engine).await;
        // No kind of request always has the same turn.
        for at in 0..400 {
            let _ = service
                .get(READS[(at + at / READS.len()) % READS.len()])
                .await
                .ok();
        }
        let after = service.reads.replicas();
        let on_replicas: Vec<_> = after
            .iter()
            .zip(&before.0)
            .map(|(one, before)| one.statements - before)
            .collect();
        let on_primary = TALLY.statements_primary.get() - before.1;
        let all: u64 = on_replicas.iter().sum();
        println!("{on_replicas:?} statements on replicas, {on_primary} on the primary");
        assert!(all >= 400 && on_primary * 20 < all, "{on_primary} of {all}");
        // Idle replicas take turns.
        let fewest = on_replicas.iter().min().unwrap();
        assert!(
            fewest * on_replicas.len() as u64 * 2 > all,
            "{on_replicas:?}"
        );
        if let Some(before) = selects {
            let now = self::selects(&service.db, servers.engine).await.unwrap();
            println!("{} of them counted by the primary itself", now - before);
            // It is asked where it is as well, for as long as this takes: on a busy machine that is often.
            assert!((now - before) * 2 < all, "{} of {all}", now - before);
        }
    });
}

/// How many `SELECT`s MariaDB has run.
async fn selects(db: &sea_orm::DatabaseConnection, engine: Engine) -> Option<u64> {
    if engine != Engine::Mysql {
        return None;
    }
    let asked = "SHOW GLOBAL STATUS LIKE 'Com_select'";
    let row = db.query_one_raw(Statement::from_string(DbBackend::MySql, asked));
    let count: String = row.await.unwrap().unwrap().try_get_by_index(1).unwrap();
    Some(count.parse().unwrap())
}

/// Rule b1130.
#[test]
fn writes_and_what_decides_about_them_are_on_the_primary() {
    on_each_replicated(async |servers| {
        let service = servers.service().await;
        let replicas = servers.replicas.len();
        for replica in 0..replicas {
            servers.stand_still(replica).await;
        }
        let article = json!({ "title": "Written", "slug": "written", "is_active": true });
        let id = service.post("/api/articles", &article).await.created();
        // The replicas have never heard of it: its slug is taken, and it can be changed and deleted.
        service.post("/api/articles", &article).await.invalid();
        let path = format!("/api/articles/{id}");
        let changed = json!({ "title": "Changed", "slug": "written", "is_active": true });
        assert_eq!(service.put(&path, &changed).await.status, 200);
        assert_eq!(service.get(&path).await.status, 404);
        assert_eq!(service.delete(&path).await.status, 200);
        for replica in 0..replicas {
            servers.go_on(replica).await;
        }
    });
}
