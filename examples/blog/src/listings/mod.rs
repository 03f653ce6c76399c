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

use listing::{DefinitionErrors, Listings, Settings};

use crate::entity;

/// Every listing of the blog, verified.
///
/// # Errors
/// Everything that is wrong in any of them.
pub fn listings(settings: Settings) -> Result<Listings, DefinitionErrors> {
    Listings::builder(settings)
        .add::<entity::article::Entity>()
        .add::<entity::author::Entity>()
        .add::<entity::comment::Entity>()
        .add::<entity::tag::Entity>()
        .build()
}
