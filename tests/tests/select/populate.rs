//! Populate with options: nested trees, fields, filters, sorts, limits and counts (d78–d85, d95).

use blog::entity::{article, author, comment};
use listing_tests::{Reply, Service, on_each_database};
use serde_json::{Value, json};

use crate::cost::cost;
use crate::demo::{
    DEMO, article_item, articles, author_item, author_of, comments_of, newest_articles, seo_item,
    seo_of, tags_of,
};

/// The living articles of an author, newest first.
pub(crate) fn articles_of(author: i64) -> Vec<&'static article::Model> {
    let mut articles = newest_articles();
    articles.retain(|article| article.author_id == Some(author));
    articles
}

/// An author and the first articles, each made an item by `item`.
fn with_articles(
    author: &author::Model,
    most: usize,
    item: impl Fn(&article::Model) -> Value,
) -> Value {
    let mut shown = author_item(author);
    let articles = articles_of(author.id);
    shown["articles"] = articles.into_iter().take(most).map(item).collect();
    shown
}

async fn get(service: &Service, query: &str) -> Reply {
    service.get(&format!("/api/articles?{query}")).await
}

/// Rules d78, d79, d84.
#[test]
fn every_spelling_populates_the_same_tree() {
    let expected: Vec<_> = newest_articles()
        .into_iter()
        .take(100)
        .map(|article| {
            let author = author_of(article);
            let author = author.map(|author| with_articles(author, 10, article_item));
            json!({"id": article.id, "title": article.title, "author": author})
        })
        .collect();
    assert!(expected.iter().any(|item| item["author"].is_null()));
    let longest = DEMO
        .authors
        .iter()
        .map(|author| articles_of(author.id).len());
    assert!(longest.max().unwrap() > 10);
    on_each_database(async |service| {
        let spellings = [
            "populate=author.articles",
            "populate[0]=author.articles",
            "populate[]=author&populate[]=author.articles",
            "populate=author.*",
            "populate[author]=*",
            "populate[author][populate]=articles",
            "populate[author][populate][0]=articles",
            "populate[author][populate][articles]=true",
            "populate[author][populate][articles][pagination][limit]=10",
            "populate[author.articles]=yes&populate[tags]=false",
        ];
        for spelling in spellings {
            let reply = get(
                service,
                &format!("fields=title&pagination[pageSize]=100&{spelling}"),
            )
            .await
            .ok();
            assert_eq!(reply.items(), expected, "{spelling}");
            assert_eq!(
                reply.meta()["relations"],
                json!({"author.articles": {"limit": 10, "truncated": true}}),
                "{spelling}"
            );
            assert_eq!(reply.meta().get("ignored"), None, "{spelling}");
        }
        for populate in [
            json!(["author.articles"]),
            json!({"author": {"populate": ["articles"]}}),
            json!({"author": {"populate": {"articles": {"sort": {"created_at": "desc"}}}}}),
        ] {
            let body =
                json!({"fields": ["title"], "populate": populate, "pagination": {"pageSize": 100}});
            let reply = service.post_query("/api/articles", &body).await.ok();
            assert_eq!(reply.items(), expected, "{body}");
        }
        // Readers agree.
        let seaorm = service.through_seaorm();
        let reply = get(
            &seaorm,
            "fields=title&populate=author.articles&pagination[pageSize]=100",
        )
        .await;
        assert_eq!(reply.items(), expected);
    });
}

/// Rules d78, d79, d80.
#[test]
fn a_relation_has_its_own_fields_filters_sort_and_limit() {
    let wanted = |article: i64| {
        let mut comments: Vec<&comment::Model> = comments_of(article);
        comments.retain(|comment| comment.author_name.to_ascii_lowercase().contains('a'));
        comments.sort_by_key(|comment| (comment.created_at, comment.id));
        comments
    };
    let expected: Vec<_> = articles()
        .into_iter()
        .take(100)
        .map(|article| {
            let comments = wanted(article.id).into_iter().take(3);
            let comments = comments.map(|c| json!({"id": c.id, "body": c.body}));
            json!({"id": article.id, "title": article.title, "comments": comments.collect::<Vec<_>>()})
        })
        .collect();
    assert!(
        articles()
            .iter()
            .any(|article| wanted(article.id).len() > 3)
    );
    on_each_database(async |service| {
        let query = "fields=title&sort=id&pagination[pageSize]=100&populate[comments][fields][0]=body\
            &populate[comments][sort]=created_at\
            &populate[comments][filters][author_name][$contains]=a&populate[comments][pagination][limit]=3";
        let reply = get(service, query).await.ok();
        assert_eq!(reply.items(), expected);
        assert_eq!(
            reply.meta()["relations"],
            json!({"comments": {"limit": 3, "truncated": true}})
        );
        // What narrows the relation does not narrow the list, and is not a filter of it.
        assert_eq!(reply.total(), articles().len() as u64);
        assert_eq!(reply.meta()["filters"], json!([]));
        // A limit over the relation's own is cut to it (d16).
        for limit in ["11", "99999999999999999999999"] {
            let query = format!("populate[comments][pagination][limit]={limit}");
            let reply = get(service, &query).await.ok();
            assert_eq!(
                reply.meta()["relations"]["comments"]["limit"],
                10,
                "{limit}"
            );
        }
        // A filter on a key drops that key's default, and no other rule.
        let query = "sort=id&pagination[pageSize]=100&populate[comments][filters][is_hidden]=true\
            &populate[comments][fields]=is_hidden";
        let reply = get(service, query).await.ok();
        let hidden = |id: i64| {
            let hidden = move |c: &&comment::Model| c.article_id == id && c.is_hidden;
            DEMO.comments.iter().rev().filter(hidden).take(10)
        };
        let mut all = 0;
        for item in reply.items() {
            let id = item["id"].as_i64().unwrap();
            let expected: Vec<_> = hidden(id)
                .map(|c| json!({"id": c.id, "is_hidden": true}))
                .collect();
            all += expected.len();
            assert_eq!(item["comments"], json!(expected));
        }
        assert!(all > 0);
    });
}

/// Rule d79.
#[test]
fn named_columns_are_fields_and_nothing_else() {
    on_each_database(async |service| {
        let query = "fields=id&sort=id&populate[seo][fields]=meta_title,article_id&populate[seo][sort]=id\
            &populate[seo][populate]=article";
        let reply = get(service, query).await.ok();
        for (item, article) in reply.items().iter().zip(articles()) {
            let expected = seo_of(article.id).map(|seo| {
                let mut item = seo_item(seo);
                item.as_object_mut().unwrap().remove("meta_description");
                item
            });
            assert_eq!(item["seo"], json!(expected));
        }
        assert_eq!(
            reply.meta()["ignored"],
            json!({"fields": ["seo.article_id"], "sort": ["seo.id"], "populate": ["seo.article"]})
        );
        let error = get(service, "populate[seo][filters][meta_title]=x")
            .await
            .error(400);
        assert_eq!(error["code"], "filter_unknown_field");
        assert_eq!(error["details"]["parameter"], "populate[seo][filters]");
        let error = get(service, "populate[author][filters][email][$eq]=x")
            .await
            .error(400);
        assert_eq!(error["code"], "filter_unknown_field");
        assert_eq!(
            error["details"]["parameter"],
            "populate[author][filters][email][$eq]"
        );
    });
}

/// Rule d82.
#[test]
fn a_tree_costs_one_statement_for_each_relation() {
    on_each_database(async |service| {
        for (populate, relations) in [
            ("populate=author.articles", 2),
            ("populate=author.articles.comments,tags", 4),
            ("populate=tags.articles.author", 3),
            ("populate[comments][count]=true", 1),
            ("populate[author][populate][articles][count]=true", 2),
        ] {
            for rows in [1, 2, 10] {
                let query = format!("{populate}&sort=author.name&pagination[pageSize]={rows}");
                let (shown, statements) = cost::<article::Entity>(service, &query).await;
                assert_eq!(shown, rows);
                assert_eq!(statements.len(), 2 + relations, "{query}: {statements:#?}");
            }
        }
        // Below a relation without rows nothing is read.
        let query = "filters[author_id][$null]=true&populate=author.articles.comments";
        assert_eq!(cost::<article::Entity>(service, query).await.1.len(), 2);
    });
}

/// Rules d81, b206.
#[test]
fn what_could_be_too_much_is_refused_before_anything_is_read() {
    on_each_database(async |service| {
        let query = "populate=tags.articles.comments&pagination[pageSize]";
        // 100 · (10 + 100 + 1,000), and a tenth of it.
        let _ = get(service, &format!("{query}=10")).await.ok();
        let _ = get(service, &format!("{query}=18")).await.ok();
        for (size, items) in [("19", "21090"), ("100", "111000")] {
            let error = get(service, &format!("{query}={size}")).await.error(400);
            assert_eq!(error["code"], "too_many_items");
            assert_eq!(error["details"]["token"], items);
            let message = error["message"].as_str().unwrap();
            for part in [
                format!("`pagination[pageSize]` ({size})"),
                "`populate[tags][populate][articles][populate][comments][pagination][limit]` (10)"
                    .to_owned(),
                "20000".to_owned(),
            ] {
                assert!(message.contains(&part), "{message}");
            }
        }
        // It names the number as it was sent.
        for (page, parameter) in [
            ("pagination[limit]=50", "`pagination[limit]` (50)"),
            ("pagination[start]=9", "`pagination[limit]` (25)"),
            ("pagination[cursor]=", "`pagination[pageSize]` (25)"),
        ] {
            let query = format!("populate=tags.articles.comments&{page}");
            let error = get(service, &query).await.error(400);
            let message = error["message"].as_str().unwrap();
            assert!(message.contains(parameter), "{message}");
        }
        // A lower limit, or a number instead of rows, and it fits.
        let lower = "&populate[tags][populate][articles][populate][comments][pagination][limit]=1\
            &populate[tags][populate][articles][pagination][limit]=5";
        let _ = get(service, &format!("pagination[pageSize]=100{lower}"))
            .await
            .ok();
        let count = "&populate[tags][populate][articles][populate][comments][count]=true";
        let _ = get(service, &format!("pagination[pageSize]=100{count}"))
            .await
            .ok();
        let large = service.with_settings(|settings| settings.bounds.populate_items = 200_000);
        let _ = get(&large, &format!("{query}=100")).await.ok();

        let error = get(service, "populate=author.articles.comments.article").await;
        assert_eq!(error.error_code(400), "populate_too_deep");
        let few = service.with_settings(|settings| settings.bounds.populate_relations = 3);
        let _ = get(&few, "populate=author,tags,seo").await.ok();
        for query in ["populate=*", "populate=author.articles,tags,seo"] {
            let error = get(&few, query).await;
            assert_eq!(error.error_code(400), "too_many_relations", "{query}");
        }
    });
}

/// Rule d83.
#[test]
fn unknown_names_are_told_by_their_path() {
    on_each_database(async |service| {
        let query = "fields=title&populate[author][fields]=name,nmae&populate[author][populate]=articles,artikel\
            &populate[comments][sort]=id,body:desc&populate[comments][populate]=foo&populate[bar][fields]=x";
        let reply = get(service, query).await.ok();
        assert_eq!(
            reply.meta()["ignored"],
            json!({
                "fields": ["author.nmae"],
                "sort": ["comments.body"],
                "populate": ["bar", "author.artikel", "comments.foo"],
            })
        );
        let author = &reply.items()[0]["author"];
        assert!(author["articles"].is_array() && author.get("country").is_none());
        for query in [
            "populate[author][filters][nmae]=x",
            "populate[seo][filters][nmae]=x",
        ] {
            let code = get(service, query).await.error_code(400);
            assert_eq!(code, "filter_unknown_field", "{query}");
        }
        let strict = service.with_settings(|settings| settings.strict = true);
        for (query, code, parameter, token, nearest) in [
            (
                "populate[author][fields]=nmae",
                "unknown_field",
                "populate[author][fields]",
                "author.nmae",
                json!("name"),
            ),
            (
                "populate=author.artikles",
                "unknown_relation",
                "populate[author][populate]",
                "author.artikles",
                json!("articles"),
            ),
            (
                "populate[comments][sort]=created",
                "unknown_sort",
                "populate[comments][sort]",
                "comments.created",
                json!("created_at"),
            ),
        ] {
            let error = get(&strict, query).await.error(400);
            assert_eq!(error["code"], code, "{query}");
            assert_eq!(error["details"]["parameter"], parameter, "{query}");
            assert_eq!(error["details"]["token"], token, "{query}");
            assert_eq!(error["details"]["nearest"], nearest, "{query}");
        }
    });
}

/// Rules d85, b207.
#[test]
fn related_rows_can_be_counted_instead_of_shown() {
    on_each_database(async |service| {
        let query = "fields=id&sort=id&pagination[pageSize]=100&populate[comments][count]=true\
            &populate[tags][count]=1&populate[author][count]=true&populate[seo][count]=true";
        let reply = get(service, query).await.ok();
        let counts = |article: &article::Model| {
            json!({
                "id": article.id,
                "author": {"count": usize::from(article.author_id.is_some())},
                "comments": {"count": comments_of(article.id).len()},
                "tags": {"count": tags_of(article.id).len()},
                "seo": {"count": usize::from(seo_of(article.id).is_some())},
            })
        };
        let expected: Vec<_> = articles().into_iter().take(100).map(counts).collect();
        assert_eq!(reply.items(), expected);
        assert_eq!(reply.meta().get("relations"), None);
        let most = articles()
            .iter()
            .map(|article| comments_of(article.id).len())
            .max();
        assert!(most.unwrap() > 10);

        // With a filter, and one level down.
        let query = "sort=id&populate[comments][count]=true&populate[comments][filters][author_name][$contains]=a\
            &populate[author][populate][articles][count]=true";
        for (item, article) in get(service, query)
            .await
            .ok()
            .items()
            .iter()
            .zip(articles())
        {
            let with_a = comments_of(article.id)
                .into_iter()
                .filter(|comment| comment.author_name.to_ascii_lowercase().contains('a'));
            assert_eq!(item["comments"], json!({"count": with_a.count()}));
            let author = author_of(article).map(|author| {
                let mut shown = author_item(author);
                shown["articles"] = json!({"count": articles_of(author.id).len()});
                shown
            });
            assert_eq!(item["author"], json!(author));
        }
        let reply = get(service, "populate[comments][count]=false").await.ok();
        assert!(reply.items()[0]["comments"].is_array());
    });
}

/// Rule d95.
#[test]
fn a_star_means_everything_and_unknown_names_next_to_it_are_told() {
    on_each_database(async |service| {
        let all = get(service, "fields=*&populate=*").await.ok();
        let reply = get(service, "fields=*,titel,title&populate=*,autor,author")
            .await
            .ok();
        assert_eq!(reply.items(), all.items());
        let told = json!({"fields": ["titel"], "populate": ["autor"]});
        assert_eq!(reply.meta()["ignored"], told);
        let strict = service.with_settings(|settings| settings.strict = true);
        for query in ["fields=*,titel", "populate=*,autor"] {
            get(&strict, query).await.error(400);
        }
        // Everything, of which one relation goes further.
        let reply = get(service, "populate=*,author.articles").await.ok();
        let item = &reply.items()[0];
        assert!(item["tags"].is_array() && item["author"]["articles"].is_array());
        let reply = get(service, "populate[*]=true&populate[tags]=false")
            .await
            .ok();
        let item = &reply.items()[0];
        assert!(item["comments"].is_array() && item.get("tags").is_none());
    });
}

/// Rules d44, d84.
#[test]
fn nothing_related_is_null_or_empty_on_every_level() {
    on_each_database(async |service| {
        let query = "filters[author_id][$null]=true&pagination[pageSize]=1&populate=author.articles,tags.articles";
        let reply = get(service, query).await.ok();
        assert_eq!(reply.items()[0]["author"], Value::Null);
        assert_eq!(
            reply.meta()["relations"]["author.articles"],
            json!({"limit": 10, "truncated": false})
        );
        let query = "filters[title]=none&populate=tags.articles";
        let reply = get(service, query).await.ok();
        assert!(reply.items().is_empty());
    });
}
