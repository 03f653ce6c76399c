//! The Rust source of listings and resources.

pub(crate) mod listing;
pub(crate) mod resource;
pub(crate) mod words;
