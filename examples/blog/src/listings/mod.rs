//! The listings of the blog's entities.

mod article;
mod author;
mod comment;
mod tag;

pub use article::{ArticleListing, CurrentUser};
pub use author::AuthorListing;
pub use comment::CommentListing;
pub use tag::TagListing;
