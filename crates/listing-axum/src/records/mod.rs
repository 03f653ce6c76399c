//! The endpoints of a resource: list, show, store, update, destroy and restore (contract 4.2).

mod api;
mod bind;
mod body;
mod change;
mod constraint;
mod fits;
mod force;
mod foreign;
mod handlers;
mod payload;
mod refused_value;
mod resource;
mod route_table;
mod stamp;
mod unique;
mod valid;
mod wording;
mod write;

pub use api::{Api, ResourceRoutes};
pub use bind::Bound;
pub use payload::{Given, Payload, PayloadObject};
pub use resource::{ActiveModelOf, ModelOf, Operation, Resource, WritableEntity, WritableResource};
pub use route_table::{NamedRoute, RouteTable};
pub use unique::Unique;
pub use valid::Valid;
