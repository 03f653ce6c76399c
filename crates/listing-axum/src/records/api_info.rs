//! An application's information about its API: a title, a version, and how callers are identified.

use std::fmt;

use listing::Context;

/// An application's information about its API.
///
/// ```
/// use listing_axum::ApiInfo;
///
/// let info = ApiInfo::new("Shop", "1.2.0")
///     .description("Products and orders.")
///     .bearer_auth();
/// # let _ = info;
/// ```
#[derive(Clone)]
#[must_use = "give it to `BuiltApi::describe`"]
pub struct ApiInfo {
    pub(crate) title: String,
    pub(crate) version: String,
    pub(crate) description: Option<String>,
    /// Whether a caller can send a bearer token.
    pub(crate) bearer: Option<fn(&Context) -> bool>,
}

impl ApiInfo {
    /// An API with this title, in this version.
    pub fn new(title: &str, version: &str) -> Self {
        Self {
            title: title.to_owned(),
            version: version.to_owned(),
            description: None,
            bearer: None,
        }
    }

    /// A few sentences about the API, for the first page of its reference.
    pub fn description(mut self, description: &str) -> Self {
        self.description = Some(description.to_owned());
        self
    }

    /// Callers are known by a bearer token in the header `Authorization`.
    pub fn bearer_auth(self) -> Self {
        self.bearer_auth_if(|_| true)
    }

    /// The same, if the request's context says so: for a service that has a key for tokens only where it is configured.
    pub fn bearer_auth_if(mut self, condition: fn(&Context) -> bool) -> Self {
        self.bearer = Some(condition);
        self
    }
}

impl fmt::Debug for ApiInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiInfo")
            .field("title", &self.title)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl PartialEq for ApiInfo {
    fn eq(&self, other: &Self) -> bool {
        let of = |info: &Self| {
            (
                info.title.clone(),
                info.version.clone(),
                info.description.clone(),
            )
        };
        of(self) == of(other) && self.bearer.is_some() == other.bearer.is_some()
    }
}

impl Eq for ApiInfo {}
