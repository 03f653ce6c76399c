//! Writes the bodies of responses that are not lists (d49–d51).

use std::borrow::Cow;

use serde::Serialize;
use serde_json::json;

use super::list::{self, put, put_number, put_text};
use super::remarks::{remarks, remarks_on_relations};
use crate::execute::Rows;
use crate::plan::Plan;

/// One rendered record, with the remarks of its response about the requested fields and relations.
#[derive(Debug, Clone)]
pub struct ShownRecord {
    item: Vec<u8>,
    remarks: Vec<u8>,
}

/// The one row of a plan; `None` if there is no row. A plain answer has nothing in `meta` but code and message.
pub(crate) fn record(plan: &Plan<'_>, rows: &Rows, plain: bool) -> Option<ShownRecord> {
    Some(ShownRecord {
        item: list::item(plan, rows)?,
        remarks: match plain {
            true => remarks_on_relations(plan, rows),
            false => remarks(plan, rows),
        },
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
        match self.remarks.is_empty() {
            true => Cow::Borrowed(&self.item),
            false => Cow::Owned([&self.item[..], &self.remarks].concat()),
        }
    }

    /// The body of the response.
    #[must_use]
    pub fn body(&self, code: u16, message: Option<&str>) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.item.len() + 512);
        put_text(&mut body, b"{\"message\":", message);
        put(&mut body, b",\"data\":", &self.item);
        put_number(&mut body, b",\"meta\":{\"code\":", code.into());
        put_text(&mut body, b",\"message\":", message);
        put(&mut body, &self.remarks, b"}}");
        body
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

#[cfg(test)]
mod tests {
    use super::ShownRecord;

    /// Rules d49, d89.
    #[test]
    fn a_record_is_copied_into_its_body_and_its_tag() {
        let mut shown = ShownRecord {
            item: br#"{"id":1}"#.to_vec(),
            remarks: Vec::new(),
        };
        let body =
            |shown: &ShownRecord, message| String::from_utf8(shown.body(200, message)).unwrap();
        assert_eq!(
            body(&shown, None),
            r#"{"message":null,"data":{"id":1},"meta":{"code":200,"message":null}}"#
        );
        assert_eq!(&*shown.content(), br#"{"id":1}"#);
        shown.remarks = br#","ignored":{"fields":["x"]}"#.to_vec();
        assert_eq!(
            body(&shown, Some("A \"note\".")),
            r#"{"message":"A \"note\".","data":{"id":1},"meta":{"code":200,"message":"A \"note\".","ignored":{"fields":["x"]}}}"#
        );
        assert_eq!(&*shown.content(), br#"{"id":1},"ignored":{"fields":["x"]}"#);
    }
}
