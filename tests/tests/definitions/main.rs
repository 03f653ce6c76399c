//! Mistakes in definitions, and what a developer is told about them when the program compiles or starts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]
#![allow(
    unreachable_pub,
    reason = "the parts of an entity and its listing have to be public, wherever they are"
)]

mod derived;
mod fields;
mod filters;
mod json;
mod keys;
mod limits;
mod related;
mod relations;
mod small;
mod sorts;
mod tables;
mod together;
mod world;
mod written;
