//! Readers are set up as the application's own connections are (b131).

use std::time::Duration;

use listing::{ReadOptions, ReadPool, ReadPoolError};
use listing_tests::{Engine, fresh_database, run};
use sea_orm::sqlx::{Executor as _, mysql::MySqlPoolOptions};
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, SqlxMySqlConnector};

use crate::base::value;

/// The URL of a database of SQLite.
fn file_of(db: &DatabaseConnection) -> String {
    let options = db.get_sqlite_connection_pool().connect_options();
    format!("sqlite:{}", options.get_filename().display())
}

/// The same database, connected to in another way.
async fn again(
    db: &DatabaseConnection,
    change: impl FnOnce(&mut ConnectOptions),
) -> DatabaseConnection {
    let name = value(db, "SELECT current_database()::text").await;
    let server = std::env::var("LISTING_TEST_POSTGRES_URL").unwrap();
    let (start, end) = server.rsplit_once('/').unwrap();
    let options = end.find('?').map_or("", |at| &end[at..]);
    let mut options = ConnectOptions::new(format!("{start}/{name}{options}"));
    options.max_connections(2);
    change(&mut options);
    Database::connect(options).await.unwrap()
}

/// Rule b131.
#[test]
fn lists_read_the_schema_that_is_written_to() {
    run(async {
        let main = fresh_database(Engine::Postgres).await;
        main.execute_unprepared(
            "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('public');
             CREATE SCHEMA tenant_b; CREATE TABLE tenant_b.notes (text TEXT)",
        )
        .await
        .unwrap();
        let db = again(&main, |options| {
            options.set_schema_search_path("tenant_b");
        })
        .await;
        let reads = ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
        db.execute_unprepared("INSERT INTO notes VALUES ('written')")
            .await
            .unwrap();
        assert_eq!(value(&reads, "SELECT text FROM notes").await, "written");
        assert_eq!(
            value(&reads, "SELECT current_schema()::text").await,
            "tenant_b"
        );
    });
}

/// Rule b131.
#[test]
fn what_sessions_of_postgresql_are_told_is_told_to_readers() {
    run(async {
        let main = fresh_database(Engine::Postgres).await;
        let role = format!("listing_reader_{}", std::process::id());
        main.execute_unprepared(&format!("CREATE ROLE {role}"))
            .await
            .unwrap();
        let set_role = format!("SET ROLE {role}");
        let db = again(&main, |options| {
            options.map_sqlx_postgres_pool_opts(move |pool| {
                let set_role = set_role.clone();
                pool.after_connect(move |connection, _| {
                    let set_role = set_role.clone();
                    Box::pin(async move {
                        let more = "SET TIME ZONE 'Asia/Tokyo'; SET lock_timeout = 4321; \
                                    SET \"DateStyle\" = 'German'; SET search_path = \"$user\", \"a\"\"b\", public";
                        connection.execute(more).await?;
                        connection.execute(sea_orm::sqlx::AssertSqlSafe(set_role)).await?;
                        Ok(())
                    })
                })
            });
            options.set_application_name("shop");
            options.statement_timeout(Duration::from_millis(7_654));
            options.map_sqlx_postgres_opts(|server| server.options([("work_mem", "5MB")]));
        })
        .await;
        let reads = ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
        for name in [
            "TimeZone",
            "lock_timeout",
            "DateStyle",
            "search_path",
            "application_name",
            "statement_timeout",
            "work_mem",
            "role",
            "extra_float_digits",
            "session_authorization",
        ] {
            let ask = format!("SELECT current_setting('{name}')");
            assert_eq!(value(&reads, &ask).await, value(&db, &ask).await, "{name}");
        }
        assert_eq!(value(&reads, "SELECT current_user::text").await, role);
        assert_eq!(value(&reads, "SHOW statement_timeout").await, "7654ms");
        // What the readers are told themselves comes first.
        let options = ReadOptions::new().statement_timeout(Duration::from_millis(1_234));
        let reads = ReadPool::alongside(&db, options).await.unwrap();
        assert_eq!(value(&reads, "SHOW statement_timeout").await, "1234ms");
        assert_eq!(
            value(&reads, "SHOW default_transaction_read_only").await,
            "on"
        );
        db.close().await.unwrap();
        main.execute_unprepared(&format!("DROP ROLE {role}"))
            .await
            .unwrap();
    });
}

/// Rule b131.
#[test]
fn what_sessions_of_mariadb_are_told_is_told_to_readers() {
    run(async {
        let main = fresh_database(Engine::Mysql).await;
        let server = main.get_mysql_connection_pool().connect_options();
        let server = server
            .as_ref()
            .clone()
            .charset("latin1")
            .collation("latin1_bin");
        let pool = MySqlPoolOptions::new().after_connect(|connection, _| {
            Box::pin(async move {
                connection
                    .execute("SET SESSION group_concat_max_len = 4321, time_zone = '+09:00'")
                    .await?;
                Ok(())
            })
        });
        let pool = pool.connect_with(server).await.unwrap();
        let db = SqlxMySqlConnector::from_sqlx_mysql_pool(pool);
        let reads = ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
        for name in [
            "group_concat_max_len",
            "time_zone",
            "sql_mode",
            "character_set_connection",
            "collation_connection",
        ] {
            let ask = format!("SELECT CAST(@@{name} AS CHAR)");
            assert_eq!(value(&reads, &ask).await, value(&db, &ask).await, "{name}");
        }
        assert_eq!(value(&reads, "SELECT @@group_concat_max_len").await, "4321");
    });
}

/// Rule b131.
#[test]
fn what_connections_of_sqlite_are_told_is_told_to_readers() {
    run(async {
        let main = fresh_database(Engine::Sqlite).await;
        let other = fresh_database(Engine::Sqlite).await;
        let file = |db: &DatabaseConnection| {
            let options = db.get_sqlite_connection_pool().connect_options();
            options.get_filename().display().to_string()
        };
        let attach = format!("ATTACH '{}' AS archive", file(&other));
        let mut options = ConnectOptions::new(format!("sqlite:{}", file(&main)));
        options.map_sqlx_sqlite_opts(|file| {
            file.pragma("case_sensitive_like", "ON")
                .pragma("trusted_schema", "OFF")
        });
        options.map_sqlx_sqlite_pool_opts(move |pool| {
            let attach = attach.clone();
            pool.after_connect(move |connection, _| {
                let attach = attach.clone();
                Box::pin(async move {
                    connection
                        .execute(sea_orm::sqlx::AssertSqlSafe(attach))
                        .await?;
                    Ok(())
                })
            })
        });
        let db = Database::connect(options).await.unwrap();
        db.execute_unprepared(
            "CREATE TABLE archive.old (a INTEGER); INSERT INTO archive.old VALUES (7)",
        )
        .await
        .unwrap();
        let reads = ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
        for ask in [
            "SELECT a FROM archive.old",
            "SELECT 'a' LIKE 'A'",
            "SELECT trusted_schema FROM pragma_trusted_schema",
        ] {
            assert_eq!(value(&reads, ask).await, value(&db, ask).await, "{ask}");
        }
        assert_eq!(value(&reads, "SELECT 'a' LIKE 'A'").await, "0");
    });
}

/// Rule b131.
#[test]
fn what_readers_of_sqlite_cannot_have_is_refused_at_start_up() {
    run(async {
        let main = fresh_database(Engine::Sqlite).await;
        let url = file_of(&main);
        let mut options = ConnectOptions::new(&url);
        options
            .map_sqlx_sqlite_opts(|file| file.collation("BY_SIZE", |a, b| a.len().cmp(&b.len())));
        let db = Database::connect(options).await.unwrap();
        let refused = ReadPool::alongside(&db, ReadOptions::new()).await;
        let Err(ReadPoolError::Session(what)) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(what, "the collation `BY_SIZE`");
        // Through the application's own connections everything can be had.
        let reads = ReadPool::from(db);
        assert_eq!(value(&reads, "SELECT 'b' COLLATE BY_SIZE = 'a'").await, "1");

        let db = Database::connect(&url).await.unwrap();
        db.execute_unprepared("ATTACH ':memory:' AS scratch")
            .await
            .unwrap();
        let refused = ReadPool::alongside(&db, ReadOptions::new())
            .await
            .unwrap_err();
        assert!(refused.to_string().contains("`scratch`"), "{refused}");
    });
}

/// SQLite lists what it brings itself only after its first use.
/// Rule b131.
#[test]
fn a_connection_that_has_read_json_is_not_different() {
    run(async {
        let main = fresh_database(Engine::Sqlite).await;
        let url = file_of(&main);
        let mut options = ConnectOptions::new(&url);
        options.max_connections(1);
        let db = Database::connect(options).await.unwrap();
        for table in ["json_each", "json_tree", "jsonb_each", "jsonb_tree"] {
            let ask = format!("SELECT count(*) FROM {table}('[]')");
            assert_ne!(value(&db, &ask).await, "");
        }
        ReadPool::alongside(&db, ReadOptions::new()).await.unwrap();
    });
}
