//! Finds the label for the route of a request: its name, or its path if it has no name.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;

use crate::records::RouteTable;

/// The names of routes by method and path.
#[derive(Debug, Clone, Default)]
pub(super) struct RouteNames(HashMap<String, Vec<(Method, Arc<str>)>>);

impl RouteNames {
    pub(super) fn of(routes: &RouteTable) -> Self {
        let mut names: HashMap<String, Vec<_>> = HashMap::new();
        for route in routes.iter() {
            if let Ok(method) = route.method.parse() {
                let name: Arc<str> = route.name.as_str().into();
                names
                    .entry(route.path.clone())
                    .or_default()
                    .push((method, name));
            }
        }
        Self(names)
    }

    /// A label is always a route, and never chosen by a client, so there are only as many labels as routes.
    pub(super) fn name(&self, request: &Request) -> Arc<str> {
        let Some(path) = request.extensions().get::<MatchedPath>() else {
            return "unmatched".into();
        };
        let path = path.as_str();
        // A list is the same one, whichever method reads it.
        let is_read = *request.method() == Method::HEAD || request.method().as_str() == "QUERY";
        let method = if is_read {
            &Method::GET
        } else {
            request.method()
        };
        let named = self.0.get(path).into_iter().flatten();
        let mut named = named.filter(|(known, _)| known == method);
        named
            .next()
            .map_or_else(|| path.into(), |(_, name)| Arc::clone(name))
    }
}
