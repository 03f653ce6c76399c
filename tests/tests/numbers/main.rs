//! Facets and totals next to a list, and without its rows, on three databases (d96–d108).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod alone;
mod calendars;
#[allow(unreachable_pub, reason = "the derives of entities make public items")]
mod definitions;
mod demo;
#[allow(unreachable_pub, reason = "the derives of entities make public items")]
mod digits;
mod facets;
mod groups;
mod limits;
mod pass;
mod ranges;
mod related;
mod totals;
