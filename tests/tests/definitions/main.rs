//! What is wrong in a definition, and what a developer hears of it: when the program is compiled, or when it starts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]
#![allow(
    unreachable_pub,
    reason = "the parts of an entity and its listing have to be public, wherever they are"
)]

mod compile;
mod fields;
mod filters;
mod keys;
mod limits;
mod relations;
mod small;
mod sorts;
mod together;
mod world;
