//! Sends twice as many requests as a service can answer, and looks at those that it answers and those that it refuses.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use futures_util::StreamExt as _;
use futures_util::future::try_join_all;
use futures_util::stream::FuturesUnordered;
use listing_axum::Config;
use tokio::time::sleep;

use crate::client::{Connection, get};
use crate::cpu::memory_of;
use crate::data::{self, Engine};
use crate::report::{median, millis, spread};
use crate::run::Places;
use crate::servers::Running;

/// Large enough that the client has little to do compared with the service.
const LIST: &str = "/api/articles?populate=author,comments,tags&pagination[pageSize]=50&pagination[withCount]=false";

/// Clients that ask one request after the other, to see how many a service can answer: it may be more with few of them.
const CLIENTS: [usize; 2] = [8, 32];

/// How much of its capacity a service must still answer at twice that.
const LEAST: f64 = 0.9;

/// Without an overload, an answer takes at most so many times as long as at half the capacity.
const MOST: f64 = 3.0;

/// How many times half and twice the capacity take turns: what else the machine does affects both.
const ROUNDS: u32 = 5;

/// At half the capacity, a round need not be longer than this.
const AT_HALF: Duration = Duration::from_secs(5);

/// By how much an answer or a refusal may come after the longest wait in the queue.
const AFTER_WAITING: Duration = Duration::from_secs(1);

/// How soon all must be as before.
const NORMAL_WITHIN: Duration = Duration::from_secs(2);

/// Measures on each database for so many seconds.
///
/// # Errors
/// When too little is answered in overload, when answers or refusals take too long, or when memory grows.
pub async fn overload(places: &Places, rows: u64, seconds: u64) -> Result<()> {
    let engines = [Engine::Postgres, Engine::Mysql, Engine::Sqlite];
    let databases = data::load(places, rows, &engines).await?;
    let length = Duration::from_secs(seconds);
    let limits = Config::default().http;
    let longest_wait = Duration::from_secs(limits.queue_timeout_seconds);
    let mut failed = Vec::new();
    println!(
        "| database | capacity | answered at twice | ratio | its spread | p99 at half | p99 at twice | refused | p99 of refusals | memory before, after | normal after |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for engine in engines {
        let running = Running::blog(engine, &databases)?;
        let (address, pid) = (running.address, running.pid);
        capacity(address, Duration::from_secs(1)).await?;
        let capacity = capacity(address, Duration::from_secs(4)).await?;
        let (mut usual, mut twice, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        let (mut answered, mut normal) = (Vec::new(), Duration::ZERO);
        let before = memory_of(pid)?.own;
        let mut filled = None;
        for _ in 0..ROUNDS {
            let half = at_rate(address, capacity / 2.0, AT_HALF.min(length / ROUNDS)).await?;
            usual.push(millis(half.answered.p99()));
            let begun = Instant::now();
            let round = at_rate(address, capacity * 2.0, length / ROUNDS).await?;
            answered.push(round.answered.0.len() as f64 / begun.elapsed().as_secs_f64());
            filled.get_or_insert(memory_of(pid)?.own);
            twice.push(millis(round.answered.p99()));
            refused.extend(round.refused.0);
            let most = half.answered.p99().mul_f64(MOST);
            normal = normal.max(normal_again(address, capacity / 2.0, most).await?);
        }
        let after = memory_of(pid)?.own;
        let refused = Times(refused);
        let mut ratios: Vec<_> = answered.iter().map(|each| each / capacity).collect();
        let ratio = median(&mut ratios);
        let slowest = median(&mut twice);
        println!(
            "| {engine:?} | {capacity:.0}/s | {:.0}/s | {ratio:.2} | {} | {:.1} ms | {slowest:.1} ms | {} | {:.1} ms | {} MB, {} MB | {:.1} s |",
            median(&mut answered),
            spread(&ratios),
            median(&mut usual),
            refused.0.len(),
            millis(refused.p99()),
            before >> 20,
            after >> 20,
            normal.as_secs_f64()
        );
        if ratio < LEAST {
            failed.push(format!("{engine:?}: too little is answered"));
        }
        let latest = longest_wait + AFTER_WAITING;
        if slowest > millis(latest) {
            failed.push(format!("{engine:?}: answers take too long"));
        }
        if refused.p99() > latest {
            failed.push(format!("{engine:?}: refusals take too long"));
        }
        if normal > NORMAL_WITHIN {
            failed.push(format!("{engine:?}: does not recover"));
        }
        let filled = filled.unwrap_or(before);
        if after > filled + filled / 5 + (4 << 20) {
            failed.push(format!("{engine:?}: memory grows"));
        }
    }
    ensure!(failed.is_empty(), "{}", failed.join("; "));
    Ok(())
}

/// How many requests are answered in a second, when clients wait for their answers.
async fn capacity(address: SocketAddr, length: Duration) -> Result<f64> {
    let mut most = 0.0_f64;
    for clients in CLIENTS {
        most = most.max(answered_by(clients, address, length).await?);
    }
    Ok(most)
}

async fn answered_by(clients: usize, address: SocketAddr, length: Duration) -> Result<f64> {
    let begun = Instant::now();
    let ask = async |_: usize| {
        let (request, mut answered) = (get(LIST), 0_u32);
        let mut connection = Connection::open(address).await?;
        while begun.elapsed() < length {
            let status = connection.ask(&request).await?.status;
            ensure!(status == 200, "a list was answered with {status}");
            answered += 1;
        }
        anyhow::Ok(answered)
    };
    let answered = try_join_all((0..clients).map(ask)).await?;
    Ok(f64::from(answered.into_iter().sum::<u32>()) / begun.elapsed().as_secs_f64())
}

#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn p99(&self) -> Duration {
        let mut times = self.0.clone();
        times.sort_unstable();
        times
            .get(times.len() * 99 / 100)
            .copied()
            .unwrap_or_default()
    }
}

#[derive(Default)]
struct Outcome {
    answered: Times,
    refused: Times,
}

/// Sends so many requests in a second, whether or not those before were answered.
async fn at_rate(address: SocketAddr, rate: f64, length: Duration) -> Result<Outcome> {
    let request = get(LIST);
    let mut idle: Vec<Connection> = Vec::new();
    let mut running = FuturesUnordered::new();
    let mut outcome = Outcome::default();
    let (begun, mut sent) = (Instant::now(), 0_u32);
    loop {
        let now = begun.elapsed().min(length).as_secs_f64();
        while f64::from(sent) < now * rate {
            let connection = idle.pop();
            running.push(one(address, connection, &request, Instant::now()));
            sent += 1;
        }
        if begun.elapsed() >= length && running.is_empty() {
            return Ok(outcome);
        }
        tokio::select! {
            Some(done) = running.next(), if !running.is_empty() => {
                let (connection, status, time) = done?;
                idle.push(connection);
                match status {
                    200 => outcome.answered.0.push(time),
                    503 => outcome.refused.0.push(time),
                    status => bail!("a list was answered with {status}"),
                }
            }
            () = sleep(Duration::from_millis(1)) => {}
        }
    }
}

async fn one(
    address: SocketAddr,
    connection: Option<Connection>,
    request: &[u8],
    begun: Instant,
) -> Result<(Connection, u16, Duration)> {
    let mut connection = match connection {
        Some(connection) => connection,
        None => Connection::open(address).await?,
    };
    let status = connection.ask(request).await?.status;
    Ok((connection, status, begun.elapsed()))
}

/// How long it takes until requests at this rate are answered in this time again.
async fn normal_again(address: SocketAddr, rate: f64, usual: Duration) -> Result<Duration> {
    let begun = Instant::now();
    while begun.elapsed() < NORMAL_WITHIN * 2 {
        let window = at_rate(address, rate, Duration::from_millis(500)).await?;
        if window.refused.0.is_empty() && window.answered.p99() <= usual {
            break;
        }
    }
    Ok(begun.elapsed().saturating_sub(Duration::from_millis(500)))
}
