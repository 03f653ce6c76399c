//! All matching rows of a list as a file, on three databases (d110–d118).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod csv;
mod files;
mod limits;
mod refused;
mod rows;
mod tickets;
mod twins;
mod xlsx;
