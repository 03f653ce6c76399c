//! What happens around a write: patches, versions, answers with the record, hooks and relations, on three databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

#[expect(unreachable_pub, reason = "the derives make public items")]
mod books;
mod bulk;
mod bulk_items;
mod by_filter;
mod decisions;
mod equal;
mod events;
mod history;
mod history_today;
mod hooked;
mod hooks;
mod idempotency;
mod import;
mod import_large;
mod import_refused;
mod patch;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod plans;
mod races;
mod relations;
mod rows;
mod together;
mod versions;
