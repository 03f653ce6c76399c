//! One record takes `fields` and `populate` by the rules of lists (d89).

use axum::body::Body;
use axum::http::Request;
use listing_tests::on_each_database;
use serde_json::{Value, json};

use crate::demo::{articles, author_item, author_of, comment_item, comments_of, tag_item, tags_of};

/// Rules d89, b202.
#[test]
fn one_record_shows_the_fields_and_relations_that_are_asked_for() {
    let article = articles()
        .into_iter()
        .find(|article| article.author_id.is_some() && comments_of(article.id).len() > 10)
        .unwrap();
    let author = author_of(article).unwrap();
    on_each_database(async |service| {
        let at = format!("/api/articles/{}", article.id);
        let plain = service.get(&at).await.ok().json();
        let get = async |query: &str| service.get(&format!("{at}?{query}")).await.ok().json();
        // Without them it answers as before.
        assert_eq!(
            plain["meta"],
            json!({"code": 200, "message": plain["message"]})
        );
        for query in ["", "fields=", "populate=&fields[]=", "utm_source=x"] {
            assert_eq!(get(query).await, plain, "{query}");
        }
        let json = get("fields=views,title").await;
        let expected = json!({"id": article.id, "title": article.title, "views": article.views});
        assert_eq!(json["data"], expected);
        // Relations come next to what is shown without fields.
        let json = get("populate=author,tags").await;
        let mut expected = plain["data"].clone();
        expected["author"] = author_item(author);
        let mut tags = tags_of(article.id);
        tags.sort_by(|a, b| a.name.cmp(&b.name));
        expected["tags"] = tags.into_iter().map(tag_item).collect();
        assert_eq!(json["data"], expected);

        let json = get("fields=title,titel&populate[comments][pagination][limit]=2\
            &populate[author][fields]=name&populate[author][populate][articles][count]=true&populate[x]=true")
        .await;
        let comments = comments_of(article.id).into_iter().take(2);
        assert_eq!(
            json["data"]["comments"],
            comments.map(comment_item).collect::<Value>()
        );
        assert_eq!(json["data"]["author"]["name"], author.name);
        assert!(
            json["data"]["author"]["articles"]["count"]
                .as_i64()
                .unwrap()
                > 0
        );
        assert_eq!(
            json["meta"]["relations"],
            json!({"comments": {"limit": 2, "truncated": true}})
        );
        assert_eq!(
            json["meta"]["ignored"],
            json!({"fields": ["titel"], "populate": ["x"]})
        );
        // A record that is not there is not there with its relations either.
        for path in ["/api/articles/999999", "/api/articles/x"] {
            let reply = service.get(&format!("{path}?populate=author")).await;
            assert_eq!(reply.error_code(404), "not_found");
        }
    });
}

/// Rules d89, b202.
#[test]
fn other_parameters_of_lists_are_400() {
    on_each_database(async |service| {
        for (query, code) in [
            ("filters[id]=1", "for_lists"),
            ("filters[$or][0][id]=1", "for_lists"),
            ("sort=title", "for_lists"),
            ("pagination[page]=1", "for_lists"),
            ("pagination[pageSize]=1", "for_lists"),
            ("pagination[withCount]=false", "for_lists"),
            ("pagination[cursor]=", "for_lists"),
            ("search=x", "for_lists"),
            ("_q=x", "for_lists"),
            ("trashed=with", "for_lists"),
            ("include=author", "misspelt_parameter"),
            ("populate=a.b.c.d", "populate_too_deep"),
            ("populate[author][filters][email]=x", "filter_unknown_field"),
            ("fields=%zz", "bad_percent_encoding"),
        ] {
            let reply = service.get(&format!("/api/articles/1?{query}")).await;
            assert_eq!(reply.error_code(400), code, "{query}");
        }
        let strict = service.with_settings(|settings| settings.strict = true);
        let reply = strict.get("/api/articles/1?fields=titel").await;
        assert_eq!(reply.error_code(400), "unknown_field");
    });
}

/// Rules d89, b202.
#[test]
fn what_is_asked_for_has_a_tag_of_its_own() {
    on_each_database(async |service| {
        let tag = async |query: &str| {
            let reply = service.get(&format!("/api/articles/1{query}")).await.ok();
            reply.headers["etag"].clone()
        };
        let populated = tag("?populate=author").await;
        assert_ne!(tag("").await, populated);
        let request = Request::get("/api/articles/1?populate=author")
            .header("if-none-match", populated)
            .body(Body::empty());
        let reply = service.send(request.unwrap()).await;
        assert_eq!(reply.status.as_u16(), 304);
    });
}
