//! Computes from the demo rows what numbers should be, without a database.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use blog::data::{DemoRows, demo_rows};
use blog::entity::article;
use listing_tests::Reply;
use serde_json::{Value, json};

pub(crate) static DEMO: LazyLock<DemoRows> = LazyLock::new(demo_rows);

/// The articles that are not deleted.
pub(crate) fn articles() -> Vec<&'static article::Model> {
    let living = |article: &&article::Model| article.deleted_at.is_none();
    DEMO.articles.iter().filter(living).collect()
}

/// How many articles have each value, without those that have none.
pub(crate) fn counts<K: Ord>(
    articles: &[&article::Model],
    value: impl Fn(&article::Model) -> Option<K>,
) -> BTreeMap<K, u64> {
    let mut counts = BTreeMap::new();
    for value in articles.iter().filter_map(|article| value(article)) {
        *counts.entry(value).or_insert(0) += 1;
    }
    counts
}

/// The most common first, then the smallest.
pub(crate) fn by_count<K: Ord>(counts: BTreeMap<K, u64>) -> Vec<(K, u64)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then(a.cmp(b)));
    counts
}

/// The facet of that key.
#[track_caller]
pub(crate) fn facet(reply: &Reply, key: &str) -> Value {
    let meta = reply.meta();
    let all = meta["facets"].as_array();
    let all = all.unwrap_or_else(|| panic!("no facets in {meta}"));
    let found = all.iter().find(|facet| facet["key"] == key);
    found
        .unwrap_or_else(|| panic!("no {key} in {meta}"))
        .clone()
}

/// The values of a facet, each with its count.
#[track_caller]
pub(crate) fn values(facet: &Value) -> Vec<(String, u64)> {
    let values = facet["values"].as_array().unwrap();
    let pair = |value: &Value| {
        let text = value["value"].as_str().unwrap().to_owned();
        (text, value["count"].as_u64().unwrap())
    };
    values.iter().map(pair).collect()
}

/// A value of a facet as it is answered.
pub(crate) fn value(value: &str, label: &str, count: u64, selected: bool) -> Value {
    json!({ "value": value, "label": label, "count": count, "selected": selected })
}

/// The sum of what a facet says about rows.
#[track_caller]
pub(crate) fn told(facet: &Value) -> u64 {
    let shown: u64 = values(facet).iter().map(|(_, count)| count).sum();
    shown + facet["missing"].as_u64().unwrap() + facet["others"].as_u64().unwrap()
}

/// A quotient with six places, half away from zero.
pub(crate) fn average(sum: i128, count: i128, scale: u32) -> String {
    let divisor = count * 10_i128.pow(scale);
    let millionths = (sum * 10_000_000 / divisor + 5) / 10;
    format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}
