//! Which of several hosts is used, and what is said when none can be.

use std::time::Duration;

use listing::execute::Reader as _;
use listing::render::{Shape, ShapeColumn};
use listing::{Kind, ReadOptions, ReadPool, Statement};
use listing_axum::database::{connect, connect_within, reach};
use listing_tests::run;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};
use tokio::time::{sleep, timeout};

use crate::mariadb::Mariadb;
use crate::postgres::{Postgres, url};
use crate::server::{PATIENCE, free_port};

async fn asked(db: &DatabaseConnection, sql: &str) -> i64 {
    let asked = sea_orm::Statement::from_string(db.get_database_backend(), sql);
    let row = db.query_one_raw(asked).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

/// The port of the server that a connection leads to.
async fn port(db: &DatabaseConnection) -> u16 {
    let sql = match db.get_database_backend() {
        DbBackend::MySql => "SELECT CAST(@@port AS SIGNED)",
        _ => "SELECT inet_server_port()::bigint",
    };
    u16::try_from(asked(db, sql).await).unwrap()
}

/// The same of the connections that read.
async fn read_port(reads: &ReadPool) -> String {
    let shape = Shape {
        columns: vec![ShapeColumn::key(Kind::Natural)],
    };
    let statement = Statement::new("SELECT CAST(@@port AS CHAR)", Vec::new());
    let batch = reads.read(statement, &shape).await.unwrap();
    batch.keys(0).iter().next().unwrap().to_string()
}

/// Waits until connections lead to this port.
async fn moved_to(db: &DatabaseConnection, wanted: u16) {
    let moved = async {
        while port(db).await != wanted {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, moved).await.unwrap();
}

/// Rules b1150, b1151.
#[test]
fn the_first_host_that_takes_writes_is_used_and_each_that_does_not_is_named() {
    run(async {
        let mut primary = Postgres::primary();
        let standby = primary.standby().await;
        let away = free_port();
        let hosts = format!(
            "127.0.0.1:{away},{},{}",
            standby.address(),
            primary.address()
        );
        let several = format!("postgres://postgres:secret@{hosts}/postgres?sslmode=disable");
        reach(&several).await.unwrap();
        for (attribute, expected) in [
            ("", primary.port),
            ("&target_session_attrs=primary", primary.port),
            ("&target_session_attrs=any", standby.port),
        ] {
            let db = connect(&format!("{several}{attribute}"), 2).await.unwrap();
            assert_eq!(port(&db).await, expected, "{attribute}");
            db.close().await.unwrap();
        }
        primary.process.kill();
        let error = connect(&several, 2).await.unwrap_err().to_string();
        let standby_says = format!("{}: is read-only", standby.address());
        for part in [
            &format!("127.0.0.1:{away}: "),
            &standby_says,
            &format!("{}: ", primary.address()),
        ] {
            assert!(error.contains(part.as_str()), "{part}: {error}");
        }
        assert!(
            error.contains("refused") && !error.contains("secret"),
            "{error}"
        );
        // A host that takes writes may come.
        let (promoted, connected) = tokio::join!(
            standby.promote(),
            connect_within(&several, 2, Duration::from_secs(60))
        );
        let () = promoted;
        assert_eq!(port(&connected.unwrap()).await, standby.port);
    });
}

/// Rule b1151.
#[test]
fn hosts_that_will_never_answer_are_not_waited_for() {
    run(async {
        let primary = Postgres::primary();
        let url = url(&[&primary, &primary]).replace("/postgres?", "/missing?");
        let error = connect_within(&url, 2, Duration::from_secs(3_600)).await;
        let error = error.unwrap_err().to_string();
        assert_eq!(
            error.matches("\"missing\" does not exist").count(),
            2,
            "{error}"
        );
    });
}

/// Rule b1152.
#[test]
fn connections_leave_a_server_that_became_read_only() {
    run(async {
        let (first, second) = (Mariadb::start().await, Mariadb::start().await);
        first.set_read_only(true).await;
        let several = format!(
            "mysql://app@{},{}/shop?ssl-mode=DISABLED",
            first.address(),
            second.address()
        );
        let db = connect(&several, 3).await.unwrap();
        let reads = ReadPool::alongside(&db, ReadOptions::new().connections(2))
            .await
            .unwrap();
        assert_eq!(port(&db).await, second.port);
        assert_eq!(read_port(&reads).await, second.port.to_string());
        second.set_read_only(true).await;
        first.set_read_only(false).await;
        moved_to(&db, first.port).await;
        assert_eq!(read_port(&reads).await, first.port.to_string());
        // And back, when its process is gone.
        second.set_read_only(false).await;
        let mut first = first;
        first.process.kill();
        let back = async {
            while db.ping().await.is_err() || port(&db).await != second.port {
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(PATIENCE, back).await.unwrap();
        assert_eq!(read_port(&reads).await, second.port.to_string());
    });
}

/// Rule b1154.
#[test]
fn waiting_for_a_galera_cluster_is_refused_where_there_is_none() {
    run(async {
        let server = std::env::var("LISTING_TEST_MYSQL_URL").unwrap();
        let separator = if server.contains('?') { '&' } else { '?' };
        for (url, part) in [
            (
                format!("{server}{separator}galera_sync_wait=true"),
                "no node of a Galera cluster",
            ),
            (
                format!("{server}{separator}galera_sync_wait=1"),
                "must be `true` or `false`",
            ),
            (
                "postgres://127.0.0.1:1/shop?galera_sync_wait=true".to_owned(),
                "`mysql://`",
            ),
        ] {
            let error = connect(&url, 1).await.unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let url = format!("{server}{separator}galera_sync_wait=false");
        connect(&url, 1).await.unwrap();
    });
}
