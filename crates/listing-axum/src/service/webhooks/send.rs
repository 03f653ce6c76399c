//! Makes one attempt to deliver a message: a signed `POST`, and the meaning of its answer (d130).

use std::error::Error;
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use chrono::Utc;
use http::header::{CONNECTION, CONTENT_TYPE, HOST, USER_AGENT};
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::time::{Instant, timeout, timeout_at};

use super::connection::connect;
use super::signature;
use super::target::Target;
use crate::records::deliveries::Delivery;

/// How many bytes are read of an answer's head, and of its body.
const MOST_BYTES: usize = 16 * 1_024;

/// How long to wait for its body, which is ignored.
const LINGER: Duration = Duration::from_secs(1);

const AGENT: &str = concat!("listing-axum/", env!("CARGO_PKG_VERSION"));

/// Why a message was not delivered.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The receiver wants no more messages.
    Gone,
    /// Another attempt may succeed.
    Passing(String),
}

/// Sends a message, signed for this attempt.
pub(super) async fn send(target: &Target, delivery: &Delivery) -> Result<(), Failure> {
    let deadline = Instant::now() + target.timeout;
    let stream = timeout_at(deadline, connect(target)).await;
    let stream = stream.map_err(|_| too_late(target))?;
    let stream = stream.map_err(Failure::Passing)?;
    let request = request(target, delivery).map_err(|error| told(&error))?;
    let mut builder = http1::Builder::new();
    let opened = builder
        .max_buf_size(MOST_BYTES)
        .handshake(TokioIo::new(stream));
    let (mut sender, connection) = opened.await.map_err(|error| told(&error))?;
    let answered = async move {
        let answer = timeout_at(deadline, sender.send_request(request)).await;
        let answer = answer.map_err(|_| too_late(target))?;
        let answer = answer.map_err(|error| told(&error))?;
        let status = answer.status();
        // The body is read, so that the receiver gets no error, and ignored. A failure here does not change the result.
        let _ = timeout(LINGER, drain(answer.into_body())).await;
        judge(status)
    };
    let mut answered = pin!(answered);
    tokio::select! {
        judged = &mut answered => judged,
        // When the connection has ended, its answer has already been passed on.
        _ = connection => answered.await,
    }
}

fn too_late(target: &Target) -> Failure {
    let seconds = target.timeout.as_secs();
    Failure::Passing(format!("no answer within {seconds} s"))
}

fn judge(status: StatusCode) -> Result<(), Failure> {
    match status {
        status if status.is_success() => Ok(()),
        StatusCode::GONE => Err(Failure::Gone),
        // Redirects are not followed, because their destination has not been checked.
        status => Err(Failure::Passing(format!("HTTP {}", status.as_u16()))),
    }
}

fn request(target: &Target, delivery: &Delivery) -> Result<Request<Full<Bytes>>, http::Error> {
    let timestamp = Utc::now().timestamp().to_string();
    let (id, body) = (&*delivery.message, &*delivery.body);
    let signature = signature::of(&target.keys, id, &timestamp, body);
    Request::post(&*target.url.path)
        .header(HOST, &*target.url.authority)
        .header(CONTENT_TYPE, "application/json")
        .header(USER_AGENT, AGENT)
        .header(CONNECTION, "close")
        .header("webhook-id", id)
        .header("webhook-timestamp", timestamp)
        .header("webhook-signature", signature)
        .body(Full::from(body.to_owned()))
}

/// Reads a body up to the limit.
async fn drain(mut body: Incoming) {
    let mut read = 0;
    while let Some(Ok(frame)) = body.frame().await {
        read += frame.data_ref().map_or(0, Bytes::len);
        if read > MOST_BYTES {
            break;
        }
    }
}

/// Joins an error and its causes, which say what happened.
fn told(error: &dyn Error) -> Failure {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    Failure::Passing(text)
}
