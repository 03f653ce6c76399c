//! The count decides how a page is read: not at all, from all matching rows, or in the order of the sort.

use listing_tests::{Service, on_each_database, on_each_fresh_database};
use serde_json::{Value, json};

use crate::many::many_rows;
use crate::plans::statements;
use crate::walk::cursor;

/// What a sub-query ends with whose rows are collected before they are sorted.
fn is_collected(text: &str) -> bool {
    [" OFFSET 0)", " LIMIT -1)", " LIMIT 18446744073709551615)"]
        .iter()
        .any(|end| text.contains(end))
}

/// How the statements of a request read: `count`, `near`, `few` or `page` each.
async fn kinds(service: &Service, query: &str) -> Vec<&'static str> {
    let kind = |text: &str| match () {
        () if text.starts_with("SELECT COUNT(*)") => "count",
        () if text.contains("listing_near") => "near",
        () if is_collected(text) => "few",
        () => "page",
    };
    let statements = statements(service, query).await;
    // Labels come from another table.
    let of_articles = statements
        .iter()
        .filter(|one| one.text.contains("articles"));
    of_articles.map(|one| kind(&one.text)).collect()
}

async fn body(service: &Service, query: &str) -> Value {
    service
        .get(&format!("/api/articles?{query}"))
        .await
        .ok()
        .json()
}

/// Rules b660, b661.
#[test]
fn a_page_of_nothing_is_not_read_and_few_rows_are_collected() {
    on_each_database(async |service| {
        for (query, expected) in [
            ("", vec!["page", "count"]),
            ("filters[title]=absent", vec!["count"]),
            ("filters[title]=absent&sort=views:desc", vec!["count"]),
            ("filters[comments][author_name]=nobody", vec!["count"]),
            ("filters[views][$gte]=0", vec!["count", "few"]),
            ("filters[views][$gte]=0&pagination[page]=999", vec!["count"]),
            (
                "filters[views][$gte]=0&sort=author.name",
                vec!["count", "few"],
            ),
            (
                "filters[title]=absent&pagination[withCount]=false",
                vec!["count"],
            ),
            (
                "filters[views][$gte]=0&pagination[withCount]=false",
                vec!["count", "few"],
            ),
            (
                "filters[views][$gte]=0&pagination[cursor]=",
                vec!["count", "few"],
            ),
            ("search=zzqx", vec!["count"]),
        ] {
            assert_eq!(kinds(service, query).await, expected, "{query}");
        }
        let empty = body(service, "filters[title]=absent&pagination[withCount]=false").await;
        assert_eq!(empty["data"], json!([]));
        assert_eq!(empty["meta"]["pagination"]["hasMore"], json!(false));
    });
}

/// Rule b660.
#[test]
fn nothing_is_counted_first_where_a_table_is_small_or_an_index_has_the_order() {
    on_each_fresh_database(async |service| {
        let small = service.with_settings(|_| {});
        small.listings.inspect_indexes(&small.db).await.unwrap();
        assert_eq!(
            kinds(&small, "filters[title]=absent").await,
            ["page", "count"]
        );
        many_rows(&service.db).await;
        let large = service.with_settings(|settings| settings.unindexed_rows = 10_000);
        large.listings.inspect_indexes(&large.db).await.unwrap();
        // The index of `author_id` ends in the default sort and the key.
        let by_index = kinds(&large, "filters[author_id]=3&pagination[withCount]=false").await;
        assert_eq!(by_index, ["page"]);
        let by_another = kinds(
            &large,
            "filters[author_id]=3&sort=title&pagination[withCount]=false",
        );
        assert_eq!(by_another.await, ["count", "few"]);
        // More than 10,000 rows match: they are read in the order of the sort.
        let many = kinds(&large, "filters[views][$gte]=0").await;
        assert_eq!(many, ["count", "page"]);
    });
}

/// Rule b1100.
#[test]
fn without_a_count_the_first_rows_of_an_order_are_looked_at_if_an_index_has_it() {
    on_each_fresh_database(async |service| {
        many_rows(&service.db).await;
        let large = service.with_settings(|settings| settings.unindexed_rows = 10_000);
        large.listings.inspect_indexes(&large.db).await.unwrap();
        // Nearly all rows match, or only those of the demo data, which are the last ones in this order.
        let (many, few) = ("filters[views][$gte]=0", "filters[views][$lt]=1000000");
        for (query, expected) in [
            (format!("{many}&pagination[withCount]=false"), vec!["near"]),
            (format!("{many}&pagination[cursor]="), vec!["near"]),
            (
                format!("{many}&sort=author.name&pagination[withCount]=false"),
                vec!["count", "page"],
            ),
            (
                format!("{many}&pagination[withCount]=false&pagination[page]=40"),
                vec!["count", "page"],
            ),
            (
                format!("{few}&pagination[withCount]=false"),
                vec!["near", "count", "few"],
            ),
            (
                "filters[views][$lt]=0&pagination[withCount]=false".to_owned(),
                vec!["near", "count"],
            ),
            // An index finds the value.
            (
                "filters[title]=Many&sort=views&pagination[withCount]=false".to_owned(),
                vec!["count", "page"],
            ),
        ] {
            assert_eq!(kinds(&large, &query).await, expected, "{query}");
        }
        // The same rows as without indexes, on every page.
        for filter in [many, few, "filters[is_active]=true"] {
            for sort in ["created_at:desc", "title", "views", "id:desc", "rating"] {
                let query = format!("/api/articles?{filter}&sort={sort}&pagination[cursor]=");
                let (mut place, mut place_of_large) = (String::new(), String::new());
                for way in ["nextCursor", "nextCursor", "prevCursor", "nextCursor"] {
                    let one = service.get(&format!("{query}{place}")).await;
                    let other = large.get(&format!("{query}{place_of_large}")).await;
                    assert_eq!(one.json()["data"], other.json()["data"], "{query}{place}");
                    place = cursor(&one, way).unwrap_or_default();
                    place_of_large = cursor(&other, way).unwrap_or_default();
                }
            }
        }
    });
}

/// Rules b660, b661.
#[test]
fn both_ways_give_the_same_bytes() {
    on_each_database(async |service| {
        let in_order = service.with_settings(|_| {});
        in_order
            .listings
            .inspect_indexes(&in_order.db)
            .await
            .unwrap();
        let filter =
            "filters[views][$gte]=100&fields=title,views,comments_count&populate=author,tags";
        for sort in [
            "created_at:desc",
            "title",
            "rating",
            "rating:desc",
            "author.name",
            "author.name:desc",
            "seo.meta_title",
            "comments_count:desc",
        ] {
            for page in [
                "",
                "&pagination[page]=3&pagination[pageSize]=7",
                "&pagination[start]=3&pagination[limit]=5&pagination[withCount]=false",
            ] {
                let query = format!("{filter}&sort={sort}{page}");
                let target = format!("/api/articles?{query}");
                let (one, other) = (service.get(&target).await, in_order.get(&target).await);
                assert_eq!(one.text(), other.text(), "{query}");
            }
            // Three pages on, and back.
            let mut query =
                format!("{filter}&sort={sort}&pagination[pageSize]=7&pagination[cursor]=");
            for way in ["nextCursor", "nextCursor", "nextCursor", "prevCursor"] {
                let target = format!("/api/articles?{query}");
                let (one, other) = (service.get(&target).await, in_order.get(&target).await);
                assert_eq!(one.json()["data"], other.json()["data"], "{query}");
                let place = cursor(&one, way).unwrap();
                query = format!(
                    "{filter}&sort={sort}&pagination[pageSize]=7&pagination[cursor]={place}"
                );
            }
        }
    });
}

/// Rule b663.
#[test]
fn alternatives_through_relations_are_read_one_by_one() {
    on_each_database(async |service| {
        let in_order = service.with_settings(|_| {});
        in_order
            .listings
            .inspect_indexes(&in_order.db)
            .await
            .unwrap();
        let all = body(service, "populate=author,tags&pagination[pageSize]=1").await;
        let author = all["data"][0]["author"]["name"]
            .as_str()
            .unwrap_or("Ada")
            .to_owned();
        for alternatives in [
            format!("filters[$or][0][author][name]={author}&filters[$or][1][views][$gt]=900"),
            "filters[$or][0][comments][is_hidden]=false&filters[$or][1][author][name]=nobody"
                .to_owned(),
            format!(
                "filters[$or][0][author][name]={author}&filters[$or][1][author][name]={author}&filters[is_active]=true"
            ),
        ] {
            let statements = statements(service, &alternatives).await;
            assert!(
                statements.iter().any(|one| one.text.contains(" UNION ")),
                "{alternatives}"
            );
            for sort in ["title", "views:desc"] {
                let target =
                    format!("/api/articles?{alternatives}&sort={sort}&pagination[pageSize]=100");
                let (one, other) = (service.get(&target).await, in_order.get(&target).await);
                assert_eq!(one.text(), other.text(), "{target}");
                assert_ne!(one.json()["data"], json!([]), "{target}");
            }
        }
    });
}

/// Rule b665.
#[test]
fn counts_of_relations_are_one_statement_for_the_page() {
    on_each_database(async |service| {
        let counted = async |query: &str| {
            let statements = statements(service, query).await;
            statements
                .iter()
                .filter(|one| one.text.contains("GROUP BY"))
                .count()
        };
        let query = "fields=title,comments_count,views&pagination[withCount]=false";
        assert_eq!(counted(query).await, 1);
        assert_eq!(counted(&format!("{query}&sort=comments_count")).await, 0);
        assert_eq!(counted("fields=title&pagination[withCount]=false").await, 0);
        // The field keeps its place, and is the number either way.
        let later = body(service, &format!("{query}&pagination[pageSize]=100")).await;
        let later = later["data"].as_array().unwrap().clone();
        let sorted = body(
            service,
            &format!("{query}&sort=comments_count&pagination[pageSize]=100"),
        )
        .await;
        for item in sorted["data"].as_array().unwrap() {
            let keys: Vec<_> = item.as_object().unwrap().keys().cloned().collect();
            assert_eq!(keys.last().map(String::as_str), Some("comments_count"));
            if let Some(same) = later.iter().find(|other| other["id"] == item["id"]) {
                assert_eq!(same.to_string(), item.to_string());
            }
        }
        let some = |item: &Value| item["comments_count"].as_u64().unwrap() > 0;
        assert!(later.iter().any(some));
    });
}
