//! Parameters that several operations have.

use super::model::{Parameter, Schema};
use crate::describe::OperationDescription;

/// One value in the query string.
pub(super) fn query(name: &str, description: &str, schema: Schema) -> Parameter {
    Parameter {
        name: name.to_owned(),
        place: "query",
        description: Some(description.to_owned()),
        schema,
        ..Parameter::default()
    }
}

/// A list with commas.
pub(super) fn list_of(name: &str, description: &str, items: Schema) -> Parameter {
    Parameter {
        style: Some("form"),
        explode: Some(false),
        ..query(name, description, Schema::array(items))
    }
}

/// The header that selects the answer of a write.
pub(super) fn prefer() -> Parameter {
    Parameter {
        name: "Prefer".to_owned(),
        place: "header",
        description: Some(
            "`return=representation` answers with the record as it is then, and its `ETag`."
                .to_owned(),
        ),
        schema: Schema::of("string"),
        ..Parameter::default()
    }
}

/// The version of the record that is changed.
pub(super) fn if_match(known: &OperationDescription) -> Parameter {
    Parameter {
        name: "If-Match".to_owned(),
        place: "header",
        required: known.requires_if_match,
        description: Some(
            "The `ETag` of the record as it was read: another one is answered with 412.".to_owned(),
        ),
        schema: Schema::of("string"),
        ..Parameter::default()
    }
}

/// The header that identifies a repeated request.
pub(super) fn idempotency_key() -> Parameter {
    Parameter {
        name: "Idempotency-Key".to_owned(),
        place: "header",
        description: Some(
            "A new text for each request: the same request with the same key is carried out once."
                .to_owned(),
        ),
        schema: Schema {
            min_length: Some(1),
            max_length: Some(255),
            ..Schema::of("string")
        },
        ..Parameter::default()
    }
}
