//! Writes the bytes of responses: lists, records and errors (d48–d52).

mod error;
mod list;
mod record;

pub use error::{ErrorBody, ErrorDetails, FieldErrors};
pub use list::ListPage;
pub use record::{message_body, record_body};

pub(crate) use list::list;
