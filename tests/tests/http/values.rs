//! Timestamps and numbers as clients see them, the same on every database (d54, d55).

use blog::data::demo_rows;
use listing_tests::on_each_database;
use serde_json::{Value, json};

/// Written by hand, so that no formatter is compared with itself.
fn utc(moment: chrono::DateTime<chrono::Utc>) -> String {
    use chrono::{Datelike, Timelike};
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
        moment.year(),
        moment.month(),
        moment.day(),
        moment.hour(),
        moment.minute(),
        moment.second(),
        moment.nanosecond() / 1_000
    )
}

/// Rules d54, d55.
#[test]
fn every_article_has_the_same_times_and_numbers_on_every_database() {
    let demo = demo_rows();
    let living = demo
        .articles
        .iter()
        .filter(|article| article.deleted_at.is_none());
    let expected: Vec<Value> = living
        .map(|article| {
            json!({
                "id": article.id,
                "views": article.views,
                "created_at": utc(article.created_at),
                "rating": article.rating.map(|rating| format!("{rating:.2}")),
                "author_id": article.author_id,
                "updated_at": utc(article.updated_at),
            })
        })
        .collect();
    let text = json!(expected).to_string();
    for needed in [".000000Z", ".00\"", "\"rating\":null", "\"author_id\":null"] {
        assert!(text.contains(needed), "the demo has no {needed}");
    }
    on_each_database(async |service| {
        let mut items = Vec::new();
        for page in 1..=5 {
            let query = format!(
                "/api/articles?fields=views,created_at,rating,author_id,updated_at&sort=id&pagination[page]={page}&pagination[pageSize]=100"
            );
            items.extend(service.get(&query).await.items());
        }
        assert_eq!(items, expected);
        // Not only equal once parsed: integers have no fraction and no quotes in the text either.
        let text = service
            .get("/api/articles?fields=views,rating&sort=id&pagination[pageSize]=1")
            .await
            .text();
        let first = &expected[0];
        let item = format!(
            r#""data":[{{"id":{},"views":{},"rating":{}}}]"#,
            first["id"], first["views"], first["rating"]
        );
        assert!(text.contains(&item), "{item} in {text}");
    });
}

/// Rules d54, d55.
#[test]
fn related_rows_and_computed_fields_follow_the_same_rules() {
    let demo = demo_rows();
    let author = &demo.authors[0];
    let article = demo
        .articles
        .iter()
        .find(|article| article.deleted_at.is_none() && article.author_id.is_some())
        .unwrap();
    let comments = demo
        .comments
        .iter()
        .filter(|comment| comment.article_id == article.id && !comment.is_hidden)
        .count();
    on_each_database(async |service| {
        let reply = service
            .get(&format!(
                "/api/authors?fields=joined_at&filters[name]={}",
                author.name
            ))
            .await;
        let of_author = reply.items();
        let item = of_author
            .iter()
            .find(|item| item["id"] == author.id)
            .unwrap();
        assert_eq!(item["joined_at"], utc(author.created_at));

        let query = format!(
            "/api/articles?fields=comments_count&populate=comments&filters[id]={}",
            article.id
        );
        let item = service.get(&query).await.items()[0].clone();
        assert_eq!(item["comments_count"], comments);
        for shown in item["comments"].as_array().unwrap() {
            let comment = demo
                .comments
                .iter()
                .find(|row| shown["id"] == row.id)
                .unwrap();
            assert_eq!(shown["created_at"], utc(comment.created_at));
        }
    });
}
