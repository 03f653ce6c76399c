//! One behaviour suite for three databases, whose tests carry the numbers of their rules.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod explain;
mod smoke;
