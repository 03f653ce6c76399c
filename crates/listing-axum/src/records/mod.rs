//! The endpoints of a resource: list, show, store, update, destroy and restore (contract 4.2).

mod access;
mod api;
mod bind;
mod body;
mod change;
mod constraint;
mod field_names;
mod fits;
mod force;
mod foreign;
mod handlers;

mod payload;
pub mod policy;
mod public_read;
mod refused_value;
mod resource;
mod route_table;
mod stamp;
mod titles;
mod unique;
mod valid;
mod value;
mod wording;
mod write;

pub use access::Access;
pub use api::{Api, BuiltApi, ResourceRoutes};
pub use bind::Bound;
pub use field_names::PayloadField;
pub use payload::{Given, Payload, PayloadObject};
pub use public_read::PublicRead;
pub use resource::{ActiveModelOf, ModelOf, Operation, Resource, WritableEntity, WritableResource};
pub use route_table::{NamedRoute, RouteTable};
pub use titles::Titles;
pub use unique::Unique;
pub use valid::Valid;
