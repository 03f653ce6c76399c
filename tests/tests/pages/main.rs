//! Cheap totals and pages by cursor, each rule on three databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod changes;
mod count_first;
mod counts;
mod gate;
mod kinds;
mod many;
mod mine;
mod plans;
mod related;
mod sharing;
mod tokens;
mod values;
mod walk;
