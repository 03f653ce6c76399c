//! Computes from the demo rows what the service should answer, without a database.

use std::cmp::Ordering;
use std::sync::LazyLock;

use blog::data::{DemoRows, demo_rows};
use blog::entity::{article, author, comment, seo, tag};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};

pub(crate) static DEMO: LazyLock<DemoRows> = LazyLock::new(demo_rows);

/// The articles that are not deleted, by id.
pub(crate) fn articles() -> Vec<&'static article::Model> {
    let living = |article: &&article::Model| article.deleted_at.is_none();
    DEMO.articles.iter().filter(living).collect()
}

/// The articles that are not deleted, in the default order of articles.
pub(crate) fn newest_articles() -> Vec<&'static article::Model> {
    let mut articles = articles();
    articles.sort_by_key(|article| std::cmp::Reverse((article.created_at, article.id)));
    articles
}

/// The comments that are not hidden, in the default order of comments.
pub(crate) fn comments() -> Vec<&'static comment::Model> {
    let shown = |comment: &&comment::Model| !comment.is_hidden;
    DEMO.comments.iter().rev().filter(shown).collect()
}

pub(crate) fn comments_of(article: i64) -> Vec<&'static comment::Model> {
    let mut comments = comments();
    comments.retain(|comment| comment.article_id == article);
    comments
}

pub(crate) fn author_of(article: &article::Model) -> Option<&'static author::Model> {
    let author = |author: &&author::Model| Some(author.id) == article.author_id;
    DEMO.authors.iter().find(author)
}

pub(crate) fn seo_of(article: i64) -> Option<&'static seo::Model> {
    DEMO.seo.iter().find(|seo| seo.article_id == article)
}

/// The tags of an article, by id.
pub(crate) fn tags_of(article: i64) -> Vec<&'static tag::Model> {
    let pair = |tag: i64| {
        move |pair: &blog::entity::article_tag::Model| {
            (pair.article_id, pair.tag_id) == (article, tag)
        }
    };
    let tagged = |tag: &&tag::Model| DEMO.article_tags.iter().any(pair(tag.id));
    DEMO.tags.iter().filter(tagged).collect()
}

pub(crate) fn time(moment: DateTime<Utc>) -> Value {
    json!(moment.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string())
}

/// An article with its default fields.
pub(crate) fn article_item(article: &article::Model) -> Value {
    json!({
        "id": article.id,
        "title": article.title,
        "slug": article.slug,
        "is_active": article.is_active,
        "views": article.views,
        "created_at": time(article.created_at),
    })
}

/// An author with the default fields.
pub(crate) fn author_item(author: &author::Model) -> Value {
    json!({"id": author.id, "name": author.name, "country": author.country})
}

/// A comment with its default fields.
pub(crate) fn comment_item(comment: &comment::Model) -> Value {
    json!({
        "id": comment.id,
        "author_name": comment.author_name,
        "body": comment.body,
        "created_at": time(comment.created_at),
    })
}

/// What articles show of their SEO texts.
pub(crate) fn seo_item(seo: &seo::Model) -> Value {
    json!({
        "id": seo.id,
        "meta_title": seo.meta_title,
        "meta_description": seo.meta_description,
    })
}

/// A tag with its default fields.
pub(crate) fn tag_item(tag: &tag::Model) -> Value {
    json!({"id": tag.id, "name": tag.name})
}

/// An article's place in a sort by numbers or times; none where the column is null.
fn place(article: &article::Model, sort: &str) -> Option<i64> {
    match sort {
        "id" => Some(article.id),
        "views" => Some(i64::from(article.views)),
        "rating" => article.rating.map(|rating| {
            let cents = rating * rust_decimal::Decimal::ONE_HUNDRED;
            i64::try_from(cents).unwrap()
        }),
        "created_at" => Some(article.created_at.timestamp_micros()),
        "comments_count" => Some(i64::try_from(comments_of(article.id).len()).unwrap()),
        other => panic!("{other} is not sorted here"),
    }
}

/// The ids of the articles in the order of a request such as `rating:desc,views`: nulls last in `asc` and first in
/// `desc`, and at the end the id in the direction of the last sort (d21, d22).
pub(crate) fn in_order(sort: &str) -> Vec<i64> {
    let terms: Vec<(&str, bool)> = sort
        .split(',')
        .map(|term| match term.split_once(':') {
            Some((name, direction)) => (name, direction == "desc"),
            None => (term, false),
        })
        .chain([("id", sort.ends_with(":desc"))])
        .collect();
    let places = |article: &article::Model| -> Vec<(bool, Option<i64>)> {
        terms
            .iter()
            .map(|(name, desc)| (*desc, place(article, name)))
            .collect()
    };
    let mut rows: Vec<_> = articles()
        .iter()
        .map(|article| (places(article), article.id))
        .collect();
    rows.sort_by(|(left, _), (right, _)| {
        let compared = left.iter().zip(right).map(|((desc, left), (_, right))| {
            // `None` is the largest.
            let ordering = (left.is_none(), left).cmp(&(right.is_none(), right));
            if *desc { ordering.reverse() } else { ordering }
        });
        compared.fold(Ordering::Equal, Ordering::then)
    });
    rows.into_iter().map(|(_, id)| id).collect()
}
