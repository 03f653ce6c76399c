//! What a list shows: fields, relations, order, pages and scopes, on three databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod cost;
mod definitions;
mod demo;
mod fields;
mod groups;
mod ignored;
mod left_out;
mod misplaced;
mod names;
#[allow(unreachable_pub, reason = "the derives of entities make public items")]
mod own;
mod pagination;
mod populate;
mod populate_size;
mod primary_keys;
mod record;
mod relation_kinds;
mod relations;
mod schemas;
mod scopes;
mod sorts;
mod transactions;
mod walk;
mod whitelist;
