//! Writes a tree of parameters as a query string or a JSON body, in one of the spellings of d1 and d2.

use std::fmt;

use axum::body::Body;
use axum::http::Request;
use listing_tests::{Reply, Service};
use serde_json::{Map, Value};

/// How a request is sent.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Transport {
    Query {
        lists: Lists,
        /// `%5B` for `[`.
        escaped_brackets: bool,
        /// `+` for a space.
        plus: bool,
    },
    /// `POST …/query`
    Post,
    /// The method `QUERY`.
    QueryMethod,
}

/// How a list is written in a query string.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lists {
    /// `a[0]=x&a[1]=y`
    Indexed,
    /// `a[4]=y&a[1]=x`: the indexes order the values.
    Sparse,
    /// `a[]=x&a[]=y`
    Appended,
    /// `a=x&a=y`
    Repeated,
    /// `a=x,y`, where names are listed; elsewhere a comma is part of the value.
    Commas,
}

/// A request that is ready to be sent.
#[derive(Debug, Clone)]
pub(crate) enum Outgoing {
    Get(String),
    Post(&'static str, Value),
    QueryMethod(&'static str, Value),
}

impl Outgoing {
    pub(crate) fn new(path: &'static str, tree: Map<String, Value>, transport: Transport) -> Self {
        match transport {
            Transport::Query {
                lists,
                escaped_brackets,
                plus,
            } => {
                let mut pairs = Pairs {
                    lists,
                    plus,
                    written: Vec::new(),
                };
                for (name, value) in &tree {
                    pairs.add(&encode(name, false), value, true);
                }
                let mut query = pairs.written.join("&");
                if escaped_brackets {
                    query = query.replace('[', "%5B").replace(']', "%5D");
                }
                Self::Get(format!("{path}?{query}"))
            }
            Transport::Post => Self::Post(path, Value::Object(tree)),
            Transport::QueryMethod => Self::QueryMethod(path, Value::Object(tree)),
        }
    }

    pub(crate) async fn send(&self, service: &Service) -> Reply {
        match self {
            Self::Get(path_and_query) => service.get(path_and_query).await,
            Self::Post(path, body) => service.post_query(path, body).await,
            Self::QueryMethod(path, body) => {
                let request = Request::builder()
                    .method("QUERY")
                    .uri(*path)
                    .header("content-type", "application/json")
                    .body(Body::from(body.to_string()))
                    .unwrap();
                service.send(request).await
            }
        }
    }
}

impl fmt::Display for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get(path_and_query) => write!(f, "GET {path_and_query}"),
            Self::Post(path, body) => write!(f, "POST {path}/query {body}"),
            Self::QueryMethod(path, body) => write!(f, "QUERY {path} {body}"),
        }
    }
}

/// The pairs of a query string.
struct Pairs {
    lists: Lists,
    plus: bool,
    written: Vec<String>,
}

impl Pairs {
    fn add(&mut self, key: &str, value: &Value, is_top: bool) {
        match value {
            Value::Object(entries) => {
                for (name, value) in entries {
                    self.add(&format!("{key}[{}]", encode(name, false)), value, false);
                }
            }
            Value::Array(items) => self.list(key, items, is_top),
            scalar => {
                let text = self.text(scalar);
                self.written.push(format!("{key}={text}"));
            }
        }
    }

    fn list(&mut self, key: &str, items: &[Value], is_top: bool) {
        let nested = items.iter().any(|item| item.is_object() || item.is_array());
        match self.lists {
            Lists::Commas if is_top && !nested => {
                let texts: Vec<_> = items.iter().map(|item| self.text(item)).collect();
                self.written.push(format!("{key}={}", texts.join(",")));
            }
            Lists::Sparse => {
                for (at, item) in items.iter().enumerate().rev() {
                    self.add(&format!("{key}[{}]", 3 * at + 1), item, false);
                }
            }
            Lists::Repeated if !nested => {
                for item in items {
                    self.add(key, item, false);
                }
            }
            Lists::Appended | Lists::Commas if !nested => {
                for item in items {
                    self.add(&format!("{key}[]"), item, false);
                }
            }
            Lists::Indexed | Lists::Repeated | Lists::Appended | Lists::Commas => {
                for (at, item) in items.iter().enumerate() {
                    self.add(&format!("{key}[{at}]"), item, false);
                }
            }
        }
    }

    fn text(&self, scalar: &Value) -> String {
        match scalar {
            Value::String(text) => encode(text, self.plus),
            other => encode(&other.to_string(), self.plus),
        }
    }
}

/// Everything but letters, digits and a few marks as `%XX`.
fn encode(text: &str, plus: bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' if plus => encoded.push('+'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'$' | b'*' => {
                encoded.push(char::from(byte));
            }
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}
