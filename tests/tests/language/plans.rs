//! Indexes serve groups, filters through relations and starts of texts (PostgreSQL and SQLite).

use listing::{Dialect, HasListing, Listings, NamedRelations, Settings};
use listing_tests::{Engine, fresh_database, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

use crate::world::{label, owner, project, project_label, task};

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
    let rows = db
        .query_all_raw(Statement::from_string(backend, explain))
        .await
        .unwrap();
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

#[test]
fn d65_d72_d86_indexes_serve_groups_relations_and_starts() {
    on_each_planner(async |engine, db| {
        let two_indexes = "filters[$or][0][name]=project 7&filters[$or][1][owner_id]=7&sort=name";
        let by_key = "filters[owner][name]=owner 7&sort=name";
        let start = "filters[name][$startsWith]=project 777&sort=id";
        for (query, wanted) in [
            (two_indexes, &["by_name", "by_owner"][..]),
            (by_key, &["owners"]),
            (start, &["by_name"]),
        ] {
            let plan = plan::<project::Entity>(db, query).await;
            for index in wanted {
                assert!(
                    plan.contains(index),
                    "{engine}, {query}: no {index} in\n{plan}"
                );
            }
            let whole = ["Seq Scan on projects", "SCAN projects\n", "SCAN projects"];
            let reads_all = whole.iter().any(|whole| {
                plan.lines()
                    .any(|line| line.trim() == *whole || line.contains("Seq Scan on projects"))
            });
            assert!(!reads_all || query == by_key, "{engine}, {query}:\n{plan}");
        }
        // The related rows are found by the foreign key, not by reading their table for each row.
        let plan = plan::<project::Entity>(
            db,
            "filters[id][$in][]=5&filters[id][$in][]=6&filters[tasks][title]=task 7",
        )
        .await;
        assert!(
            plan.contains("tasks_by_project") || plan.contains("tasks_by_title"),
            "{engine}:\n{plan}"
        );
    });
}
