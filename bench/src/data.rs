//! Fills three databases with a given number of articles and keeps them for the next run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement};

use crate::servers::{built_with_this, without_settings};

/// Where rows come from. A number that changes when the rows of `--seed` do, so that old ones are not measured.
const VERSION: i32 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Engine {
    Postgres,
    Sqlite,
    Mysql,
}

/// Where databases may be created.
#[derive(Debug, Clone)]
pub struct Places {
    /// A PostgreSQL server.
    pub postgres: String,
    /// A MariaDB server.
    pub mysql: String,
    /// A folder for SQLite's file.
    pub folder: PathBuf,
}

/// One database of each kind.
#[derive(Debug)]
pub(crate) struct Databases {
    pub(crate) rows: u64,
    postgres: String,
    mysql: String,
    sqlite: String,
}

impl Databases {
    pub(crate) fn url(&self, engine: Engine) -> &str {
        match engine {
            Engine::Postgres => &self.postgres,
            Engine::Sqlite => &self.sqlite,
            Engine::Mysql => &self.mysql,
        }
    }

    pub(crate) async fn connect(&self, engine: Engine) -> Result<DatabaseConnection> {
        Ok(blog::connect::connect(self.url(engine), 1).await?)
    }

    /// How many connections a server has to its database, apart from the one that counts them. SQLite has no server.
    pub(crate) async fn connections(&self, engine: Engine) -> Result<i64> {
        let sql = match engine {
            Engine::Sqlite => return Ok(0),
            Engine::Postgres => {
                "SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = current_database()"
            }
            Engine::Mysql => {
                "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = database()"
            }
        };
        let db = self.connect(engine).await?;
        let row = db
            .query_one_raw(Statement::from_string(db.get_database_backend(), sql))
            .await?
            .context("no count")?;
        db.clone().close().await?;
        Ok(row.try_get::<i64>("", "n")? - 1)
    }
}

/// Finds the databases with this many articles, and loads those that are needed and not loaded yet.
pub(crate) async fn load(places: &Places, rows: u64, engines: &[Engine]) -> Result<Databases> {
    load_as(places, rows, engines, "", None).await
}

/// The same twice, for two sides that may write and lose rows: each has its own events, which the other must not take.
pub(crate) async fn load_to_write(
    places: &Places,
    rows: u64,
    engines: &[Engine],
) -> Result<[Databases; 2]> {
    let ours = load_as(places, rows, engines, "_writes", None).await?;
    let theirs = load_as(places, rows, engines, "_writes_bare", None).await?;
    Ok([ours, theirs])
}

/// The same for another build of the service, which has databases of its own.
pub(crate) async fn load_by(
    places: &Places,
    rows: u64,
    engines: &[Engine],
    other: &Path,
) -> Result<Databases> {
    load_as(places, rows, engines, "_other", Some(other)).await
}

async fn load_as(
    places: &Places,
    rows: u64,
    engines: &[Engine],
    whose: &str,
    other: Option<&Path>,
) -> Result<Databases> {
    let name = format!("listing_bench_{rows}{whose}");
    let databases = Databases {
        rows,
        postgres: at_database(&places.postgres, &name)?,
        mysql: at_database(&places.mysql, &name)?,
        sqlite: format!("sqlite:{}", places.folder.join(name + ".sqlite").display()),
    };
    let loading = engines
        .iter()
        .map(|engine| load_one(places, &databases, *engine, other));
    futures_util::future::try_join_all(loading).await?;
    Ok(databases)
}

async fn load_one(
    places: &Places,
    databases: &Databases,
    engine: Engine,
    other: Option<&Path>,
) -> Result<()> {
    if is_loaded(databases, engine).await {
        return Ok(());
    }
    eprintln!("loading {} articles into {engine:?}", databases.rows);
    let url = databases.url(engine);
    match engine {
        Engine::Postgres => recreate(&places.postgres, url).await?,
        Engine::Mysql => recreate(&places.mysql, url).await?,
        Engine::Sqlite => {
            let file = url.trim_start_matches("sqlite:");
            for suffix in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{file}{suffix}"));
            }
        }
    }
    let mut blog = match other {
        Some(other) => without_settings(Command::new(other)),
        None => built_with_this("blog")?,
    };
    blog.args(["--seed", &databases.rows.to_string(), "--load-only"])
        // Slow statements are expected here.
        .env("RUST_LOG", "error")
        .env("DATABASE_URL", url);
    let status = tokio::task::spawn_blocking(move || blog.status()).await??;
    ensure!(
        status.success(),
        "the rows could not be loaded into {engine:?}"
    );
    let db = databases.connect(engine).await?;
    db.execute_unprepared("CREATE TABLE bench_rows (version INTEGER NOT NULL)")
        .await?;
    db.execute_unprepared(&format!("INSERT INTO bench_rows VALUES ({VERSION})"))
        .await?;
    db.close().await?;
    Ok(())
}

/// The last thing that is written after the rows says which rows they are.
async fn is_loaded(databases: &Databases, engine: Engine) -> bool {
    let version = async {
        let db = databases.connect(engine).await?;
        let row = db
            .query_one_raw(Statement::from_string(
                db.get_database_backend(),
                "SELECT version FROM bench_rows",
            ))
            .await?
            .context("no row")?;
        let version: i32 = row.try_get("", "version")?;
        anyhow::Ok(version)
    };
    version.await.is_ok_and(|version| version == VERSION)
}

async fn recreate(server: &str, url: &str) -> Result<()> {
    let (_, name) = url.rsplit_once('/').context("no database in the URL")?;
    let db = Database::connect(server).await?;
    db.execute_unprepared(&format!("DROP DATABASE IF EXISTS {name}"))
        .await?;
    db.execute_unprepared(&format!("CREATE DATABASE {name}"))
        .await?;
    db.close().await?;
    Ok(())
}

pub(crate) fn at_database(server: &str, name: &str) -> Result<String> {
    let (start, _) = server
        .rsplit_once('/')
        .context("the server's URL names no database")?;
    Ok(format!("{start}/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b113.
    #[tokio::test]
    async fn databases_are_named_after_their_number_of_rows() {
        let places = Places {
            postgres: "postgres://me@host/postgres".to_owned(),
            mysql: "mysql://me@host/mysql".to_owned(),
            folder: "kept".into(),
        };
        let databases = load(&places, 700, &[]).await.unwrap();
        for (engine, url) in [
            (Engine::Postgres, "postgres://me@host/listing_bench_700"),
            (Engine::Mysql, "mysql://me@host/listing_bench_700"),
            (Engine::Sqlite, "sqlite:kept/listing_bench_700.sqlite"),
        ] {
            assert_eq!(databases.url(engine), url);
        }
    }
}
