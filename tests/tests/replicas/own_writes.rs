//! A client that carries the position of what it wrote and read never sees an older state.

use std::time::Duration;

use listing::observe::TALLY;
use listing_tests::{Engine, Reply, Service};
use serde_json::json;
use tokio::time::timeout;

use crate::servers::{
    Servers, article, execute, on_each_replicated, on_replicated, position, statements, until,
};

/// Reads with the positions that a client has.
async fn read(service: &Service, path: &str, positions: &str) -> Reply {
    let client = service.client().with_header("listing-position", positions);
    client.get(path).await
}

/// Writes, and reads what was written: as a record, in a list, and in the list's total.
async fn pairs(service: &Service, number: u32) {
    let list = "/api/articles?pagination[pageSize]=1&sort=id:desc&fields=title";
    let mut total = service.get(list).await.total();
    let mut seen = String::new();
    for at in 0..number {
        let name = format!("Own {at} {total}");
        let stored = service.post("/api/articles", &article(&name)).await;
        seen = position(&stored);
        let id = stored.created();
        total += 1;
        let found = read(service, list, &seen).await.ok();
        assert_eq!(found.items()[0]["id"], id, "pair {at} with {seen}");
        assert_eq!(found.total(), total, "pair {at} with {seen}");
        seen = position(&found);
        let shown = read(service, &format!("/api/articles/{id}"), &seen)
            .await
            .ok();
        assert_eq!(shown.json()["data"]["title"], name);
        seen = position(&shown);
    }
    assert!(!seen.is_empty());
}

/// Rule b1131.
#[test]
fn a_client_reads_what_it_has_written_over_two_hundred_pairs() {
    on_each_replicated(async |servers| {
        let service = servers.service().await;
        let before: u64 = statements(&service.reads.replicas()).iter().sum();
        let primary = TALLY.statements_primary.get();
        pairs(&service, 200).await;
        let on_replicas = statements(&service.reads.replicas()).iter().sum::<u64>() - before;
        let on_primary = TALLY.statements_primary.get() - primary;
        println!("{on_replicas} statements on replicas, {on_primary} on the primary");
        // Most writes have come to a replica within the time that is waited for them.
        assert!(on_replicas > on_primary, "{on_replicas}, {on_primary}");
    });
}

/// Rule b1131.
#[test]
fn a_client_reads_what_it_has_written_while_replicas_stand_still() {
    on_each_replicated(async |servers| {
        let service = servers.service().await;
        servers.stand_still(0).await;
        pairs(&service, 10).await;
        // One that has not come that far is read from by those who bring nothing.
        servers.go_on(0).await;
    });
}

/// Rule b1131.
#[test]
fn a_commit_that_is_answered_before_it_is_written_is_waited_for_as_well() {
    on_replicated(Engine::Postgres, async |servers| {
        let (_, name) = servers.primary.rsplit_once('/').unwrap();
        let name = name.split('?').next().unwrap();
        let lazy = format!("ALTER DATABASE {name} SET synchronous_commit = off");
        execute(&servers.primary, &lazy).await;
        pairs(&servers.service().await, 20).await;
    });
}

/// Rule b1136.
#[test]
fn the_reads_of_one_client_never_go_back_in_time() {
    on_each_replicated(async |servers| {
        let service = servers.service().await;
        for replica in 0..servers.replicas.len() {
            servers.stand_still(replica).await;
        }
        let path = "/api/articles/7?fields=title";
        let old = service.get(path).await.ok().json()["data"]["title"].clone();
        let patched = service
            .client()
            .json("PATCH", "/api/articles/7", r#"{"title": "Brand new"}"#)
            .await;
        assert_eq!(patched.status, 200, "{}", patched.text());
        // Another visitor sees the new state on the primary, by a position that includes it, and then brings what it was told.
        let new = read(&service, path, "primary").await.ok();
        assert_eq!(new.json()["data"]["title"], "Brand new");
        let mut seen = position(&new);
        assert_ne!(seen, "primary");
        for at in 0..6 {
            if at == 3 {
                last_goes_on(servers).await;
            }
            let again = read(&service, path, &seen).await.ok();
            assert_eq!(again.json()["data"]["title"], "Brand new");
            seen = position(&again);
        }
        // Those who bring nothing may see the old one, on a replica that stands still.
        if servers.replicas.len() > 1 {
            let mut titles = Vec::new();
            for _ in 0..4 {
                titles.push(service.get(path).await.ok().json()["data"]["title"].clone());
            }
            assert!(titles.contains(&old), "{titles:?}");
        }
        servers.go_on(0).await;
    });
}

async fn last_goes_on(servers: &Servers) {
    servers.go_on(servers.replicas.len() - 1).await;
}

/// Rule b1136.
#[test]
fn several_positions_are_all_reached_and_the_answer_covers_them() {
    on_each_replicated(async |servers| {
        let service = servers.service().await;
        let (one, two) = (article("Several one"), article("Several two"));
        let (one, two) = tokio::join!(
            service.post("/api/articles", &one),
            service.post("/api/articles", &two)
        );
        let both = format!("{}, {}", position(&one), position(&two));
        for id in [one.created(), two.created()] {
            let _ = read(&service, &format!("/api/articles/{id}"), &both)
                .await
                .ok();
        }
    });
}

/// Rules d118, b1131, b1282.
#[test]
fn a_download_by_a_ticket_contains_what_its_caller_has_written() {
    on_each_replicated(async |servers| {
        let service = servers.service().await;
        for replica in 0..servers.replicas.len() {
            servers.stand_still(replica).await;
        }
        let written = service.post("/api/articles", &article("By ticket")).await;
        let seen = position(&written);
        let path = "/api/articles.csv?fields=slug&filters%5Bslug%5D%5B$eq%5D=by-ticket";
        let ticket = async |positions: Option<&str>| {
            let client = match positions {
                Some(positions) => service.client().with_header("listing-position", positions),
                None => service.client(),
            };
            let asked = json!({ "path": path });
            let reply = client.post("/api/_tickets", &asked).await.ok();
            let data = reply.json()["data"].clone();
            data["path"].as_str().unwrap().to_owned()
        };
        let file = service.get(&ticket(Some(&seen)).await).await.ok();
        assert!(file.text().contains("by-ticket"), "{}", file.text());
        // Several of them, and whoever opens the address may bring another one.
        let several = ticket(Some(&format!("{seen}, primary"))).await;
        let file = read(&service, &several, &seen).await.ok();
        assert!(file.text().contains("by-ticket"), "{}", file.text());
        // Without a position, the replicas are read, which stand still.
        let file = service.get(&ticket(None).await).await.ok();
        assert!(!file.text().contains("by-ticket"), "{}", file.text());
        for replica in 0..servers.replicas.len() {
            servers.go_on(replica).await;
        }
    });
}

/// Rule b1283.
#[test]
fn a_position_that_the_primary_has_not_reached_is_not_waited_for() {
    on_each_replicated(async |servers| {
        let options = servers.options().wait(Duration::from_secs(3_600));
        let service = servers.service_with(options).await;
        until(|| service.reads.replicas().iter().all(|one| one.out.is_none())).await;
        let own = position(&service.post("/api/articles", &article("Ahead")).await);
        let (start, _) = own.rsplit_once(['.', '-']).unwrap();
        let ahead = match servers.engine {
            Engine::Postgres => format!("{start}.ffffffffffffffff"),
            _ => format!("{start}-{}", u64::MAX),
        };
        let path = "/api/articles?filters[slug][$eq]=ahead";
        for positions in [ahead.clone(), format!("{own},{ahead}")] {
            let found = timeout(Duration::from_secs(60), read(&service, path, &positions));
            assert_eq!(found.await.unwrap().ok().items().len(), 1);
        }
        // One that the primary has reached is waited for.
        let before: u64 = statements(&service.reads.replicas()).iter().sum();
        assert_eq!(read(&service, path, &own).await.ok().items().len(), 1);
        assert!(statements(&service.reads.replicas()).iter().sum::<u64>() > before);
    });
}
