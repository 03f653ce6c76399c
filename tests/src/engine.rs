//! Creates an empty database on an engine for a test program.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

use listing::{ReadOptions, ReadPool};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection};

/// The three databases that every rule is tried on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Embedded.
    Sqlite,
    /// The server that `LISTING_TEST_POSTGRES_URL` names.
    Postgres,
    /// The server that `LISTING_TEST_MYSQL_URL` names.
    Mysql,
}

impl Engine {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sqlite, Self::Postgres, Self::Mysql];
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
            Self::Mysql => "MariaDB",
        })
    }
}

/// A new, empty database.
pub async fn fresh_database(engine: Engine) -> DatabaseConnection {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // The process is in the name, so that two test programs do not meet on one server.
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("listing_test_{}_{number}", std::process::id());
    let url = match engine {
        Engine::Sqlite => {
            let folder = std::env::temp_dir().join("listing-tests");
            std::fs::create_dir_all(&folder).unwrap();
            let file = folder.join(format!("{name}.sqlite"));
            for suffix in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{}{suffix}", file.display()));
            }
            format!("sqlite:{}", file.display())
        }
        Engine::Postgres => {
            let server = server("LISTING_TEST_POSTGRES_URL");
            execute(&server, &format!("DROP DATABASE IF EXISTS {name}")).await;
            execute(&server, &format!("CREATE DATABASE {name}")).await;
            at_database(&server, &name)
        }
        Engine::Mysql => {
            let server = server("LISTING_TEST_MYSQL_URL");
            execute(&server, &format!("DROP DATABASE IF EXISTS {name}")).await;
            execute(&server, &format!("CREATE DATABASE {name}")).await;
            with_room_for_statements(&at_database(&server, &name))
        }
    };
    blog::connect::connect(&url, 5).await.unwrap()
}

/// Connections for the service to a database of the tests: through the pooler that `LISTING_TEST_POSTGRES_POOLER` names, or else
/// those of the test itself.
pub(crate) async fn of_service(db: &DatabaseConnection) -> DatabaseConnection {
    let pooler = std::env::var("LISTING_TEST_POSTGRES_POOLER");
    let Some(pooler) = pooler.ok().filter(|_| is_postgres(db)) else {
        return db.clone();
    };
    let server = db.get_postgres_connection_pool().connect_options();
    let url = at_database(&pooler, server.get_database().unwrap());
    blog::connect::connect(&url, 5).await.unwrap()
}

fn is_postgres(db: &DatabaseConnection) -> bool {
    db.get_database_backend() == sea_orm::DbBackend::Postgres
}

/// Reads a database the fast way, or through SeaORM where `LISTING_TEST_READER` is `seaorm`.
pub async fn reads(db: &DatabaseConnection) -> ReadPool {
    if std::env::var("LISTING_TEST_READER").as_deref() == Ok("seaorm") {
        return db.clone().into();
    }
    // Two are enough to meet each other, and a server has only so many for all tests.
    let db = of_service(db).await;
    ReadPool::alongside(&db, ReadOptions::new().connections(2))
        .await
        .unwrap()
}

fn server(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| {
        panic!("{variable} is not set: run the tests with `cargo xtask test`, which brings the databases")
    })
}

async fn execute(server: &str, sql: &str) {
    let db = Database::connect(server).await.unwrap();
    db.execute_unprepared(sql).await.unwrap();
    db.close().await.unwrap();
}

/// Random tests send more different statements than the driver keeps prepared. Each one too many is closed by a message
/// of its own, and on a connection without TCP_NODELAY, which the driver does not set, the next message then waits 40 ms.
fn with_room_for_statements(url: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}statement-cache-capacity=1000")
}

/// The server's URL with another database.
fn at_database(server: &str, name: &str) -> String {
    let (server, options) = server.split_once('?').unwrap_or((server, ""));
    let (start, _) = server.rsplit_once('/').unwrap();
    if options.is_empty() {
        format!("{start}/{name}")
    } else {
        format!("{start}/{name}?{options}")
    }
}
