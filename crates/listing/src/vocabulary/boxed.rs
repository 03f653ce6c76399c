//! Makes a large future in its box, without copying it there.
//!
//! `Box::pin` creates the future first and then copies it into the box, with all the space for what it may hold later: several
//! kilobytes for each request. Here the box comes first.

use std::pin::Pin;

/// The result of `make`, in a box. In an optimised build, only the captures of `make` are copied, as long as it only creates the
/// future: an `async` block, or a call of an `async fn`.
#[inline]
pub fn boxed<F: Future>(make: impl FnOnce() -> F) -> Pin<Box<F>> {
    let place = Box::new_uninit();
    Box::into_pin(Box::write(place, make()))
}
