//! Indexes serve groups, filters through relations and starts of texts (PostgreSQL and SQLite).

use listing::{
    Context, Dialect, HasListing, ListingRequest, Listings, NamedRelations, SelectListing, Settings,
};
use listing_tests::{Engine, Recorder, fresh_database, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement, TransactionTrait};
use serde_json::{Value, json};

use crate::world::{Tenant, label, owner, project, project_label, task};

/// Tables of so many rows that an index is worth its while.
async fn tables(engine: Engine) -> DatabaseConnection {
    let db = fresh_database(engine).await;
    let numbers = match engine {
        Engine::Postgres => "SELECT n FROM generate_series(1, 20000) AS s (n)",
        _ => {
            "WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n FROM s"
        }
    };
    let text = if engine == Engine::Postgres {
        "text_pattern_ops"
    } else {
        ""
    };
    for sql in [
        "CREATE TABLE projects (id BIGINT PRIMARY KEY, name TEXT NOT NULL, owner_id BIGINT, \
         tenant BIGINT NOT NULL, budget DECIMAL(28, 10))"
            .to_owned(),
        "CREATE TABLE owners (id BIGINT PRIMARY KEY, name TEXT NOT NULL, tenant BIGINT NOT NULL, \
         deleted_at TIMESTAMP)"
            .to_owned(),
        "CREATE TABLE tasks (id BIGINT PRIMARY KEY, project_id BIGINT NOT NULL, parent_id BIGINT, \
         title TEXT, done BOOLEAN, hidden BOOLEAN NOT NULL)"
            .to_owned(),
        format!(
            "INSERT INTO projects SELECT n, 'project ' || n, n % 2000, 1, NULL FROM ({numbers}) AS m"
        ),
        format!("INSERT INTO owners SELECT n, 'owner ' || n, 1, NULL FROM ({numbers}) AS m"),
        format!(
            "INSERT INTO tasks SELECT n, n, NULL, 'task ' || n, NULL, {} FROM ({numbers}) AS m",
            if engine == Engine::Postgres {
                "false"
            } else {
                "0"
            }
        ),
        format!("CREATE INDEX by_name ON projects (name {text})"),
        "CREATE INDEX by_owner ON projects (owner_id)".to_owned(),
        format!("CREATE INDEX owners_by_name ON owners (name {text})"),
        "CREATE INDEX tasks_by_project ON tasks (project_id)".to_owned(),
        "CREATE INDEX tasks_by_title ON tasks (title)".to_owned(),
        "ANALYZE".to_owned(),
    ] {
        db.execute_unprepared(&sql).await.unwrap();
    }
    db
}

fn listings() -> Listings {
    Listings::builder(Settings::default())
        .add::<project::Entity>()
        .add::<owner::Entity>()
        .add::<label::Entity>()
        .add::<project_label::Entity>()
        .add::<task::Entity>()
        .build()
        .unwrap()
}

/// The plan of a list's page, in the database's own words.
async fn plan<E: HasListing + NamedRelations>(db: &DatabaseConnection, query: &str) -> String {
    let listings = listings();
    let backend = db.get_database_backend();
    let dialect = Dialect::of(backend).unwrap();
    let explained = listings
        .explain(listings.of::<E>().unwrap(), query, dialect)
        .unwrap();
    let page = &explained.statements[0].literal;
    let explain = match dialect {
        Dialect::Postgres => format!("EXPLAIN {page}"),
        _ => format!("EXPLAIN QUERY PLAN {page}"),
    };
    // A connection to SQLite hears of new indexes when it runs a statement, and not when it explains one.
    let same = db.begin().await.unwrap();
    let asked = async |text: String| {
        let statement = Statement::from_string(backend, text);
        same.query_all_raw(statement).await.unwrap()
    };
    asked(page.clone()).await;
    let rows = asked(explain).await;
    let column = if dialect == Dialect::Postgres { 0 } else { 3 };
    let lines = rows
        .iter()
        .map(|row| row.try_get_by_index::<String>(column).unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

fn on_each_planner(test: impl AsyncFn(Engine, &DatabaseConnection)) {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        run(async {
            let db = tables(engine).await;
            test(engine, &db).await;
        });
    }
}

/// Whether a table is read from beginning to end.
fn reads_all(engine: Engine, plan: &str, table: &str) -> bool {
    let whole = match engine {
        Engine::Postgres => format!("Seq Scan on {table}"),
        _ => format!("SCAN {table}"),
    };
    plan.lines().any(|line| {
        let rest = line.split_once(&whole).map(|(_, rest)| rest);
        // `SCAN … USING INDEX` walks in the order of the index, and stops when the page is full.
        rest.is_some_and(|rest| !rest.contains("USING") && !rest.starts_with('_'))
    })
}

/// Rules d65, d86.
#[test]
fn indexes_serve_groups_and_starts() {
    on_each_planner(async |engine, db| {
        for (query, wanted) in [
            (
                "filters[$or][0][name]=project 7&filters[$or][1][owner_id]=7&sort=name",
                &["by_name", "by_owner"][..],
            ),
            (
                "filters[name][$startsWith]=project 777&sort=id",
                &["by_name"],
            ),
            (
                "filters[$or][0][name][$startsWith]=project 777&filters[$or][1][owner_id][$in][]=7&sort=id",
                &["by_name", "by_owner"],
            ),
        ] {
            let plan = plan::<project::Entity>(db, query).await;
            for index in wanted {
                assert!(
                    plan.contains(index),
                    "{engine}, {query}: no {index} in\n{plan}"
                );
            }
            assert!(
                !reads_all(engine, &plan, "projects"),
                "{engine}, {query}:\n{plan}"
            );
        }
    });
}

/// Rule d72.
#[test]
fn the_foreign_key_serves_a_filter_through_a_relation() {
    on_each_planner(async |engine, db| {
        // The related rows of a few projects, by a condition that most tasks meet: only the foreign key finds them.
        for quantifier in ["", "[$some]", "[$none]", "[$every]"] {
            let query = format!(
                "filters[id][$in][]=5&filters[id][$in][]=6&filters[tasks]{quantifier}[title][$contains]=task"
            );
            let plan = plan::<project::Entity>(db, &query).await;
            assert!(plan.contains("tasks_by_project"), "{engine}:\n{plan}");
            assert!(!plan.contains("tasks_by_title"), "{engine}:\n{plan}");
            for table in ["projects", "tasks"] {
                assert!(!reads_all(engine, &plan, table), "{engine}:\n{plan}");
            }
        }
        // The rows of one parent, which is found by its name: from the parent to its rows by the foreign key.
        let query = "filters[owner][name]=owner 7";
        let plan = plan::<project::Entity>(db, query).await;
        let key = match engine {
            Engine::Postgres => plan.contains("owners_by_name") && plan.contains("by_owner"),
            // SQLite looks the owner of each project up by its key, until the page is full.
            _ => plan.contains("SEARCH owners") || plan.contains("owners_by_name"),
        };
        assert!(key, "{engine}:\n{plan}");
        assert!(!reads_all(engine, &plan, "owners"), "{engine}:\n{plan}");
    });
}

/// What is shown on SQLite, and the statement that reads the related rows.
async fn populated<E: HasListing + NamedRelations>(
    db: &DatabaseConnection,
    query: &str,
) -> (Value, listing::Statement) {
    let listings = listings();
    let recorder = Recorder::new(db.clone());
    let request = ListingRequest::from_query(&listings, query).unwrap();
    let request = request.with_context(Context::new().with(Tenant(1)));
    let page = E::find()
        .listing(&request)
        .listing_paginate(&recorder)
        .await;
    let body = page.unwrap().body(200, None, true);
    let mut body: Value = serde_json::from_slice(&body).unwrap();
    (body["data"].take(), recorder.take().pop().unwrap())
}

/// How SQLite reads these tables.
async fn reads(
    db: &DatabaseConnection,
    statement: listing::Statement,
    tables: &[&str],
) -> Vec<String> {
    let explain = format!("EXPLAIN QUERY PLAN {}", statement.text);
    let explain = Statement::from_sql_and_values(DbBackend::Sqlite, explain, statement.values);
    let lines = db.query_all_raw(explain).await.unwrap();
    let lines = lines
        .iter()
        .map(|row| row.try_get_by_index::<String>(3).unwrap());
    let names = |line: &String| tables.contains(&line.split(' ').nth(1).unwrap_or_default());
    lines.filter(names).collect()
}

/// SQLite keeps one text for any number of parents, and finds their rows first in an index and then by their keys.
/// Rules d45, b444.
#[test]
fn rows_of_any_number_of_parents_are_picked_by_index() {
    run(async {
        let db = tables(Engine::Sqlite).await;
        let of = async |parents: u64| {
            let query = format!(
                "sort=id&pagination[pageSize]={parents}&populate[projects][sort]=name:desc\
                 &populate[projects][pagination][limit]=3"
            );
            populated::<owner::Entity>(&db, &query).await.1
        };
        let statement = of(100).await;
        assert_eq!(statement.text, of(2).await.text);
        assert_eq!(
            reads(&db, statement, &["projects"]).await,
            [
                "SEARCH projects USING INDEX by_owner (owner_id=?)",
                "SEARCH projects USING INDEX sqlite_autoindex_projects_1 (id=?)"
            ]
        );
    });
}

/// Links of a junction that can repeat them are looked up, too.
/// Rules d45, b260, b444.
#[test]
fn links_are_picked_by_index() {
    run(async {
        let db = tables(Engine::Sqlite).await;
        for sql in [
            "CREATE TABLE labels (id BIGINT PRIMARY KEY, name TEXT NOT NULL, tenant BIGINT NOT NULL)",
            "CREATE TABLE project_labels (id BIGINT PRIMARY KEY, project_id BIGINT NOT NULL, \
             label_id BIGINT NOT NULL, tenant BIGINT NOT NULL, kind TEXT NOT NULL, removed_at TEXT)",
            "CREATE INDEX links_by_project ON project_labels (project_id)",
            "INSERT INTO labels SELECT id, name, 1 FROM owners",
            "INSERT INTO project_labels SELECT id, id, id, 1, 'main', NULL FROM projects",
            "INSERT INTO project_labels SELECT id + 50000, id, id, 1, 'main', NULL FROM projects",
            "ANALYZE",
        ] {
            db.execute_unprepared(sql).await.unwrap();
        }
        let query = "sort=id&pagination[pageSize]=2&fields=id&populate[labels][fields]=name";
        let (shown, statement) = populated::<project::Entity>(&db, query).await;
        let label =
            |id: u64| json!({ "id": id, "labels": [{ "id": id, "name": format!("owner {id}") }] });
        assert_eq!(shown, json!([label(1), label(2)]));
        let found = reads(&db, statement, &["project_labels"]).await;
        assert_eq!(
            found,
            ["SEARCH project_labels USING INDEX links_by_project (project_id=?)"]
        );
    });
}

/// Keys that are kept as text, and keys that are there twice.
/// Rules d44, d45, b444.
#[test]
fn picked_rows_are_those_that_can_be_seen() {
    run(async {
        let db = tables(Engine::Sqlite).await;
        for sql in [
            "DROP TABLE tasks",
            "CREATE TABLE tasks (id BIGINT, project_id TEXT NOT NULL, parent_id BIGINT, title TEXT, \
             done BOOLEAN, hidden BOOLEAN NOT NULL)",
            "INSERT INTO tasks VALUES (1, '1', NULL, 'shown', NULL, 0), (1, '1', NULL, 'secret', NULL, 1)",
        ] {
            db.execute_unprepared(sql).await.unwrap();
        }
        let query = "sort=id&pagination[pageSize]=1&fields=id&populate[tasks][fields]=title";
        let (shown, _) = populated::<project::Entity>(&db, query).await;
        let tasks = json!([{ "id": 1, "title": "shown" }]);
        assert_eq!(shown, json!([{ "id": 1, "tasks": tasks }]));
    });
}
