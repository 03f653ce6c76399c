//! Fills an empty database with a given number of articles and everything that belongs to them.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, EntityTrait};

use super::{
    bulk,
    draw::Draw,
    insert::{continue_ids, is_empty, refresh_statistics, remove_indexes},
    rows, words,
};
use crate::entity::{article, article_tag, author, comment, seo, tag};
use crate::migration::{search_index, trigrams};

/// Rows in one transaction: large enough that commits cost nothing, small enough for any undo log.
const ROWS_PER_TRANSACTION: i64 = 100_000;

/// Loads `articles` articles, one author for each hundred (at least one), three comments for each article on average
/// (a tenth of them on one article in a hundred, so that some have many), thirty tags, one or two tags for each
/// article, and SEO texts for every second.
///
/// `progress` is called after each transaction with the number of rows loaded and the number of all rows.
///
/// # Errors
///
/// When the database already has articles or authors, or refuses a row. What was committed until then stays.
pub async fn load_seed(
    db: &DatabaseConnection,
    articles: u64,
    progress: impl Fn(u64, u64),
) -> Result<(), DbErr> {
    let articles = i64::try_from(articles)
        .ok()
        .filter(|articles| *articles <= 1_000_000_000)
        .ok_or_else(|| DbErr::Custom("--seed takes at most 1000000000 articles".to_owned()))?;
    if !is_empty(db).await? {
        return Err(DbErr::Custom(
            "--seed needs an empty database, and this one already has articles or authors: \
             choose another DATABASE_URL, or empty it first"
                .to_owned(),
        ));
    }

    // Put back whether or not the rows went in: a failure must not leave a slow database behind.
    let indexes = remove_indexes(db).await?;
    search_index().pause(db).await?;
    for index in trigrams() {
        index.drop(db).await?;
    }
    let loaded = load_rows(db, articles, progress).await;
    for index in indexes {
        db.execute(&index.create()).await?;
    }
    for index in trigrams() {
        index.create(db).await?;
    }
    search_index().resume(db).await?;
    loaded?;
    continue_ids(db).await?;
    refresh_statistics(db).await
}

async fn load_rows(
    db: &DatabaseConnection,
    articles: i64,
    progress: impl Fn(u64, u64),
) -> Result<(), DbErr> {
    let authors = (articles / 100).max(1);
    let mut load = Load {
        db,
        loaded: 0,
        total: authors + tag_count() + articles + articles / 2 + tagged(articles) + 3 * articles,
        progress,
    };
    load.all::<author::Entity, _>(authors, |id| [one_of_many(id)])
        .await?;
    load.all::<tag::Entity, _>(1, |_| rows::tags()).await?;
    load.all::<article::Entity, _>(articles, |id| [rows::article(id, authors, articles)])
        .await?;
    load.all::<seo::Entity, _>(articles / 2, |id| {
        [rows::seo(id, &rows::article(2 * id, authors, articles))]
    })
    .await?;
    load.all::<article_tag::Entity, _>(articles, |id| {
        rows::article_tags(id, tags_of(id), tag_count())
    })
    .await?;
    if articles > 0 {
        load.all::<comment::Entity, _>(3 * articles, |id| {
            let article_id = commented_article(id, articles);
            let created_at = rows::article_created_at(article_id, articles);
            [rows::comment(id, article_id, created_at)]
        })
        .await?;
    }
    Ok(())
}

/// What is being loaded, and how far it is.
struct Load<'a, P> {
    db: &'a DatabaseConnection,
    loaded: i64,
    total: i64,
    progress: P,
}

impl<P: Fn(u64, u64)> Load<'_, P> {
    /// Loads the rows that `rows_of` gives for each of `1..=count`.
    async fn all<E, R>(&mut self, count: i64, rows_of: impl Fn(i64) -> R) -> Result<(), DbErr>
    where
        E: EntityTrait,
        R: IntoIterator<Item = E::Model>,
    {
        let mut first = 1;
        while first <= count {
            let last = count.min(first + ROWS_PER_TRANSACTION - 1);
            let loaded = bulk::load::<E>(self.db, (first..=last).flat_map(&rows_of)).await?;
            self.loaded += i64::try_from(loaded).unwrap_or_default();
            (self.progress)(self.loaded.unsigned_abs(), self.total.unsigned_abs());
            first = last + 1;
        }
        Ok(())
    }
}

fn tag_count() -> i64 {
    i64::try_from(words::TAGS.len()).unwrap_or_default()
}

/// Two tags for articles with an even id, one for the others.
fn tags_of(article_id: i64) -> i64 {
    2 - article_id % 2
}

/// How many pairs of article and tag there are.
fn tagged(articles: i64) -> i64 {
    articles + articles / 2
}

/// The article that a comment is on: one in ten goes to the most popular hundredth.
fn commented_article(comment_id: i64, articles: i64) -> i64 {
    let mut draw = Draw::for_row("commented", comment_id);
    let candidates = if draw.chance(10) {
        (articles / 100).max(1)
    } else {
        articles
    };
    // A stride spreads the popular ones over all ids.
    1 + draw.below(candidates) * (articles / candidates)
}

/// The words make 600 names: with a number, no two of many authors have the same.
fn one_of_many(id: i64) -> author::Model {
    let author = rows::author(id);
    author::Model {
        name: format!("{} {id}", author.name),
        ..author
    }
}
