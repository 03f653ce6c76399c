//! Computes a row from its number.
//!
//! Numbers are drawn coarsely on purpose: equal views, ratings and times show whether an order is total.

use chrono::TimeDelta;
use sea_orm::prelude::{DateTimeUtc, Decimal};

use super::{country::COUNTRIES, draw::Draw, words};
use crate::entity::{article, article_tag, author, comment, seo, tag};

/// 2023-01-02 00:00:00 UTC, when the blog begins, in seconds since 1970.
const BEGINNING: i64 = 1_672_617_600;
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// A moment from seconds since the blog began, and microseconds.
pub(super) fn moment(seconds: i64, microseconds: i64) -> DateTimeUtc {
    DateTimeUtc::UNIX_EPOCH
        + TimeDelta::seconds(BEGINNING.saturating_add(seconds))
        + TimeDelta::microseconds(microseconds)
}

/// The author with this id.
pub(super) fn author(id: i64) -> author::Model {
    let mut draw = Draw::for_row("authors", id);
    author::Model {
        id,
        name: words::full_name(&mut draw),
        email: format!("author{id}@authors.example"),
        country: draw.pick(COUNTRIES).0.to_owned(),
        created_at: moment(-draw.below(365) * DAY, 0),
    }
}

/// The article with this id, by one of the authors `1..=authors`, in a blog of `articles` articles.
pub(super) fn article(id: i64, authors: i64, articles: i64) -> article::Model {
    let mut draw = Draw::for_row("articles", id);
    let title = words::title(&mut draw);
    let created_at = article_created_at(id, articles);
    let updated_at = created_at + TimeDelta::seconds(draw.below(30) * DAY);
    article::Model {
        id,
        author_id: (!draw.chance(6)).then(|| 1 + draw.below(authors)),
        slug: format!("{}-{id}", words::slug(&title)),
        title,
        body: (!draw.chance(10)).then(|| words::paragraph(&mut draw)),
        is_active: !draw.chance(12),
        views: views(&mut draw),
        rating: (!draw.chance(15)).then(|| Decimal::new(100 + 25 * draw.below(17), 2)),
        created_at,
        updated_at,
        deleted_at: draw.chance(2).then(|| updated_at + TimeDelta::hours(1)),
    }
}

/// When an article was created: the ids follow each other over three years, roughly.
///
/// Separate from `article`, because a comment needs only the time.
pub(super) fn article_created_at(id: i64, articles: i64) -> DateTimeUtc {
    let mut draw = Draw::for_row("created_at", id);
    let spacing = (3 * 365 * DAY / articles.max(1)).max(1);
    let seconds = id * spacing;
    if draw.chance(50) {
        // About two in a slot: equal times.
        let slot = (4 * spacing + HOUR) / HOUR * HOUR;
        moment(seconds / slot * slot, 0)
    } else {
        moment(seconds + draw.below(DAY), fraction(&mut draw))
    }
}

/// Most articles share a round number of readers; a few are read by very many.
fn views(draw: &mut Draw) -> i32 {
    let views = if draw.chance(60) {
        draw.below(40) * 25
    } else {
        draw.below(100_000)
    };
    i32::try_from(views).unwrap_or_default()
}

/// Whole seconds, milliseconds or microseconds, so that every length of fraction occurs.
fn fraction(draw: &mut Draw) -> i64 {
    match draw.below(4) {
        0 => 0,
        1 => draw.below(1_000) * 1_000,
        _ => draw.below(1_000_000),
    }
}

/// The comment with this id, on an article created at `article_created_at`.
pub(super) fn comment(id: i64, article_id: i64, article_created_at: DateTimeUtc) -> comment::Model {
    let mut draw = Draw::for_row("comments", id);
    comment::Model {
        id,
        article_id,
        author_name: words::full_name(&mut draw),
        body: words::remark(&mut draw).to_owned(),
        is_hidden: draw.chance(10),
        created_at: article_created_at
            + TimeDelta::hours(6 * draw.below(60))
            + TimeDelta::microseconds(fraction(&mut draw)),
    }
}

/// What search engines show for `article`.
pub(super) fn seo(id: i64, article: &article::Model) -> seo::Model {
    let mut draw = Draw::for_row("seo", id);
    seo::Model {
        id,
        article_id: article.id,
        meta_title: if draw.chance(50) {
            article.title.clone()
        } else {
            words::title(&mut draw)
        },
        meta_description: words::paragraph(&mut draw),
    }
}

/// All tags.
pub(super) fn tags() -> impl Iterator<Item = tag::Model> {
    (1..).zip(words::TAGS).map(|(id, name)| tag::Model {
        id,
        name: (*name).to_owned(),
    })
}

/// `count` different tags for one article, out of the tags `1..=tags`.
pub(super) fn article_tags(
    article_id: i64,
    count: i64,
    tags: i64,
) -> impl Iterator<Item = article_tag::Model> {
    let mut draw = Draw::for_row("article_tags", article_id);
    let first = draw.below(tags);
    // Neighbours on a ring are different as long as the ring is larger than the count.
    (0..count.min(tags)).map(move |step| article_tag::Model {
        article_id,
        tag_id: 1 + (first + step) % tags,
    })
}
