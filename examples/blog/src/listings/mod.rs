//! The listings of the blog's entities.

mod article;
mod author;
mod comment;
mod current_user;
mod tag;

pub use article::ArticleListing;
pub use author::AuthorListing;
pub use comment::CommentListing;
pub use current_user::CurrentUser;
pub use tag::TagListing;
