//! Builds the message for an event: its body, and the id by which a target recognizes a repeated one (d130).

use chrono::SecondsFormat;
use serde_json::json;

use crate::records::Event;

/// A unique id. It does not use the event's number, which starts again from 1 when a database is recreated.
pub(super) fn new_id() -> String {
    format!("msg_{}", uuid::Uuid::new_v4().simple())
}

/// The body as it is signed and sent. It contains neither the caller nor the request, and only the values that the resource gives
/// to its events.
pub(super) fn body(event: &Event) -> String {
    let operation = event.operation.name();
    let mut body = json!({
        "type": format!("{}.{operation}", event.resource),
        "timestamp": event.at.to_rfc3339_opts(SecondsFormat::Millis, true),
        "data": {
            "event": event.id,
            "list": event.resource,
            "operation": operation,
            "record": event.record,
            "changed": event.changed,
        },
    });
    if !event.values.is_empty() {
        body["data"]["values"] = event.values.clone().into();
    }
    body.to_string()
}
