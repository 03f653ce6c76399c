//! Sends requests to a server and counts how many it answers in a slice of time.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use futures_util::future::try_join_all;

use crate::client::{Connection, get};

/// How many requests are on the way at once, unless a work says otherwise.
pub(crate) const CONNECTIONS: usize = 64;

/// A request and the length of its response, which is compared during the measurement.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    request: Vec<u8>,
    pub(crate) body: Vec<u8>,
}

/// A server under load, over connections that stay open.
pub(crate) struct Load {
    connections: Vec<Connection>,
    targets: Vec<Target>,
    next: usize,
}

pub(crate) struct Slice {
    pub(crate) requests: u64,
    pub(crate) elapsed: Duration,
}

impl Slice {
    pub(crate) fn per_second(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 requests")]
        let requests = self.requests as f64;
        requests / self.elapsed.as_secs_f64()
    }
}

impl Load {
    /// Connects, and sends each request once to learn its response.
    pub(crate) async fn start(
        address: SocketAddr,
        targets: &[String],
        connections: usize,
    ) -> Result<Self> {
        ensure!(!targets.is_empty(), "there is nothing to ask");
        let opened = (0..connections).map(|_| Connection::open(address));
        let mut connections = try_join_all(opened).await?;
        let first = connections.first_mut().context("no connection")?;
        let mut known = Vec::with_capacity(targets.len());
        for target in targets {
            let request = get(target);
            let reply = first.ask(&request).await?;
            let body = first.body(&reply).to_vec();
            ensure!(
                reply.status == 200,
                "{target} was answered with {}: {}",
                reply.status,
                String::from_utf8_lossy(&body)
            );
            known.push(Target { request, body });
        }
        Ok(Self {
            connections,
            targets: known,
            next: 0,
        })
    }

    pub(crate) fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// Asks for so long; requests that are on the way then are waited for, and counted.
    pub(crate) async fn slice(&mut self, length: Duration) -> Result<Slice> {
        let began = Instant::now();
        let until = began + length;
        let (targets, first) = (&self.targets, self.next);
        let asking = self
            .connections
            .iter_mut()
            .enumerate()
            .map(|(number, connection)| ask(connection, targets, first + number, until));
        let answered: u64 = try_join_all(asking).await?.into_iter().sum();
        // The next slice goes on where this one ended.
        self.next = first.wrapping_add(usize::try_from(answered)?);
        Ok(Slice {
            requests: answered,
            elapsed: began.elapsed(),
        })
    }
}

async fn ask(
    connection: &mut Connection,
    targets: &[Target],
    first: usize,
    until: Instant,
) -> Result<u64> {
    let mut answered = 0;
    let mut next = first % targets.len();
    while answered == 0 || Instant::now() < until {
        let target = &targets[next];
        let reply = connection.ask(&target.request).await?;
        ensure!(
            reply.status == 200 && reply.len() == target.body.len(),
            "an answer changed: {} with {} bytes instead of {}",
            reply.status,
            reply.len(),
            target.body.len()
        );
        answered += 1;
        // Neighbouring connections are one target apart and stay so: all requests are sent equally often.
        next = (next + 1) % targets.len();
    }
    Ok(answered)
}
