//! Which fields an item has, under which names and in which order (contract 2.2, d37 to d39).

use listing_tests::on_each_database;
use serde_json::{Value, json};

use crate::demo::{
    DEMO, article_item, articles, author_item, comment_item, comments, comments_of, in_order,
    newest_articles, tag_item, time,
};

/// Rules c2_2_t1, c2_2_r7.
#[test]
fn without_fields_the_default_fields_and_id_are_returned() {
    let expected: Vec<_> = newest_articles()
        .into_iter()
        .take(100)
        .map(article_item)
        .collect();
    on_each_database(async |service| {
        let reply = service.get("/api/articles?pagination[pageSize]=100").await;
        assert_eq!(reply.items(), expected);
        assert_eq!(
            reply.keys(),
            ["id", "title", "slug", "is_active", "views", "created_at"]
        );
        let reply = service.get("/api/authors?sort=id").await;
        assert_eq!(
            reply.items(),
            DEMO.authors.iter().map(author_item).collect::<Vec<_>>()
        );
        // No known relation is asked for, so that the default one is not there either.
        let reply = service.get("/api/comments?populate=nothing").await;
        let newest = comments().into_iter().take(25).map(comment_item);
        assert_eq!(reply.items(), newest.collect::<Vec<_>>());
        let reply = service
            .get("/api/tags?sort=nothing&pagination[pageSize]=30")
            .await;
        assert_eq!(
            reply.items(),
            DEMO.tags.iter().map(tag_item).collect::<Vec<_>>()
        );
    });
}

/// Rules c2_2_t2, c4_1_t1.
#[test]
fn a_further_field_is_returned_only_on_request() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?sort=id&pagination[pageSize]=100&fields[0]=body&fields[1]=rating&fields[2]=author_id&fields[3]=updated_at")
            .await;
        let expected: Vec<_> = articles()
            .into_iter()
            .take(100)
            .map(|article| {
                json!({
                    "id": article.id,
                    "body": article.body,
                    "rating": article.rating.map(|rating| format!("{rating:.2}")),
                    "author_id": article.author_id,
                    "updated_at": time(article.updated_at),
                })
            })
            .collect();
        assert_eq!(reply.items(), expected);
        assert!(expected.iter().any(|item| item["body"].is_null()));
        assert!(expected.iter().any(|item| item["rating"].is_null()));
        assert!(expected.iter().any(|item| item["author_id"].is_null()));
    });
}

/// Rules c2_2_r2, d38.
#[test]
fn clients_use_the_alias() {
    on_each_database(async |service| {
        let reply = service.get("/api/authors?fields=joined_at&sort=id").await;
        let joined = DEMO.authors.iter().map(|author| time(author.created_at));
        assert_eq!(reply.column("joined_at"), joined.collect::<Vec<_>>());
        assert_eq!(reply.keys(), ["id", "joined_at"]);
        let reply = service.get("/api/authors?fields=created_at").await;
        assert_eq!(reply.keys(), ["id"], "the column's name is no name");
        assert_eq!(reply.meta()["ignored"], json!({"fields": ["created_at"]}));
    });
}

/// Rules c2_2_r3, c2_2_r4, d39.
#[test]
fn a_computed_field_is_requested_like_any_other() {
    let counts: Vec<Value> = articles()
        .iter()
        .map(|article| json!(comments_of(article.id).len()))
        .collect();
    let living: Vec<_> = articles().iter().map(|article| article.id).collect();
    let of_tag = |tag: i64| {
        let pairs = DEMO.article_tags.iter();
        let pairs = pairs.filter(|pair| pair.tag_id == tag && living.contains(&pair.article_id));
        json!(pairs.count())
    };
    let of_tags: Vec<Value> = DEMO.tags.iter().map(|tag| of_tag(tag.id)).collect();
    assert_eq!(of_tags[29], json!(0));
    on_each_database(async |service| {
        let all = service.with_settings(|settings| settings.max_page_size = 500);
        let query = "fields=comments_count&sort=id&pagination[pageSize]=500";
        let reply = all.get(&format!("/api/articles?{query}")).await;
        // An integer on every database, because the definition declares it.
        assert_eq!(reply.column("comments_count"), counts);
        assert_eq!(reply.keys(), ["id", "comments_count"]);
        let reply = service
            .get("/api/tags?fields=articles_count&sort=unknown&pagination[pageSize]=30")
            .await;
        assert_eq!(reply.column("articles_count"), of_tags);
        let reply = service.get("/api/articles").await;
        assert_eq!(reply.items()[0].get("comments_count"), None);
    });
}

/// Rules c2_2_r5, c2_6_r4.
#[test]
fn an_alias_is_a_sort_whether_it_is_selected_or_not() {
    on_each_database(async |service| {
        for sort in [
            "comments_count",
            "comments_count:desc",
            "comments_count:desc,views",
        ] {
            let expected = in_order(sort);
            for fields in [
                "comments_count",
                "title",
                "*",
                "views,comments_count,title",
                "",
            ] {
                let reply = service
                    .get(&format!(
                        "/api/articles?pagination[pageSize]=100&fields={fields}&sort={sort}"
                    ))
                    .await;
                assert_eq!(reply.ids(), expected[..100], "{fields} {sort}");
            }
        }
    });
}

/// Rule c2_2_r6.
#[test]
fn id_is_always_there() {
    on_each_database(async |service| {
        for (query, keys) in [
            ("articles?fields=title", vec!["id", "title"]),
            ("articles?fields=id", vec!["id"]),
            ("articles?fields=title,id", vec!["id", "title"]),
            ("authors?fields[]=country", vec!["id", "country"]),
            (
                "comments?fields=is_hidden&populate=x",
                vec!["id", "is_hidden"],
            ),
            ("tags?fields=name", vec!["id", "name"]),
        ] {
            let reply = service.get(&format!("/api/{query}")).await;
            for item in reply.items() {
                let found: Vec<_> = item.as_object().unwrap().keys().cloned().collect();
                assert_eq!(found, keys, "{query}");
                assert!(item["id"].is_i64());
            }
        }
    });
}

/// Rules c2_2_r8, c7_t1, d7.
#[test]
fn a_field_that_is_not_defined_is_ignored() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?fields=title,deleted_at,nothing")
            .await;
        assert_eq!(reply.keys(), ["id", "title"]);
        let ignored = json!({"fields": ["deleted_at", "nothing"]});
        assert_eq!(reply.meta()["ignored"], ignored);
        // The names of relations and of sorts are not fields.
        let reply = service
            .get("/api/articles?fields=views,author,author.name")
            .await;
        assert_eq!(reply.keys(), ["id", "views"]);
    });
}

/// Rule d37.
#[test]
fn fields_that_are_all_unknown_leave_id() {
    on_each_database(async |service| {
        let reply = service.get("/api/articles?fields=none,of,these").await;
        assert_eq!(reply.keys(), ["id"]);
        assert_eq!(reply.items().len(), 25);
    });
}

/// Rule d38.
#[test]
fn keys_come_in_the_order_of_definition_id_first_relations_last() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?populate=seo,author&fields=comments_count,created_at,rating,title,id,views")
            .await;
        let keys = [
            "id",
            "title",
            "views",
            "created_at",
            "rating",
            "comments_count",
            "author",
            "seo",
        ];
        assert_eq!(reply.keys(), keys);
        let reply = service.get("/api/articles?fields=*&populate=*").await;
        let keys = [
            "id",
            "title",
            "slug",
            "is_active",
            "views",
            "created_at",
            "body",
            "rating",
            "author_id",
            "updated_at",
            "comments_count",
            "author",
            "comments",
            "tags",
            "seo",
        ];
        assert_eq!(reply.keys(), keys);
    });
}

/// Rules d1, d2, d11, d12.
#[test]
fn every_spelling_of_a_list_of_fields() {
    let two = vec!["id", "title", "views"];
    let defaults = vec!["id", "title", "slug", "is_active", "views", "created_at"];
    on_each_database(async |service| {
        for (query, keys) in [
            ("fields=title,views", &two),
            ("fields=views,,title,", &two),
            ("fields[0]=title&fields[1]=views", &two),
            ("fields%5B0%5D=title&fields%5B1%5D=views", &two),
            ("fields[7]=views&fields[3]=title", &two),
            ("fields[]=title&fields[]=views", &two),
            ("fields=title&fields=views", &two),
            ("&&fields=title%2Cviews&", &two),
            ("fields=title,views,title&fields=views", &two),
            ("fields=", &defaults),
            ("fields[0]=", &defaults),
            ("", &defaults),
        ] {
            let reply = service.get(&format!("/api/articles?{query}")).await;
            assert_eq!(reply.keys(), *keys, "{query}");
            assert_eq!(reply.meta().get("ignored"), None, "{query}");
        }
        let everything = service.get("/api/articles?fields=*").await;
        let more = service.get("/api/articles?fields=title,*").await;
        assert_eq!(everything.keys().len(), 11);
        assert_eq!(everything.bytes, more.bytes);
        let reply = service.get("/api/articles?fields[title]=1").await;
        assert_eq!(reply.error_code(400), "bad_index");
    });
}

/// Rule d95.
#[test]
fn an_unknown_name_next_to_an_asterisk_is_reported() {
    on_each_database(async |service| {
        let reply = service
            .get("/api/articles?fields=title,*,titel&populate=*,autor")
            .await;
        assert_eq!(reply.keys().len(), 15, "everything");
        assert_eq!(
            reply.meta()["ignored"],
            json!({"fields": ["titel"], "populate": ["autor"]})
        );
        let strict = service.with_settings(|settings| settings.strict = true);
        let told = strict.get("/api/articles?fields=*,titel").await.error(400);
        assert_eq!(told["details"]["nearest"], "title");
        let everything = strict.get("/api/articles?fields=*,title").await;
        assert_eq!(everything.keys().len(), 11);
    });
}
