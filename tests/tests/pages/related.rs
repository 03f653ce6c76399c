//! Lists that are sorted by a column of a related row: every row once, and read from the related side's index (b270).

use listing_tests::{Engine, Service, on_each_database, on_each_fresh_database};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

use crate::many::many_rows;
use crate::plans::{plan, statements};
use crate::walk::cursor;

/// The ids of all articles, in an order that is written by hand.
async fn in_order(db: &DatabaseConnection, order: &str) -> Vec<i64> {
    let sql = format!(
        "SELECT a.id AS id FROM articles a LEFT JOIN authors o ON o.id = a.author_id \
         LEFT JOIN seo s ON s.article_id = a.id WHERE a.deleted_at IS NULL ORDER BY {order}"
    );
    let statement = Statement::from_string(db.get_database_backend(), sql);
    let rows = db.query_all_raw(statement).await.unwrap();
    rows.iter()
        .map(|row| row.try_get("", "id").unwrap())
        .collect()
}

const ORDERS: [(&str, &str); 5] = [
    ("author.name", "o.name IS NULL, o.name, a.id"),
    (
        "author.name:desc",
        "o.name IS NOT NULL, o.name DESC, a.id DESC",
    ),
    ("seo.meta_title", "s.meta_title IS NULL, s.meta_title, a.id"),
    (
        "author.name:desc,seo.meta_title",
        "o.name IS NOT NULL, o.name DESC, s.meta_title IS NULL, s.meta_title, a.id",
    ),
    (
        "seo.meta_title:desc,views",
        "s.meta_title IS NOT NULL, s.meta_title DESC, a.views, a.id",
    ),
];

/// Rule b270.
#[test]
fn pages_by_a_related_column_show_every_row_once_with_and_without_it() {
    on_each_database(async |service| {
        for (sort, order) in ORDERS {
            let expected = in_order(&service.db, order).await;
            for size in [7, 100] {
                for count in ["true", "false"] {
                    let mut shown = Vec::new();
                    for page in 1.. {
                        let path = format!(
                            "/api/articles?fields=id&sort={sort}&pagination[page]={page}\
                             &pagination[pageSize]={size}&pagination[withCount]={count}"
                        );
                        let ids = service.get(&path).await.ok().ids();
                        if ids.is_empty() {
                            break;
                        }
                        shown.extend(ids);
                    }
                    assert_eq!(shown, expected, "{sort} in pages of {size}");
                }
            }
            // The page in the middle of which rows with a value end, from an odd place.
            for start in (3..expected.len()).step_by(41) {
                let path = format!(
                    "/api/articles?fields=id&sort={sort}&pagination[start]={start}&pagination[limit]=50"
                );
                let ids = service.get(&path).await.ok().ids();
                let end = (start + 50).min(expected.len());
                assert_eq!(ids, expected[start..end], "{sort} from {start}");
            }
        }
    });
}

/// Authors and SEO texts for many articles.
async fn many_related_rows(service: &Service) {
    many_rows(&service.db).await;
    let series = "WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 3000) SELECT i FROM s";
    for sql in [
        format!(
            "INSERT INTO authors (name, email, country, created_at) \
             SELECT 'Writer ' || i / 3, 'writer' || i || '@example.org', 'DE', \
             (SELECT MIN(created_at) FROM articles) FROM ({series}) AS n"
        ),
        "UPDATE articles SET author_id = (SELECT MIN(id) FROM authors WHERE country = 'DE' AND name LIKE 'Writer %') \
         + id % 3000 WHERE title = 'Many' AND id % 20 > 0"
            .to_owned(),
        "INSERT INTO seo (article_id, meta_title, meta_description) \
         SELECT id, slug, slug FROM articles WHERE title = 'Many' AND id % 2 = 0"
            .to_owned(),
    ] {
        service.db.execute_unprepared(&sql).await.unwrap();
    }
    if service.engine != Engine::Mysql {
        service.db.execute_unprepared("ANALYZE").await.unwrap();
    }
}

/// Whether the rows come from an index in their order, apart from rows that are equal in what is sorted by.
fn is_read_in_order(engine: Engine, plan: &str) -> bool {
    match engine {
        Engine::Postgres => !plan.contains(r#""Node Type":"Sort""#),
        _ => !plan.contains("B-TREE FOR ORDER BY"),
    }
}

/// Rule b270.
#[test]
fn a_sort_by_a_related_column_reads_that_columns_index() {
    on_each_fresh_database(async |service| {
        if service.engine == Engine::Mysql {
            return;
        }
        many_related_rows(service).await;
        for (sort, index) in [
            ("author.name", "authors_name"),
            ("author.name:desc", "authors_name"),
            ("seo.meta_title", "seo_meta_title"),
            ("seo.meta_title:desc", "seo_meta_title"),
        ] {
            let mut token = String::new();
            let mut from_index = 0;
            for _ in 0..3 {
                let query = format!(
                    "fields=id&sort={sort}&pagination[cursor]={token}&pagination[pageSize]=100"
                );
                for statement in statements(service, &query).await {
                    let joined = statement.text.contains("INNER JOIN");
                    let plan = plan(service, statement).await;
                    assert!(is_read_in_order(service.engine, &plan), "{sort}: {plan}");
                    assert!(!joined || plan.contains(index), "{sort}: {plan}");
                    from_index += usize::from(joined);
                }
                let reply = service.get(&format!("/api/articles?{query}")).await.ok();
                token = cursor(&reply, "nextCursor").unwrap();
            }
            let nulls_first = sort.ends_with("desc");
            assert!(from_index > 0 || nulls_first, "{sort}");
        }
    });
}
