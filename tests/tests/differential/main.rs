//! Random requests, answered by three databases and by a naive model in memory, with the same and with other secrets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod agreement;
mod answer;
mod asked;
mod cases;
mod cell;
mod listing;
mod probe;
mod secrets;
mod strategy;
mod twins;
mod values;
mod wire;
mod words;
mod world;
mod writes;
