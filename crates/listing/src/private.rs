//! Items that the derives of this crate use in applications; nothing else should name them.

use crate::define::Context;
pub use crate::define::probes::{
    EnumerationProbe, EnumerationsProbe, ListingProbe, NotAnEnumeration, WithoutEnumerations,
    WithoutListing,
};

/// Applies a function of the application to the definitions from the attributes.
pub fn change<T>(said: T, change: impl FnOnce(T) -> T) -> T {
    change(said)
}

/// The result of a function of the application for the caller of a request.
pub fn ask<T>(answer: impl FnOnce(&Context) -> T, context: &Context) -> T {
    answer(context)
}
