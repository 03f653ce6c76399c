//! Filters (contract 2.4, 2.5, 4.1, 4.3; d8, d9, d23 to d36), on three databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod articles;
mod bench;
mod between;
mod booleans;
mod calendar;
mod contains;
mod custom;
mod day;
mod decimals;
mod defaults;
mod equality;
mod kinds;
mod labels;
mod large;
mod lists;
mod moments;
mod notes;
mod numbers;
mod operators;
mod refused;
mod samples;
mod told;
mod wrong;
