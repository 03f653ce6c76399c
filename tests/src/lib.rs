//! The harness: the reference service on three databases, and what tests ask of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod client;
mod engine;
#[cfg(doctest)]
mod mistaken_words;
#[cfg(doctest)]
mod must_not_compile;
mod recorder;
mod reply;
mod service;
mod warnings;

pub use client::Client;
pub use engine::{Engine, fresh_database, reads};
pub use recorder::Recorder;
pub use reply::Reply;
pub use service::{
    RunningApp, Service, on_each, on_each_database, on_each_fresh_database,
    on_each_written_database, patient, run,
};
pub use warnings::warnings_of;
