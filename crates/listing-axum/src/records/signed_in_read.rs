//! A ready resource for entities that every caller who is signed in may read and no caller may write.

use std::fmt;
use std::future::ready;
use std::marker::PhantomData;

use listing::{HasListing, NamedRelations};

use super::{Access, Resource, policy};
use crate::http::Denied;

/// An entity whose list and records are for callers for whom [`identify`](crate::identify) found a `User`; the others get
/// 401. `Api::read::<SignedInRead<author::Entity, User>>()` serves it. Its segment and its names are made from its table's
/// name.
///
/// ```
/// use blog::entity::author;
/// use blog::listings::CurrentUser;
/// use listing_axum::{Resource, SignedInRead};
///
/// type Authors = SignedInRead<author::Entity, CurrentUser>;
/// assert_eq!(Authors::segment(), "authors");
/// ```
pub struct SignedInRead<E, User>(PhantomData<fn() -> (E, User)>);

impl<E, User> Resource for SignedInRead<E, User>
where
    E: HasListing<Model: Sync> + NamedRelations,
    User: Send + Sync + 'static,
{
    type Entity = E;

    fn authorize(access: &Access<'_, Self>) -> impl Future<Output = Result<(), Denied>> + Send {
        ready(policy::signed_in::<User>(access))
    }
}

impl<E, User> fmt::Debug for SignedInRead<E, User> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignedInRead")
    }
}
