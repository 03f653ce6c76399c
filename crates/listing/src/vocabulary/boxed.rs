//! Puts a large future into a box where it stays.
//!
//! `Box::pin` makes the future first and then copies it into the box, with all the room for what it may hold later: several
//! kilobytes for each request. Here the box is there first.

use std::pin::Pin;

/// What `make` makes, in a box. Nothing is copied as long as `make` is only an `async` block.
#[inline]
pub fn boxed<F>(make: impl FnOnce() -> F) -> Pin<Box<F>> {
    let place = Box::new_uninit();
    Box::into_pin(Box::write(place, make()))
}
