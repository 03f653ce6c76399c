//! Measures facets and totals: next to one exact count of the same rows by hand, and of few rows.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use serde_json::Value;

use crate::client::{Connection, get};
use crate::data::{self, Engine};
use crate::report::{median, millis, spread};
use crate::run::Places;
use crate::servers::{Program, Server, start};
use crate::slow::shown;

const ROUNDS: usize = 9;
/// Every facet and both totals that the blog has.
const NUMBERS: &str =
    "facets=is_active,author_id,tags,views,created_at&totals[views]=sum,avg&totals[rating]=avg";
/// However long they take, they are measured.
const SETTINGS: &[(&str, &str)] = &[("LISTING_NUMBERS_TIMEOUT_MS", "100000")];
/// How long the numbers of a hundredth of a million rows may take.
const OF_FEW: Duration = Duration::from_millis(25);

/// Asks for all facets and totals, in turns with a count by hand, on each database.
///
/// # Errors
/// When a goal is missed.
pub async fn numbers(places: &Places, rows: u64) -> Result<()> {
    let engines = [Engine::Postgres, Engine::Sqlite, Engine::Mysql];
    let databases = data::load(places, rows, &engines).await?;
    let mut missed = Vec::new();
    println!(
        "| database | rows | five facets and two totals | one exact count by hand | times | spread |"
    );
    println!("|---|---|---|---|---|---|");
    for engine in engines {
        let program = Program::Blog(SETTINGS);
        let running = start(&Server { engine, program }, &databases)?;
        let db = databases.connect(engine).await?;
        let mut client = Connection::open(running.address).await?;
        let most = if engine == Engine::Postgres { 2.0 } else { 6.0 };
        // A hundredth of all rows.
        let few = 100_000 - 1_000;
        for (filter, condition, is_few) in [
            (String::new(), String::new(), false),
            (
                format!("&filters[views][$gte]={few}"),
                format!(" AND views >= {few}"),
                true,
            ),
        ] {
            let request = get(&format!("/api/articles/_facets?{NUMBERS}{filter}"));
            let sql =
                format!("SELECT COUNT(*) AS n FROM articles WHERE deleted_at IS NULL{condition}");
            let (mut times, mut counts, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
            let mut counted = 0;
            for round in 0..=ROUNDS {
                let begun = Instant::now();
                let reply = client.ask(&request).await?;
                let took = begun.elapsed();
                ensure!(reply.status == 200, "numbers: {}", reply.status);
                let answer: Value = serde_json::from_slice(client.body(&reply))?;
                ensure!(!answer.to_string().contains("timedOut"), "{answer}");
                let begun = Instant::now();
                counted = count(&db, &sql).await?;
                let by_hand = begun.elapsed();
                if round > 0 {
                    times.push(millis(took));
                    counts.push(millis(by_hand));
                    ratios.push(millis(took) / millis(by_hand));
                }
            }
            let (time, ratio) = (median(&mut times), median(&mut ratios));
            println!(
                "| {engine:?} | {counted} | {} | {} | {ratio:.1} | {} |",
                shown(time),
                shown(median(&mut counts)),
                spread(&ratios)
            );
            if is_few && time > millis(OF_FEW) {
                missed.push(format!("{engine:?}: {} for {counted} rows", shown(time)));
            }
            if !is_few && ratio > most {
                missed.push(format!("{engine:?}: {ratio:.1} times one count"));
            }
        }
        db.close().await?;
    }
    ensure!(missed.is_empty(), "{}", missed.join("; "));
    Ok(())
}

async fn count(db: &DatabaseConnection, sql: &str) -> Result<i64> {
    let statement = Statement::from_string(db.get_database_backend(), sql);
    let row = db.query_one_raw(statement).await?.context("no count")?;
    Ok(row.try_get("", "n")?)
}
