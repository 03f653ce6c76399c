//! Lists over HTTP: the extractor of a list request, the routes of a list, and answers that a client can revalidate.

mod extract;
mod revalidate;
mod routes;

pub use extract::ListingQuery;
pub(crate) use extract::list_request;
pub(crate) use revalidate::Tagged;
pub(crate) use routes::list_methods;
pub use routes::list_routes;
