//! Requests that are cancelled at every point, while others must get their own rows.

use std::collections::HashMap;
use std::sync::Arc;

use blog::data::demo_rows;
use listing_tests::on_each_database;
use tokio::task::{JoinSet, yield_now};

#[test]
fn nobody_gets_the_rows_of_a_request_that_was_given_up() {
    let articles = demo_rows().articles.into_iter();
    let living = articles.filter(|article| article.deleted_at.is_none());
    let slugs: HashMap<i64, String> = living.map(|row| (row.id, row.slug)).collect();
    let slugs = Arc::new(slugs);
    on_each_database(async |service| {
        let mut tasks = JoinSet::new();
        for (number, id) in slugs.keys().copied().cycle().take(600).enumerate() {
            if tasks.len() == 24 {
                tasks.join_next().await.unwrap().unwrap();
            }
            let (service, slugs) = (service.clone(), slugs.clone());
            tasks.spawn(async move {
                let path = format!(
                    "/api/articles?filters[id]={id}&fields=slug&populate=author,comments,tags,seo"
                );
                let given_up = async {
                    // Now or a little later, so that each stage is met by some.
                    for _ in 0..number % 97 {
                        yield_now().await;
                    }
                };
                let patient = number % 2 == 0;
                tokio::select! {
                    biased;
                    () = given_up, if !patient => {}
                    reply = service.get(&path) => {
                        let json = reply.ok().json();
                        assert_eq!(json["data"][0]["id"], id);
                        assert_eq!(json["data"][0]["slug"], slugs[&id]);
                        assert_eq!(json["meta"]["pagination"]["total"], 1);
                    }
                }
            });
        }
        while let Some(task) = tasks.join_next().await {
            task.unwrap();
        }
    });
}
