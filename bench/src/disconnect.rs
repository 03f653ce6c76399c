//! Checks that responses stay correct while other clients disconnect in the middle of theirs.
//!
//! A client that goes away drops its request wherever that is: before the statement, while the database works, between
//! two statements of one page. A connection that goes back to its pool in the middle of an answer would give the next
//! request somebody else's rows.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, ensure};
use futures_util::future::try_join_all;

use crate::client::{Connection, get};

/// How many clients leave, and how many stay, at any time.
const LEAVING: u64 = 32;
const STAYING: u64 = 16;

/// What a storm came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Requests whose client left.
    pub abandoned: u64,
    /// Answers that were compared, byte for byte.
    pub verified: u64,
}

/// Leaves `requests` requests in the middle, while other clients compare every byte of their answers.
///
/// # Errors
/// When an answer is not what it was before, or none comes.
pub async fn storm(address: SocketAddr, targets: &[String], requests: u64) -> Result<Outcome> {
    let known = answers(address, targets).await?;
    let next = AtomicU64::new(0);
    let left = AtomicU64::new(0);
    let leave = async || {
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && number < requests
        {
            abandon(address, &known, number).await?;
            left.fetch_add(1, Ordering::Relaxed);
        }
        anyhow::Ok(0)
    };
    let stay = async |first: u64| {
        let mut connection = Connection::open(address).await?;
        let mut verified = 0;
        while left.load(Ordering::Relaxed) < requests {
            verify(&mut connection, &known, first + verified).await?;
            verified += 1;
        }
        anyhow::Ok(verified)
    };
    let (_, verified) = tokio::try_join!(
        try_join_all((0..LEAVING).map(|_| leave())),
        try_join_all((0..STAYING).map(stay)),
    )?;

    // Nothing was lost on the way: as many at once as before, and each target once more.
    let again = answers(address, targets).await?;
    ensure!(again == known, "the answers are not what they were");
    Ok(Outcome {
        abandoned: left.into_inner(),
        verified: verified.into_iter().sum(),
    })
}

/// A request and its answer.
#[derive(PartialEq, Eq)]
struct Known {
    request: Vec<u8>,
    body: Vec<u8>,
}

async fn answers(address: SocketAddr, targets: &[String]) -> Result<Vec<Known>> {
    let asked = targets.iter().map(|target| async move {
        let mut connection = Connection::open(address).await?;
        let request = get(target);
        let reply = connection.ask(&request).await?;
        let body = connection.body(&reply).to_vec();
        ensure!(reply.status == 200, "{target}: {}", reply.status);
        Ok(Known { request, body })
    });
    try_join_all(asked).await
}

async fn verify(connection: &mut Connection, known: &[Known], number: u64) -> Result<()> {
    let Known { request, body } = pick(known, number);
    let reply = connection.ask(request).await?;
    let got = connection.body(&reply);
    ensure!(
        reply.status == 200 && got == body,
        "{} was answered with {} and\n{}\ninstead of\n{}",
        String::from_utf8_lossy(request)
            .lines()
            .next()
            .unwrap_or_default(),
        reply.status,
        String::from_utf8_lossy(got),
        String::from_utf8_lossy(body)
    );
    Ok(())
}

/// Sends a request and goes away, at a moment that the number decides.
async fn abandon(address: SocketAddr, known: &[Known], number: u64) -> Result<()> {
    let Known { request, body } = pick(known, number);
    let mut connection = Connection::open(address)
        .await
        .context("the server takes no more connections")?;
    let chance = mixed(number);
    let part = |whole: usize| {
        let whole = u64::try_from(whole).unwrap_or(u64::MAX).max(1);
        usize::try_from(chance / 8 % whole).unwrap_or_default()
    };
    // What breaks from here on breaks because we are leaving.
    match chance % 8 {
        0 => {
            let _ = connection.send(&request[..part(request.len())]).await;
        }
        1 => {
            let _ = connection.send(request).await;
        }
        // While the others go on, the server goes on as well: a while without a clock.
        2..6 => {
            let _ = connection.send(request).await;
            for _ in 0..chance / 8 % 64 {
                tokio::task::yield_now().await;
            }
        }
        _ => {
            let _ = connection.send(request).await;
            let _ = connection.read_at_least(part(body.len())).await;
        }
    }
    Ok(())
}

fn pick(known: &[Known], number: u64) -> &Known {
    let count = u64::try_from(known.len()).unwrap_or(1).max(1);
    let at = mixed(!number) % count;
    &known[usize::try_from(at).unwrap_or_default()]
}

/// A number that looks drawn, and is the same in every run: the finish of splitmix64.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::Router;
    use axum::extract::RawQuery;
    use axum::routing::get;
    use tokio::net::TcpListener;

    use super::*;

    /// A service that answers with its query, except that one answer of `mixed_up` is another's.
    async fn serve(mixed_up: u64) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(AtomicU64::new(1));
        let answer = async move |RawQuery(query): RawQuery| {
            let number = asked.fetch_add(1, Ordering::Relaxed);
            let query = query.unwrap_or_default();
            if number.is_multiple_of(mixed_up) {
                "0".repeat(query.len())
            } else {
                query
            }
        };
        let router = Router::new().route("/", get(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    fn targets() -> Vec<String> {
        (1..=5).map(|number| format!("/?number={number}")).collect()
    }

    #[tokio::test]
    async fn every_request_is_left_and_answers_are_compared() {
        let outcome = storm(serve(u64::MAX).await, &targets(), 500).await.unwrap();
        assert_eq!(outcome.abandoned, 500);
        assert!(outcome.verified > 0);
    }

    #[tokio::test]
    async fn one_answer_that_is_anothers_is_noticed() {
        let error = storm(serve(50).await, &targets(), 500).await.unwrap_err();
        assert!(error.to_string().contains("instead of"), "{error}");
    }
}
