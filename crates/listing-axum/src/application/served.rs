//! Combines everything that a service serves into one router.

use axum::Router;
use axum::extract::FromRef as _;
use listing::ReadPool;

use super::health::Leaving;
use super::{App, health};
use crate::pages::Explorer;
use crate::records::BuiltApi;
use crate::service::{Config, with_positions};

/// The routes besides the API, and the layers around all of them.
pub(super) struct Served<T> {
    pub(super) routes: Router<App<T>>,
    /// The layers around the routes, from the inside out.
    pub(super) layers: Vec<AddLayer<T>>,
    pub(super) explorer: Option<ChangeExplorer>,
    pub(super) health: bool,
    pub(super) leaving: Leaving,
}

type ChangeExplorer = Box<dyn FnOnce(Explorer) -> Explorer>;
type AddLayer<T> = Box<dyn FnOnce(Router<App<T>>, &App<T>) -> Router<App<T>>>;

impl<T: Send + Sync + 'static> Default for Served<T> {
    fn default() -> Self {
        Self {
            routes: Router::new(),
            layers: Vec::new(),
            explorer: None,
            health: true,
            leaving: Leaving::default(),
        }
    }
}

impl<T: Send + Sync + 'static> Served<T> {
    /// The routes of the API and of the application inside their layers, then the pages and the routes for monitoring.
    pub(super) fn router(self, api: BuiltApi<App<T>>, app: App<T>, config: &Config) -> Router {
        let prefix = api.routes.prefix().to_owned();
        let routes = api.router.merge(self.routes);
        let add = |routes, layer: AddLayer<T>| layer(routes, &app);
        let mut routes = self.layers.into_iter().fold(routes, add);
        let reads = ReadPool::from_ref(&app);
        routes = with_positions(routes, &reads, config);
        if self.health {
            routes = routes.merge(health::routes(self.leaving));
        }
        if let Some(change) = self.explorer {
            let explorer = Explorer::new(&prefix);
            #[cfg(feature = "docs")]
            let explorer = explorer.with_reference();
            routes = routes.merge(change(explorer).routes(config));
        }
        routes.with_state(app)
    }
}
