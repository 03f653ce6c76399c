//! Writes the one body that every error has (d52).

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::SerializeMap;

use crate::vocabulary::Complaint;

/// Every error's body comes from this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorBody {
    /// The HTTP status.
    pub status: u16,
    /// The status in words, such as `BadRequest`.
    pub name: &'static str,
    /// Stable and greppable.
    pub code: &'static str,
    /// One sentence for people.
    pub message: String,
    /// The exact part that was wrong, if it is known.
    pub details: Option<ErrorDetails>,
}

/// The exact part that was wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorDetails {
    /// A query that cannot be answered.
    Query(Complaint),
    /// Fields of a payload that are not valid.
    Validation(FieldErrors),
}

/// Messages by field.
pub type FieldErrors = BTreeMap<String, Vec<String>>;

impl ErrorBody {
    /// The body, as JSON.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        // Maps of text serialise always.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl Serialize for ErrorBody {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("data", &())?;
        map.serialize_entry("message", &self.message)?;
        if let Some(ErrorDetails::Validation(errors)) = &self.details {
            map.serialize_entry("errors", errors)?;
        }
        let details = self.details.as_ref().map(details);
        map.serialize_entry(
            "error",
            &ErrorMember {
                body: self,
                details,
            },
        )?;
        let meta = serde_json::json!({ "code": self.status, "message": self.message });
        map.serialize_entry("meta", &meta)?;
        map.end()
    }
}

struct ErrorMember<'a> {
    body: &'a ErrorBody,
    details: Option<serde_json::Value>,
}

impl Serialize for ErrorMember<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("status", &self.body.status)?;
        map.serialize_entry("name", self.body.name)?;
        map.serialize_entry("code", self.body.code)?;
        map.serialize_entry("message", &self.body.message)?;
        if let Some(details) = &self.details {
            map.serialize_entry("details", details)?;
        }
        map.end()
    }
}

fn details(details: &ErrorDetails) -> serde_json::Value {
    match details {
        ErrorDetails::Query(complaint) => serde_json::json!({
            "parameter": complaint.parameter,
            "token": complaint.token,
            "allowed": complaint.allowed,
            "nearest": complaint.nearest,
        }),
        // The list form is what form libraries of this family read.
        ErrorDetails::Validation(errors) => {
            let list: Vec<_> = errors
                .iter()
                .flat_map(|(field, messages)| messages.iter().map(move |text| (field, text)))
                .map(|(field, message)| serde_json::json!({ "path": field.split('.').collect::<Vec<_>>(), "message": message }))
                .collect();
            serde_json::json!({ "errors": list })
        }
    }
}
