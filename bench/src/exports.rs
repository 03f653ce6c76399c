//! Measures exports: their time next to programs written by hand, the memory they take, and what they do to quick lists.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Result, ensure};
use tokio::time::{Instant, sleep};

use crate::baseline::Baseline;
use crate::cpu::memory_of;
use crate::data::{self, Engine};
use crate::download::download;
use crate::report::{median, megabytes, spread};
use crate::run::Places;
use crate::servers::{Program, Running, Server, start};
use crate::slow::{pages, shown};

/// How many times the two sides take turns.
const ROUNDS: usize = 7;
/// How much memory two exports may take above what the service holds without them.
const MOST_MEMORY: u64 = 16 << 20;
/// By how much a quick list may take longer next to an export.
const SLOWER: f64 = 1.5;
/// The rows of a workbook.
const ROWS_OF_WORKBOOK: u64 = 100_000;

/// Measures exports of this many rows on PostgreSQL.
///
/// # Errors
/// When a goal is missed, or a file has not as many rows as the other side's.
pub async fn exports(places: &Places, rows: u64) -> Result<()> {
    let databases = data::load(places, rows, &[Engine::Postgres]).await?;
    let engine = Engine::Postgres;
    // Every row, and each of two at the same time.
    let program = Program::Blog(&[("LISTING_EXPORT_MAX_ROWS", "10000000")]);
    let ours = start(&Server { engine, program }, &databases)?;
    let program = Program::Bare(Baseline::Exports);
    let bare = start(&Server { engine, program }, &databases)?;
    let mut missed = Vec::new();

    println!("| file | ours, s, MB | by hand, s, MB | ratio | its spread | goal |");
    println!("|---|---|---|---|---|---|");
    let workbook = ROWS_OF_WORKBOOK.min(rows);
    for (name, target, goal) in [
        ("CSV; `COPY`", "/api/articles.csv".to_owned(), 0.90),
        ("lines of JSON", "/api/articles.ndjson".to_owned(), 0.90),
        (
            "XLSX",
            format!("/api/articles.xlsx?pagination[limit]={workbook}"),
            0.50,
        ),
    ] {
        let (mut ratios, mut times) = (Vec::new(), (Vec::new(), Vec::new()));
        let mut sizes = (0.0, 0.0);
        for round in 0..=ROUNDS {
            let (a, b);
            if round % 2 == 0 {
                a = download(ours.address, &target).await?;
                b = download(bare.address, &target).await?;
            } else {
                b = download(bare.address, &target).await?;
                a = download(ours.address, &target).await?;
            }
            ensure!(
                name == "XLSX" || a.lines == b.lines,
                "{target}: {} lines, by hand {}",
                a.lines,
                b.lines
            );
            // The first time both fill their caches.
            if round > 0 {
                ratios.push(b.took.as_secs_f64() / a.took.as_secs_f64());
                sizes = (megabytes(a.bytes as u64), megabytes(b.bytes as u64));
                times.0.push(a.took.as_secs_f64());
                times.1.push(b.took.as_secs_f64());
            }
        }
        let (ratio, spread) = (median(&mut ratios), spread(&ratios));
        let (own, by_hand) = (median(&mut times.0), median(&mut times.1));
        let (own_size, size) = sizes;
        println!(
            "| {name} | {own:.2}, {own_size:.1} | {by_hand:.2}, {size:.1} | {ratio:.2} | {spread} | {goal:.2} |"
        );
        if ratio < goal {
            missed.push(format!("{name}: {ratio:.2} of the best by hand"));
        }
    }
    missed.extend(next_to_quick_lists(&ours).await?);
    ensure!(missed.is_empty(), "{}", missed.join("; "));
    Ok(())
}

/// Memory, and how long pages take, while two exports are under way.
async fn next_to_quick_lists(ours: &Running) -> Result<Vec<String>> {
    let length = Duration::from_secs(5);
    let mut missed = Vec::new();
    pages(ours.address, Duration::from_secs(2)).await?;
    let before = memory_of(ours.pid)?.own;
    let (mut ratios, mut most) = (Vec::new(), before);
    let (mut alone_p99, mut together_p99) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let alone = pages(ours.address, length).await?;
        let until = Instant::now() + length;
        let (together, (), (), peak) = tokio::try_join!(
            pages(ours.address, length),
            export_until(ours.address, "/api/articles.csv", until),
            export_until(ours.address, "/api/articles.ndjson", until),
            highest_memory(ours.pid, until),
        )?;
        most = most.max(peak);
        ratios.push(together.p99 / alone.p99);
        alone_p99.push(alone.p99);
        together_p99.push(together.p99);
    }
    let ratio = median(&mut ratios);
    let taken = most - before;
    println!(
        "\np99 of a page: {} alone, {} next to two exports, ratio {ratio:.2}, its spread {}",
        shown(median(&mut alone_p99)),
        shown(median(&mut together_p99)),
        spread(&ratios)
    );
    println!(
        "memory: {:.1} MB without exports, at most {:.1} MB more with two",
        megabytes(before),
        megabytes(taken)
    );
    if ratio > SLOWER {
        missed.push(format!("exports make pages {ratio:.2} times as slow"));
    }
    if taken > MOST_MEMORY {
        missed.push(format!("two exports take {:.1} MB", megabytes(taken)));
    }
    Ok(missed)
}

/// One file after the other; the last one is abandoned.
async fn export_until(address: SocketAddr, target: &str, until: Instant) -> Result<()> {
    loop {
        tokio::select! {
            file = download(address, target) => file?,
            () = tokio::time::sleep_until(until) => return Ok(()),
        };
    }
}

async fn highest_memory(pid: u32, until: Instant) -> Result<u64> {
    let mut most = 0;
    while Instant::now() < until {
        most = most.max(memory_of(pid)?.own);
        sleep(Duration::from_millis(50)).await;
    }
    Ok(most)
}
