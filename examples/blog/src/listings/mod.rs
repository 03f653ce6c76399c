//! The listings of the blog's entities, those of articles in part: the rest is at the columns of the entity.

mod article;
mod author;
mod comment;
mod current_user;
mod tag;

pub(crate) use article::{by_country, sees_deleted};
pub use author::AuthorListing;
pub use comment::CommentListing;
pub use current_user::CurrentUser;
pub use tag::TagListing;
