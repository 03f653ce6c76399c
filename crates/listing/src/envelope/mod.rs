//! In: a plan and what was read for it, or an error. Out: the bytes of a response (d48–d52).

mod error;
mod list;
mod record;

pub use error::{ErrorBody, ErrorDetails, FieldErrors};
pub use list::ListPage;
pub use record::{message_body, record_body};

pub(crate) use list::list;
