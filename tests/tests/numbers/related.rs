//! Counts for each related record (d102).

use std::collections::BTreeMap;

use listing_tests::on_each_database;
use serde_json::json;

use crate::demo::{DEMO, articles, by_count, facet, values};

/// How many of these articles have each tag, and how many have none.
fn tagged(of: &[i64]) -> (Vec<(String, u64)>, u64) {
    let mut counts = BTreeMap::new();
    let links = || DEMO.article_tags.iter();
    for link in links().filter(|link| of.contains(&link.article_id)) {
        *counts.entry(link.tag_id).or_insert(0) += 1;
    }
    let has_tag = |id: &&i64| links().any(|link| link.article_id == **id);
    let without = of.len() - of.iter().filter(has_tag).count();
    let counts = by_count(counts).into_iter();
    let counts = counts.map(|(id, count)| (id.to_string(), count));
    (counts.collect(), without as u64)
}

/// Rules d99, d102, b745.
#[test]
fn a_row_counts_once_for_each_related_record_and_its_own_filter_is_left_out() {
    let popular: Vec<i64> = articles()
        .iter()
        .filter(|one| one.views >= 500)
        .map(|one| one.id)
        .collect();
    let (tags, without) = tagged(&popular);
    let chosen = &tags[1].0;
    on_each_database(async |service| {
        for own in [
            String::new(),
            format!("&filters[tags][id]={chosen}"),
            format!("&filters[tags][id][$in][0]={chosen}"),
            format!("&filters[tags][$some][id]={chosen}"),
        ] {
            let query = format!("filters[views][$gte]=500&facets[tags][limit]=1000{own}");
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            let shown = facet(&reply, "tags");
            assert_eq!(values(&shown), tags, "{own}");
            assert_eq!(shown["missing"], without);
            assert_eq!(
                (&shown["others"], &shown["truncated"]),
                (&json!(0), &json!(false))
            );
            for one in shown["values"].as_array().unwrap() {
                let id = one["value"].as_str().unwrap();
                let tag = DEMO
                    .tags
                    .iter()
                    .find(|tag| tag.id.to_string() == id)
                    .unwrap();
                assert_eq!(one["label"], tag.name);
                assert_eq!(one["selected"], !own.is_empty() && id == chosen, "{own}");
            }
        }
        let reply = service
            .get("/api/articles?filters[views][$gte]=500&facets[tags][limit]=2")
            .await
            .ok();
        let cut = facet(&reply, "tags");
        assert_eq!(values(&cut), tags[..2]);
        let others: u64 = tags[2..].iter().map(|(_, count)| count).sum();
        assert_eq!(
            (&cut["others"], &cut["truncated"]),
            (&json!(others), &json!(true))
        );
    });
}
