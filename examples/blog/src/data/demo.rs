//! The demo set: 20 authors, 500 articles, 2,000 comments and 30 tags, with a case for each rule.

use sea_orm::{DatabaseConnection, DbErr, TransactionTrait, prelude::Decimal};

use super::{
    draw::Draw,
    insert::{continue_ids, insert, is_empty},
    rows, words,
};
use crate::entity::{article, article_tag, author, comment, seo, tag};

const ARTICLES: i64 = 500;
const COMMENTS: i64 = 2_000;

/// Has many comments, some hidden.
const DISCUSSED_ARTICLE: i64 = 7;
const DISCUSSED_ARTICLE_COMMENTS: i64 = 60;
/// Has more tags than a relation shows.
const TAGGED_ARTICLE: i64 = 3;
const TAGGED_ARTICLE_TAGS: i64 = 12;

/// Name, mailbox, country. Two share a name; the last has written nothing.
const AUTHORS: &[(&str, &str, &str)] = &[
    ("Anna Köhler", "anna.koehler", "DE"),
    ("Bruno Almeida", "bruno", "BR"),
    ("Chinwe Okafor", "chinwe.okafor", "NG"),
    ("Daiki Mori", "daiki", "JP"),
    ("Élodie Fontaine", "elodie.fontaine", "FR"),
    ("Freya Lindqvist", "freya", "NO"),
    ("Grace O'Neill", "grace.oneill", "GB"),
    ("Hülya Yılmaz", "hulya", "TR"),
    ("Ivan Петренко", "ivan.petrenko", "UA"),
    ("José García", "jose.garcia", "ES"),
    ("Kwame Traoré", "kwame", "CI"),
    ("Łukasz Kowalski", "lukasz.kowalski", "PL"),
    ("Maria Silva", "maria.silva", "BR"),
    ("Maria Silva", "maria.silva.lisboa", "PT"),
    ("Nikhil Rao", "nikhil", "IN"),
    ("Olivia Berg", "olivia.berg", "US"),
    ("Paul Weiß", "paul.weiss", "DE"),
    ("Rosa Quiroga", "rosa", "AR"),
    ("山田 花子", "hanako.yamada", "JP"),
    ("Zoë Newcomer", "zoe", "US"),
];

/// Titles of the first articles: characters that mean something to SQL, JSON or HTML, and letters outside ASCII.
const TITLES: &[&str] = &[
    "100% wool, 0% regret",
    "100 percent wool, still no regret",
    "50% off: what discounts really cost",
    "snake_case and other habits",
    "snakeXcase is not a habit",
    "__init__ considered friendly",
    r"C:\temp and other places where files rest",
    r"A backslash \ a percent % and an underscore _",
    r#""Quoted" from start to end"#,
    "It's the author's own apostrophe",
    "`Backticks` and 'quotes'; -- not a comment",
    "<b>Not bold</b> & not markup",
    "Café culture, résumés and naïve questions",
    "CAFÉ CULTURE, RÉSUMÉS AND NAÏVE QUESTIONS",
    "Die Straße nach Größenwahn: ß in Ortsnamen",
    "Жизнь у большой реки",
    "日本の小さな駅",
    "Ship it 🚀 then sleep 😴",
    "İstanbul'da bir sabah",
    "Ελληνικά νησιά τον χειμώνα",
    "Case matters",
    "case matters",
];

/// The rows of the demo set, in the order of their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoRows {
    /// 20 authors.
    pub authors: Vec<author::Model>,
    /// 500 articles.
    pub articles: Vec<article::Model>,
    /// The SEO texts of two articles in three.
    pub seo: Vec<seo::Model>,
    /// 2,000 comments, 60 of them on one article.
    pub comments: Vec<comment::Model>,
    /// 30 tags; no article has the last.
    pub tags: Vec<tag::Model>,
    /// Which article is under which tag.
    pub article_tags: Vec<article_tag::Model>,
}

/// Computes the demo set; it is the same each time.
#[must_use]
pub fn demo_rows() -> DemoRows {
    let articles: Vec<_> = (1..=ARTICLES).map(article).collect();
    DemoRows {
        authors: (1..).zip(AUTHORS).map(author).collect(),
        seo: (1..)
            .zip(articles.iter().filter(|article| article.id % 3 != 0))
            .map(|(id, article)| rows::seo(id, article))
            .collect(),
        comments: (1..=COMMENTS).map(comment).collect(),
        tags: rows::tags().collect(),
        article_tags: (1..=ARTICLES).flat_map(article_tags).collect(),
        articles,
    }
}

/// Loads the demo set into a database that has neither articles nor authors, and tells whether it did.
///
/// # Errors
///
/// When the database refuses a statement; it is then as it was.
pub async fn load_demo_if_empty(db: &DatabaseConnection) -> Result<bool, DbErr> {
    let empty = is_empty(db).await?;
    if empty {
        load_demo(db).await?;
    }
    Ok(empty)
}

/// Loads the demo set, all of it or nothing.
///
/// # Errors
///
/// When the database refuses a statement, for example because one of the ids is taken.
pub async fn load_demo(db: &DatabaseConnection) -> Result<(), DbErr> {
    let demo = demo_rows();
    let transaction = db.begin().await?;
    insert::<author::Entity>(&transaction, demo.authors).await?;
    insert::<article::Entity>(&transaction, demo.articles).await?;
    insert::<seo::Entity>(&transaction, demo.seo).await?;
    insert::<comment::Entity>(&transaction, demo.comments).await?;
    insert::<tag::Entity>(&transaction, demo.tags).await?;
    insert::<article_tag::Entity>(&transaction, demo.article_tags).await?;
    continue_ids(&transaction).await?;
    transaction.commit().await
}

fn author((id, (name, mailbox, country)): (i64, &(&str, &str, &str))) -> author::Model {
    author::Model {
        name: (*name).to_owned(),
        email: format!("{mailbox}@authors.example"),
        country: (*country).to_owned(),
        ..rows::author(id)
    }
}

fn article(id: i64) -> article::Model {
    // The last author has no articles, so that an empty relation can be seen.
    let writing_authors = i64::try_from(AUTHORS.len()).unwrap_or_default() - 1;
    let mut article = rows::article(id, writing_authors, ARTICLES);
    if let Some(title) = usize::try_from(id - 1).ok().and_then(|at| TITLES.get(at)) {
        article.title = (*title).to_owned();
        article.slug = match *title {
            // Two slugs that differ only in case.
            "Case matters" => "Case-Matters".to_owned(),
            "case matters" => "case-matters".to_owned(),
            // Several have the same ASCII letters, or none.
            _ => match words::slug(title) {
                slug if slug.is_empty() => format!("article-{id}"),
                slug => format!("{slug}-{id}"),
            },
        };
        // These are for filters to find: none is hidden by a scope.
        article.is_active = true;
        article.deleted_at = None;
    }
    match id {
        // Empty is not null.
        4 => article.body = Some(String::new()),
        5 => {
            article.body =
                Some("100% of it, under_scored\\ and \"quoted\".\nSecond line.\tTab.".to_owned());
        }
        // The ends of what the columns hold.
        23 => article.views = i32::MAX,
        24 => article.views = 0,
        25 => article.rating = Some(Decimal::new(5_00, 2)),
        26 => article.rating = Some(Decimal::new(0, 2)),
        27 => article.rating = Some(Decimal::new(4_07, 2)),
        28 => article.title = "x".repeat(255),
        _ => {}
    }
    article
}

/// The first comments are all on one article; the others on any of the rest, but for every fifth article.
fn comment(id: i64) -> comment::Model {
    let article_id = if id <= DISCUSSED_ARTICLE_COMMENTS {
        DISCUSSED_ARTICLE
    } else {
        let mut draw = Draw::for_row("commented", id);
        loop {
            let article_id = 1 + draw.below(ARTICLES);
            if article_id != DISCUSSED_ARTICLE && article_id % 5 != 0 {
                break article_id;
            }
        }
    };
    let created_at = rows::article_created_at(article_id, ARTICLES);
    rows::comment(id, article_id, created_at)
}

/// Up to four tags; every seventh article has none, and no article has the last tag.
fn article_tags(article_id: i64) -> impl Iterator<Item = article_tag::Model> {
    let count = match article_id {
        TAGGED_ARTICLE => TAGGED_ARTICLE_TAGS,
        _ if article_id % 7 == 0 => 0,
        _ => 1 + article_id % 4,
    };
    let used_tags = i64::try_from(words::TAGS.len()).unwrap_or_default() - 1;
    rows::article_tags(article_id, count, used_tags)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sea_orm::{EntityTrait, Iterable, ModelTrait};

    use super::*;

    #[test]
    fn the_numbers_of_rows_are_as_documented() {
        let demo = demo_rows();
        assert_eq!(demo.authors.len(), 20);
        assert_eq!(demo.articles.len(), 500);
        assert_eq!(demo.comments.len(), 2_000);
        assert_eq!(demo.tags.len(), 30);
        assert_eq!(demo.seo.len(), 334);
    }

    #[test]
    fn unique_columns_are_unique() {
        let demo = demo_rows();
        let slugs: BTreeSet<_> = demo.articles.iter().map(|row| &row.slug).collect();
        let emails: BTreeSet<_> = demo.authors.iter().map(|row| &row.email).collect();
        let pairs: BTreeSet<_> = demo
            .article_tags
            .iter()
            .map(|row| (row.article_id, row.tag_id))
            .collect();
        assert_eq!(slugs.len(), demo.articles.len());
        assert_eq!(emails.len(), demo.authors.len());
        assert_eq!(pairs.len(), demo.article_tags.len());
    }

    #[test]
    fn every_rule_has_a_case() {
        let demo = demo_rows();
        let articles = |is: fn(&article::Model) -> bool| {
            demo.articles.iter().filter(|article| is(article)).count()
        };
        assert!((3..30).contains(&articles(|article| article.deleted_at.is_some())));
        assert!((20..100).contains(&articles(|article| !article.is_active)));
        assert!(articles(|article| article.rating.is_none()) > 20);
        assert!(articles(|article| article.author_id.is_none()) > 10);
        assert!(articles(|article| article.body.is_none()) > 20);
        assert!(articles(|article| article.created_at.timestamp_subsec_micros() % 1_000 != 0) > 50);
        assert!(articles(|article| article.created_at.timestamp_subsec_micros() == 0) > 50);
        for part in ["%", "_", "\\", "\"", "'", "é", "ß", "Ж", "日本", "🚀"] {
            assert!(
                demo.articles.iter().any(|row| row.title.contains(part)),
                "{part}"
            );
        }

        let on_discussed = |row: &&comment::Model| row.article_id == DISCUSSED_ARTICLE;
        assert_eq!(demo.comments.iter().filter(on_discussed).count(), 60);
        let hidden = demo.comments.iter().filter(on_discussed);
        assert!(hidden.filter(|row| row.is_hidden).count() > 0);

        let commented: BTreeSet<_> = demo.comments.iter().map(|row| row.article_id).collect();
        let tagged: BTreeSet<_> = demo.article_tags.iter().map(|row| row.article_id).collect();
        assert!(commented.len() < 450 && tagged.len() < 450);
        let times: BTreeSet<_> = demo.articles.iter().map(|row| row.created_at).collect();
        assert!(times.len() < 480, "equal times: {}", times.len());
    }

    #[test]
    fn the_bytes_are_always_the_same() {
        let demo = demo_rows();
        let mut sum = Fnv(0xCBF2_9CE4_8422_2325);
        sum.add::<author::Entity>(&demo.authors);
        sum.add::<article::Entity>(&demo.articles);
        sum.add::<seo::Entity>(&demo.seo);
        sum.add::<comment::Entity>(&demo.comments);
        sum.add::<tag::Entity>(&demo.tags);
        sum.add::<article_tag::Entity>(&demo.article_tags);
        assert_eq!(
            format!("{:016x}", sum.0),
            "ed78e0699e40dec6",
            "the demo set has changed: if that was meant, put the new sum here"
        );
    }

    struct Fnv(u64);

    impl Fnv {
        fn add<E: EntityTrait>(&mut self, rows: &[E::Model]) {
            for row in rows {
                for column in E::Column::iter() {
                    for byte in format!("{:?};", row.get(column)).bytes() {
                        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
                    }
                }
            }
        }
    }
}
