//! Lists and records are read from replicas, and no client sees less than it has seen before.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod away;
mod conflict;
mod headers;
mod lag;
mod own_writes;
mod proxy;
mod servers;
mod settings;
mod spread;
