//! Identity: tokens, an application's own extractors, and what scopes hide from whom.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod algorithms;
mod closed;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod compositions;
mod current_user;
mod guide;
#[allow(dead_code, reason = "the derives make more items than are used")]
#[expect(unreachable_pub, reason = "the derives make public items")]
mod labels;
mod mistakes;
mod own_extractor;
mod refused;
mod scope_reads;
mod scope_records;
mod scope_unique;
mod scope_unseen;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod tenants;
mod tokens;
