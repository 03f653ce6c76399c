//! Pages for people, served from the binary: the explorer and the API reference.

mod explorer;
mod files;
#[cfg(feature = "docs")]
mod reference;
mod tagged;

pub use explorer::Explorer;
#[cfg(feature = "docs")]
pub use reference::Reference;
