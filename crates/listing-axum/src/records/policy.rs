//! The usual decisions about who may do what, each in one line of a resource (d63, b140).
//!
//! ```
//! use blog::entity::article;
//! use blog::listings::CurrentUser;
//! use listing_axum::{Access, Denied, Resource, policy};
//!
//! struct Articles;
//!
//! impl Resource for Articles {
//!     type Entity = article::Entity;
//!
//!     // Everybody reads; authors write, and change what is their own.
//!     async fn authorize(access: &Access<'_, Self>) -> Result<(), Denied> {
//!         policy::read_for_all(access, |access| {
//!             policy::owner(access, article::Column::AuthorId, |user: &CurrentUser| user.author_id)
//!         })
//!     }
//! }
//! ```

use sea_orm::sea_query::Value;
use sea_orm::{EntityTrait, ModelTrait};

use super::fits::integer;
use super::{Access, Resource};
use crate::http::Denied;

/// Everyone may do everything.
///
/// # Errors
/// None.
pub const fn allow_all() -> Result<(), Denied> {
    Ok(())
}

/// Every signed-in caller may do everything: everyone for whom [`identify`](crate::identify) found a `User`.
///
/// # Errors
/// Otherwise 401.
pub fn signed_in<User>(access: &Access<'_, impl Resource>) -> Result<(), Denied>
where
    User: Send + Sync + 'static,
{
    match access.context().get::<User>() {
        Some(_) => Ok(()),
        None => Err(Denied::Unauthenticated),
    }
}

/// Everyone may read; another policy decides about writing.
///
/// # Errors
/// Those of the other policy.
pub fn read_for_all<R: Resource>(
    access: &Access<'_, R>,
    write: impl FnOnce(&Access<'_, R>) -> Result<(), Denied>,
) -> Result<(), Denied> {
    if access.operation().is_read() {
        return Ok(());
    }
    write(access)
}

/// Every signed-in caller may list and create; a record is for the user whose key is in its column. Which rows a list
/// shows is up to the listing's scope, and `before_store` gives a new record its owner.
///
/// # Errors
/// 401 if the caller is not known, 403 if the record is not theirs.
pub fn owner<R, User, Key>(
    access: &Access<'_, R>,
    column: <R::Entity as EntityTrait>::Column,
    key: impl FnOnce(&User) -> Key,
) -> Result<(), Denied>
where
    R: Resource,
    User: Send + Sync + 'static,
    Key: Into<Value>,
{
    let Some(user) = access.context().get::<User>() else {
        return Err(Denied::Unauthenticated);
    };
    match access.record() {
        Some(record) if !is_same(&record.get(column), &key(user).into()) => Err(Denied::Forbidden),
        _ => Ok(()),
    }
}

/// Whether two keys are the same. A record without an owner belongs to no user. Integers may be of different widths.
fn is_same(owner: &Value, user: &Value) -> bool {
    match (integer(owner), integer(user)) {
        (Some(owner), Some(user)) => owner == user,
        _ => owner == user && *owner != owner.as_null(),
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::sea_query::Value;

    use super::is_same;

    /// Rule b140.
    #[test]
    fn keys_are_the_same_whatever_their_width_and_nobody_owns_null() {
        assert!(is_same(&Value::from(7_i64), &Value::from(7_i32)));
        assert!(is_same(&Value::from("ann"), &Value::from("ann")));
        assert!(!is_same(&Value::from(7_i64), &Value::from(8_i64)));
        assert!(!is_same(&Value::from("ann"), &Value::from("bob")));
        let nobody = Value::from(None::<i64>);
        assert!(!is_same(&nobody, &nobody));
        assert!(!is_same(&nobody, &Value::from(0_i64)));
        let nobody = Value::from(None::<String>);
        assert!(!is_same(&nobody, &nobody));
    }
}
