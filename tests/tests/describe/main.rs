//! What an API tells about itself: its description, its OpenAPI document, and that neither tells too much.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod callers;
mod description;
mod inverse;
mod office;
mod openapi;
