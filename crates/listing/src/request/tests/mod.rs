//! In: requests as clients send them. Out: proof of the rules, each test named after its rule.

mod filters;
mod json;
mod lists;
mod malformed;
mod pagination;
mod roundtrip;
mod spell;
