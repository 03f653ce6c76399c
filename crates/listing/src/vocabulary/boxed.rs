//! Makes a large future in its box, without copying it there.
//!
//! `Box::pin` makes the future first and then copies it into the box, with all the room for what it may hold later: several
//! kilobytes for each request. Here the box comes first.

use std::pin::Pin;

/// What `make` makes, in a box. In an optimised build, only what `make` captures is copied, as long as it does nothing but make the
/// future: an `async` block, or a call of an `async fn`.
#[inline]
pub fn boxed<F: Future>(make: impl FnOnce() -> F) -> Pin<Box<F>> {
    let place = Box::new_uninit();
    Box::into_pin(Box::write(place, make()))
}
