//! Serves the explorer: a page on which people find, filter, share and edit the rows of lists.

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use super::files::{FILES, HTML, VERSION, page};
#[cfg(feature = "docs")]
use super::reference::{self, Reference};
use super::tagged::{ASK_AGAIN, FOR_GOOD, tagged};
use crate::service::Config;

/// The address of the page.
pub(super) const PLACE: &str = "/explorer";

/// Only our own files run and are requested, nothing is framed, and no text becomes markup: browsers that support trusted types
/// refuse `innerHTML` and similar properties altogether.
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
    sign_in: bool,
    #[cfg(feature = "docs")]
    reference: Option<Reference>,
}

impl Explorer {
    /// The explorer of the [`Api`](crate::Api) under that prefix.
    pub fn new(prefix: &str) -> Self {
        Self {
            describe: format!("{}/_describe", prefix.trim_end_matches('/')),
            home: true,
            sign_in: true,
            #[cfg(feature = "docs")]
            reference: None,
        }
    }

    /// The same without the redirect from `/`, for an application with its own page there.
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

    /// The same without the button for signing in, for a service that knows no callers.
    ///
    /// ```
    /// # use axum::Router;
    /// # use listing_axum::{Config, Explorer};
    /// let _router: Router = Explorer::new("/api").without_sign_in().routes(&Config::default());
    /// ```
    pub fn without_sign_in(mut self) -> Self {
        self.sign_in = false;
        self
    }

    /// The same with the [reference](Reference) of that API at `/docs`; each page leads to the other.
    ///
    /// ```
    /// # use axum::Router;
    /// # use listing_axum::{Config, Explorer};
    /// let _router: Router = Explorer::new("/api").with_reference().routes(&Config::default());
    /// ```
    #[cfg(feature = "docs")]
    pub fn with_reference(mut self) -> Self {
        let prefix = self.describe.trim_end_matches("/_describe");
        self.reference = Some(Reference::new(prefix).next_to_the_explorer());
        self
    }

    /// The routes; no routes if the configuration turns the explorer off.
    pub fn routes<S>(self, config: &Config) -> Router<S>
    where
        S: Clone + Send + Sync + 'static,
    {
        let router = Router::new();
        if !config.explorer {
            return router;
        }
        #[cfg(feature = "docs")]
        let (router, docs) = match self.reference {
            Some(reference) => (router.merge(reference.routes()), Some(reference::PLACE)),
            None => (router, None),
        };
        #[cfg(not(feature = "docs"))]
        let docs = None;
        let text = Bytes::from(page(PLACE, &self.describe, docs, self.sign_in));
        let show = get(async move |headers: HeaderMap| shown(text, &headers));
        let router = router
            .route(PLACE, show.clone())
            .route(&format!("{PLACE}/{{listing}}"), show.clone())
            .route(&format!("{PLACE}/{{listing}}/_groups"), show)
            .route(&format!("{PLACE}/_/{{version}}/{{file}}"), get(file));
        if self.home {
            router.route("/", get(async || Redirect::temporary(PLACE)))
        } else {
            router
        }
    }
}

/// The page.
fn shown(text: Bytes, headers: &HeaderMap) -> Response {
    let mut response = tagged(text, HTML, ASK_AGAIN, headers);
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// A file of the page.
async fn file(Path((version, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    let file = FILES.iter().find(|file| file.name == name);
    match file.filter(|_| version == *VERSION) {
        Some(file) => tagged(file.text, file.content_type, FOR_GOOD, &headers),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
