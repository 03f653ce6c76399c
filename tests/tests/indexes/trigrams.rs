//! The index of trigrams: `$contains` that few rows match does not read every row of PostgreSQL (b262).

use blog::entity::article;
use blog::migration::Migrator;
use listing::migration::TrigramIndex;
use listing::{Dialect, ListingRequest, Plans, SelectListing, Settings};
use listing_tests::{Engine, Recorder, Service, fresh_database, on_each, run};
use sea_orm::{ConnectionTrait, DatabaseConnection, EntityTrait, TransactionTrait};
use sea_orm_migration::MigratorTrait;

use crate::planned::plans;

async fn notes(engine: Engine) -> DatabaseConnection {
    let db = fresh_database(engine).await;
    let create =
        "CREATE TABLE notes (id BIGINT PRIMARY KEY, title VARCHAR(200), \"by\" VARCHAR(20))";
    let create = match engine {
        Engine::Mysql => create.replace('"', "`"),
        _ => create.to_owned(),
    };
    db.execute_unprepared(&create).await.unwrap();
    db
}

fn index() -> TrigramIndex {
    TrigramIndex::on("notes", ["title", "by"])
}

/// Rule b262.
#[test]
fn trigrams_are_created_where_the_database_has_them_and_dropped_again() {
    on_each(|engine| {
        run(async {
            let db = notes(engine).await;
            for _ in 0..2 {
                let created = index().create(&db).await.unwrap();
                assert_eq!(created, engine == Engine::Postgres);
                index().drop(&db).await.unwrap();
                // What is not there is dropped, too.
                index().drop(&db).await.unwrap();
            }
        });
    });
    let sql = index().create_sql(Dialect::Postgres);
    assert_eq!(sql[0], "CREATE EXTENSION IF NOT EXISTS pg_trgm");
    let second = r#"CREATE INDEX "notes_by_trigrams" ON "notes" USING gin ("by" gin_trgm_ops)"#;
    assert_eq!(sql[2], second);
    assert!(index().create_sql(Dialect::Sqlite).is_empty());
    assert!(index().drop_sql(Dialect::Mysql).is_empty());
}

/// A user who may not create the extension gets no index, and no error: the migration goes on.
/// Rule b262.
#[test]
fn without_the_right_to_the_extension_a_migration_goes_on() {
    run(async {
        let db = notes(Engine::Postgres).await;
        let role = format!("listing_test_weak_{}", std::process::id());
        db.execute_unprepared(&format!(
            "CREATE ROLE {role}; GRANT ALL ON SCHEMA public TO {role}; ALTER TABLE notes OWNER TO {role}"
        ))
        .await
        .unwrap();
        let as_role = format!("SET LOCAL ROLE {role}");
        let transaction = db.begin().await.unwrap();
        transaction.execute_unprepared(&as_role).await.unwrap();
        assert!(!index().create(&transaction).await.unwrap());
        let after = transaction.execute_unprepared("CREATE TABLE after (id BIGINT)");
        after.await.unwrap();
        transaction.rollback().await.unwrap();
        // Once it is there, anybody's index can use it, whatever the search path.
        db.execute_unprepared("CREATE SCHEMA elsewhere; CREATE EXTENSION pg_trgm SCHEMA elsewhere")
            .await
            .unwrap();
        db.execute_unprepared(&format!("GRANT USAGE ON SCHEMA elsewhere TO {role}"))
            .await
            .unwrap();
        let transaction = db.begin().await.unwrap();
        transaction.execute_unprepared(&as_role).await.unwrap();
        assert!(index().create(&transaction).await.unwrap());
        transaction.rollback().await.unwrap();
        db.execute_unprepared(&format!("DROP OWNED BY {role}; DROP ROLE {role}"))
            .await
            .unwrap();
    });
}

/// Rule b262.
#[test]
fn contains_that_few_rows_match_reads_the_index_of_trigrams() {
    run(async {
        let engine = Engine::Postgres;
        let db = fresh_database(engine).await;
        Migrator::up(&db, None).await.unwrap();
        blog::data::load_seed(&db, 20_000, |_, _| {}).await.unwrap();
        let service = Service::on(engine, db, Settings::default()).await;
        let (db, listings) = (&service.db, &service.listings);
        for value in ["zeppelin", "no such thing"] {
            let query = format!("filters[title][$contains]={value}");
            for plan in plans::<article::Entity>(engine, db, listings, &query).await {
                assert!(plan.contains("articles_title_trigrams"), "{value}: {plan}");
            }
        }
        // A plan that was made for a common text would walk along the order of the list: none is kept.
        let recorder = Recorder::new(db.clone());
        for (query, planned) in [
            ("filters[title][$contains]=e", Plans::ForEachRequest),
            (
                "filters[$or][0][author][name][$contains]=e",
                Plans::ForEachRequest,
            ),
            ("filters[title][$eq]=e", Plans::Shared),
        ] {
            let request = ListingRequest::from_query(listings, query).unwrap();
            let list = article::Entity::find().listing(&request);
            let _ = list.listing_paginate(&recorder).await.unwrap();
            for statement in recorder.take() {
                assert_eq!(statement.plans, planned, "{}", statement.text);
            }
        }
    });
}
