//! What the derives of this crate write into applications; nothing else should name it.

use crate::define::Context;
pub use crate::define::probes::{
    EnumerationProbe, EnumerationsProbe, ListingProbe, NotAnEnumeration, WithoutEnumerations,
    WithoutListing,
};

/// What a function of the application makes of what the attributes said.
pub fn change<T>(said: T, change: impl FnOnce(T) -> T) -> T {
    change(said)
}

/// What a function of the application says for the caller of a request.
pub fn ask<T>(answer: impl FnOnce(&Context) -> T, context: &Context) -> T {
    answer(context)
}
