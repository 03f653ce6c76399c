//! Populate with more values, and for more parents, than one statement could take naively (d82).

use blog::entity::article;
use listing_tests::on_each_database;
use serde_json::{Value, json};

use crate::demo::{DEMO, article_item, author_item, comment_item, comments_of, tag_item, tags_of};
use crate::populate::articles_of;

/// Rule d82.
#[test]
fn more_values_than_a_union_can_bind_are_still_one_statement() {
    on_each_database(async |service| {
        let ids: Vec<_> = (1..=700).collect();
        let populate = |filters: Value| {
            json!({
                "fields": ["id"], "sort": "id", "pagination": {"pageSize": 100},
                "populate": {"comments": {"filters": filters, "sort": "created_at:desc", "pagination": {"limit": 4}}},
            })
        };
        let all = populate(json!({"article_id": {"$in": ids}}));
        let plain = populate(json!({}));
        let all = service.post_query("/api/articles", &all).await.ok();
        let plain = service.post_query("/api/articles", &plain).await.ok();
        assert_eq!(all.items(), plain.items());
        assert_eq!(all.meta()["relations"], plain.meta()["relations"]);
        assert_eq!(all.meta()["relations"]["comments"]["truncated"], true);
    });
}

/// Rule d82.
#[test]
fn related_rows_of_more_parents_than_a_page_has() {
    // Every article under its author, and the comments of every article.
    on_each_database(async |service| {
        let service = service.with_settings(|settings| {
            settings.relation_limit = 500;
            settings.bounds.populate_items = 100_000_000;
        });
        let query = "pagination[pageSize]=100&sort=id&populate[articles][sort]=id\
            &populate[articles][populate]=comments,tags";
        let reply = service.get(&format!("/api/authors?{query}")).await.ok();
        let mut comments = 0;
        for (item, author) in reply.items().iter().zip(&DEMO.authors) {
            let mut articles = articles_of(author.id);
            articles.sort_by_key(|article| article.id);
            let mut expected = author_item(author);
            let article = |article: &article::Model| {
                let mut item = article_item(article);
                item["comments"] = comments_of(article.id)
                    .into_iter()
                    .map(comment_item)
                    .collect();
                let mut tags = tags_of(article.id);
                tags.sort_by(|a, b| a.name.cmp(&b.name));
                item["tags"] = tags.into_iter().map(tag_item).collect();
                item
            };
            comments += articles
                .iter()
                .map(|a| comments_of(a.id).len())
                .sum::<usize>();
            expected["articles"] = articles.into_iter().map(article).collect();
            assert_eq!(*item, expected);
        }
        assert!(comments > 1_000);
    });
}
