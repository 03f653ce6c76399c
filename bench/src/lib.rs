//! Measures what a list endpoint costs compared with endpoints written by hand.
//!
//! One side of each measurement is the blog's own program, as `cargo run --release` has it. The other is a program of
//! this package with a handler written for that one request. Both have the same layers around them, and the same
//! client sends requests to them in turns.

pub mod against;
pub mod baseline;
pub mod client;
mod cpu;
pub mod crowd;
mod cursors;
mod data;
pub mod disconnect;
mod download;
pub mod exports;
pub mod growth;
mod load;
pub mod numbers;
pub mod overload;
pub mod replicas;
mod report;
mod requests;
pub mod run;
mod servers;
pub mod shapes;
pub mod slow;
pub mod soak;
pub mod stages;
mod waiting;
mod works;
pub mod writes;
mod wrk;
