//! Tests of requests as clients send them, each named after its rule.

mod descending;
mod filters;
mod groups;
mod json;
mod lists;
mod malformed;
mod pagination;
mod places;
mod populate;
mod roundtrip;
mod spell;
mod written;
