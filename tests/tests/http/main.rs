//! What a client sees on the wire: envelopes, errors, methods, bounds, hostile text, configuration and documents.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod away;
mod body_queries;
mod bounds;
mod compression;
mod configuration;
mod disconnects;
mod documents;
mod envelope;
mod errors;
mod examples;
mod explorer;
mod floods;
mod hostile;
mod https;
mod limits;
mod lossy;
mod methods;
mod noise;
mod observe;
mod outcomes;
mod pattern;
mod probes;
mod rate_limit;
mod reference;
mod revalidation;
mod secrets;
mod security;
mod server;
mod starting;
mod statuses;
mod trace;
mod unauthorized;
mod values;
mod wire;
