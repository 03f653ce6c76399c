//! The filter language: groups, negation, filters through relations and operators on text, on three databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod arrays;
mod branches;
mod case;
mod decimals;
mod groups;
mod json;
mod links;
mod many_parents;
mod model;
mod operators;
mod plans;
mod populated;
mod random;
mod through;
mod twins;
mod unqualified;
#[allow(unreachable_pub, reason = "the derives of entities make public items")]
mod world;
