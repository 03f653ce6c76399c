//! The service answers at all.

use blog::data::demo_rows;
use listing_tests::on_each_database;

#[test]
fn the_four_lists_answer_with_everything_that_is_theirs() {
    let demo = demo_rows();
    let articles = demo
        .articles
        .iter()
        .filter(|article| article.deleted_at.is_none())
        .count();
    let comments = demo
        .comments
        .iter()
        .filter(|comment| !comment.is_hidden)
        .count();
    on_each_database(async |service| {
        for (path, total) in [
            ("articles", articles),
            ("authors", demo.authors.len()),
            ("comments", comments),
            ("tags", demo.tags.len()),
        ] {
            let reply = service
                .get(&format!("/api/{path}?populate=*&fields=*"))
                .await;
            assert_eq!(reply.total(), total as u64, "{path}");
        }
    });
}
