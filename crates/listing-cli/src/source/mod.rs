//! The Rust source of listings and resources.

mod hooks;
pub(crate) mod listing;
pub(crate) mod resource;
pub(crate) mod words;
