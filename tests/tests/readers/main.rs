//! Fast readers: the same answers as through SeaORM, whatever happens to connections, statements, tables and requests.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod base;
mod busy;
mod cancel;
mod connect;
mod dropped;
mod lost;
mod mysql;
mod over_time;
mod pgbouncer;
mod plans;
mod pooler;
mod postgres;
mod setup;
mod sqlite;
mod stalled;
mod tls;
mod values;
