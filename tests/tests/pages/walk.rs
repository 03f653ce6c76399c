//! Walking by cursor, forwards and backwards, shows every row exactly once and in order, whatever the sort (b88, b89).

use std::collections::BTreeSet;

use listing_tests::{Reply, Service, on_each_database};
use serde_json::{Value, json};

pub(crate) fn cursor(reply: &Reply, key: &str) -> Option<String> {
    let meta = reply.meta();
    let cursor = meta["pagination"]
        .get(key)
        .unwrap_or_else(|| panic!("no {key} in {meta}"));
    cursor.as_str().map(str::to_owned)
}

/// All rows in one answer, which no page border cuts.
async fn whole(service: &Service, path: &str) -> Vec<i64> {
    let all = service.with_settings(|settings| settings.max_page_size = 500);
    let reply = all.get(&format!("{path}&pagination[limit]=500")).await;
    reply.ids()
}

/// From the first page to the last and back again.
async fn there_and_back(service: &Service, path: &str, size: usize) -> (Vec<i64>, Vec<i64>) {
    let at = async |token: &str| {
        let path = format!("{path}&pagination[cursor]={token}&pagination[pageSize]={size}");
        service.get(&path).await.ok()
    };
    let mut reply = at("").await;
    assert_eq!(cursor(&reply, "prevCursor"), None, "{path}");
    let mut there = reply.ids();
    let mut pages = vec![reply.ids()];
    while let Some(next) = cursor(&reply, "nextCursor") {
        assert_eq!(
            reply.ids().len(),
            size,
            "{path}: a page that is not the last is full"
        );
        reply = at(&next).await;
        there.extend(reply.ids());
        pages.push(reply.ids());
    }
    let mut back = vec![reply.ids()];
    while let Some(previous) = cursor(&reply, "prevCursor") {
        reply = at(&previous).await;
        back.push(reply.ids());
    }
    back.reverse();
    (there, back.concat())
}

async fn walks(service: &Service, path: &str, size: usize) {
    let whole = whole(service, path).await;
    let (there, back) = there_and_back(service, path, size).await;
    assert!(there == whole, "{path} shows {there:?}, not {whole:?}");
    assert!(
        back == whole,
        "{path} shows backwards {back:?}, not {whole:?}"
    );
}

const SORTS: [&str; 8] = [
    "id",
    "title",
    "views",
    "rating",
    "created_at",
    "comments_count",
    "author.name",
    "seo.meta_title",
];

#[test]
fn every_sort_in_both_directions() {
    on_each_database(async |service| {
        for sort in SORTS {
            for direction in ["asc", "desc"] {
                // Sizes that divide the rows and that do not; the sort's own column is shown and is not.
                walks(
                    service,
                    &format!("/api/articles?fields=id&sort={sort}:{direction}"),
                    61,
                )
                .await;
                walks(
                    service,
                    &format!("/api/articles?fields=*&sort={sort}:{direction}"),
                    100,
                )
                .await;
            }
        }
        walks(service, "/api/articles?", 7).await;
        walks(service, "/api/articles?sort=nothing", 100).await;
    });
}

#[test]
fn every_pair_of_sorts_in_mixed_directions() {
    on_each_database(async |service| {
        for first in SORTS {
            for second in SORTS {
                if first == second {
                    continue;
                }
                let (one, two) = if first < second {
                    ("asc", "desc")
                } else {
                    ("desc", "asc")
                };
                let sort = format!("{first}:{one},{second}:{two}");
                walks(
                    service,
                    &format!("/api/articles?fields=id&sort={sort}"),
                    100,
                )
                .await;
            }
        }
    });
}

#[test]
fn many_ties_and_many_nulls() {
    on_each_database(async |service| {
        for sort in [
            "rating:asc,seo.meta_title:desc,author.name:asc",
            "author.name:desc,rating:desc,views:asc",
            "comments_count:desc,author.name:asc,rating:asc,title:desc",
            "seo.meta_title:asc,comments_count:asc,rating:desc",
        ] {
            walks(service, &format!("/api/articles?fields=id&sort={sort}"), 17).await;
        }
        // Everything is a tie.
        walks(
            service,
            "/api/articles?filters[is_active][$eq]=false&sort=rating",
            1,
        )
        .await;
        walks(
            service,
            "/api/articles?filters[rating][$null]=true&sort=rating:desc",
            3,
        )
        .await;
        walks(
            service,
            "/api/articles?filters[author_id][$null]=true&sort=author.name",
            3,
        )
        .await;
    });
}

#[test]
fn other_lists_and_relations() {
    on_each_database(async |service| {
        for path in [
            "/api/tags?fields=name,articles_count",
            "/api/tags?populate=articles&sort=name:desc",
            "/api/authors?sort=country:desc,name",
            "/api/authors?populate=articles&sort=country",
            "/api/comments?populate=article&filters[article_id][$in][]=7&filters[article_id][$in][]=8",
            "/api/comments?sort=created_at&filters[article_id][$in][]=7",
        ] {
            walks(service, path, 4).await;
        }
        // A page by cursor is the page by number, relations and all, but for `meta.pagination`.
        let populated = "/api/articles?populate=*&fields=*&sort=author.name:desc,views";
        let lean = service.with_settings(|settings| settings.layout = listing::Layout::Lean);
        for service in [service, &lean] {
            let mut token = String::new();
            for page in 1..=3 {
                let numbered = service
                    .get(&format!(
                        "{populated}&pagination[page]={page}&pagination[pageSize]=9"
                    ))
                    .await
                    .ok();
                let walked = service
                    .get(&format!(
                        "{populated}&pagination[cursor]={token}&pagination[pageSize]=9"
                    ))
                    .await
                    .ok();
                let without = |reply: &Reply| {
                    let mut body = reply.json();
                    body["meta"].as_object_mut().unwrap().remove("pagination");
                    body
                };
                assert_eq!(without(&walked), without(&numbered), "{page}");
                token = cursor(&walked, "nextCursor").unwrap();
            }
        }
    });
}

/// Rules b88, b90.
#[test]
fn what_is_told_of_a_page() {
    on_each_database(async |service| {
        let first = service
            .get("/api/tags?pagination[cursor]=&pagination[pageSize]=2")
            .await
            .ok();
        let told = first.meta()["pagination"].clone();
        let keys: BTreeSet<_> = told.as_object().unwrap().keys().cloned().collect();
        assert_eq!(
            keys,
            BTreeSet::from(["nextCursor", "pageSize", "prevCursor"].map(str::to_owned))
        );
        assert_eq!(
            (&told["pageSize"], &told["prevCursor"]),
            (&json!(2), &Value::Null)
        );
        // A total stands there when it is asked for.
        for (asked, total) in [("true", Some(30)), ("false", None)] {
            let path = format!("/api/tags?pagination[cursor]=&pagination[withCount]={asked}");
            let told = service.get(&path).await.ok().meta()["pagination"].clone();
            assert_eq!(told.get("total").and_then(Value::as_u64), total, "{told}");
            assert_eq!(told.get("hasMore"), None);
        }
        // Of all pages, on every page.
        let next = cursor(&first, "nextCursor").unwrap();
        let path = format!(
            "/api/tags?pagination[cursor]={next}&pagination[withCount]=true&pagination[pageSize]=29"
        );
        let last = service.get(&path).await.ok();
        assert_eq!((last.ids().len(), last.total()), (28, 30));
        assert_eq!(cursor(&last, "nextCursor"), None);
        // Sizes are cut as everywhere.
        let path = "/api/articles?pagination[cursor]=&pagination[pageSize]=999";
        assert_eq!(service.get(path).await.ids().len(), 100);
        // An empty list has no way on.
        let path = "/api/articles?pagination[cursor]=&filters[title][$eq]=none";
        let told = service.get(path).await.ok().meta()["pagination"].clone();
        assert_eq!(
            told,
            json!({ "pageSize": 25, "nextCursor": null, "prevCursor": null })
        );
        // Where the count stopped, the page does not make it exact: nobody knows what is before it. There are more than it shows.
        let capped =
            service.with_settings(|settings| settings.count = listing::CountMode::Capped(5));
        let path = format!("/api/tags?pagination[cursor]={next}&pagination[withCount]=true");
        let told = capped.get(&path).await.ok().meta()["pagination"].clone();
        assert_eq!(
            (&told["total"], &told["totalIsExact"]),
            (&json!(25), &json!(false))
        );
    });
}

#[test]
fn a_body_asks_by_cursor_too() {
    on_each_database(async |service| {
        let mut token = String::new();
        let mut ids = Vec::new();
        for _ in 0..3 {
            let body = json!({
                "sort": ["rating:desc"],
                "pagination": { "cursor": token, "pageSize": 7 },
            });
            let reply = service.post_query("/api/articles", &body).await.ok();
            ids.extend(reply.ids());
            token = cursor(&reply, "nextCursor").unwrap();
        }
        let whole = whole(service, "/api/articles?sort=rating:desc").await;
        assert_eq!(ids, whole[..21]);
        // A cursor of a body is one of a query string.
        let path = format!("/api/articles?sort=rating:desc&pagination[cursor]={token}");
        assert_eq!(service.get(&path).await.ids()[0], whole[21]);
    });
}
