//! A ready-made resource for entities that everyone may read and no caller may write.

use std::fmt;
use std::future::ready;
use std::marker::PhantomData;

use listing::{HasListing, NamedRelations};

use super::{Access, Resource, policy};
use crate::http::Denied;

/// An entity whose list and records everyone may read: `Api::read::<PublicRead<author::Entity>>()`. Its segment and its names are
/// derived from its table's name.
///
/// ```
/// use blog::entity::author;
/// use listing_axum::{PublicRead, Resource};
///
/// type Authors = PublicRead<author::Entity>;
/// assert_eq!(Authors::segment(), "authors");
/// ```
pub struct PublicRead<E>(PhantomData<fn() -> E>);

impl<E: HasListing<Model: Sync> + NamedRelations> Resource for PublicRead<E> {
    type Entity = E;

    fn authorize(_: &Access<'_, Self>) -> impl Future<Output = Result<(), Denied>> + Send {
        ready(policy::allow_all())
    }
}

impl<E> fmt::Debug for PublicRead<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PublicRead")
    }
}
