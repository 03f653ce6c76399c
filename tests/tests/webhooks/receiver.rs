//! A target that remembers what it is sent, and answers as a test says.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// What was sent.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

impl Message {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub(super) fn id(&self) -> &str {
        self.header("webhook-id")
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(super) fn data(&self, name: &str) -> Value {
        self.json()["data"][name].clone()
    }
}

/// A server on this machine, for as long as it is there.
pub(super) struct Receiver {
    pub(super) url: String,
    got: Arc<Got>,
    serving: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct Got {
    messages: Mutex<Vec<Message>>,
    told: Notify,
}

impl Receiver {
    /// One that takes everything.
    pub(super) async fn taking() -> Self {
        Self::answering(async |_, _| StatusCode::NO_CONTENT.into_response()).await
    }

    /// One that always answers with that status.
    pub(super) async fn with_status(status: u16) -> Self {
        let status = StatusCode::from_u16(status).unwrap();
        Self::answering(move |_, _| std::future::ready(status.into_response())).await
    }

    /// One that answers so, by the number of the request and what is in it.
    pub(super) async fn answering<A, F>(answer: A) -> Self
    where
        A: Fn(usize, Message) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Response> + Send,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::on(listener, answer)
    }

    pub(super) fn on<A, F>(listener: TcpListener, answer: A) -> Self
    where
        A: Fn(usize, Message) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Response> + Send,
    {
        let url = format!("http://{}/hooks", listener.local_addr().unwrap());
        let got = Arc::<Got>::default();
        let router = Self::router(&got, answer);
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, got, serving }
    }

    fn router<A, F>(got: &Arc<Got>, answer: A) -> Router
    where
        A: Fn(usize, Message) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Response> + Send,
    {
        let got = Arc::clone(got);
        Router::new().fallback(async move |headers: HeaderMap, body: Bytes| {
            let text = String::from_utf8(body.to_vec()).unwrap();
            let message = Message { headers, text };
            let number = {
                let mut messages = got.messages.lock().unwrap();
                messages.push(message.clone());
                messages.len()
            };
            got.told.notify_one();
            answer(number, message).await
        })
    }

    pub(super) fn all(&self) -> Vec<Message> {
        self.got.messages.lock().unwrap().clone()
    }

    /// Waits until there are that many.
    pub(super) async fn wait_for(&self, count: usize) -> Vec<Message> {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let all = self.all();
            if all.len() >= count {
                return all;
            }
            assert!(Instant::now() < until, "{} of {count}: {all:?}", all.len());
            let told = self.got.told.notified();
            _ = tokio::time::timeout(Duration::from_millis(500), told).await;
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
