//! One client that writes articles, repeats what got no answer, and reads what it has written.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};

use super::load::{PACE, PAUSE};
use super::seen::{Pulse, Seen};
use crate::machine::client::{Answer, Client};

/// The header by which a read says what it must have seen.
const POSITION: &str = "listing-position";

pub(super) struct Writer {
    client: Client,
    name: String,
    seen: Arc<Seen>,
    stop: Arc<AtomicBool>,
    /// What the newest answer said of how far it had seen.
    position: Option<String>,
    pub(super) written: Vec<Written>,
}

/// An article whose creation was acknowledged.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) id: u64,
    pub(super) slug: String,
    /// The newest version that was acknowledged, and the newest that was asked for.
    pub(super) acknowledged: u64,
    pub(super) asked: u64,
}

/// What a row says, compared with what its writer knows.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Right,
    /// Older than what was acknowledged.
    Stale,
    /// Something that was never written.
    Wrong,
}

impl Written {
    pub(super) fn judge(&self, id: u64, slug: &str, title: &str) -> Verdict {
        let version: Option<u64> = title
            .strip_prefix("Version ")
            .and_then(|text| text.parse().ok());
        match version {
            Some(version) if id == self.id && slug == self.slug => {
                if version > self.asked {
                    Verdict::Wrong
                } else if version < self.acknowledged {
                    Verdict::Stale
                } else {
                    Verdict::Right
                }
            }
            _ => Verdict::Wrong,
        }
    }
}

impl Writer {
    pub(super) fn new(
        address: SocketAddr,
        name: String,
        seen: Arc<Seen>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        Self {
            client: Client::new(address),
            name,
            seen,
            stop,
            position: None,
            written: Vec::new(),
        }
    }

    /// One article after the other; each is changed once.
    pub(super) fn work(&mut self, pulse: &Pulse) {
        for at in 0.. {
            let slug = format!("{}-{at}", self.name);
            let body = json!({ "title": "Version 0", "slug": slug, "is_active": true }).to_string();
            let created = self.write("POST", "/api/articles", &slug, &body);
            if self.is_over() {
                return;
            }
            let Some(id) = created.and_then(|body| body["data"]["id"].as_u64()) else {
                continue;
            };
            pulse.beat();
            let mut article = Written {
                id,
                slug,
                acknowledged: 0,
                asked: 0,
            };
            self.read(&article);
            article.asked = 1;
            let (target, key) = (format!("/api/articles/{id}"), format!("{}-1", article.slug));
            let changed = self.write("PATCH", &target, &key, r#"{"title":"Version 1"}"#);
            if changed.is_some() {
                article.acknowledged = 1;
                pulse.beat();
                self.read(&article);
            }
            self.written.push(article);
        }
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Repeats a request with its key until it is acknowledged; none if it is refused, or when the load ends.
    fn write(&mut self, method: &str, target: &str, key: &str, body: &str) -> Option<Value> {
        while !self.is_over() {
            let answer = self.send(method, target, Some(key), body);
            match &answer {
                Answer::Whole {
                    status: 200 | 201,
                    body,
                    ..
                } => {
                    let parsed = serde_json::from_slice(body);
                    if parsed.is_err() {
                        self.seen.wrong(target, body);
                    }
                    return parsed.ok();
                }
                Answer::Whole {
                    status: 400..=408 | 410..=499,
                    ..
                } => {
                    self.failed(method, target, &answer);
                    return None;
                }
                _ => self.failed(method, target, &answer),
            }
        }
        None
    }

    /// Reads an article that was acknowledged, as a record and in a list.
    fn read(&mut self, article: &Written) {
        let (id, slug) = (article.id, &article.slug);
        let record = format!("/api/articles/{id}?fields=id,slug,title");
        let list = format!("/api/articles?filters[slug][$eq]={slug}&fields=id,slug,title");
        for target in [record, list] {
            while !self.is_over() {
                let answer = self.send("GET", &target, None, "");
                match &answer {
                    Answer::Whole {
                        status: 200, body, ..
                    } => self.judge(article, &target, body),
                    Answer::Whole { status: 404, .. } => {
                        self.seen.stale(&target, "no such article");
                    }
                    _ => {
                        self.failed("GET", &target, &answer);
                        continue;
                    }
                }
                self.seen.own.fetch_add(1, Ordering::Relaxed);
                break;
            }
        }
    }

    fn judge(&self, article: &Written, target: &str, body: &[u8]) {
        let parsed: Value = serde_json::from_slice(body).unwrap_or_default();
        let row = match &parsed["data"] {
            Value::Array(rows) if rows.is_empty() => {
                return self.seen.stale(target, "an empty list");
            }
            Value::Array(rows) if rows.len() == 1 => &rows[0],
            row => row,
        };
        let text = |name: &str| row[name].as_str().unwrap_or_default();
        let id = row["id"].as_u64().unwrap_or_default();
        match article.judge(id, text("slug"), text("title")) {
            Verdict::Right => {}
            Verdict::Stale => self.seen.stale(target, text("title")),
            Verdict::Wrong => self.seen.wrong(target, body),
        }
    }

    fn send(&mut self, method: &str, target: &str, key: Option<&str>, body: &str) -> Answer {
        thread::sleep(PACE);
        self.seen.requests.fetch_add(1, Ordering::Relaxed);
        let mut headers = Vec::new();
        headers.extend(key.map(|key| ("idempotency-key", key)));
        headers.extend(
            self.position
                .as_deref()
                .map(|position| (POSITION, position)),
        );
        let answer = self.client.send(method, target, &headers, body);
        if let Some(position) = answer.header(POSITION) {
            self.position = Some(position.to_owned());
        }
        answer
    }

    fn failed(&self, method: &str, target: &str, answer: &Answer) {
        self.seen.failed(&format!("{method} {target}"), answer);
        thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b1171.
    #[test]
    fn a_row_older_than_what_was_acknowledged_is_stale_and_one_never_written_is_wrong() {
        let article = Written {
            id: 7,
            slug: "a".to_owned(),
            acknowledged: 1,
            asked: 2,
        };
        for (id, slug, title, verdict) in [
            (7, "a", "Version 1", Verdict::Right),
            (7, "a", "Version 2", Verdict::Right),
            (7, "a", "Version 0", Verdict::Stale),
            (7, "a", "Version 3", Verdict::Wrong),
            (7, "a", "Garden", Verdict::Wrong),
            (8, "a", "Version 1", Verdict::Wrong),
            (7, "b", "Version 1", Verdict::Wrong),
        ] {
            assert_eq!(
                article.judge(id, slug, title),
                verdict,
                "{id} {slug} {title}"
            );
        }
    }
}
