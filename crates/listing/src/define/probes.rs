//! Tells of a type, without a bound on it, whether it has a listing or is an enumeration: what derives cannot know.

use std::marker::PhantomData;

use sea_orm::ActiveEnum;
use sea_orm::sea_query::Value;

use super::{HasListing, NamedRelations};

/// Tells of an entity, by its type alone, whether it has a listing: `ListingProbe::<Entity>::HAS_LISTING`, with
/// [`WithoutListing`] in scope. A constant of the type's own comes before one of a trait, and this one exists only for
/// entities that have a listing. The derive [`NamedRelations`](macro@crate::NamedRelations) asks it.
#[derive(Debug, Clone, Copy)]
pub struct ListingProbe<E>(PhantomData<E>);

impl<E: HasListing> ListingProbe<E> {
    /// It has one.
    pub const HAS_LISTING: bool = true;
}

/// The default of [`ListingProbe`] for every other entity.
pub trait WithoutListing {
    /// It has none.
    const HAS_LISTING: bool = false;
}

impl<E> WithoutListing for ListingProbe<E> {}

/// Tells of a type whether it is an enumeration, and its values: `EnumerationProbe::<T>::values()`, with
/// [`NotAnEnumeration`] in scope. It works as [`ListingProbe`] does.
#[derive(Debug, Clone, Copy)]
pub struct EnumerationProbe<T>(PhantomData<T>);

impl<T: ActiveEnum> EnumerationProbe<T> {
    /// Every value, as text.
    #[must_use]
    pub fn values() -> Option<Vec<String>> {
        T::values()
            .into_iter()
            .map(|value| text(value.into()))
            .collect()
    }
}

/// The default of [`EnumerationProbe`] for every other type.
pub trait NotAnEnumeration {
    /// It has none.
    #[must_use]
    fn values() -> Option<Vec<String>> {
        None
    }
}

impl<T> NotAnEnumeration for EnumerationProbe<T> {}

/// Tells of an entity, by its type alone, which of its columns are enumerations: `EnumerationsProbe::<Entity>::enumerations()`,
/// with [`WithoutEnumerations`] in scope. It works as [`ListingProbe`] does, and knows what
/// [`NamedRelations`](macro@crate::NamedRelations) was derived for.
#[derive(Debug, Clone, Copy)]
pub struct EnumerationsProbe<E>(PhantomData<E>);

impl<E: NamedRelations> EnumerationsProbe<E> {
    /// Its columns that are enumerations, with their values.
    #[must_use]
    pub fn enumerations() -> Vec<(&'static str, Vec<String>)> {
        E::enumerations()
    }
}

/// The default of [`EnumerationsProbe`] for every other entity.
pub trait WithoutEnumerations {
    /// None is known.
    #[must_use]
    fn enumerations() -> Vec<(&'static str, Vec<String>)> {
        Vec::new()
    }
}

impl<E> WithoutEnumerations for EnumerationsProbe<E> {}

/// A value of an enumeration as clients write it.
fn text(value: Value) -> Option<String> {
    match value {
        Value::String(Some(text)) => Some(text.to_string()),
        Value::Char(Some(letter)) => Some(letter.to_string()),
        Value::TinyInt(Some(number)) => Some(number.to_string()),
        Value::SmallInt(Some(number)) => Some(number.to_string()),
        Value::Int(Some(number)) => Some(number.to_string()),
        Value::BigInt(Some(number)) => Some(number.to_string()),
        Value::TinyUnsigned(Some(number)) => Some(number.to_string()),
        Value::SmallUnsigned(Some(number)) => Some(number.to_string()),
        Value::Unsigned(Some(number)) => Some(number.to_string()),
        Value::BigUnsigned(Some(number)) => Some(number.to_string()),
        _ => None,
    }
}
