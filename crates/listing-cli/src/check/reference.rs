//! Tests the reference service's schema on three databases: with all indexes nothing is missing, and without some exactly those.

use blog::migration::Migrator;
use listing::Settings;
use listing::whitelist::ListingDescription;
use sea_orm::{ConnectionTrait, Database as SeaDatabase};
use sea_orm_migration::MigratorTrait;

use super::compare::{Finding, compare};
use crate::database::Database;

/// A separate database, dropped at the end.
struct Own {
    server: Option<(String, String)>,
    _folder: Option<tempfile::TempDir>,
    url: String,
}

impl Own {
    async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!(
            "sqlite:{}?mode=rwc",
            folder.path().join("blog.sqlite").display()
        );
        Self {
            server: None,
            _folder: Some(folder),
            url,
        }
    }

    async fn on(variable: &str, tag: &str) -> Self {
        let server = std::env::var(variable)
            .unwrap_or_else(|_| panic!("{variable} is not set: run `cargo xtask test`"));
        let name = format!("listing_test_check_{tag}_{}", std::process::id());
        run(&server, &format!("CREATE DATABASE {name}")).await;
        let end = server.rfind('/').unwrap();
        Self {
            url: format!("{}/{name}", &server[..end]),
            server: Some((server, name)),
            _folder: None,
        }
    }

    async fn drop(self) {
        if let Some((server, name)) = &self.server {
            run(server, &format!("DROP DATABASE {name}")).await;
        }
    }
}

async fn run(url: &str, statements: &str) {
    let db = SeaDatabase::connect(url).await.unwrap();
    for statement in statements
        .split(';')
        .map(str::trim)
        .filter(|s| !s.is_empty())
    {
        let done = db.execute_unprepared(statement).await;
        done.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    db.close().await.unwrap();
}

async fn proposed(url: &str) -> Vec<String> {
    let listings = blog::resources::api(Settings::default()).unwrap().listings;
    let database = Database::open(url).await.unwrap();
    let tables = database.tables().await.unwrap();
    let names = database.index_names().await.unwrap();
    let found = compare(&listings.describe(), &tables, names);
    assert!(found.iter().all(Finding::is_advice), "{found:#?}");
    let mut remedies: Vec<_> = found.into_iter().map(|finding| finding.remedy).collect();
    remedies.sort_unstable();
    remedies.dedup();
    remedies
}

/// Drops indexes, each with the statement that should be proposed.
async fn names_exactly(own: Own, indexes: &[(&str, &str, &str)], drop: fn(&str, &str) -> String) {
    let db = SeaDatabase::connect(&own.url).await.unwrap();
    Migrator::up(&db, None).await.unwrap();
    db.close().await.unwrap();
    assert_eq!(proposed(&own.url).await, [""; 0], "nothing is missing");
    for (table, index, _) in indexes {
        run(&own.url, &drop(table, index)).await;
    }
    let mut expected: Vec<_> = indexes.iter().map(|(_, _, statement)| *statement).collect();
    expected.sort_unstable();
    let missing = proposed(&own.url).await;
    assert_eq!(missing, expected);
    run(&own.url, &missing.join(" ")).await;
    assert_eq!(proposed(&own.url).await, [""; 0], "with what was proposed");
    own.drop().await;
}

const COMPOSITE: [(&str, &str, &str); 4] = [
    (
        "articles",
        "articles_title_created_at",
        "CREATE INDEX articles_title_created_at ON articles (title, created_at, id);",
    ),
    (
        "authors",
        "authors_country_name",
        "CREATE INDEX authors_country_name ON authors (country, name, id);",
    ),
    (
        "comments",
        "comments_author_name",
        "CREATE INDEX comments_author_name ON comments (author_name, id);",
    ),
    (
        "articles",
        "articles_views",
        "CREATE INDEX articles_views ON articles (views, id);",
    ),
];

const TRIGRAMS: (&str, &str, &str) = (
    "articles",
    "articles_title_trigrams",
    "CREATE EXTENSION IF NOT EXISTS pg_trgm; \
     CREATE INDEX articles_title_trigrams ON articles USING gin (title gin_trgm_ops);",
);

/// Rule b261.
#[tokio::test]
async fn exactly_the_missing_indexes_are_named_on_sqlite() {
    let drop = |_: &str, index: &str| format!("DROP INDEX {index}");
    names_exactly(Own::sqlite().await, &COMPOSITE, drop).await;
}

/// Rule b261.
#[tokio::test]
async fn exactly_the_missing_indexes_are_named_on_mariadb() {
    let drop = |table: &str, index: &str| format!("DROP INDEX {index} ON {table}");
    names_exactly(
        Own::on("LISTING_TEST_MYSQL_URL", "blog").await,
        &COMPOSITE,
        drop,
    )
    .await;
}

/// Rules b261, b262.
#[tokio::test]
async fn exactly_the_missing_indexes_are_named_on_postgres() {
    let drop = |_: &str, index: &str| format!("DROP INDEX {index}");
    let mut indexes = COMPOSITE.to_vec();
    indexes.push(TRIGRAMS);
    names_exactly(
        Own::on("LISTING_TEST_POSTGRES_URL", "blog").await,
        &indexes,
        drop,
    )
    .await;
}

/// Rule b127.
#[tokio::test]
async fn an_index_over_some_of_the_rows_or_over_an_expression_does_not_count() {
    let own = Own::sqlite().await;
    let schema = "CREATE TABLE notes (id integer PRIMARY KEY, title text, views integer);
        CREATE INDEX by_views ON notes (views);
        CREATE INDEX of_some ON notes (title) WHERE views > 1;
        CREATE INDEX by_expression ON notes (lower(title))";
    run(&own.url, schema).await;
    let database = Database::open(&own.url).await.unwrap();
    let tables = database.tables().await.unwrap();
    let notes = tables.iter().find(|table| table.name == "notes").unwrap();
    let indexes = notes.indexes.iter();
    let indexes: Vec<_> = indexes
        .map(|index| (&*index.name, index.columns.join(",")))
        .collect();
    // An expression is named by its text, which is not the name of a column.
    let expected = [("by_expression", "(lowertitle)"), ("by_views", "views")];
    assert_eq!(
        indexes,
        expected.map(|(name, columns)| (name, columns.to_owned()))
    );
    own.drop().await;
}

/// The indexes of the table `notes`: their columns, `-` before a descending one, and the columns whose prefixes they find.
async fn indexes_of_notes(own: &Own, schema: &str) -> (Vec<(String, String)>, Vec<String>) {
    run(&own.url, schema).await;
    let database = Database::open(&own.url).await.unwrap();
    let mut tables = database.tables().await.unwrap();
    tables.retain(|table| table.name == "notes");
    let notes = tables.remove(0);
    assert_eq!(notes.key, ["id"]);
    let indexes = notes.indexes.into_iter().map(|index| {
        let column = |column: &String| match index.descending.contains(column) {
            true => format!("-{column}"),
            false => column.clone(),
        };
        let columns: Vec<_> = index.columns.iter().map(column).collect();
        (index.name.clone(), columns.join(","))
    });
    let mut starts = notes.starts;
    starts.sort_unstable();
    starts.dedup();
    (indexes.collect(), starts)
}

fn named(indexes: &[(&str, &str)]) -> Vec<(String, String)> {
    let indexes = indexes.iter();
    indexes
        .map(|(name, columns)| ((*name).to_owned(), (*columns).to_owned()))
        .collect()
}

/// Rules b127, b492.
#[tokio::test]
async fn an_index_in_another_collation_does_not_count_on_sqlite() {
    let own = Own::sqlite().await;
    let schema =
        "CREATE TABLE notes (id integer PRIMARY KEY, title text, views integer, body text);
        CREATE INDEX a_title ON notes (title COLLATE nocase, views);
        CREATE INDEX b_views ON notes (views DESC, title COLLATE NOCASE, id);
        CREATE INDEX c_body ON notes (body COLLATE BINARY, id DESC)";
    let (indexes, starts) = indexes_of_notes(&own, schema).await;
    let counted = [("b_views", "-views"), ("c_body", "body,-id")];
    assert_eq!(indexes, named(&counted));
    assert_eq!(starts, ["body", "id", "views"]);
    own.drop().await;
    // A collation that is the column's own does.
    let own = Own::sqlite().await;
    let schema =
        "CREATE TABLE notes (id text COLLATE NOCASE PRIMARY KEY, title text COLLATE NOCASE);
        CREATE INDEX a_title ON notes (title)";
    let (indexes, starts) = indexes_of_notes(&own, schema).await;
    assert_eq!(indexes, named(&[("a_title", "title")]));
    assert_eq!(starts, [""; 0], "of the key neither");
    own.drop().await;
    // The collation of another column does not matter to the key.
    let own = Own::sqlite().await;
    let schema = "CREATE TABLE notes (id text PRIMARY KEY, title text COLLATE NOCASE)";
    let (_, starts) = indexes_of_notes(&own, schema).await;
    assert_eq!(starts, ["id"]);
    own.drop().await;
}

/// Rules b127, b492.
#[tokio::test]
async fn an_index_in_another_order_does_not_count_on_postgres() {
    let own = Own::on("LISTING_TEST_POSTGRES_URL", "orders").await;
    let schema = r#"CREATE TABLE notes (id bigint PRIMARY KEY, title varchar(20), views integer, body text COLLATE "C");
        CREATE INDEX a_title ON notes (title text_pattern_ops);
        CREATE INDEX b_title ON notes (title COLLATE "POSIX");
        CREATE INDEX c_title ON notes (title, views DESC, body COLLATE "POSIX", id);
        CREATE INDEX d_body ON notes (body DESC, id) INCLUDE (views)"#;
    let (indexes, starts) = indexes_of_notes(&own, schema).await;
    let counted = [("c_title", "title,-views"), ("d_body", "-body,id")];
    assert_eq!(indexes, named(&counted));
    assert_eq!(starts, ["body", "title"]);
    own.drop().await;
}

/// Rules b490, b492.
#[tokio::test]
async fn the_index_that_is_proposed_for_char_can_be_created() {
    let own = Own::on("LISTING_TEST_POSTGRES_URL", "filled").await;
    let schema = "CREATE DOMAIN iso AS char(3);
        CREATE TABLE notes (id bigint PRIMARY KEY, code char(6), country iso, title varchar(20))";
    run(&own.url, schema).await;
    let filter = |column: &str| serde_json::json!({ "key": column, "column": column, "operators": ["$startsWith"] });
    let description = serde_json::json!([{
        "listing": "NoteListing", "table": { "schema": null, "name": "notes", "columns": [] }, "key": "id",
        "soft_delete": null, "fields": [], "sorts": [], "relations": [],
        "filters": [filter("code"), filter("country"), filter("title")],
    }]);
    let listings: Vec<ListingDescription> = serde_json::from_value(description).unwrap();
    let proposed = async || {
        let database = Database::open(&own.url).await.unwrap();
        let tables = database.tables().await.unwrap();
        let names = database.index_names().await.unwrap();
        let found = compare(&listings, &tables, names).into_iter();
        found.map(|found| found.remedy).collect::<Vec<_>>()
    };
    let missing = proposed().await;
    let expected = [
        "CREATE INDEX notes_code_start ON notes (code bpchar_pattern_ops);",
        "CREATE INDEX notes_country_start ON notes (country bpchar_pattern_ops);",
        "CREATE INDEX notes_title_start ON notes (title text_pattern_ops);",
    ];
    assert_eq!(missing, expected);
    run(&own.url, &missing.join(" ")).await;
    assert_eq!(proposed().await, [""; 0], "with what was proposed");
    own.drop().await;
}

/// Rules b127, b492.
#[tokio::test]
async fn a_descending_column_is_known_on_mariadb() {
    let own = Own::on("LISTING_TEST_MYSQL_URL", "orders").await;
    let schema =
        "CREATE TABLE notes (id bigint PRIMARY KEY, title varchar(20), views integer, body text);
        CREATE INDEX a_title ON notes (title, views DESC);
        CREATE INDEX b_body ON notes (body(5))";
    let (indexes, starts) = indexes_of_notes(&own, schema).await;
    // Servers before 10.8 accept `DESC` and ignore it.
    let forgotten = named(&[("a_title", "title,views")]);
    let known = named(&[("a_title", "title,-views")]);
    assert!(indexes == known || indexes == forgotten, "{indexes:?}");
    assert_eq!(starts, ["body", "id", "title"]);
    own.drop().await;
}

/// Rule b495.
#[tokio::test]
async fn every_kind_of_table_of_postgres_is_found() {
    let own = Own::on("LISTING_TEST_POSTGRES_URL", "kinds").await;
    let schema = "CREATE TYPE mood AS ENUM ('sad', 'happy');
        CREATE TABLE users (id bigint PRIMARY KEY);
        CREATE TABLE events (id bigint NOT NULL, day date NOT NULL, moods mood[], note varchar(20), mood mood,
            price numeric(10, 2), user_id bigint REFERENCES users, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
        CREATE TABLE events_2026 PARTITION OF events FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
        CREATE MATERIALIZED VIEW empty AS SELECT * FROM events WITH NO DATA;
        CREATE MATERIALIZED VIEW latest AS SELECT * FROM events;
        CREATE FOREIGN DATA WRAPPER elsewhere;
        CREATE SERVER other FOREIGN DATA WRAPPER elsewhere;
        CREATE FOREIGN TABLE away (id bigint NOT NULL, note text) SERVER other";
    run(&own.url, schema).await;
    let database = Database::open(&own.url).await.unwrap();
    let tables = database.tables_and_parts().await.unwrap();
    let found: Vec<_> = tables
        .iter()
        .map(|table| (&*table.name, table.view, table.part))
        .collect();
    let kinds = [
        ("away", true, false),
        ("empty", true, false),
        ("events", false, false),
        ("events_2026", false, true),
        ("latest", true, false),
        ("users", false, false),
    ];
    assert_eq!(found, kinds);
    // A materialized view has the types of its query.
    let types = |at: usize| {
        let columns = tables[at].columns.iter();
        let columns = columns.map(|column| (&column.name, &column.declared));
        columns.collect::<Vec<_>>()
    };
    assert_eq!(types(4), types(2));
    // A partition has the foreign keys of its parent.
    for table in &tables[2..=3] {
        let keys = &table.foreign_keys;
        assert_eq!(keys.len(), 1, "{}: {keys:?}", table.name);
        assert_eq!(keys[0].columns, ["user_id"]);
    }
    let served = database.tables().await.unwrap();
    assert!(served.iter().all(|table| table.name != "events_2026"));
    drop(database);
    own.drop().await;
}
