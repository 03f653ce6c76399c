//! Two databases per engine that differ only in what no client may learn.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use blog::data::{DemoRows, demo_rows};
use blog::entity::{article, article_tag, author, comment, seo, tag};
use blog::migration::Migrator;
use chrono::Duration;
use listing_tests::{Engine, Service, fresh_database, patient, run};
use rust_decimal::Decimal;
use sea_orm::{ActiveModelTrait, DatabaseConnection, EntityTrait, Iden, IntoActiveModel, Iterable};
use sea_orm_migration::MigratorTrait;

/// The same service on the same engine, with other secrets.
#[derive(Debug)]
pub(crate) struct Twins {
    /// The demo data, and the changed data.
    lenient: [Service; 2],
    strict: [Service; 2],
}

impl Twins {
    pub(crate) fn services(&self, strict: bool) -> &[Service; 2] {
        if strict { &self.strict } else { &self.lenient }
    }
}

/// One pair for each engine; nobody writes to them.
pub(crate) static TWINS: LazyLock<Vec<Twins>> = LazyLock::new(|| {
    let twins = |engine| {
        let lenient = run(async {
            [
                on(engine, demo_rows()).await,
                on(engine, changed_rows()).await,
            ]
        });
        let strict = lenient
            .each_ref()
            .map(|service| service.with_settings(|settings| settings.strict = true));
        Twins { lenient, strict }
    };
    Engine::ALL.into_iter().map(twins).collect()
});

/// What no client may learn: every e-mail address, and everything about a soft-deleted article but that it was there.
///
/// All of it is different here. Nothing that a listing reads is: `every_column_is_read_or_changed` keeps watch.
pub(crate) fn changed_rows() -> DemoRows {
    let mut demo = demo_rows();
    for author in &mut demo.authors {
        // Another length and the opposite order: neither sorting nor searching gives the same.
        let number = usize::try_from(author.id).unwrap();
        author.email = format!("{:03}{}@elsewhere.test", 500 - number, "x".repeat(number));
    }
    let deleted: BTreeSet<i64> = demo
        .articles
        .iter()
        .filter(|article| article.deleted_at.is_some())
        .map(|article| article.id)
        .collect();
    assert!(!deleted.is_empty());
    for article in &mut demo.articles {
        if deleted.contains(&article.id) {
            change_article(article);
        }
    }
    for seo in &mut demo.seo {
        if deleted.contains(&seo.article_id) {
            seo.meta_title = format!("Gone {}", seo.meta_title);
            seo.meta_description = "Gone too.".to_owned();
        }
    }
    demo.article_tags
        .retain(|link| !deleted.contains(&link.article_id));
    // The order in which rows were written is not a client's business either.
    demo.authors.reverse();
    demo.articles.reverse();
    demo.seo.reverse();
    demo.comments.reverse();
    demo.tags.reverse();
    demo.article_tags.reverse();
    demo
}

fn change_article(article: &mut article::Model) {
    let author = article.author_id.unwrap_or_default();
    article.author_id = Some(author % 19 + 1);
    article.title = format!("0 {}", article.title);
    article.slug = format!("gone-{}", article.id);
    article.body = match article.body {
        Some(_) => None,
        None => Some("Was never written.".to_owned()),
    };
    article.is_active = !article.is_active;
    article.views += 1_000_000;
    article.rating = match article.rating {
        Some(_) => None,
        None => Some(Decimal::new(4_99, 2)),
    };
    article.created_at += Duration::days(4_000);
    article.updated_at += Duration::days(4_001);
    article.deleted_at = article.deleted_at.map(|at| at - Duration::days(9_000));
}

pub(crate) async fn on(engine: Engine, rows: DemoRows) -> Service {
    let db = fresh_database(engine).await;
    Migrator::up(&db, None).await.unwrap();
    insert::<author::Entity>(&db, rows.authors).await;
    insert::<article::Entity>(&db, rows.articles).await;
    insert::<seo::Entity>(&db, rows.seo).await;
    insert::<comment::Entity>(&db, rows.comments).await;
    insert::<tag::Entity>(&db, rows.tags).await;
    insert::<article_tag::Entity>(&db, rows.article_tags).await;
    Service::on(engine, db, patient()).await
}

async fn insert<E>(db: &DatabaseConnection, rows: Vec<E::Model>)
where
    E: EntityTrait,
    E::Model: IntoActiveModel<E::ActiveModel>,
    E::ActiveModel: ActiveModelTrait<Entity = E>,
{
    // Few enough that every database can bind their values.
    for some in rows.chunks(1_000) {
        let some = some.iter().cloned().map(IntoActiveModel::into_active_model);
        E::insert_many(some)
            .exec_without_returning(db)
            .await
            .unwrap();
    }
}

/// Add a new column here: either a listing reads it, or the twins differ in it.
#[test]
fn every_column_is_read_or_changed() {
    fn columns<E: EntityTrait>() -> Vec<String> {
        E::Column::iter().map(|column| column.to_string()).collect()
    }
    let all = [
        ("authors", columns::<author::Entity>()),
        ("articles", columns::<article::Entity>()),
        ("seo", columns::<seo::Entity>()),
        ("comments", columns::<comment::Entity>()),
        ("tags", columns::<tag::Entity>()),
        ("article_tags", columns::<article_tag::Entity>()),
    ];
    // Read of every author; `email` is not.
    let authors = ["id", "name", "country", "created_at"];
    // Of `deleted_at` it is read whether it is null.
    let articles = [
        "id",
        "author_id",
        "title",
        "slug",
        "body",
        "is_active",
        "views",
        "rating",
        "created_at",
        "updated_at",
    ];
    let seo = ["id", "article_id", "meta_title", "meta_description"];
    let comments = [
        "id",
        "article_id",
        "author_name",
        "body",
        "is_hidden",
        "created_at",
    ];
    let known: [(&str, &[&str], &[&str]); 6] = [
        ("authors", &authors, &["email"]),
        ("articles", &articles, &["deleted_at"]),
        ("seo", &seo, &[]),
        ("comments", &comments, &[]),
        ("tags", &["id", "name"], &[]),
        ("article_tags", &["article_id", "tag_id"], &[]),
    ];
    for ((table, columns), (_, read, hidden)) in all.iter().zip(known) {
        let columns: BTreeSet<&str> = columns.iter().map(String::as_str).collect();
        let decided: BTreeSet<&str> = read.iter().chain(hidden).copied().collect();
        assert_eq!(columns, decided, "{table}");
    }
}

#[test]
fn the_twins_differ_in_every_secret_and_in_nothing_else() {
    let (demo, mut changed) = (demo_rows(), changed_rows());
    changed.authors.reverse();
    changed.articles.reverse();
    assert_eq!(changed.comments.len(), demo.comments.len());
    for (before, after) in demo.authors.iter().zip(&changed.authors) {
        assert_ne!(before.email, after.email);
        let email = before.email.clone();
        assert_eq!(
            *before,
            author::Model {
                email,
                ..after.clone()
            }
        );
    }
    for (before, after) in demo.articles.iter().zip(&changed.articles) {
        if before.deleted_at.is_none() {
            assert_eq!(before, after);
            continue;
        }
        assert_eq!(before.id, after.id);
        assert!(after.deleted_at.is_some() && before.deleted_at != after.deleted_at);
        assert!(before.author_id != after.author_id && before.title != after.title);
        assert!(before.slug != after.slug && before.body != after.body);
        assert!(before.is_active != after.is_active && before.views != after.views);
        assert!(before.rating != after.rating && before.created_at != after.created_at);
        assert_ne!(before.updated_at, after.updated_at);
    }
}
