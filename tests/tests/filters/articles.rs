//! Compares the articles that the service finds with those of the demo set that it should find.

use std::sync::LazyLock;

use blog::data::{DemoRows, demo_rows};
use blog::entity::article;
use listing_tests::{Reply, Service};
use serde_json::{Value, json};

/// Everything in the demo set.
pub(crate) static DEMO: LazyLock<DemoRows> = LazyLock::new(demo_rows);

/// The articles that a list shows: those that are not deleted.
pub(crate) fn living() -> impl Iterator<Item = &'static article::Model> {
    DEMO.articles
        .iter()
        .filter(|article| article.deleted_at.is_none())
}

/// The ids of the articles that should be found.
pub(crate) fn ids_of(is: impl Fn(&article::Model) -> bool) -> Vec<i64> {
    living()
        .filter(|article| is(article))
        .map(|article| article.id)
        .collect()
}

/// The same service, with room for all articles on one page.
pub(crate) fn on_one_page(service: &Service) -> Service {
    service.with_settings(|settings| settings.max_page_size = 500)
}

/// The articles that a query string finds, by id.
pub(crate) async fn asked(service: &Service, filters: &str) -> Reply {
    let path = format!("/api/articles?{filters}&fields=title&sort=id&pagination[pageSize]=500");
    on_one_page(service).get(&path).await
}

/// The articles that a JSON body finds, by id.
pub(crate) async fn posted(service: &Service, filters: &Value) -> Reply {
    let body = json!({
        "filters": filters, "fields": ["title"], "sort": ["id"], "pagination": { "pageSize": 500 },
    });
    on_one_page(service)
        .post_query("/api/articles", &body)
        .await
}

/// The filters find these articles: some, but not all.
#[track_caller]
pub(crate) fn assert_some(reply: &Reply, what: &str, is: impl Fn(&article::Model) -> bool) {
    let expected = ids_of(is);
    assert!(
        !expected.is_empty(),
        "{what}: the demo set has no such article"
    );
    assert!(
        expected.len() < living().count(),
        "{what}: the demo set has no other article"
    );
    assert_found(reply, what, &expected);
}

/// The filters find exactly these articles, and the count knows it.
#[track_caller]
pub(crate) fn assert_found(reply: &Reply, what: &str, expected: &[i64]) {
    assert_eq!(reply.ids(), expected, "{what}");
    assert_eq!(reply.total(), expected.len() as u64, "{what}");
}

/// Text as it stands in a query string, whatever is in it.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
