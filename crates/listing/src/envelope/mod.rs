//! Writes the bytes of responses: lists, records and errors (d48–d52).

mod error;
mod groups;
mod history;
mod list;
mod list_numbers;
mod nest;
mod numbers;
mod record;
mod remarks;

pub use error::{ErrorBody, ErrorDetails, FieldErrors};
pub use groups::ListGroups;
pub use history::HistoryPage;
pub use list::ListPage;
pub use list_numbers::ListNumbers;
pub use record::{ShownRecord, message_body, record_body};

pub(crate) use groups::list_groups;
pub(crate) use list::{list, plain_items};
pub(crate) use list_numbers::list_numbers;
pub(crate) use nest::{Tells, branches, put_branches};
pub(crate) use record::record;
