//! The responses of operations: every status that can come, with its error codes.

use listing::{CheckError, ExecuteError, request::RequestError};
use serde_json::{Value, json};

use super::model::{Content, Ordered, Response, Schema};
use crate::http::{ApiError, KnownStatus, STATUSES};

/// Every error code that a client can see.
pub(super) fn codes() -> Vec<&'static str> {
    let lists = RequestError::CODES
        .iter()
        .chain(CheckError::CODES)
        .chain(ExecuteError::CODES);
    let all = lists.chain(ApiError::CODES).map(|known| known.code);
    let mut codes: Vec<_> = all.chain(STATUSES.iter().map(|known| known.code)).collect();
    codes.push("error");
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// A response for each error status, under its name.
pub(super) fn components() -> Ordered<Response> {
    let response = |known: &KnownStatus| {
        let response = Response {
            description: Some(
                format!("{} {}", known.message, known.remedy)
                    .trim()
                    .to_owned(),
            ),
            headers: headers(known.status),
            content: Content::json(Schema::reference("Error"), None),
            ..Response::default()
        };
        (known.name, response)
    };
    STATUSES.iter().map(response).collect()
}

fn headers(status: u16) -> Ordered<Value> {
    let text =
        |description: &str| json!({"description": description, "schema": {"type": "string"}});
    match status {
        401 => Ordered::from_iter([("WWW-Authenticate", text("How to authenticate."))]),
        405 => Ordered::from_iter([("Allow", text("The methods of the address."))]),
        429 | 503 => Ordered::from_iter([(
            "Retry-After",
            json!({"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 0}}),
        )]),
        _ => Ordered::default(),
    }
}

/// A success, and references to these error statuses and to those that every operation has.
pub(super) fn with_errors(
    success: Vec<(&'static str, Response)>,
    errors: &[u16],
) -> Ordered<Response> {
    const ALWAYS: [u16; 7] = [401, 403, 408, 429, 500, 503, 504];
    let mut statuses: Vec<u16> = errors.iter().copied().chain(ALWAYS).collect();
    statuses.sort_unstable();
    let known = statuses.iter().filter_map(|status| {
        let known = STATUSES.iter().find(|known| known.status == *status)?;
        Some((status.to_string(), error(known.name)))
    });
    let success = success
        .into_iter()
        .map(|(status, response)| (status.to_owned(), response));
    success.chain(known).collect()
}

/// A reference to an error status, by its name.
pub(super) fn error(name: &str) -> Response {
    Response {
        reference: Some(format!("#/components/responses/{name}")),
        ..Response::default()
    }
}

pub(super) fn success(description: &str, schema: Schema) -> Response {
    Response {
        description: Some(description.to_owned()),
        content: Content::json(schema, None),
        ..Response::default()
    }
}

/// The same, with the tag by which a client can ask again.
pub(super) fn tagged(description: &str, schema: Schema) -> Response {
    let etag =
        json!({"description": "Send it back as `If-None-Match`.", "schema": {"type": "string"}});
    Response {
        headers: Ordered::from_iter([("ETag", etag)]),
        ..success(description, schema)
    }
}

pub(super) fn not_modified() -> (&'static str, Response) {
    let response = Response {
        description: Some("The client has this already.".to_owned()),
        ..Response::default()
    };
    ("304", response)
}
