//! What `search=` finds, and in which order, on three databases (d87).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod definitions;
mod hidden;
mod hostile;
mod index;
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the derives of entities make public items"
)]
mod notes;
mod plans;
mod relevance;
mod requests;
mod words;
