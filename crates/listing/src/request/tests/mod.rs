//! Tests of requests as clients send them, each named after its rule.

mod filters;
mod json;
mod lists;
mod malformed;
mod pagination;
mod roundtrip;
mod spell;
