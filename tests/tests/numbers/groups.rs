//! Groups of a list's rows, with their counts and totals (d106).

use std::collections::BTreeMap;

use blog::entity::article;
use chrono::Datelike;
use listing_tests::{Reply, on_each_database};
use serde_json::{Value, json};

use crate::demo::{DEMO, articles, average};

/// The articles of each author and month, in the order of both; those without an author last.
fn by_author_and_month() -> BTreeMap<(bool, Option<i64>, String), Vec<&'static article::Model>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for article in articles() {
        let day = article.created_at.date_naive();
        let month = format!("{:04}-{:02}-01", day.year(), day.month());
        let author = article.author_id;
        let group = groups.entry((author.is_none(), author, month));
        group.or_default().push(article);
    }
    groups
}

fn group((_, author, month): &(bool, Option<i64>, String), rows: &[&article::Model]) -> Value {
    let name = author.map(|id| &DEMO.authors.iter().find(|one| one.id == id).unwrap().name);
    let sum: i64 = rows.iter().map(|article| i64::from(article.views)).sum();
    json!({
        "author_id": { "value": author.map(|id| id.to_string()), "label": name },
        "created_at": month,
        "count": rows.len(),
        "totals": { "views": { "sum": sum, "avg": average(sum.into(), rows.len() as i128, 0) } },
    })
}

const BY: &str = "/api/articles/_groups?by=author_id,created_at:month&totals[views]=sum,avg";

/// Rule d106.
#[test]
fn groups_have_keys_with_labels_counts_and_totals_in_the_order_of_their_keys() {
    let groups = by_author_and_month();
    let all: Vec<_> = groups.iter().map(|(key, rows)| group(key, rows)).collect();
    on_each_database(async |service| {
        let mut given = Vec::new();
        for page in 1..=all.len().div_ceil(100) {
            let query = format!("{BY}&pagination[pageSize]=100&pagination[page]={page}");
            let reply = service.get(&query).await.ok();
            assert_eq!(
                reply.meta()["pagination"],
                json!({ "page": page, "pageSize": 100, "pageCount": all.len().div_ceil(100), "total": all.len() })
            );
            given.extend(reply.items());
        }
        assert_eq!(given, all);
        let body = json!({
            "by": ["author_id", "created_at:month"],
            "totals": { "views": ["sum", "avg"] },
            "pagination": { "start": 3, "limit": 2 },
        });
        let client = service.client();
        let reply = client
            .json("QUERY", "/api/articles/_groups", body.to_string())
            .await
            .ok();
        assert_eq!(reply.items(), all[3..5]);
        assert_eq!(
            reply.meta()["pagination"],
            json!({ "start": 3, "limit": 2, "total": all.len() })
        );
    });
}

/// Rules d106, b749.
#[test]
fn groups_are_sorted_and_chosen_by_what_is_known_of_them() {
    let groups = by_author_and_month();
    let sum =
        |rows: &[&article::Model]| -> i64 { rows.iter().map(|one| i64::from(one.views)).sum() };
    let mut large: Vec<_> = groups
        .iter()
        .filter(|(_, rows)| rows.len() >= 2 && sum(rows) > 1_000)
        .collect();
    large.sort_by(|(a, a_rows), (b, b_rows)| sum(b_rows).cmp(&sum(a_rows)).then(a.cmp(b)));
    let expected: Vec<_> = large.iter().map(|(key, rows)| group(key, rows)).collect();
    assert!(expected.len() > 3);
    on_each_database(async |service| {
        let query = format!(
            "{BY}&sort=views.sum:desc&having[count][$gte]=2&having[views.sum][$gt]=1000&pagination[pageSize]=100"
        );
        let reply = service.get(&query).await.ok();
        let shown = expected.len().min(100);
        assert_eq!(reply.items(), expected[..shown]);
        assert_eq!(reply.total(), expected.len() as u64);
        let reply = service
            .get("/api/articles/_groups?by=is_active&sort=count:desc")
            .await
            .ok();
        let active = articles().iter().filter(|one| one.is_active).count();
        assert_eq!(
            reply.items(),
            [
                json!({ "is_active": { "value": "true", "label": "Active" }, "count": active }),
                json!({ "is_active": { "value": "false", "label": "Inactive" }, "count": articles().len() - active }),
            ]
        );
    });
}

/// Rule d106.
#[test]
fn groups_are_those_of_the_rows_that_the_list_shows() {
    let rows = |reply: &Reply| -> u64 {
        reply
            .items()
            .iter()
            .map(|group| group["count"].as_u64().unwrap())
            .sum()
    };
    on_each_database(async |service| {
        for query in [
            "filters[views][$gte]=500",
            "filters[is_active]=false&search=the",
            "filters[author][country]=DE",
        ] {
            let list = service
                .get(&format!("/api/articles?{query}&pagination[count]=exact"))
                .await
                .ok();
            let groups = service
                .get(&format!("/api/articles/_groups?by=is_active&{query}"))
                .await
                .ok();
            assert_eq!(rows(&groups), list.total(), "{query}");
            assert_eq!(groups.meta()["filters"], list.meta()["filters"]);
        }
    });
}

/// Rules d106, b748.
#[test]
fn what_groups_cannot_do_is_refused_by_name() {
    on_each_database(async |service| {
        for (query, code, parameter) in [
            ("", "group_key", "by"),
            ("by=title", "group_key", "by"),
            ("by=views", "group_key", "by"),
            ("by=tags", "group_key", "by"),
            ("by=is_active,author_id,created_at,views", "group_key", "by"),
            (
                "by=created_at:decade",
                "facet_option",
                "facets[created_at][unit]",
            ),
            (
                "by=is_active:month",
                "facet_option",
                "facets[is_active][unit]",
            ),
            ("by=is_active&sort=views.sum", "group_number", "sort"),
            ("by=is_active&having[views.sum]=3", "group_number", "having"),
            (
                "by=is_active&having[count][$in]=3",
                "having",
                "having[count]",
            ),
            (
                "by=is_active&having[count][$gte]=many",
                "having",
                "having[count][$gte]",
            ),
            (
                "by=is_active&totals[rating]=sum",
                "total_not_allowed",
                "totals[rating]",
            ),
            (
                "by=is_active&pagination[cursor]=",
                "cursor_sort",
                "pagination[cursor]",
            ),
        ] {
            let reply = service.get(&format!("/api/articles/_groups?{query}")).await;
            let error = reply.error(400);
            assert_eq!(error["code"], code, "{query}");
            assert_eq!(error["details"]["parameter"], parameter, "{query}");
        }
        let list = service.get("/api/articles?by=is_active").await.ok();
        assert_eq!(list.meta()["ignored"], json!({ "parameters": ["by"] }));
    });
}
