//! Serves the explorer: a page on which people find, filter, share and edit what the lists show.

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use super::files::{FILES, VERSION, page};
use crate::http::etag;
use crate::service::Config;

/// Where the page is.
const PLACE: &str = "/explorer";

/// Only our own files run and are asked, nothing is framed, and no text becomes markup: browsers that know trusted types
/// refuse `innerHTML` and its like altogether.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// The explorer: a page at `/explorer` for people, made from the description that an [`Api`](crate::Api) gives of itself.
/// It sends the requests that any client could send, and nothing is reachable by it that the caller may not do. The API has
/// to describe itself: see [`BuiltApi::describe`](crate::BuiltApi::describe).
///
/// Nothing is served until the application merges the routes into its router. From then on `explorer = false` in
/// `listing.toml` turns them off.
///
/// ```
/// # use axum::Router;
/// # use listing_axum::{Config, Explorer};
/// # fn example(api: Router, config: &Config) -> Router {
/// let router = api.merge(Explorer::new("/api").routes(config));
/// # router
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "merge its routes into a router"]
pub struct Explorer {
    describe: String,
    home: bool,
}

impl Explorer {
    /// The explorer of the [`Api`](crate::Api) under that prefix.
    pub fn new(prefix: &str) -> Self {
        Self {
            describe: format!("{}/_describe", prefix.trim_end_matches('/')),
            home: true,
        }
    }

    /// The same without the redirect from `/`, for an application that has a page of its own there.
    ///
    /// ```
    /// # use axum::{Router, routing::get};
    /// # use listing_axum::{Config, Explorer};
    /// let explorer = Explorer::new("/api").without_home().routes(&Config::default());
    /// let _router: Router = Router::new().route("/", get(async || "my own page")).merge(explorer);
    /// ```
    pub fn without_home(mut self) -> Self {
        self.home = false;
        self
    }

    /// The routes, or none where the configuration says so.
    pub fn routes<S>(self, config: &Config) -> Router<S>
    where
        S: Clone + Send + Sync + 'static,
    {
        let router = Router::new();
        if !config.explorer {
            return router;
        }
        let text = page(PLACE, &self.describe);
        let show = get(move |headers: HeaderMap| {
            let text = text.clone();
            async move { shown(text, &headers) }
        });
        let router = router
            .route(PLACE, show.clone())
            .route(&format!("{PLACE}/{{listing}}"), show)
            .route(&format!("{PLACE}/_/{{version}}/{{file}}"), get(file));
        if self.home {
            router.route("/", get(async || Redirect::temporary(PLACE)))
        } else {
            router
        }
    }
}

/// The page. A browser asks each time whether it is still the same.
fn shown(text: String, headers: &HeaderMap) -> Response {
    let tag = etag::etag(text.as_bytes());
    let known = etag::names(headers.get_all(header::IF_NONE_MATCH), &tag) == Some(true);
    let mut response = if known {
        etag::unchanged(HeaderMap::new())
    } else {
        Response::new(Body::from(text))
    };
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    let headers = response.headers_mut();
    if !known {
        headers.insert(header::CONTENT_TYPE, html);
    }
    headers.insert(header::ETAG, etag::header(&tag));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A file of the page. Its address changes with it, so that it never has to be asked for again.
async fn file(Path((version, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    let file = FILES.iter().find(|file| file.name == name);
    let Some(file) = file.filter(|_| version == *VERSION) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let tag = etag::etag(file.text.as_bytes());
    let known = etag::names(headers.get_all(header::IF_NONE_MATCH), &tag) == Some(true);
    let mut response = if known {
        etag::unchanged(HeaderMap::new())
    } else {
        let mut response = Response::new(Body::from(file.text));
        let content_type = HeaderValue::from_static(file.content_type);
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, content_type);
        response
    };
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    let headers = response.headers_mut();
    headers.insert(header::ETAG, etag::header(&tag));
    headers.insert(header::CACHE_CONTROL, forever);
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    response
}
