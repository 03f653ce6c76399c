//! Tells a client where the time of its request went, in the header `Server-Timing`.

use std::fmt::Write as _;
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use listing::observe::{Stage, Watch};

use super::millis;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// Adds the header: the stages that were reached, the statements and the whole, in milliseconds.
pub(super) fn add(response: &mut Response, watch: &Watch, took: Duration) {
    let mut text = String::with_capacity(160);
    for stage in Stage::ALL {
        if let Some(took) = watch.stage(stage) {
            let _ = write!(text, "{};dur={}, ", stage.name(), millis(took));
        }
    }
    let statements = watch.statement_count();
    if statements > 0 {
        let database = millis(watch.database_time());
        let _ = write!(text, "db;dur={database};desc=\"{statements} statements\", ");
    }
    let _ = write!(text, "total;dur={}", millis(took));
    if let Ok(value) = HeaderValue::from_str(&text) {
        response.headers_mut().insert(SERVER_TIMING, value);
    }
}
