//! Measures lists whose statement merely waits, and what they do to quick ones.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use futures_util::future::try_join_all;
use sea_orm::{ConnectionTrait, DatabaseConnection};
use tokio::time::timeout;

use crate::client::{Connection, get};
use crate::data::{self, Engine};
use crate::report::median;
use crate::run::Places;
use crate::servers::{Program, Server, start};
use crate::slow::{MOST, ROUNDS, pages, shown};

/// Clients that ask for the list, of which each answer takes 150 ms.
const CLIENTS: usize = 16;

/// With ten connections, 66 would be the most.
const SETTINGS: &[(&str, &str)] = &[("LISTING_READ_CONNECTIONS", "10")];
const LEAST: f64 = 60.0;

/// Enough for a page.
const ROWS: u64 = 1_000;

/// A list without an index, of which nobody knows how long it takes.
const LIST: &str = "/api/tags?pagination[withCount]=false";

/// Asks for the list, and for pages without it and next to it, on each database; what was not as it should be.
pub(crate) async fn waiting_lists(places: &Places, length: Duration) -> Result<Vec<String>> {
    let engines = [Engine::Postgres, Engine::Mysql, Engine::Sqlite];
    let databases = data::load(places, ROWS, &engines).await?;
    let mut failed = Vec::new();
    println!(
        "\n| database | answers a second of a list that waits 150 ms, {CLIENTS} clients | p99 of a page | p99 next to it | ratio |"
    );
    println!("|---|---|---|---|---|");
    for engine in engines {
        let db = databases.connect(engine).await?;
        wait_for_tags(engine, &db).await?;
        db.close().await?;
        let program = Program::Blog(SETTINGS);
        let running = start(&Server { engine, program }, &databases)?;
        let address = running.address;
        // Caches, connections and plans.
        pages(address, Duration::from_secs(2)).await?;
        let (mut alone, mut together, mut rates) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let length = length / ROUNDS;
            alone.push(pages(address, length).await?.p99);
            let waiting = try_join_all((0..CLIENTS).map(|_| ask(address, length)));
            let (pages, answers) = tokio::try_join!(pages(address, length), waiting)?;
            together.push(pages.p99);
            rates.push(answers.iter().sum::<f64>() / length.as_secs_f64());
        }
        let mut ratios: Vec<_> = alone.iter().zip(&together).map(|(a, b)| b / a).collect();
        let (rate, ratio) = (median(&mut rates), median(&mut ratios));
        println!(
            "| {engine:?} | {rate:.1} | {} | {} | {ratio:.1} |",
            shown(median(&mut alone)),
            shown(median(&mut together)),
        );
        // A statement of SQLite cannot wait: it computes, on as many processors as there are.
        if rate < LEAST && engine != Engine::Sqlite {
            failed.push(format!("{engine:?}: lists that wait do not wait together"));
        }
        if ratio > MOST {
            failed.push(format!("{engine:?}: lists that wait delay pages"));
        }
    }
    Ok(failed)
}

/// Puts a view that waits in the place of a table.
async fn wait_for_tags(engine: Engine, db: &DatabaseConnection) -> Result<()> {
    let view = match engine {
        Engine::Postgres => {
            "WITH waited AS MATERIALIZED (SELECT pg_sleep(0.15)) SELECT kept_tags.* FROM kept_tags, waited"
        }
        Engine::Mysql => {
            "SELECT kept_tags.* FROM kept_tags JOIN (SELECT SLEEP(0.15) AS waited) AS slept"
        }
        Engine::Sqlite => {
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) \
             SELECT kept_tags.* FROM kept_tags, (SELECT max(i) FROM n)"
        }
    };
    if db
        .execute_unprepared("SELECT 1 FROM kept_tags")
        .await
        .is_err()
    {
        db.execute_unprepared("ALTER TABLE tags RENAME TO kept_tags")
            .await?;
        db.execute_unprepared(&format!("CREATE VIEW tags AS {view}"))
            .await?;
    }
    Ok(())
}

/// How many lists one client was answered in this time.
async fn ask(address: SocketAddr, length: Duration) -> Result<f64> {
    let until = Instant::now() + length;
    let mut connection = Connection::open(address).await?;
    let mut answered = 0.0;
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        if let Ok(reply) = timeout(left, connection.ask(&get(LIST))).await {
            let status = reply?.status;
            ensure!(status == 200, "a list was answered with {status}");
            answered += 1.0;
        }
    }
    Ok(answered)
}
