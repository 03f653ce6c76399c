//! Serves the API reference: a page made from the OpenAPI document, with a viewer that is in the binary.
//!
//! The viewer is RapiDoc (MIT, see `reference/LICENSE.txt`), the file `dist/rapidoc-min.js.gz` of the npm package
//! `rapidoc` 9.3.8 as it is.

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::explorer;
use super::files::{HTML, SCRIPT, escaped};
use super::tagged::{ASK_AGAIN, FOR_GOOD, tagged};

/// The address of the page.
pub(super) const PLACE: &str = "/docs";

/// The page, with places in braces for addresses.
const PAGE: &str = include_str!("reference/index.html");

/// The link to the explorer, above the operations.
const LINK: &str = "<a slot=\"nav-logo\" href=\"{explorer}\">← Explorer</a>\n";

/// The scripts of the page's own, which give the viewer its document, its first page and its looks.
const SCRIPTS: [(&str, &str); 3] = [
    ("/docs/page.js", include_str!("reference/page.js")),
    ("/docs/landing.js", include_str!("reference/landing.js")),
    ("/docs/access.js", include_str!("reference/access.js")),
];

/// The viewer's address; it changes with its version.
const VIEWER: &str = "/docs/rapidoc-9.3.8.js";

/// The viewer, compressed. Every browser takes it so, and a program that has no other form of it needs no crate to unpack it.
static VIEWER_GZIP: &[u8] = include_bytes!("reference/rapidoc.js.gz");

/// Only our own files run and are requested. The viewer writes its styles into the page, and may write nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The API reference: a page at `/docs`, generated from the OpenAPI document of an [`Api`](crate::Api) that is
/// [described](crate::BuiltApi::describe). Nothing is loaded from elsewhere. It shows the operations of a caller without a token,
/// or of the caller who is signed in to the [explorer](crate::Explorer) in the same tab.
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
    has_explorer: bool,
}

impl Reference {
    /// The reference of the [`Api`](crate::Api) under that prefix.
    pub fn new(prefix: &str) -> Self {
        Self {
            document: format!("{}/openapi.json", prefix.trim_end_matches('/')),
            has_explorer: false,
        }
    }

    /// With a link to the explorer.
    pub(super) fn next_to_the_explorer(mut self) -> Self {
        self.has_explorer = true;
        self
    }

    /// The routes.
    pub fn routes<S>(self) -> Router<S>
    where
        S: Clone + Send + Sync + 'static,
    {
        let page = Bytes::from(page(&self));
        let show = get(async move |headers: HeaderMap| {
            let mut response = tagged(page, HTML, ASK_AGAIN, &headers);
            for (name, value) in [
                (header::CONTENT_SECURITY_POLICY, POLICY),
                (header::REFERRER_POLICY, "no-referrer"),
            ] {
                let value = HeaderValue::from_static(value);
                response.headers_mut().insert(name, value);
            }
            response
        });
        let router = Router::new().route(PLACE, show).route(VIEWER, get(viewer));
        SCRIPTS.into_iter().fold(router, |router, (place, text)| {
            let show =
                get(async move |headers: HeaderMap| tagged(text, SCRIPT, ASK_AGAIN, &headers));
            router.route(place, show)
        })
    }
}

/// The page.
fn page(reference: &Reference) -> String {
    let document = escaped(&reference.document);
    let (explorer, link) = match reference.has_explorer {
        true => (explorer::PLACE, LINK),
        false => ("", ""),
    };
    PAGE.replace("{link}", link)
        .replace("{explorer}", explorer)
        .replace("{viewer}", VIEWER)
        .replace("{folder}", PLACE)
        .replace("{document}", &document)
}

/// The viewer, for those who take it compressed.
async fn viewer(headers: HeaderMap) -> Response {
    if refuses_gzip(&headers) {
        return StatusCode::NOT_ACCEPTABLE.into_response();
    }
    let mut response = tagged(VIEWER_GZIP, SCRIPT, FOR_GOOD, &headers);
    let gzip = HeaderValue::from_static("gzip");
    response
        .headers_mut()
        .insert(header::CONTENT_ENCODING, gzip);
    response
}

/// Whether the client names the encodings that it takes, and this is not among them.
fn refuses_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut accepted = accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .peekable();
    let takes = |one: &str| {
        let (name, quality) = one.split_once(';').unwrap_or((one, ""));
        let is_refused = matches!(quality.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000");
        matches!(name.trim(), "gzip" | "*") && !is_refused
    };
    accepted.peek().is_some() && !accepted.any(takes)
}
