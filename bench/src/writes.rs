//! Measures writes: one record at a time, a thousand at once and whole files, next to programs written by hand.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use futures_util::future::try_join_all;
use serde_json::json;

use crate::baseline::Baseline;
use crate::client::{Connection, Reply, send_json};
use crate::cpu::memory_of;
use crate::data::{self, Engine};
use crate::report::{median, megabytes, spread};
use crate::run::Places;
use crate::servers::{Program, Server, start};

const CLIENTS: usize = 16;
const ROUNDS: usize = 9;
const SLICE: Duration = Duration::from_millis(1500);
/// Rows of one request that writes many.
const MANY: usize = 1_000;
/// Rows of a file.
const OF_FILE: usize = 100_000;

/// No two records have the same slug, whoever writes them.
static NEXT: AtomicU64 = AtomicU64::new(0);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Create,
    UpdateWithTag,
    Patch,
    Bulk,
}

impl Work {
    const ALL: [Self; 4] = [Self::Create, Self::UpdateWithTag, Self::Patch, Self::Bulk];

    fn what(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::UpdateWithTag => "replace, with the tag",
            Self::Patch => "patch",
            Self::Bulk => "1,000 at once",
        }
    }

    fn goal(self) -> f64 {
        if self == Self::Bulk { 0.80 } else { 0.90 }
    }

    /// How many clients write at the same time.
    fn clients(self) -> usize {
        if self == Self::Bulk { 1 } else { CLIENTS }
    }
}

/// Writes to PostgreSQL and SQLite, in turns with a bare program that leaves the same events and lines of history.
///
/// # Errors
/// When a goal is missed.
pub async fn writes(places: &Places, rows: u64) -> Result<()> {
    let engines = [Engine::Postgres, Engine::Sqlite];
    let [databases, others] = data::load_to_write(places, rows, &engines).await?;
    // Slugs of earlier runs are there already.
    let begun = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    NEXT.store(begun.as_secs() << 20, Ordering::Relaxed);
    let mut missed = Vec::new();
    println!("| database | write | ours, rows a second | by hand | ratio | its spread | goal |");
    println!("|---|---|---|---|---|---|---|");
    for engine in engines {
        let program = Program::Blog(&[]);
        let ours = start(&Server { engine, program }, &databases)?;
        let program = Program::Bare(Baseline::Writes);
        let bare = start(&Server { engine, program }, &others)?;
        let mut single = 0.0;
        for work in Work::ALL {
            let mut ours = clients(work, ours.address, 1_000).await?;
            let mut bare = clients(work, bare.address, 2_000).await?;
            let (mut ratios, mut rates) = (Vec::new(), (Vec::new(), Vec::new()));
            for round in 0..=ROUNDS {
                let (a, b);
                if round % 2 == 0 {
                    a = slice(work, &mut ours).await?;
                    b = slice(work, &mut bare).await?;
                } else {
                    b = slice(work, &mut bare).await?;
                    a = slice(work, &mut ours).await?;
                }
                if round > 0 {
                    ratios.push(a / b);
                    rates.0.push(a);
                    rates.1.push(b);
                }
            }
            let (ratio, rate) = (median(&mut ratios), median(&mut rates.0));
            let (what, goal) = (work.what(), work.goal());
            println!(
                "| {engine:?} | {what} | {rate:.0} | {:.0} | {ratio:.2} | {} | {goal:.2} |",
                median(&mut rates.1),
                spread(&ratios)
            );
            if ratio < goal {
                missed.push(format!("{engine:?}, {what}: {ratio:.2}"));
            }
            match work {
                Work::Create => single = rate,
                Work::Bulk => println!(
                    "| {engine:?} | 1,000 at once, next to one by one | {rate:.0} | {single:.0} | {:.1} | | 20 |",
                    rate / single
                ),
                _ => {}
            }
        }
        if engine == Engine::Postgres {
            missed.extend(import(&ours, bare.address).await?);
        }
    }
    ensure!(missed.is_empty(), "{}", missed.join("; "));
    Ok(())
}

/// A client, with the record that it changes.
struct Client {
    connection: Connection,
    record: u64,
    tag: String,
}

async fn clients(work: Work, address: SocketAddr, first: u64) -> Result<Vec<Client>> {
    let open = async |number: u64| {
        let mut client = Client {
            connection: Connection::open(address).await?,
            record: first + number,
            tag: String::new(),
        };
        if work == Work::UpdateWithTag {
            // The first change has no tag to bring.
            client.write(work).await?;
        }
        anyhow::Ok(client)
    };
    try_join_all((0..work.clients() as u64).map(open)).await
}

async fn slice(work: Work, clients: &mut [Client]) -> Result<f64> {
    let begun = Instant::now();
    let writing = clients.iter_mut().map(async |client| {
        let mut written = 0;
        while begun.elapsed() < SLICE {
            client.write(work).await?;
            written += 1;
        }
        anyhow::Ok(written)
    });
    let requests: u32 = try_join_all(writing).await?.into_iter().sum();
    let rows = if work == Work::Bulk { 1_000.0 } else { 1.0 };
    Ok(f64::from(requests) * rows / begun.elapsed().as_secs_f64())
}

impl Client {
    async fn write(&mut self, work: Work) -> Result<()> {
        let target = format!("/api/articles/{}", self.record);
        let request = match work {
            Work::Create => send_json("POST", "/api/articles", "", &article().to_string()),
            Work::UpdateWithTag => {
                let mut headers = "prefer: return=representation\r\n".to_owned();
                if !self.tag.is_empty() {
                    headers += &format!("if-match: {}\r\n", self.tag);
                }
                send_json("PUT", &target, &headers, &article().to_string())
            }
            Work::Patch => {
                let title = format!("A new title, {}", next());
                send_json("PATCH", &target, "", &json!({ "title": title }).to_string())
            }
            Work::Bulk => {
                let articles: Vec<_> = (0..MANY).map(|_| article()).collect();
                let body = json!({ "create": articles }).to_string();
                send_json("POST", "/api/articles/_bulk", "", &body)
            }
        };
        let reply = self.connection.ask(&request).await?;
        self.done(&reply)?;
        if work == Work::UpdateWithTag {
            let tag = self.connection.header(&reply, "etag").context("no tag")?;
            self.tag = tag.to_owned();
        }
        Ok(())
    }

    fn done(&self, reply: &Reply) -> Result<()> {
        let body = || String::from_utf8_lossy(self.connection.body(reply)).into_owned();
        ensure!(
            matches!(reply.status, 200 | 201),
            "a write was answered with {}: {}",
            reply.status,
            body()
        );
        Ok(())
    }
}

fn next() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn article() -> serde_json::Value {
    let number = next();
    json!({
        "title": format!("What was written as number {number}"),
        "slug": format!("written-{number}"),
        "body": "A text of some length, as an article begins: it says what it is about, and then it says it again.",
        "is_active": true,
    })
}

/// A file of many rows, next to `COPY` of the same file without any checks, events and history.
async fn import(ours: &crate::servers::Running, bare: SocketAddr) -> Result<Vec<String>> {
    let (mut ratios, mut times) = (Vec::new(), (Vec::new(), Vec::new()));
    let before = memory_of(ours.pid)?.own;
    let mut most = before;
    for _ in 0..3 {
        let (done, mut sent) = tokio::sync::watch::channel(false);
        let watched = async {
            while !*sent.borrow_and_update() {
                most = most.max(memory_of(ours.pid)?.own);
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            anyhow::Ok(())
        };
        let sending = async {
            let took = send_file(ours.address).await;
            done.send_replace(true);
            took
        };
        let (a, ()) = tokio::try_join!(sending, watched)?;
        let b = send_file(bare).await?;
        ratios.push(b.as_secs_f64() / a.as_secs_f64());
        times.0.push(a.as_secs_f64());
        times.1.push(b.as_secs_f64());
    }
    let ratio = median(&mut ratios);
    println!(
        "| Postgres | a file of {OF_FILE} rows, `COPY`, seconds | {:.2} | {:.2} | {ratio:.2} | {} | 0.50 |",
        median(&mut times.0),
        median(&mut times.1),
        spread(&ratios)
    );
    println!(
        "\nmemory: {:.1} MB before the files, at most {:.1} MB more with them",
        megabytes(before),
        megabytes(most - before)
    );
    let goal = 0.5;
    let missed = format!("import: {ratio:.2} of COPY");
    Ok(Vec::from_iter((ratio < goal).then_some(missed)))
}

async fn send_file(address: SocketAddr) -> Result<Duration> {
    let mut file = String::from("title,slug,body,is_active\n");
    for _ in 0..OF_FILE {
        let number = next();
        file += &format!(
            "What was written as number {number},written-{number},\"A text of some length, as an article begins.\",true\n"
        );
    }
    let head = format!(
        "POST /api/articles/_import HTTP/1.1\r\nhost: bench\r\ncontent-type: text/csv\r\ncontent-length: {}\r\n\r\n",
        file.len()
    );
    let mut connection = Connection::open(address).await?;
    let request = [head.as_bytes(), file.as_bytes()].concat();
    let begun = Instant::now();
    let reply = connection.ask(&request).await?;
    ensure!(
        matches!(reply.status, 200 | 201),
        "a file was answered with {}: {}",
        reply.status,
        String::from_utf8_lossy(connection.body(&reply))
    );
    Ok(begun.elapsed())
}
