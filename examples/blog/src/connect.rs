//! Opens the blog's database; the library knows how.

pub use listing_axum::database::connect;
