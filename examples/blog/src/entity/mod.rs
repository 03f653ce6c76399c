//! The SeaORM entities of the tables that `migration` creates.
//!
//! The name of a relation's field is the name that clients write in `populate`.

pub mod article;
pub mod article_tag;
pub mod author;
pub mod comment;
pub mod seo;
pub mod tag;
