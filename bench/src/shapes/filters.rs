//! The filters of the reference service with values that no row, few rows and many rows have.

use anyhow::{Context, Result};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

use crate::data::Engine;

/// A filter as a client sends it, and the condition that somebody would write for it.
pub(super) struct Filter {
    pub(super) query: String,
    pub(super) condition: String,
    /// Whether an index finds its rows.
    pub(super) is_served: bool,
}

fn filter(query: impl AsRef<str>, condition: impl Into<String>) -> Filter {
    let query = query.as_ref();
    let query = if query.is_empty() {
        String::new()
    } else {
        format!("&{}", query.replace(' ', "+"))
    };
    Filter {
        query,
        condition: condition.into(),
        is_served: true,
    }
}

/// Values that some rows have.
struct Values {
    title: String,
    slug: String,
    author: String,
    commenter: String,
    meta_title: String,
}

async fn values(db: &DatabaseConnection) -> Result<Values> {
    let one = async |sql: &str| {
        let statement = Statement::from_string(db.get_database_backend(), sql);
        let row = db.query_one_raw(statement).await?.context("no row")?;
        anyhow::Ok(row.try_get_by_index::<String>(0)?)
    };
    Ok(Values {
        title: one("SELECT title FROM articles WHERE id = 777").await?,
        slug: one("SELECT slug FROM articles WHERE id = 777").await?,
        author: one("SELECT name FROM authors WHERE id = 77").await?,
        commenter: one("SELECT author_name FROM comments WHERE id = 777").await?,
        meta_title: one("SELECT meta_title FROM seo WHERE id = 77").await?,
    })
}

/// Every filter, for this database.
pub(super) async fn filters(engine: Engine, db: &DatabaseConnection) -> Result<Vec<Filter>> {
    let Values {
        title,
        slug,
        author,
        commenter,
        meta_title,
    } = values(db).await?;
    let (yes, no) = match engine {
        Engine::Postgres => ("true", "false"),
        Engine::Sqlite | Engine::Mysql => ("1", "0"),
    };
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let through = |table: &str, key: &str, condition: String| {
        format!("id IN (SELECT {key} FROM {table} WHERE {condition})")
    };
    let by_author =
        |condition: String| format!("author_id IN (SELECT id FROM authors WHERE {condition})");
    let with_tag = |name: &str| {
        let tag = format!(
            "tag_id IN (SELECT id FROM tags WHERE name = {})",
            quoted(name)
        );
        through("article_tags", "article_id", tag)
    };
    let name_is = |column: &str, name: &str| format!("{column} = {}", quoted(name));
    let mut all = vec![
        filter("", "1 = 1"),
        filter("filters[id]=777", "id = 777"),
        filter("filters[id]=999999999", "id = 999999999"),
        filter("filters[title]=absent", "title = 'absent'"),
        filter(format!("filters[title]={title}"), name_is("title", &title)),
        filter("filters[title][$ne]=absent", "title <> 'absent'"),
        filter("filters[slug]=absent", "slug = 'absent'"),
        filter(format!("filters[slug]={slug}"), name_is("slug", &slug)),
        filter("filters[is_active]=true", format!("is_active = {yes}")),
        filter("filters[is_active]=false", format!("is_active = {no}")),
        filter("filters[views][$gt]=200000", "views > 200000"),
        filter("filters[views][$gt]=99990", "views > 99990"),
        filter("filters[views][$gt]=50000", "views > 50000"),
        filter("filters[views]=975", "views = 975"),
        filter(
            "filters[views][$between][]=10&filters[views][$between][]=12",
            "views BETWEEN 10 AND 12",
        ),
        filter("filters[$not][views][$gt]=5", "views <= 5"),
        filter("filters[rating][$gt]=100", "rating > 100"),
        filter("filters[rating][$gte]=5", "rating >= 5"),
        filter("filters[rating][$null]=true", "rating IS NULL"),
        filter("filters[author_id]=77", "author_id = 77"),
        filter("filters[author_id]=999999999", "author_id = 999999999"),
        filter("filters[author_id][$null]=true", "author_id IS NULL"),
        filter(
            "filters[created_at][$gt]=2200-01-01",
            "created_at > '2200-01-01'",
        ),
        filter(
            "filters[created_at][$lt]=2023-01-03",
            "created_at < '2023-01-03'",
        ),
        filter(
            "filters[created_at][$gt]=2023-01-03",
            "created_at > '2023-01-03'",
        ),
        filter(
            "filters[author_country]=DE",
            by_author("country = 'DE'".to_owned()),
        ),
        filter(
            "filters[author][country]=DE",
            by_author("country = 'DE'".to_owned()),
        ),
        filter(
            "filters[author][name]=nobody",
            by_author("name = 'nobody'".to_owned()),
        ),
        filter(
            format!("filters[author][name]={author}"),
            by_author(name_is("name", &author)),
        ),
        filter(
            "filters[comments][author_name]=nobody",
            through(
                "comments",
                "article_id",
                format!("author_name = 'nobody' AND is_hidden = {no}"),
            ),
        ),
        filter(
            format!("filters[comments][author_name]={commenter}"),
            through(
                "comments",
                "article_id",
                format!("author_name = {} AND is_hidden = {no}", quoted(&commenter)),
            ),
        ),
        filter("filters[tags][name]=absent", with_tag("absent")),
        filter("filters[tags][name]=travel", with_tag("travel")),
        filter(
            "filters[seo][meta_title]=absent",
            through("seo", "article_id", "meta_title = 'absent'".to_owned()),
        ),
        filter(
            format!("filters[seo][meta_title]={meta_title}"),
            through("seo", "article_id", name_is("meta_title", &meta_title)),
        ),
        filter(
            "filters[$or][0][author][name]=nobody&filters[$or][1][views][$gt]=99995",
            format!(
                "({} OR views > 99995)",
                by_author("name = 'nobody'".to_owned())
            ),
        ),
        filter(
            "filters[$or][0][author][name]=nobody&filters[$or][1][tags][name]=absent",
            format!(
                "({} OR {})",
                by_author("name = 'nobody'".to_owned()),
                with_tag("absent")
            ),
        ),
    ];
    for word in ["zzqx", "lighthouse", "museum winter harbour"] {
        all.push(filter(format!("search={word}"), search(engine, word)));
    }
    for part in ["zzqx", "ghthou"] {
        let like = match engine {
            Engine::Postgres | Engine::Sqlite => format!("title LIKE '%{part}%'"),
            Engine::Mysql => format!("title LIKE BINARY '%{part}%'"),
        };
        all.push(Filter {
            is_served: engine == Engine::Postgres,
            ..filter(format!("filters[title][$contains]={part}"), like)
        });
    }
    Ok(all)
}

fn search(engine: Engine, words: &str) -> String {
    match engine {
        Engine::Postgres => {
            format!("search_vector @@ plainto_tsquery('simple', '{words}')")
        }
        Engine::Sqlite => format!(
            "articles.rowid IN (SELECT rowid FROM articles_search WHERE articles_search MATCH '{words}')"
        ),
        Engine::Mysql => {
            let all: Vec<_> = words.split(' ').map(|word| format!("+{word}")).collect();
            format!(
                "MATCH(search_title, search_body) AGAINST('{}' IN BOOLEAN MODE)",
                all.join(" ")
            )
        }
    }
}
