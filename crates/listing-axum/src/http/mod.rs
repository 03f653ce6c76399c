//! HTTP shared by all rooms: reading requests, replies, tags, and the only table from errors to status codes.

mod codes;
mod denied;
mod error_bodies;
pub(crate) mod etag;
mod format;
mod known;
mod page;
mod position;
mod reply;
mod request;
mod status;
mod ticket;

pub(crate) use codes::{WRONG_FORCE, WRONG_IMPORT};
pub use denied::Denied;
pub(crate) use denied::RECORD;
pub use error_bodies::error_bodies;
pub(crate) use error_bodies::with_error_body;
pub(crate) use format::{Streamed, format_of_accept, format_of_path};
pub use known::{KnownStatus, STATUSES};
pub use page::page;
pub(crate) use position::{COOKIE, POSITION, brought, in_cookie};
pub(crate) use reply::json;
pub use reply::{ReplyData, destroy, store, success, update};
pub(crate) use request::{
    REQUEST_ID, RequestId, context_of, context_of_write, is_merge_patch, read_json, read_whole,
};
pub use status::ApiError;
pub(crate) use ticket::{VALID, redeem, ticketed};
