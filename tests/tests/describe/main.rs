//! How an API describes itself: its description, its OpenAPI document, and that neither tells too much.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod callers;
mod description;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod inverse;
#[expect(unreachable_pub, reason = "the derives make public items")]
mod json;
mod office;
mod openapi;
