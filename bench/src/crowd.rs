//! Watches the memory of a service that many clients ask for large lists at the same time.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use futures_util::future::try_join_all;
use tokio::time::sleep;

use crate::client::{Connection, get};
use crate::cpu::memory_of;
use crate::data::{self, Engine};
use crate::run::Places;
use crate::servers::Running;

/// A hundred rows with all that belongs to them.
const LARGE: &str = "/api/articles?populate=*&pagination[pageSize]=100";

/// How much memory a service may hold while it answers, and afterwards.
const MOST: u64 = 150 << 20;
const MOST_AFTERWARDS: u64 = 60 << 20;

/// For how long the clients ask, and how soon the memory must be given back.
const ASKING: Duration = Duration::from_secs(10);
const AFTERWARDS: Duration = Duration::from_secs(30);

/// Has so many clients ask for large lists, on PostgreSQL and then on SQLite.
///
/// # Errors
/// When a service holds too much memory, then or 30 seconds later.
pub async fn crowd(places: &Places, rows: u64, clients: usize) -> Result<()> {
    let engines = [Engine::Postgres, Engine::Sqlite];
    let databases = data::load(places, rows, &engines).await?;
    let mut failed = Vec::new();
    println!("| database | clients | answered | refused (503) | before | most | 30 s later |");
    println!("|---|---|---|---|---|---|---|");
    for engine in engines {
        let running = Running::blog(engine, &databases)?;
        let (address, pid) = (running.address, running.pid);
        let before = memory_of(pid)?.own;
        let until = Instant::now() + ASKING;
        let asking = try_join_all((0..clients).map(|_| ask(address, until)));
        let watching = async {
            let mut most = 0;
            while Instant::now() < until {
                most = most.max(memory_of(pid)?.own);
                sleep(Duration::from_millis(20)).await;
            }
            anyhow::Ok(most)
        };
        let (answers, most) = tokio::try_join!(asking, watching)?;
        let answered: u64 = answers.iter().map(|(answered, _)| answered).sum();
        let refused: u64 = answers.iter().map(|(_, refused)| refused).sum();
        sleep(AFTERWARDS).await;
        let afterwards = memory_of(pid)?.own;
        println!(
            "| {engine:?} | {clients} | {answered} | {refused} | {} | {} | {} |",
            megabytes(before),
            megabytes(most),
            megabytes(afterwards)
        );
        if most > MOST || afterwards > MOST_AFTERWARDS {
            failed.push(format!("{engine:?} holds too much memory"));
        }
    }
    ensure!(failed.is_empty(), "{}", failed.join("; "));
    Ok(())
}

/// Asks until then, and counts what was answered and what was refused.
async fn ask(address: SocketAddr, until: Instant) -> Result<(u64, u64)> {
    let request = get(LARGE);
    let mut connection = Connection::open(address).await?;
    let (mut answered, mut refused) = (0, 0);
    while Instant::now() < until {
        match connection.ask(&request).await?.status {
            200 => answered += 1,
            503 => {
                refused += 1;
                // As `Retry-After` says, or else all would be about refusing.
                sleep(Duration::from_secs(1)).await;
            }
            status => anyhow::bail!("a list was answered with {status}"),
        }
    }
    Ok((answered, refused))
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes >> 20)
}
