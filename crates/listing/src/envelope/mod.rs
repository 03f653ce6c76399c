//! Writes the bytes of responses: lists, records and errors (d48–d52).

mod error;
mod list;
mod record;
mod remarks;

pub use error::{ErrorBody, ErrorDetails, FieldErrors};
pub use list::ListPage;
pub use record::{ShownRecord, message_body, record_body};

pub(crate) use list::list;
pub(crate) use record::record;
