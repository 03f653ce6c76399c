//! Builds a complete service: definitions, database, callers, pages, and the server around them.

mod builder;
mod error;
mod health;
mod log;
mod prepare;
mod served;
mod signals;
mod start;
mod state;

pub use builder::Service;
pub use error::ServiceError;
pub use state::App;
