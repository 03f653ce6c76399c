//! Which relations an item has, and what is shown of them (contract 2.3, d42 to d44, d47).

use blog::entity::article;
use listing_tests::{Service, on_each_database, on_each_fresh_database};
use serde_json::{Value, json};

use crate::demo::{
    DEMO, article_item, articles, author_item, author_of, comment_item, comments, comments_of,
    newest_articles, seo_item, seo_of, tag_item, tags_of,
};

/// All articles by id, with a relation.
async fn articles_with(service: &Service, populate: &str) -> Vec<Value> {
    let all = service.with_settings(|settings| settings.max_page_size = 500);
    let query = format!("sort=id&fields=id&populate={populate}&pagination[pageSize]=500");
    all.get(&format!("/api/articles?{query}")).await.items()
}

fn items<T>(rows: impl IntoIterator<Item = T>, item: impl Fn(T) -> Value) -> Value {
    rows.into_iter().map(item).collect()
}

/// Rules c2_3_t1, c2_3_r2.
#[test]
fn a_default_relation_is_populated_when_none_is_asked_for() {
    let living = articles();
    let of = |id: i64| {
        living
            .iter()
            .find(|article| article.id == id)
            .map(|a| article_item(a))
    };
    on_each_database(async |service| {
        for query in ["", "populate=", "populate[0]=", "populate=article"] {
            let reply = service.get(&format!("/api/comments?{query}")).await;
            let expected = comments().into_iter().take(25).map(|comment| {
                let mut item = comment_item(comment);
                item["article"] = json!(of(comment.article_id));
                item
            });
            assert_eq!(reply.items(), expected.collect::<Vec<_>>(), "{query}");
        }
        for path in ["articles", "authors", "tags"] {
            let reply = service.get(&format!("/api/{path}")).await;
            assert_eq!(reply.meta().get("relations"), None, "{path}");
            for relation in ["author", "comments", "tags", "seo", "articles"] {
                assert_eq!(reply.items()[0].get(relation), None, "{path} {relation}");
            }
        }
    });
}

/// Rules c2_3_t2, c4_1_t2, d1, d2, d11.
#[test]
fn a_relation_is_populated_on_request() {
    on_each_database(async |service| {
        let expected = service.get("/api/articles?populate=author,seo").await;
        assert_eq!(expected.keys()[6..], ["author", "seo"]);
        for query in [
            "populate[0]=seo&populate[1]=author",
            "populate%5B0%5D=author&populate%5B1%5D=seo",
            "populate[]=author&populate[]=seo",
            "populate=seo&populate=author",
            "populate[9]=author,seo&populate[1]=author",
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_eq!(reply.bytes, expected.bytes, "{query}");
        }
        let reply = service.get("/api/articles?populate=*").await;
        assert_eq!(reply.keys()[6..], ["author", "comments", "tags", "seo"]);
        // Sent, though nothing in it is known: the default is for those who send nothing.
        let reply = service.get("/api/comments?populate=nothing").await;
        assert_eq!(reply.items()[0].get("article"), None);
    });
}

/// Rule b539.
#[test]
fn a_relation_that_is_refused_brings_no_other_by_default() {
    on_each_database(async |service| {
        for query in [
            "populate[article]=false",
            "populate[nothing]=false",
            "populate[article]=no&populate[nothing]=off",
            "populate[*]=false",
        ] {
            let reply = service.get(&format!("/api/comments?{query}")).await.ok();
            assert_eq!(reply.items()[0].get("article"), None, "{query}");
        }
    });
}

/// Rules c2_3_r1, c2_3_r3, c7_t3, d7.
#[test]
fn what_is_not_defined_cannot_be_populated() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?populate=article_tags,author,views,email,Author")
            .await;
        assert_eq!(reply.keys()[6..], ["author"]);
        assert_eq!(
            reply.meta()["ignored"],
            json!({"populate": ["article_tags", "views", "email", "Author"]})
        );
    });
}

/// Rules d42, d44.
#[test]
fn a_relation_to_one_is_an_object_or_null() {
    let of = |article: &&article::Model| {
        json!({
            "id": article.id,
            "author": author_of(article).map(author_item),
            "seo": seo_of(article.id).map(seo_item),
        })
    };
    let expected: Vec<_> = articles().iter().map(of).collect();
    for relation in ["author", "seo"] {
        assert!(expected.iter().any(|item| item[relation].is_null()));
        assert!(expected.iter().any(|item| item[relation].is_object()));
    }
    on_each_database(async |service| {
        assert_eq!(articles_with(service, "author,seo").await, expected);
    });
}

/// Rules d42, d43, d44.
#[test]
fn a_relation_to_many_is_an_array_in_the_default_order_of_its_listing() {
    let expected: Vec<_> = articles()
        .iter()
        .map(|article| {
            // Newest first, and those that are hidden by the default filter of comments are not among them.
            let comments = comments_of(article.id).into_iter().take(10);
            json!({"id": article.id, "comments": items(comments, comment_item)})
        })
        .collect();
    let hidden = DEMO.comments.iter().filter(|comment| comment.is_hidden);
    assert!(hidden.count() > 100);
    assert!(expected.iter().any(|item| item["comments"] == json!([])));
    assert!(
        expected
            .iter()
            .any(|item| item["comments"].as_array().unwrap().len() == 10)
    );
    on_each_database(async |service| {
        assert_eq!(articles_with(service, "comments").await, expected);
    });
}

/// Rules d42, d43, d44.
#[test]
fn a_relation_through_a_junction_is_an_array() {
    on_each_database(async |service| {
        // The order of text is the database's.
        let order = service
            .get("/api/tags?pagination[pageSize]=100")
            .await
            .ids();
        let place = |id: i64| order.iter().position(|known| *known == id);
        let expected: Vec<_> = articles()
            .iter()
            .map(|article| {
                let mut tags = tags_of(article.id);
                tags.sort_by_key(|tag| place(tag.id));
                tags.truncate(10);
                json!({"id": article.id, "tags": items(tags, tag_item)})
            })
            .collect();
        assert_eq!(articles_with(service, "tags").await, expected);
        assert!(expected.iter().any(|item| item["tags"] == json!([])));
        assert_eq!(expected[2]["tags"].as_array().unwrap().len(), 10);
    });
}

/// Rule d42.
#[test]
fn default_relations_of_the_related_listing_are_not_populated() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?populate=comments&pagination[pageSize]=100")
            .await;
        let comments = reply.column("comments");
        let mut comments = comments
            .iter()
            .flat_map(|comments| comments.as_array().unwrap());
        let keys: Vec<_> = comments
            .next()
            .unwrap()
            .as_object()
            .unwrap()
            .keys()
            .collect();
        assert_eq!(keys, ["id", "author_name", "body", "created_at"]);
        assert!(comments.all(|comment| comment.get("article").is_none()));
    });
}

/// Rule d44.
#[test]
fn soft_deleted_related_rows_are_not_shown() {
    let deleted = |id: i64| {
        DEMO.articles
            .iter()
            .any(|a| a.id == id && a.deleted_at.is_some())
    };
    let orphan = comments()
        .into_iter()
        .find(|comment| deleted(comment.article_id))
        .unwrap();
    let tag = DEMO
        .article_tags
        .iter()
        .find(|pair| deleted(pair.article_id))
        .unwrap()
        .tag_id;
    let author = DEMO
        .articles
        .iter()
        .find(|a| a.deleted_at.is_some() && a.author_id.is_some());
    let author = author.unwrap().author_id.unwrap();
    on_each_database(async |service| {
        let reply = service
            .get(&format!(
                "/api/comments?filters[article_id][$eq]={}",
                orphan.article_id
            ))
            .await;
        assert!(reply.items().iter().any(|item| item["id"] == orphan.id));
        assert!(reply.column("article").iter().all(Value::is_null));

        let all = service.with_settings(|settings| settings.relation_limit = 500);
        let reply = all
            .get("/api/tags?populate=articles&pagination[pageSize]=30")
            .await;
        let shown = reply
            .items()
            .into_iter()
            .find(|item| item["id"] == tag)
            .unwrap();
        let under = |article: &&&article::Model| {
            let pair = |pair: &blog::entity::article_tag::Model| (pair.article_id, pair.tag_id);
            DEMO.article_tags
                .iter()
                .any(|row| pair(row) == (article.id, tag))
        };
        let newest = newest_articles();
        assert_eq!(
            shown["articles"],
            items(newest.iter().filter(under), |a| article_item(a))
        );

        let reply = all.get("/api/authors?populate=articles&sort=id").await;
        let at = usize::try_from(author - 1).unwrap();
        let written = newest
            .iter()
            .filter(|article| article.author_id == Some(author));
        assert_eq!(
            reply.items()[at]["articles"],
            items(written, |a| article_item(a))
        );
        assert_eq!(reply.items()[19]["articles"], json!([]));
    });
}

/// Rules c2_3_r5, c8_t1, d43.
#[test]
fn a_relation_shows_ten_items_unless_the_project_says_otherwise() {
    let comments = |id: i64| comments_of(id).len();
    let with = |count: usize| {
        articles()
            .into_iter()
            .find(|a| comments(a.id) == count)
            .unwrap()
            .id
    };
    let most = articles()
        .into_iter()
        .map(|article| comments(article.id))
        .max()
        .unwrap();
    assert!(most > 50);
    on_each_database(async |service| {
        let of = |service: Service, id: i64| async move {
            let query = format!("filters[id][$eq]={id}&populate=comments,author");
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            let shown = reply.items()[0]["comments"].as_array().unwrap().len();
            (shown, reply.meta()["relations"].clone())
        };
        let told = |limit: usize, truncated: bool| {
            // Relations to one have nothing to tell.
            json!({"comments": {"limit": limit, "truncated": truncated}})
        };
        assert_eq!(of(service.clone(), 7).await, (10, told(10, true)));
        let limited =
            |limit: usize| service.with_settings(|settings| settings.relation_limit = limit as u64);
        let few = comments(with(3));
        assert_eq!(of(service.clone(), with(3)).await, (few, told(10, false)));
        // Exactly as many as are shown is not too many.
        assert_eq!(of(limited(3), with(3)).await, (3, told(3, false)));
        assert_eq!(of(limited(2), with(3)).await, (2, told(2, true)));
        assert_eq!(of(limited(1), with(3)).await, (1, told(1, true)));
        assert_eq!(of(limited(most), 7).await, (most, told(most, false)));
        assert_eq!(
            of(limited(most - 1), 7).await,
            (most - 1, told(most - 1, true))
        );
        assert_eq!(of(service.clone(), with(0)).await, (0, told(10, false)));
    });
}

/// Rules c2_3_r5, d43.
#[test]
fn truncated_is_told_when_any_parent_has_more() {
    on_each_database(async |service| {
        let truncated = async |query: &str| {
            let reply = service
                .get(&format!("/api/articles?populate=tags,comments&{query}"))
                .await;
            let relations = reply.ok().meta()["relations"].clone();
            [
                relations["tags"]["truncated"].clone(),
                relations["comments"]["truncated"].clone(),
            ]
        };
        assert_eq!(
            truncated("filters[id][$in][]=3&filters[id][$in][]=7").await,
            [true, true]
        );
        assert_eq!(truncated("filters[id][$in][]=3").await, [true, false]);
        assert_eq!(truncated("filters[id][$in][]=7").await, [false, true]);
        assert_eq!(truncated("filters[id][$in][]=4").await, [false, false]);
        // Nothing to populate: the relation is told all the same.
        assert_eq!(truncated("filters[title][$eq]=none").await, [false, false]);
    });
}

/// Rules d43, d45, b38.
#[test]
fn the_largest_page_that_can_be_set_is_populated_whole() {
    on_each_fresh_database(async |service| {
        use sea_orm::ConnectionTrait;
        // 500 living articles, as many as the largest page can have rows.
        let undelete = "UPDATE articles SET deleted_at = NULL";
        service.db.execute_unprepared(undelete).await.unwrap();
        let largest = service.with_settings(|settings| settings.max_page_size = 500);
        let query = "populate=*&fields=id&pagination[pageSize]=500";
        let reply = largest.get(&format!("/api/articles?{query}")).await;
        let shown = |key: &str| -> usize {
            let column = reply.column(key);
            column
                .iter()
                .map(|rows| rows.as_array().unwrap().len())
                .sum()
        };
        let ids = 1..=500;
        let comments = ids.clone().map(|id| comments_of(id).len().min(10));
        assert_eq!(reply.items().len(), 500);
        assert_eq!(shown("comments"), comments.sum::<usize>());
        assert_eq!(
            shown("tags"),
            ids.map(|id| tags_of(id).len().min(10)).sum::<usize>()
        );
    });
}
