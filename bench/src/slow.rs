//! Measures what slow statements do to quick ones, how many run at the same time, and how soon abandoned ones are over.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use futures_util::future::try_join_all;
use tokio::time::{MissedTickBehavior, timeout};

use crate::client::{Connection, get};
use crate::data::{self, Engine};
use crate::report::{median, millis, spread};
use crate::run::Places;
use crate::servers::{Program, Server, start};
use crate::waiting::waiting_lists;

/// Clients that ask for a simple page.
const QUICK: usize = 4;
/// How often each of them asks. All together need a small part of two processors, so that what is seen is how long pages wait for
/// slow statements, not how fairly the system shares processors that are all in use.
const BETWEEN_PAGES: Duration = Duration::from_millis(5);
/// Clients whose list no index serves.
const SLOW: usize = 16;
/// Clients that leave before they are answered.
const ABANDONED: usize = 50;
/// MariaDB estimates a few rows fewer than there are, and a table that is not large may be read without an index.
const SETTINGS: &[(&str, &str)] = &[("LISTING_UNINDEXED_ROWS", "10000")];
/// By how much a page may take longer.
pub(crate) const MOST: f64 = 3.0;
/// How many times pages are asked for without slow lists and with them, in turns: what else the machine does affects both.
pub(crate) const ROUNDS: u32 = 5;

/// The newest articles, by an index.
const PAGE: &str = "/api/articles?sort=created_at:desc&pagination[withCount]=false";

/// No row has this in its text, so that all are read.
fn slow(number: usize) -> Vec<u8> {
    get(&format!(
        "/api/articles?filters[body][$contains]=nowhere{number}&pagination[withCount]=false"
    ))
}

/// Asks for pages with and without slow lists, on each database.
///
/// # Errors
/// When a page takes more than three times as long next to slow lists, or waits for lists that nobody waits for, or when lists
/// that merely wait do not wait at the same time.
pub async fn slow_statements(places: &Places, rows: u64, seconds: u64) -> Result<()> {
    let engines = [Engine::Postgres, Engine::Mysql, Engine::Sqlite];
    let databases = data::load(places, rows, &engines).await?;
    let length = Duration::from_secs(seconds);
    let mut failed = Vec::new();
    println!(
        "| database | p50 | p99 | p50 with {SLOW} slow | p99 with {SLOW} slow | ratio of p99 | its spread | longest | slow ones answered | after {ABANDONED} abandoned |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for engine in engines {
        let program = Program::Blog(SETTINGS);
        let running = start(&Server { engine, program }, &databases)?;
        let address = running.address;
        // Caches, connections and plans.
        pages(address, Duration::from_secs(2)).await?;
        let (mut alone, mut together, mut answered) = (Vec::new(), Vec::new(), 0);
        for _ in 0..ROUNDS {
            alone.push(pages(address, length / ROUNDS).await?);
            let until = Instant::now() + length / ROUNDS;
            let slow = try_join_all((0..SLOW).map(|number| ask_slowly(address, number, until)));
            let (pages, slow) = tokio::try_join!(pages(address, length / ROUNDS), slow)?;
            together.push(pages);
            answered += slow.into_iter().sum::<u64>();
        }
        let next = after_abandoned(address).await?;
        let mut ratios: Vec<_> = alone
            .iter()
            .zip(&together)
            .map(|(alone, together)| together.p99 / alone.p99)
            .collect();
        let ratio = median(&mut ratios);
        let middle = |times: &[Times], of: fn(&Times) -> f64| {
            shown(median(&mut times.iter().map(of).collect::<Vec<_>>()))
        };
        let longest = together.iter().map(|times| times.longest);
        println!(
            "| {engine:?} | {} | {} | {} | {} | {ratio:.1} | {} | {} | {answered} | {} |",
            middle(&alone, |times| times.p50),
            middle(&alone, |times| times.p99),
            middle(&together, |times| times.p50),
            middle(&together, |times| times.p99),
            spread(&ratios),
            shown(longest.fold(0.0, f64::max)),
            shown(millis(next)),
        );
        if ratio > MOST {
            failed.push(format!("{engine:?}: slow lists delay pages"));
        }
        if next > Duration::from_secs(1) {
            failed.push(format!("{engine:?}: abandoned lists delay a page"));
        }
    }
    failed.extend(waiting_lists(places, length).await?);
    ensure!(failed.is_empty(), "{}", failed.join("; "));
    Ok(())
}

/// In milliseconds.
pub(crate) struct Times {
    p50: f64,
    pub(crate) p99: f64,
    longest: f64,
}

/// How long pages take, at a steady pace on each connection.
pub(crate) async fn pages(address: SocketAddr, length: Duration) -> Result<Times> {
    let until = Instant::now() + length;
    let ask = async |_: usize| {
        let request = get(PAGE);
        let mut connection = Connection::open(address).await?;
        let mut times = Vec::new();
        let mut pace = tokio::time::interval(BETWEEN_PAGES);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while Instant::now() < until {
            pace.tick().await;
            let begun = Instant::now();
            let reply = connection.ask(&request).await?;
            ensure!(
                reply.status == 200,
                "a page was answered with {}",
                reply.status
            );
            times.push(begun.elapsed());
        }
        anyhow::Ok(times)
    };
    let times = try_join_all((0..QUICK).map(ask)).await?;
    let mut times: Vec<_> = times.into_iter().flatten().collect();
    times.sort_unstable();
    let at = |place: usize| times.get(place).copied().map_or(0.0, millis);
    Ok(Times {
        p50: at(times.len() / 2),
        p99: at(times.len() * 99 / 100),
        longest: at(times.len().saturating_sub(1)),
    })
}

/// Asks for slow lists until then. What was not answered by then is left.
async fn ask_slowly(address: SocketAddr, number: usize, until: Instant) -> Result<u64> {
    let mut connection = Connection::open(address).await?;
    let mut answered = 0;
    let request = slow(number);
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        if let Ok(reply) = timeout(left, connection.ask(&request)).await {
            let status = reply?.status;
            ensure!(status == 200, "a slow list was answered with {status}");
            answered += 1;
        }
    }
    Ok(answered)
}

/// How long a page takes after many clients have left.
async fn after_abandoned(address: SocketAddr) -> Result<Duration> {
    let leave = async |number: usize| {
        let mut connection = Connection::open(address).await?;
        let left = timeout(Duration::from_millis(300), connection.ask(&slow(number))).await;
        drop(left);
        anyhow::Ok(())
    };
    try_join_all((0..ABANDONED).map(leave)).await?;
    let begun = Instant::now();
    let reply = Connection::open(address).await?.ask(&get(PAGE)).await?;
    ensure!(
        reply.status == 200,
        "a page was answered with {}",
        reply.status
    );
    Ok(begun.elapsed())
}

pub(crate) fn shown(millis: f64) -> String {
    format!("{millis:.1} ms")
}
