//! Indexes and counters that migrations create, and the plans that use them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod counted_field;
mod counters;
mod filters;
#[allow(unreachable_pub, reason = "the derives of entities make public items")]
mod inside;
mod planned;
#[allow(unreachable_pub, reason = "the derives of entities make public items")]
mod posts;
mod ranges;
mod trigrams;
mod unindexed;
