//! What no index serves on a large table: it is warned about at start-up, and refused where the project says so (b410–b415).

use blog::migration::Migrator;
use listing::{Settings, Unindexed};
use listing_tests::{Engine, Service, fresh_database, on_each, run, warnings_of};
use sea_orm::{ConnectionTrait, DatabaseConnection, TransactionTrait};
use sea_orm_migration::MigratorTrait;

/// 2,000 articles and 6,000 comments, of which no index finds titles, ratings and the names of those who commented; there are
/// 20 authors.
async fn blog(engine: Engine) -> DatabaseConnection {
    let db = fresh_database(engine).await;
    Migrator::up(&db, None).await.unwrap();
    blog::data::load_seed(&db, 2_000, |_, _| {}).await.unwrap();
    for (table, index) in [
        ("articles", "articles_title"),
        ("articles", "articles_title_created_at"),
        ("articles", "articles_rating"),
        ("comments", "comments_author_name"),
    ] {
        drop_index(engine, &db, table, index).await;
    }
    db
}

async fn drop_index(engine: Engine, db: &DatabaseConnection, table: &str, index: &str) {
    let on = match engine {
        Engine::Mysql => format!(" ON {table}"),
        Engine::Postgres | Engine::Sqlite => String::new(),
    };
    let statement = format!("DROP INDEX {index}{on}");
    db.execute_unprepared(&statement).await.unwrap();
}

/// The service, for which a table is large from so many rows on, and what it says when it starts.
async fn started(
    engine: Engine,
    db: &DatabaseConnection,
    unindexed: Unindexed,
    rows: u64,
) -> (Service, String) {
    let mut settings = Settings::default();
    settings.unindexed = unindexed;
    settings.unindexed_rows = rows;
    let service = Service::on(engine, db.clone(), settings).await;
    let (inspected, said) = warnings_of(service.listings.inspect_indexes(db)).await;
    inspected.unwrap();
    (service, said)
}

/// Asks for a list; gives the name in the error if it is refused for want of an index.
async fn refused(service: &Service, list: &str, query: &str) -> Option<String> {
    let reply = service.get(&format!("/api/{list}?{query}")).await;
    if reply.status == 200 {
        return None;
    }
    assert_eq!(reply.error_code(400), "unindexed", "{query}");
    let error = reply.error(400);
    Some(error["details"]["token"].as_str().unwrap().to_owned())
}

/// Rule b410.
#[test]
fn each_filter_and_sort_that_no_index_serves_is_a_warning_with_the_index_that_would() {
    on_each(|engine| {
        run(async {
            let db = blog(engine).await;
            for unindexed in [Unindexed::Warn, Unindexed::Refuse] {
                let (service, said) = started(engine, &db, unindexed, 1_000).await;
                let lines = |part: &str| said.lines().filter(|line| line.contains(part)).count();
                for (what, remedy) in [
                    (
                        "article::Entity: filter `title`: no index of `articles` (about ",
                        "CREATE INDEX articles_title_created_at ON articles (title, created_at, id);",
                    ),
                    (
                        "article::Entity: sort `rating`: no index of `articles` (about ",
                        "CREATE INDEX articles_rating ON articles (rating, id);",
                    ),
                    (
                        "CommentListing: filter `author_name`: no index of `comments` (about ",
                        "CREATE INDEX comments_author_name ON comments (author_name, id);",
                    ),
                    (
                        "article::Entity: sort `comments_count`: is computed for every row of `articles`",
                        "keep it in a column with an index",
                    ),
                ] {
                    let line = said.lines().find(|line| line.contains(what));
                    let line = line.unwrap_or_else(|| panic!("{engine}: {what} in {said}"));
                    assert!(line.contains("WARN") && line.contains(remedy), "{line}");
                }
                // What has an index, and what is small, is not worth a line.
                assert_eq!(lines("`views`") + lines("AuthorListing"), 0, "{said}");
                let texts = lines("article::Entity: filter `body`: no index");
                assert_eq!(texts, 1, "{said}");
                let inside = lines("CommentListing: filter `author_name`: no index finds a part");
                assert_eq!(inside, usize::from(engine != Engine::Postgres), "{said}");
                let served = refused(&service, "articles", "filters[title][$eq]=x").await;
                assert_eq!(served.is_none(), unindexed == Unindexed::Warn);
            }
            // An index that begins with the column finds the rows, if not in the order of the list.
            let index = "CREATE INDEX by_title ON articles (title)";
            db.execute_unprepared(index).await.unwrap();
            let (service, said) = started(engine, &db, Unindexed::Refuse, 1_000).await;
            assert!(!said.contains("filter `title`: no index of"), "{said}");
            let query = "filters[title][$eq]=x";
            assert_eq!(refused(&service, "articles", query).await, None);
            let (service, said) = started(engine, &db, Unindexed::Allow, 1_000).await;
            assert_eq!(said, "");
            assert_eq!(refused(&service, "articles", "sort=rating").await, None);
        });
    });
}

/// Rules b410, b411, b412, b413.
#[test]
fn what_no_index_serves_is_refused_unless_another_condition_finds_few_rows() {
    on_each(|engine| {
        run(async {
            let db = blog(engine).await;
            let (service, _) = started(engine, &db, Unindexed::Refuse, 1_000).await;
            let no_trigrams = (engine != Engine::Postgres).then_some("title");
            for (query, name) in [
                // What is judged.
                ("", None),
                ("filters[title][$eq]=x", Some("title")),
                ("filters[title]=x&pagination[cursor]=", Some("title")),
                ("filters[rating][$gt]=4", Some("rating")),
                ("filters[title][$ne]=x", None),
                ("filters[rating][$null]=true", None),
                ("filters[is_active][$eq]=true", None),
                ("filters[views][$gt]=4", None),
                ("filters[body][$contains]=garden", Some("body")),
                ("filters[title][$contains]=garden", no_trigrams),
                ("filters[author_country][$eq]=DE", None),
                ("sort=rating", Some("rating")),
                ("sort=views,rating:desc", Some("rating")),
                ("sort=views&fields=rating", None),
                ("sort=comments_count", Some("comments_count")),
                ("sort=author.name", None),
                ("search=garden", None),
                // What finds few rows, so that the rest is cheap.
                ("filters[title]=x&filters[author_id]=5", None),
                ("filters[title]=x&filters[author_id][$in][]=5", None),
                ("filters[body][$contains]=garden&filters[id]=5", None),
                ("filters[title]=x&search=garden", None),
                ("filters[title]=x&filters[created_at]=2026-01-31", None),
                (
                    "filters[title]=x&filters[views][$between][]=1&filters[views][$between][]=5",
                    None,
                ),
                (
                    "filters[title]=x&filters[views][$gte]=1&filters[views][$lt]=5",
                    None,
                ),
                ("sort=rating&filters[slug]=x", None),
                // What may leave nearly every row.
                ("filters[title]=x&filters[views][$gte]=0", Some("title")),
                (
                    "filters[title]=x&filters[author_id][$notNull]=true",
                    Some("title"),
                ),
                ("filters[title]=x&filters[is_active]=true", Some("title")),
                ("filters[title]=x&filters[author_country]=DE", Some("title")),
                ("filters[title]=x&search=-garden", Some("title")),
                ("sort=rating&filters[id][$ne]=1", Some("rating")),
                // Groups.
                (
                    "filters[$or][0][title]=x&filters[$or][1][author_id]=5",
                    Some("title"),
                ),
                (
                    "filters[$or][0][id]=1&filters[$or][1][author_id]=5&filters[title]=x",
                    None,
                ),
                (
                    "filters[$and][0][title]=x&filters[$and][1][author_id]=5",
                    None,
                ),
                ("filters[$not][title]=x", Some("title")),
                ("filters[$not][author_id]=5&filters[title]=x", Some("title")),
                // Through relations: to a small table, and to a large one.
                ("filters[author][name]=Ada", None),
                ("filters[title]=x&filters[author][name]=Ada", None),
                (
                    "filters[title]=x&filters[author][name][$contains]=a",
                    Some("title"),
                ),
                ("filters[comments][author_name]=Ada", Some("author_name")),
                (
                    "filters[comments][$none][author_name]=Ada",
                    Some("author_name"),
                ),
                (
                    "filters[comments][author_name]=Ada&filters[comments][article_id]=5",
                    None,
                ),
                (
                    "filters[comments][author_name]=Ada&filters[author_id]=5",
                    None,
                ),
                // They are asked of the rows of a page.
                ("populate[comments][filters][author_name]=Ada", None),
            ] {
                let refused = refused(&service, "articles", query).await;
                assert_eq!(refused.as_deref(), name, "{engine}: {query}");
            }
            tells_what_would_help(&service).await;
            let query = "filters[name][$contains]=a";
            assert_eq!(
                refused(&service, "authors", query).await,
                None,
                "a small table"
            );
        });
    });
}

async fn tells_what_would_help(service: &Service) {
    let reply = service.get("/api/articles?filters[title][$eq]=x").await;
    let error = reply.error(400);
    let message = error["message"].as_str().unwrap();
    let begin = "`$eq` on the filter `title` has no index on a table of about ";
    assert!(message.starts_with(begin), "{message}");
    let end = "00 rows; add another filter, such as `id`.";
    assert!(message.ends_with(end), "{message}");
    let details = &error["details"];
    assert_eq!(details["parameter"], "filters[title][$eq]");
    let allowed = ["id", "slug", "views", "author_id", "created_at"];
    assert_eq!(details["allowed"], serde_json::json!(allowed));
    let reply = service.get("/api/comments?filters[author_name]=Ada").await;
    let error = reply.error(400);
    let message = error["message"].as_str().unwrap();
    assert!(message.ends_with("such as `article_id`."), "{message}");
}

/// Rule b413.
#[test]
fn a_relation_without_an_index_is_refused_as_a_filter() {
    // On MariaDB a foreign key always has one.
    for engine in [Engine::Sqlite, Engine::Postgres] {
        run(async {
            let db = blog(engine).await;
            for index in ["comments_article", "comments_visible"] {
                drop_index(engine, &db, "comments", index).await;
            }
            let (service, said) = started(engine, &db, Unindexed::Refuse, 1_000).await;
            assert!(
                said.contains("article::Entity: filter through `comments`: no index of `comments`")
            );
            for (query, name) in [
                ("filters[comments][$null]=true", Some("comments")),
                ("filters[comments][article_id]=5", Some("comments")),
                ("filters[comments][$null]=true&filters[id]=5", None),
                ("filters[tags][$null]=true", None),
            ] {
                let refused = refused(&service, "articles", query).await;
                assert_eq!(refused.as_deref(), name, "{engine}: {query}");
            }
        });
    }
}

/// Rule b414.
#[test]
fn a_table_is_large_by_an_estimate_that_is_read_once() {
    on_each(|engine| {
        run(async {
            let db = blog(engine).await;
            let query = "filters[title]=x";
            let (service, said) = started(engine, &db, Unindexed::Refuse, 4_000).await;
            assert_eq!(refused(&service, "articles", query).await, None, "{engine}");
            assert!(
                said.contains("CommentListing") && !said.contains("filter `title`"),
                "{said}"
            );
            // An index that is created or dropped afterwards changes nothing.
            let (service, _) = started(engine, &db, Unindexed::Refuse, 1_000).await;
            drop_index(engine, &db, "articles", "articles_views").await;
            let index = "CREATE INDEX by_title ON articles (title)";
            db.execute_unprepared(index).await.unwrap();
            let title = refused(&service, "articles", query).await;
            assert_eq!(title.as_deref(), Some("title"), "{engine}");
            assert_eq!(refused(&service, "articles", "sort=views").await, None);
        });
    });
    // Rows whose numbers have gaps are not many.
    run(async {
        let db = fresh_database(Engine::Sqlite).await;
        Migrator::up(&db, None).await.unwrap();
        blog::data::load_demo(&db).await.unwrap();
        let far = "INSERT INTO tags (id, name) VALUES (9000000000000000000, 'far')";
        db.execute_unprepared(far).await.unwrap();
        let (_, said) = started(Engine::Sqlite, &db, Unindexed::Warn, 1_000_000).await;
        assert_eq!(said, "");
    });
}

/// Rule b415.
#[test]
fn a_catalogue_that_cannot_be_read_stops_only_a_service_that_refuses() {
    run(async {
        for unindexed in [Unindexed::Warn, Unindexed::Refuse] {
            let db = fresh_database(Engine::Sqlite).await;
            let mut settings = Settings::default();
            settings.unindexed = unindexed;
            let service = Service::on(Engine::Sqlite, db.clone(), settings).await;
            db.close_by_ref().await.unwrap();
            let (inspected, said) = warnings_of(service.listings.inspect_indexes(&db)).await;
            assert_eq!(
                inspected.is_ok(),
                unindexed == Unindexed::Warn,
                "{inspected:?}"
            );
            assert_eq!(
                said.contains("could not read the database's indexes"),
                inspected.is_ok(),
                "{said}"
            );
        }
    });
}

/// Rule b490.
#[test]
fn a_name_that_is_taken_is_not_proposed_again() {
    on_each(|engine| {
        run(async {
            let db = blog(engine).await;
            // On one connection: SQLite looks for names in the schema as the connection has read it last.
            let connection = db.begin().await.unwrap();
            for sql in [
                "SELECT id FROM articles LIMIT 1",
                "CREATE INDEX articles_rating ON articles (views)",
            ] {
                connection.execute_unprepared(sql).await.unwrap();
            }
            connection.commit().await.unwrap();
            let (_, said) = started(engine, &db, Unindexed::Warn, 1_000).await;
            let remedy = "CREATE INDEX articles_rating_2 ON articles (rating, id);";
            assert!(said.contains(remedy), "{engine}: {said}");
        });
    });
}

/// Rule b127.
#[test]
fn an_index_whose_directions_differ_finds_rows_and_gives_no_order() {
    // Not every MariaDB has descending indexes.
    for engine in [Engine::Sqlite, Engine::Postgres] {
        run(async {
            let db = blog(engine).await;
            let index = "CREATE INDEX by_rating ON articles (rating DESC, id)";
            db.execute_unprepared(index).await.unwrap();
            let (service, said) = started(engine, &db, Unindexed::Refuse, 1_000).await;
            assert!(said.contains("article::Entity: sort `rating`"), "{said}");
            assert!(!said.contains("article::Entity: filter `rating`"), "{said}");
            let sorted = refused(&service, "articles", "sort=rating").await;
            assert_eq!(sorted.as_deref(), Some("rating"), "{engine}");
            let query = "filters[rating][$gt]=4";
            assert_eq!(refused(&service, "articles", query).await, None, "{engine}");
        });
    }
}
