//! Checks that the memory of a service under constant load stays small and flat.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::cpu::{Memory, memory_of};
use crate::data::{self, Engine};
use crate::disconnect::storm;
use crate::load::{CONNECTIONS, Load};
use crate::report::megabytes;
use crate::requests::mixture;
use crate::run::Places;
use crate::servers::Running;

/// How much memory a service may hold.
const MOST: u64 = 60 << 20;

/// Sends requests to the service on PostgreSQL, then on SQLite, for this many seconds each, and watches its memory.
///
/// # Errors
/// When a service holds over 60 MB or grows, or gives a wrong answer.
pub async fn soak(places: &Places, rows: u64, seconds: u64) -> Result<()> {
    let engines = [Engine::Postgres, Engine::Sqlite];
    let databases = data::load(places, rows, &engines).await?;
    let mut grew = Vec::new();
    println!(
        "{:<10} {:>9} {:>10} {:>10} {:>10} {:>10}",
        "", "requests", "first MB", "last MB", "most MB", "mapped MB"
    );
    for engine in engines {
        let running = Running::blog(engine, &databases)?;
        let mut load = Load::start(running.address, &mixture(rows), CONNECTIONS).await?;
        let until = Instant::now() + Duration::from_secs(seconds);
        let mut samples: Vec<Memory> = Vec::new();
        let mut requests = 0;
        while Instant::now() < until || samples.len() < 10 {
            requests += load.slice(Duration::from_secs(1)).await?.requests;
            samples.push(memory_of(running.pid)?);
        }
        // In the first tenth it fills its caches.
        let samples = &samples[samples.len() / 10..];
        let (first, last) = (samples[0].own, samples[samples.len() - 1].own);
        let most = samples.iter().map(|memory| memory.own).max().unwrap_or(0);
        let mapped = samples
            .iter()
            .map(|memory| memory.mapped)
            .max()
            .unwrap_or(0);
        println!(
            "{:<10} {requests:>9} {:>10.1} {:>10.1} {:>10.1} {:>10.1}",
            format!("{engine:?}"),
            megabytes(first),
            megabytes(last),
            megabytes(most),
            megabytes(mapped)
        );
        if most > MOST {
            grew.push(format!("{engine:?} holds over 60 MB"));
        }
        if last > first + first / 5 + (2 << 20) {
            grew.push(format!("{engine:?} grows"));
        }
    }
    println!(
        "\nMapped are pages of files, the program's own and SQLite's, which the system can take back."
    );
    ensure!(grew.is_empty(), "{}", grew.join("; "));
    Ok(())
}

/// Disconnects in the middle of this many requests, on PostgreSQL and then on SQLite, and checks that nothing was lost.
///
/// # Errors
/// When an answer was wrong or connections were lost.
pub async fn disconnect(places: &Places, rows: u64, requests: u64) -> Result<()> {
    let engines = [Engine::Postgres, Engine::Sqlite];
    let databases = data::load(places, rows, &engines).await?;
    for engine in engines {
        let running = Running::blog(engine, &databases)?;
        let targets = mixture(rows);
        // Opens every connection that the service will have.
        let mut load = Load::start(running.address, &targets, CONNECTIONS).await?;
        load.slice(Duration::from_secs(1)).await?;
        let before = databases.connections(engine).await?;
        let outcome = storm(running.address, &targets, requests).await?;
        load.slice(Duration::from_secs(1)).await?;
        let after = databases.connections(engine).await?;
        println!(
            "{engine:?}: {} requests were left, {} answers compared, none wrong; {before} connections before, {after} after",
            outcome.abandoned, outcome.verified
        );
        ensure!(
            before == after,
            "connections to {engine:?} were lost or left open"
        );
    }
    Ok(())
}
