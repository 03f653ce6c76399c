//! Cursors as clients carry them: the place of a row in an order, sealed.

mod bookmark;
mod seal;
mod ticket;

pub(crate) use bookmark::Bookmark;
pub(crate) use seal::Seal;
pub use ticket::Ticket;
