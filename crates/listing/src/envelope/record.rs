//! Writes the bodies of responses that are not lists (d49–d51).

use serde::Serialize;
use serde_json::json;

/// `{message, data, meta: {code, message}}`
///
/// # Errors
/// When the data cannot be written as JSON.
pub fn record_body(
    code: u16,
    message: Option<&str>,
    data: &impl Serialize,
) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    struct Body<'a, T> {
        message: Option<&'a str>,
        data: &'a T,
        meta: serde_json::Value,
    }
    let meta = json!({ "code": code, "message": message });
    serde_json::to_vec(&Body {
        message,
        data,
        meta,
    })
}

/// `{message, meta: {code, message}}`
#[must_use]
pub fn message_body(code: u16, message: Option<&str>) -> Vec<u8> {
    json!({ "message": message, "meta": { "code": code, "message": message } })
        .to_string()
        .into_bytes()
}
