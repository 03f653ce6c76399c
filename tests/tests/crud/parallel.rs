//! Many clients at once: nothing is doubled, nothing is lost, nobody gets a 5xx (d53, d58).

use std::collections::BTreeMap;
use std::future::Future;

use axum::http::Request;
use listing_tests::{Client, Reply, Service, on_each_fresh_database};
use serde_json::json;
use tokio::task::JoinSet;

use crate::articles::{PATH, at, create, payload, payload_with, row, rows_of};

/// Runs all of them at once.
async fn at_once<F>(requests: impl IntoIterator<Item = F>) -> Vec<Reply>
where
    F: Future<Output = Reply> + Send + 'static,
{
    let set: JoinSet<Reply> = requests.into_iter().collect();
    set.join_all().await
}

/// How often each status came.
fn statuses(replies: &[Reply]) -> BTreeMap<u16, usize> {
    let mut counts = BTreeMap::new();
    for reply in replies {
        *counts.entry(reply.status.as_u16()).or_default() += 1;
    }
    counts
}

/// Rule d58.
#[test]
fn of_64_parallel_creates_with_one_slug_one_wins_and_the_rest_are_told_the_same() {
    on_each_fresh_database(async |service| {
        let client = service.client();
        let create = || {
            let client = client.clone();
            async move { client.post(PATH, &payload("race")).await }
        };
        for round in 0..3 {
            let replies = at_once((0..64).map(|_| create())).await;
            let won = usize::from(round == 0);
            let mut expected = BTreeMap::from([(422, 64 - won)]);
            if won > 0 {
                expected.insert(201, won);
            }
            assert_eq!(statuses(&replies), expected);
            for loser in replies.iter().filter(|reply| reply.status.as_u16() == 422) {
                assert_eq!(loser.invalid()["slug"], ["slug has already been taken."]);
            }
            assert_eq!(rows_of(service, "race").await.len(), 1);
        }
    });
}

/// Rule d58.
#[test]
fn parallel_creates_with_slugs_of_their_own_all_win() {
    on_each_fresh_database(async |service| {
        let client = service.client();
        let replies = at_once((0..64).map(|number| {
            let client = client.clone();
            async move { client.post(PATH, &payload(&format!("own-{number}"))).await }
        }))
        .await;
        let mut ids: Vec<_> = replies.iter().map(Reply::created).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 64);
    });
}

/// Rule d58.
#[test]
fn of_parallel_updates_to_one_slug_one_wins() {
    on_each_fresh_database(async |service| {
        let mut ids = Vec::new();
        for number in 0..24 {
            ids.push(create(service, &format!("wants-{number}")).await);
        }
        let client = service.client();
        let replies = at_once(ids.iter().map(|id| {
            let (client, path) = (client.clone(), at(*id));
            async move { client.put(&path, &payload("wanted")).await }
        }))
        .await;
        assert_eq!(statuses(&replies), BTreeMap::from([(200, 1), (422, 23)]));
        assert_eq!(rows_of(service, "wanted").await.len(), 1);
    });
}

/// Rule d62.
#[test]
fn of_parallel_deletes_and_restores_one_each_wins() {
    on_each_fresh_database(async |service| {
        let id = create(service, "deleted-once").await;
        let client = service.client();
        let delete = |path: String| {
            let client = client.clone();
            async move { client.delete(&path).await }
        };
        let restore = || {
            let (client, path) = (client.clone(), format!("{}/restore", at(id)));
            async move { client.bare("POST", &path).await }
        };
        for _ in 0..3 {
            let replies = at_once((0..16).map(|_| delete(at(id)))).await;
            assert_eq!(statuses(&replies), BTreeMap::from([(200, 1), (404, 15)]));
            let replies = at_once((0..16).map(|_| restore())).await;
            assert_eq!(statuses(&replies), BTreeMap::from([(200, 1), (404, 15)]));
        }
        let forced = format!("{}?force=true", at(id));
        let replies = at_once((0..16).map(|_| delete(forced.clone()))).await;
        assert_eq!(statuses(&replies), BTreeMap::from([(200, 1), (404, 15)]));
        assert_eq!(row(service, id).await, None);
    });
}

/// Rule d53.
#[test]
fn of_parallel_updates_under_if_match_none_is_lost() {
    const WORKERS: usize = 8;
    const EACH: usize = 5;
    on_each_fresh_database(async |service| {
        let id = create(service, "counter").await;
        let _ = service
            .put(&at(id), &payload_with("counter", "title", "0"))
            .await
            .ok();
        let mut workers = JoinSet::new();
        for _ in 0..WORKERS {
            workers.spawn(count_up(service.client(), at(id), EACH));
        }
        let refused: usize = workers.join_all().await.into_iter().sum();
        let title = row(service, id).await.unwrap().title;
        assert_eq!(
            title,
            (WORKERS * EACH).to_string(),
            "{refused} were refused"
        );
    });
}

/// Reads the number in the title and writes the next one, until it has done so often enough. How often it was stale.
async fn count_up(client: Client, path: String, times: usize) -> usize {
    let (mut done, mut refused) = (0, 0);
    while done < times {
        let shown = client.get(&path).await.ok();
        let title = shown.json()["data"]["title"].clone();
        let number: usize = title.as_str().unwrap().parse().unwrap();
        let next = payload_with("counter", "title", (number + 1).to_string());
        let request = Request::put(&*path)
            .header("content-type", "application/json")
            .header("if-match", shown.header("etag").unwrap())
            .body(next.to_string().into())
            .unwrap();
        let reply = client.send(request).await;
        match reply.status.as_u16() {
            200 => done += 1,
            412 => refused += 1,
            other => panic!("{other}: {}", reply.text()),
        }
    }
    refused
}

/// Rule d53.
#[test]
fn of_parallel_updates_with_one_tag_one_wins() {
    on_each_fresh_database(async |service| {
        let id = create(service, "one-tag").await;
        for round in 0..5 {
            let shown = service.get(&at(id)).await.ok();
            let tag = shown.header("etag").unwrap().to_owned();
            let client = service.client().with_header("if-match", &tag);
            let replies = at_once((0..12).map(|number| {
                let (client, path) = (client.clone(), at(id));
                let title = format!("{round}.{number}");
                async move {
                    client
                        .put(&path, &payload_with("one-tag", "title", title))
                        .await
                }
            }))
            .await;
            assert_eq!(statuses(&replies), BTreeMap::from([(200, 1), (412, 11)]));
        }
    });
}

/// Rule d53.
#[test]
fn parallel_writes_of_every_kind_are_never_our_fault() {
    on_each_fresh_database(async |service| {
        let client = service.client();
        let ids = [
            create(service, "mixed-a").await,
            create(service, "mixed-b").await,
        ];
        let replies = at_once((0..96).map(|number| {
            let client = client.clone();
            let path = at(ids[number % 2]);
            async move {
                match number % 8 {
                    // The two records and the new one want each other's slugs.
                    0 | 1 => client.put(&path, &payload("mixed-a")).await,
                    2 | 3 => client.put(&path, &payload("mixed-b")).await,
                    4 => client.delete(&path).await,
                    5 => client.bare("POST", &format!("{path}/restore")).await,
                    6 => client.post(PATH, &payload("mixed-a")).await,
                    _ => client.get(&format!("{PATH}?populate=*&fields=*")).await,
                }
            }
        }))
        .await;
        for reply in &replies {
            let status = reply.status.as_u16();
            assert!(
                [200, 404, 422].contains(&status),
                "{status}: {}",
                reply.text()
            );
        }
        assert!(service_is_whole(service, &ids).await);
    });
}

/// Each of the two records is there once, and no connection was left in a transaction.
async fn service_is_whole(service: &Service, ids: &[i64]) -> bool {
    let taken = service
        .post(PATH, &payload("mixed-a"))
        .await
        .status
        .as_u16()
        == 422;
    let rows = rows_of(service, "mixed-a").await.len() + rows_of(service, "mixed-b").await.len();
    let list = service.get(PATH).await.json();
    taken && rows == ids.len() && list["meta"]["code"] == json!(200)
}
