//! Walking the pages of any order shows every row exactly once, on each database (d21).

use std::collections::BTreeSet;

use listing_tests::{Service, on_each_database};

use crate::demo::{DEMO, articles, comments};

/// All rows in one answer, which no page border cuts.
async fn whole(service: &Service, path: &str, sort: &str) -> Vec<i64> {
    let all = service.with_settings(|settings| settings.max_page_size = 500);
    let mut ids = Vec::new();
    // Comments are more than the largest page can be set to; 500 and 19 have no border in common before 9,500.
    for start in (0..2_000).step_by(500) {
        let query = format!("{path}sort={sort}&pagination[limit]=500&pagination[start]={start}");
        let part = all.get(&query).await.ids();
        ids.extend(&part);
        if part.len() < 500 {
            break;
        }
    }
    ids
}

/// By page number, as many pages as the first answer tells.
async fn by_page(service: &Service, path: &str, sort: &str, size: usize) -> Vec<i64> {
    let mut ids = Vec::new();
    let mut pages = 1;
    let mut page = 1;
    while page <= pages {
        // The count of the first page holds for the others.
        let count = page == 1;
        let query = format!(
            "{path}sort={sort}&pagination[page]={page}&pagination[pageSize]={size}&pagination[withCount]={count}"
        );
        let reply = service.get(&query).await.ok();
        if count {
            pages = reply.meta()["pagination"]["pageCount"].as_u64().unwrap();
        }
        ids.extend(reply.ids());
        page += 1;
    }
    ids
}

/// By offset, until there is no more.
async fn by_offset(service: &Service, path: &str, sort: &str, size: usize) -> Vec<i64> {
    let mut ids = Vec::new();
    loop {
        let start = ids.len();
        let query = format!(
            "{path}sort={sort}&pagination[start]={start}&pagination[limit]={size}&pagination[withCount]=false"
        );
        let reply = service.get(&query).await.ok();
        ids.extend(reply.ids());
        if reply.meta()["pagination"]["hasMore"] == false {
            return ids;
        }
        assert_eq!(ids.len(), start + size, "{query}");
    }
}

/// Walks the pages of each sort in both directions.
fn walk(path: &str, rows: &BTreeSet<i64>, sorts: &[&str]) {
    let path = format!("/api/{path}&");
    on_each_database(async |service| {
        for sort in sorts {
            let whole = whole(service, &path, sort).await;
            assert_eq!(whole.len(), rows.len(), "{sort}");
            assert_eq!(
                whole.iter().copied().collect::<BTreeSet<_>>(),
                *rows,
                "{sort}"
            );
            for size in [19, 100] {
                let walked = by_page(service, &path, sort, size).await;
                assert!(walked == whole, "{sort}: pages of {size} show {walked:?}");
                let walked = by_offset(service, &path, sort, size).await;
                assert!(walked == whole, "{sort}: offsets of {size} show {walked:?}");
            }
        }
    });
}

/// Rule d21.
#[test]
fn every_article_is_on_exactly_one_page_of_each_sort() {
    let rows = articles().iter().map(|article| article.id).collect();
    walk(
        "articles?fields=id",
        &rows,
        &[
            "",
            "created_at:asc",
            "created_at:desc",
            "id:asc",
            "id:desc",
            "title:asc",
            "title:desc",
            "views:asc",
            "views:desc",
            "rating:asc",
            "rating:desc",
            "unknown",
        ],
    );
}

/// Rule d21.
#[test]
fn every_article_is_on_exactly_one_page_of_each_computed_or_related_sort() {
    let rows = articles().iter().map(|article| article.id).collect();
    walk(
        "articles?fields=id",
        &rows,
        &[
            "comments_count:asc",
            "comments_count:desc",
            "author.name:asc",
            "author.name:desc",
            "seo.meta_title:asc",
            "seo.meta_title:desc",
        ],
    );
}

/// Rule d21.
#[test]
fn every_article_is_on_exactly_one_page_of_combined_sorts() {
    let rows = articles().iter().map(|article| article.id).collect();
    walk(
        "articles?fields=id",
        &rows,
        &[
            "author.name,rating:desc",
            "rating,seo.meta_title:desc",
            "comments_count:desc,author.name:desc,rating",
            "views:desc,created_at",
        ],
    );
}

/// Rule d21.
#[test]
fn every_author_and_tag_is_on_exactly_one_page_of_each_sort() {
    let rows = DEMO.authors.iter().map(|author| author.id).collect();
    let sorts = [
        "",
        "name:asc",
        "name:desc",
        "id:desc",
        "country:asc",
        "country:desc",
        "country,name:desc",
    ];
    walk("authors?fields=id", &rows, &sorts);
    let rows = DEMO.tags.iter().map(|tag| tag.id).collect();
    walk("tags?fields=id", &rows, &["", "name:desc", "unknown"]);
}

/// Rule d21.
#[test]
fn every_comment_is_on_exactly_one_page_of_each_sort() {
    let rows = comments().iter().map(|comment| comment.id).collect();
    // Without the default relation: the rows alone matter here.
    walk(
        "comments?fields=id&populate=none",
        &rows,
        &["", "id:asc", "created_at:asc", "created_at:desc"],
    );
}
