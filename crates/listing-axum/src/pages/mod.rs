//! Pages for people, served from the binary: the explorer.

mod explorer;
mod files;

pub use explorer::Explorer;
