//! One behaviour suite, three databases. Each rule's test carries the rule's number.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod explain;
mod smoke;
