//! Clients that disconnect in the middle of a request while others wait for their responses.

use std::collections::HashMap;
use std::sync::Arc;

use blog::data::demo_rows;
use listing_tests::on_each_database;
use tokio::task::{JoinSet, yield_now};

use crate::wire::Server;

fn asks_for(id: i64) -> String {
    let target = format!(
        "/api/articles?filters[id]={id}&fields=slug,comments_count&populate=author,comments,tags,seo"
    );
    format!("GET {target} HTTP/1.1\r\nhost: blog\r\n\r\n")
}

/// A connection to the database that is handed back in the middle of an answer would serve the next request the rest of it.
#[test]
fn nobody_gets_the_rows_of_one_who_went_away() {
    let articles = demo_rows().articles;
    let living = articles
        .into_iter()
        .filter(|article| article.deleted_at.is_none());
    let slugs: HashMap<i64, String> = living.map(|row| (row.id, row.slug)).collect();
    let slugs = Arc::new(slugs);
    on_each_database(async |service| {
        let server = Arc::new(Server::start(service.app()).await);
        let mut clients = JoinSet::new();
        for (number, id) in slugs.keys().copied().take(200).enumerate() {
            // More than the database has connections, and few enough that nobody waits for one until it is too late.
            if clients.len() == 20 {
                clients.join_next().await.unwrap().unwrap();
            }
            let (server, slugs) = (server.clone(), slugs.clone());
            clients.spawn(async move {
                let mut connection = server.connect().await;
                connection.send(asks_for(id)).await;
                if number % 2 == 0 {
                    // Now or a little later, so that each stage of an answer is met by some.
                    for _ in 0..number % 64 {
                        yield_now().await;
                    }
                    return;
                }
                let reply = connection.reply().await;
                let json = reply.json();
                assert_eq!(reply.status, 200, "{json}");
                assert_eq!(json["data"].as_array().unwrap().len(), 1, "{json}");
                assert_eq!(json["data"][0]["id"], id);
                assert_eq!(json["data"][0]["slug"], slugs[&id]);
                assert_eq!(json["meta"]["pagination"]["total"], 1);
            });
        }
        while let Some(client) = clients.join_next().await {
            client.unwrap();
        }
        let last = server.ask(asks_for(1)).await.json();
        assert_eq!(last["data"][0]["slug"], slugs[&1]);
    });
}
