//! What a service does when its database moves to another host: servers of the tests' own are killed, paused and promoted.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod copies;
mod hosts;
mod mariadb;
mod postgres;
mod primary;
mod server;
