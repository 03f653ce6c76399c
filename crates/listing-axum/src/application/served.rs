//! Everything that a service serves, as one router.

use axum::Router;

use super::{App, health};
use crate::pages::Explorer;
use crate::records::BuiltApi;
use crate::service::Config;

/// What is served besides the API, and what is around it.
pub(super) struct Served<T> {
    pub(super) routes: Router<App<T>>,
    /// What is put around the routes, from the inside out.
    pub(super) layers: Vec<AddLayer<T>>,
    pub(super) explorer: Option<ChangeExplorer>,
    pub(super) health: bool,
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
        }
    }
}

impl<T: Send + Sync + 'static> Served<T> {
    /// The routes of the API and the application's own inside their layers, then those for people and for machines that watch.
    pub(super) fn router(self, api: BuiltApi<App<T>>, app: App<T>, config: &Config) -> Router {
        let prefix = api.routes.prefix().to_owned();
        let routes = api.router.merge(self.routes);
        let add = |routes, layer: AddLayer<T>| layer(routes, &app);
        let mut routes = self.layers.into_iter().fold(routes, add);
        if self.health {
            routes = routes.merge(health::routes());
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
