//! Clients that read and write without a pause, and verify what they are told.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use crate::machine::client::{Answer, Client};

const READERS: usize = 3;
const WRITERS: usize = 2;

/// Articles that the last writer creates by one request; the others create one.
const BATCH: usize = 20;

/// Nothing writes to these.
const TARGETS: [&str; 5] = [
    "/api/authors?fields=name&sort=id&filters[country]=DE",
    "/api/authors?sort=id&pagination[pageSize]=5",
    "/api/tags?sort=id&pagination[page]=2&pagination[pageSize]=10",
    "/api/authors/3",
    "/api/comments?sort=id&pagination[pageSize]=20",
];

/// A client that is refused comes again a little later, as one that minds `Retry-After` would.
const PAUSE: Duration = Duration::from_millis(20);

/// The time in which everything must work again.
const LONGEST_RECOVERY: Duration = Duration::from_secs(60);

/// What has happened so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) requests: AtomicU64,
    pub(super) wrong: AtomicU64,
    /// By status, or by what happened instead.
    pub(super) errors: Mutex<BTreeMap<String, u64>>,
    /// Records whose creation was acknowledged.
    acknowledged: Mutex<Vec<(u64, String)>>,
    /// The titles of all batches, each of which is there as a whole in the end, or not at all.
    batches: Mutex<Vec<String>>,
    /// How often each client was answered as it should be.
    reads: [AtomicU64; READERS],
    writes: [AtomicU64; WRITERS + 1],
}

/// What is there once a load has ended.
pub(super) struct Finished {
    pub(super) seen: Arc<Seen>,
    /// The records that were acknowledged.
    pub(super) acknowledged: Vec<u64>,
    /// The number of those that are not there.
    pub(super) lost: usize,
    /// Batches of which a part is there.
    pub(super) half_written: usize,
}

/// Clients at work; they end when it is dropped.
pub(super) struct Load {
    address: SocketAddr,
    pub(super) seen: Arc<Seen>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    pub(super) fn start(address: SocketAddr) -> Result<Self> {
        let mut known = Vec::new();
        let mut client = Client::new(address);
        for target in TARGETS {
            match client.get(target) {
                Answer::Whole {
                    status: 200, body, ..
                } => known.push((target, body)),
                Answer::Whole { status, .. } => bail!("{target} was answered with {status}"),
                Answer::None | Answer::Cut => bail!("{target} was not answered"),
            }
        }
        let (seen, stop) = (Arc::<Seen>::default(), Arc::<AtomicBool>::default());
        let known = Arc::new(known);
        let mut threads = Vec::new();
        for number in 0..READERS {
            let (seen, stop, known) = (Arc::clone(&seen), Arc::clone(&stop), Arc::clone(&known));
            threads.push(thread::spawn(move || {
                let mut client = Client::new(address);
                for (target, body) in known.iter().cycle().skip(number) {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    seen.read(number, client.get(target), body);
                }
            }));
        }
        for number in 0..WRITERS {
            let (seen, stop) = (Arc::clone(&seen), Arc::clone(&stop));
            threads.push(thread::spawn(move || {
                let mut client = Client::new(address);
                for at in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let slug = format!("fault-{number}-{at}");
                    let body = format!(r#"{{"title":"Fault","slug":"{slug}","is_active":true}}"#);
                    seen.wrote(number, client.post("/api/articles", &body), 201, vec![slug]);
                }
            }));
        }
        let (writes, stopped) = (Arc::clone(&seen), Arc::clone(&stop));
        threads.push(thread::spawn(move || {
            let mut client = Client::new(address);
            for at in 0.. {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                let title = format!("Fault-batch-{at}");
                let slugs: Vec<String> = (0..BATCH).map(|item| format!("{title}-{item}")).collect();
                let body = batch(&title, &slugs);
                lock(&writes.batches).push(title);
                let answer = client.post("/api/articles/_bulk", &body);
                writes.wrote(WRITERS, answer, 200, slugs);
            }
        }));
        Ok(Self {
            address,
            seen,
            stop,
            threads,
        })
    }

    /// How often something was read so far.
    pub(super) fn reads(&self) -> u64 {
        let reads = self.seen.reads.iter();
        reads.map(|number| number.load(Ordering::Relaxed)).sum()
    }

    /// Waits until reading and writing have worked for every client from now on, and says how long that took. What became of
    /// requests that met a fault is known by then.
    pub(super) fn recovered(&self) -> Result<Duration> {
        let begun = Instant::now();
        let now = || -> Vec<u64> {
            let all = self.seen.reads.iter().chain(&self.seen.writes);
            all.map(|number| number.load(Ordering::Relaxed)).collect()
        };
        let before = now();
        loop {
            if now()
                .iter()
                .zip(&before)
                .all(|(now, before)| *now > before + 2)
            {
                return Ok(begun.elapsed());
            }
            ensure!(
                begun.elapsed() < LONGEST_RECOVERY,
                "nothing works a minute after the fault; {:?}",
                self.seen
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends the clients, and looks for what they wrote.
    pub(super) fn finish(mut self) -> Result<Finished> {
        self.end();
        let acknowledged = lock(&self.seen.acknowledged).clone();
        let mut client = Client::new(self.address);
        let mut lost = 0;
        for (id, slug) in &acknowledged {
            match client.get(&format!("/api/articles/{id}?fields=slug")) {
                Answer::Whole {
                    status: 200, body, ..
                } if String::from_utf8_lossy(&body).contains(&format!("\"{slug}\"")) => {}
                Answer::Whole { status, body, .. } => {
                    lost += 1;
                    let body = String::from_utf8_lossy(&body);
                    eprintln!("lost: record {id}, {slug}: {status} {body}");
                }
                Answer::None | Answer::Cut => bail!("record {id} could not be asked for"),
            }
        }
        let mut half_written = 0;
        for title in lock(&self.seen.batches).iter() {
            let target = format!("/api/articles?filters[title][$eq]={title}&fields=id");
            match client.get(&target) {
                Answer::Whole {
                    status: 200, body, ..
                } => {
                    let number = total_of(&body).context("a list without a total")?;
                    if number != 0 && number != BATCH as u64 {
                        half_written += 1;
                        eprintln!("half written: {number} of {BATCH} records of {title}");
                    }
                }
                _ => bail!("{title} could not be asked for"),
            }
        }
        Ok(Finished {
            seen: Arc::clone(&self.seen),
            acknowledged: acknowledged.into_iter().map(|(id, _)| id).collect(),
            lost,
            half_written,
        })
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.end();
    }
}

impl Seen {
    fn read(&self, client: usize, answer: Answer, expected: &[u8]) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        match answer {
            Answer::Whole {
                status: 200, body, ..
            } if body == expected => {
                self.reads[client].fetch_add(1, Ordering::Relaxed);
            }
            Answer::Whole { status: 200, .. } => {
                self.wrong.fetch_add(1, Ordering::Relaxed);
            }
            other => self.failed(&other),
        }
    }

    /// An answer to a request that creates records with these slugs, and should have this status.
    fn wrote(&self, client: usize, answer: Answer, created: u16, slugs: Vec<String>) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        match answer {
            Answer::Whole { status, body, .. } if status == created => match ids_of(&body) {
                Some(ids) if ids.len() == slugs.len() => {
                    lock(&self.acknowledged).extend(ids.into_iter().zip(slugs));
                    self.writes[client].fetch_add(1, Ordering::Relaxed);
                }
                _ => {
                    self.wrong.fetch_add(1, Ordering::Relaxed);
                }
            },
            other => self.failed(&other),
        }
    }

    fn failed(&self, answer: &Answer) {
        let kind = match answer {
            Answer::Whole { status, .. } => status.to_string(),
            Answer::None => "no answer".to_owned(),
            Answer::Cut => "cut".to_owned(),
        };
        *lock(&self.errors).entry(kind).or_default() += 1;
        thread::sleep(PAUSE);
    }

    /// The errors so far, which are then forgotten.
    pub(super) fn take_errors(&self) -> BTreeMap<String, u64> {
        std::mem::take(&mut *lock(&self.errors))
    }
}

/// A request that creates articles of one title.
fn batch(title: &str, slugs: &[String]) -> String {
    let items = slugs
        .iter()
        .map(|slug| serde_json::json!({"title": title, "slug": slug, "is_active": true}));
    serde_json::json!({ "create": items.collect::<Vec<_>>() }).to_string()
}

/// The ids of what was created, by one request for one record or for many.
fn ids_of(body: &[u8]) -> Option<Vec<u64>> {
    let body: serde_json::Value = serde_json::from_slice(body).ok()?;
    match &body["data"]["create"] {
        serde_json::Value::Array(items) => items.iter().map(|item| item["id"].as_u64()).collect(),
        _ => Some(vec![body["data"]["id"].as_u64()?]),
    }
}

fn total_of(body: &[u8]) -> Option<u64> {
    let body: serde_json::Value = serde_json::from_slice(body).ok()?;
    body["meta"]["pagination"]["total"].as_u64()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
