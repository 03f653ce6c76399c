//! A client that calls an application's routes without a network.

use axum::body::Body;
use axum::http::Request;
use axum::{Extension, Router};
use listing::Context;
use listing_axum::{Config, with_defaults};
use serde_json::Value;
use tower::ServiceExt;

use crate::{Reply, RunningApp};

/// Sends requests to an application. Paths and queries are written unescaped, brackets included.
#[derive(Debug, Clone)]
pub struct Client {
    app: RunningApp,
    /// Sent with every request.
    headers: Vec<(&'static str, String)>,
}

impl Client {
    /// A client of these routes, with the layers that a service has; the caller is in the context.
    pub fn of(router: Router, context: &Context, config: &Config) -> Self {
        let router = router.layer(Extension(context.clone()));
        Self::at(with_defaults(router, config))
    }

    /// A client of an application that has its layers.
    pub fn at(app: RunningApp) -> Self {
        Self {
            app,
            headers: Vec::new(),
        }
    }

    /// The same, sending a header with every request.
    #[must_use]
    pub fn with_header(&self, name: &'static str, value: &str) -> Self {
        let mut client = self.clone();
        client.headers.push((name, value.to_owned()));
        client
    }

    /// `GET`
    pub async fn get(&self, path: &str) -> Reply {
        self.bare("GET", path).await
    }

    /// `DELETE`
    pub async fn delete(&self, path: &str) -> Reply {
        self.bare("DELETE", path).await
    }

    /// `POST` with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.json("POST", path, body.to_string()).await
    }

    /// `PUT` with a JSON body.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.json("PUT", path, body.to_string()).await
    }

    /// Any method, without a body.
    pub async fn bare(&self, method: &str, path: &str) -> Reply {
        let request = Request::builder().method(method).uri(escape(path));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Any method, with a body that says it is JSON.
    pub async fn json(&self, method: &str, path: &str, body: impl Into<Body>) -> Reply {
        let request = Request::builder()
            .method(method)
            .uri(escape(path))
            .header("content-type", "application/json")
            .body(body.into())
            .unwrap();
        self.send(request).await
    }

    /// Any request.
    pub async fn send(&self, mut request: Request<Body>) -> Reply {
        for (name, value) in &self.headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        Reply::of(self.app.clone().oneshot(request).await.unwrap()).await
    }
}

/// What a browser escapes before sending: everything that is not allowed in a URL.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' '
            | b'"'
            | b'<'
            | b'>'
            | b'\\'
            | b'^'
            | b'`'
            | b'{'
            | b'|'
            | b'}'
            | 0x7f..
            | ..0x20 => {
                escaped.push_str(&format!("%{byte:02X}"));
            }
            _ => escaped.push(char::from(byte)),
        }
    }
    escaped
}
