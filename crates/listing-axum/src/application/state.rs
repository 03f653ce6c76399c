//! The state that the handlers of a service share.

use std::fmt;
use std::sync::Arc;

use axum::extract::FromRef;
use listing::{Listings, ReadPool};
use sea_orm::DatabaseConnection;

#[cfg(feature = "jwt")]
use crate::service::Jwt;

/// The state of a [`Service`](super::Service): the database, the readers, the definitions, and the application's own state.
/// Handlers extract a part of it with `State`, such as `State(db): State<DatabaseConnection>`.
///
/// ```
/// use axum::extract::State;
/// use listing_axum::App;
/// use sea_orm::DatabaseConnection;
///
/// #[derive(Debug)]
/// struct Greeting(&'static str);
///
/// async fn greet(State(app): State<App<Greeting>>, State(_db): State<DatabaseConnection>) -> &'static str {
///     app.own().0
/// }
/// # let _: axum::Router<App<Greeting>> = axum::Router::new().route("/", axum::routing::get(greet));
/// ```
pub struct App<T = ()>(Arc<Parts<T>>);

/// In one `Arc`, because every layer of a router clones the state for each request.
struct Parts<T> {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
    #[cfg(feature = "jwt")]
    jwt: Jwt,
    own: T,
}

impl<T> App<T> {
    /// The state of a service on that database, which reads from `reads`.
    pub fn new(db: DatabaseConnection, reads: ReadPool, listings: Listings, own: T) -> Self {
        Self(Arc::new(Parts {
            db,
            reads,
            listings,
            #[cfg(feature = "jwt")]
            jwt: Jwt::default(),
            own,
        }))
    }

    /// The same with a verifier of tokens.
    #[cfg(feature = "jwt")]
    #[must_use]
    pub fn with_jwt(self, jwt: Jwt) -> Self {
        match Arc::try_unwrap(self.0) {
            Ok(parts) => Self(Arc::new(Parts { jwt, ..parts })),
            // It is called before the state is shared.
            Err(shared) => Self(shared),
        }
    }

    /// The application's own state.
    pub fn own(&self) -> &T {
        &self.0.own
    }

    /// Verifies tokens, as the configuration says.
    #[cfg(feature = "jwt")]
    pub fn jwt(&self) -> &Jwt {
        &self.0.jwt
    }
}

impl<T> Clone for App<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for App<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("App").finish_non_exhaustive()
    }
}

impl<T> FromRef<App<T>> for DatabaseConnection {
    fn from_ref(app: &App<T>) -> Self {
        app.0.db.clone()
    }
}

impl<T> FromRef<App<T>> for ReadPool {
    fn from_ref(app: &App<T>) -> Self {
        app.0.reads.clone()
    }
}

impl<T> FromRef<App<T>> for Listings {
    fn from_ref(app: &App<T>) -> Self {
        app.0.listings.clone()
    }
}

#[cfg(feature = "jwt")]
impl<T> FromRef<App<T>> for Jwt {
    fn from_ref(app: &App<T>) -> Self {
        app.0.jwt.clone()
    }
}
