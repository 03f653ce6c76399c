//! Serves the API reference: a page made from the OpenAPI document, with a viewer that is in the binary.
//!
//! The viewer is RapiDoc (MIT, see `reference/LICENSE.txt`), the file `dist/rapidoc-min.js.gz` of the npm package
//! `rapidoc` 9.3.8 as it is.

use std::io::Read;
use std::sync::LazyLock;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use axum::routing::get;

use crate::http::etag;

/// Where the page is.
const PLACE: &str = "/docs";

/// The viewer's address; it changes with its version.
const VIEWER: &str = "/docs/rapidoc-9.3.8.js";

/// The viewer, compressed.
static COMPRESSED: &[u8] = include_bytes!("reference/rapidoc.js.gz");

/// The viewer for those who do not take it compressed; it is small enough to be kept.
static PLAIN: LazyLock<Bytes> = LazyLock::new(|| {
    let mut plain = Vec::new();
    match flate2::read::GzDecoder::new(COMPRESSED).read_to_end(&mut plain) {
        Ok(_) => plain.into(),
        Err(_) => Bytes::new(),
    }
});

/// Only our own files run and are asked. The viewer writes its styles into the page, which is all that it may write.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The API reference: a page at `/docs`, made from the OpenAPI document of an [`Api`](crate::Api) that is
/// [described](crate::BuiltApi::describe). It shows what a caller without a token may do, and nothing comes from elsewhere.
///
/// ```
/// # use axum::Router;
/// # use listing_axum::Reference;
/// # fn example(api: Router) -> Router {
/// let router = api.merge(Reference::new("/api").routes());
/// # router
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "merge its routes into a router"]
pub struct Reference {
    document: String,
}

impl Reference {
    /// The reference of the [`Api`](crate::Api) under that prefix.
    pub fn new(prefix: &str) -> Self {
        Self {
            document: format!("{}/openapi.json", prefix.trim_end_matches('/')),
        }
    }

    /// The routes.
    pub fn routes<S>(self) -> Router<S>
    where
        S: Clone + Send + Sync + 'static,
    {
        let page = Bytes::from(page(&self.document));
        let show = get(async move |headers: HeaderMap| {
            let mut response = tagged(page, &headers, "no-cache");
            let headers = response.headers_mut();
            let html = HeaderValue::from_static("text/html; charset=utf-8");
            headers.insert(header::CONTENT_TYPE, html);
            for (name, value) in [
                (header::CONTENT_SECURITY_POLICY, POLICY),
                (header::REFERRER_POLICY, "no-referrer"),
            ] {
                headers.insert(name, HeaderValue::from_static(value));
            }
            response
        });
        Router::new().route(PLACE, show).route(VIEWER, get(viewer))
    }
}

/// The page. The document's path has no character that markup would read, apart from those that are escaped.
fn page(document: &str) -> String {
    let escaped = document
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>API reference</title>\n\
         <script type=\"module\" src=\"{VIEWER}\"></script>\n</head>\n<body>\n\
         <rapi-doc spec-url=\"{escaped}\" load-fonts=\"false\" render-style=\"focused\" show-header=\"false\" \
         schema-style=\"table\" default-schema-tab=\"schema\" allow-server-selection=\"false\" \
         show-method-in-nav-bar=\"as-colored-text\" use-path-in-nav-bar=\"false\"></rapi-doc>\n\
         <noscript>The reference needs JavaScript; the document itself is at {escaped}.</noscript>\n</body>\n</html>\n"
    )
}

/// The viewer, compressed for those who take it so.
async fn viewer(headers: HeaderMap) -> Response {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let takes_gzip = accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|one| one.trim().split(';').next() == Some("gzip") && !one.contains("q=0"));
    let body = match takes_gzip {
        true => Bytes::from_static(COMPRESSED),
        false => PLAIN.clone(),
    };
    let mut response = tagged(body, &headers, "public, max-age=31536000, immutable");
    let headers = response.headers_mut();
    let script = HeaderValue::from_static("text/javascript; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, script);
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if takes_gzip {
        let gzip = HeaderValue::from_static("gzip");
        headers.insert(header::CONTENT_ENCODING, gzip);
    }
    response
}

/// A body with its tag, or 304 for who has it.
fn tagged(body: Bytes, headers: &HeaderMap, cache: &'static str) -> Response {
    let tag = etag::etag(&body);
    let known = etag::names(headers.get_all(header::IF_NONE_MATCH), &tag) == Some(true);
    let mut response = match known {
        true => etag::unchanged(HeaderMap::new()),
        false => Response::new(Body::from(body)),
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, etag::header(&tag));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response
}
