//! Writes the bodies of responses that are not lists (d49–d51).

use std::borrow::Cow;

use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::list;
use crate::execute::Rows;
use crate::plan::Plan;

/// One record, rendered, with what its response says about the fields and relations that were asked for.
#[derive(Debug, Clone)]
pub struct ShownRecord {
    item: Vec<u8>,
    relations: Option<Vec<u8>>,
    ignored: Option<Vec<u8>>,
}

/// The one row of a plan; none where there is no row. A plain answer has nothing in `meta` but code and message.
pub(crate) fn record(plan: &Plan<'_>, rows: &Rows, plain: bool) -> Option<ShownRecord> {
    Some(ShownRecord {
        item: list::item(plan, rows)?,
        relations: list::relations(plan, rows),
        ignored: list::ignored(plan).filter(|_| !plain),
    })
}

impl ShownRecord {
    /// The record, as a JSON object.
    #[must_use]
    pub fn item(&self) -> &[u8] {
        &self.item
    }

    /// The record, as a JSON object.
    #[must_use]
    pub fn into_item(self) -> Vec<u8> {
        self.item
    }

    /// Everything that can change in the answer, for a tag.
    #[must_use]
    pub fn content(&self) -> Cow<'_, [u8]> {
        let parts = [&self.relations, &self.ignored];
        if parts.iter().all(|part| part.is_none()) {
            return Cow::Borrowed(&self.item);
        }
        let parts = parts.into_iter().flatten();
        let parts: Vec<_> = std::iter::once(&self.item).chain(parts).collect();
        Cow::Owned(parts.into_iter().flatten().copied().collect())
    }

    /// The body of the response.
    ///
    /// # Errors
    /// When the record is not JSON, which it always is.
    pub fn body(&self, code: u16, message: Option<&str>) -> Result<Vec<u8>, serde_json::Error> {
        #[derive(Serialize)]
        struct Body<'a> {
            message: Option<&'a str>,
            data: &'a RawValue,
            meta: Meta<'a>,
        }
        #[derive(Serialize)]
        struct Meta<'a> {
            code: u16,
            message: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            relations: Option<&'a RawValue>,
            #[serde(skip_serializing_if = "Option::is_none")]
            ignored: Option<&'a RawValue>,
        }
        let raw = |bytes: &'_ Option<Vec<u8>>| -> Result<Option<Box<RawValue>>, serde_json::Error> {
            bytes.as_deref().map(serde_json::from_slice).transpose()
        };
        let (relations, ignored) = (raw(&self.relations)?, raw(&self.ignored)?);
        serde_json::to_vec(&Body {
            message,
            data: serde_json::from_slice(&self.item)?,
            meta: Meta {
                code,
                message,
                relations: relations.as_deref(),
                ignored: ignored.as_deref(),
            },
        })
    }
}

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
