//! Lists over HTTP: the extractor of a list request, the routes of a list, and answers that a client can revalidate.

mod extract;
mod file;
mod revalidate;
mod routes;

pub use extract::ListingQuery;
pub(crate) use extract::{export_request, groups_request, list_request};
pub(crate) use file::{file, file_head, file_headers};
pub(crate) use revalidate::Tagged;
pub use routes::list_routes;
pub(crate) use routes::{HandlerFuture, ListHandler, answer, list_methods};
