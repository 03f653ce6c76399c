//! Merges a patch with the record, as JSON Merge Patch defines it (RFC 7396, d120).

use sea_orm::sea_query::{Value, sea_value_to_json_value};
use serde_json::Value as Json;
use serde_json::value::{RawValue, to_raw_value};

use super::exact;

/// The JSON that a client would send for a value of a record; `None` if there is none.
pub(super) fn json_of(value: &Value) -> Option<Json> {
    match value {
        Value::ChronoDate(Some(day)) => serde_json::to_value(day).ok(),
        Value::ChronoTime(Some(time)) => serde_json::to_value(time).ok(),
        Value::ChronoDateTime(Some(moment)) => serde_json::to_value(moment).ok(),
        Value::ChronoDateTimeUtc(Some(moment)) => serde_json::to_value(moment).ok(),
        Value::ChronoDateTimeLocal(Some(moment)) => serde_json::to_value(moment).ok(),
        Value::ChronoDateTimeWithTimeZone(Some(moment)) => serde_json::to_value(moment).ok(),
        // As text, so that every digit is kept.
        Value::Decimal(Some(number)) => Some(number.to_string().into()),
        Value::Bytes(Some(bytes)) => Some(bytes.clone().into()),
        other => Some(sea_value_to_json_value(other)),
    }
}

/// The value after the patch: members of an object are merged, any other value replaces the earlier one.
pub(super) fn merged(present: Option<Json>, sent: Box<RawValue>) -> Box<RawValue> {
    let text = sent.get();
    // A number that would lose digits is refused where the value is read, as it was sent.
    if !text.starts_with('{') || exact::check(text).is_err() {
        return sent;
    }
    let Ok(patch) = serde_json::from_str(text) else {
        return sent;
    };
    let mut target = present.unwrap_or_default();
    merge(&mut target, patch);
    to_raw_value(&target).unwrap_or(sent)
}

fn merge(target: &mut Json, patch: Json) {
    let Json::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Json::Object(serde_json::Map::new());
    }
    if let Json::Object(target) = target {
        for (name, value) in patch {
            if value.is_null() {
                target.shift_remove(&name);
            } else {
                merge(target.entry(name).or_insert(Json::Null), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::merge;

    /// Rule d120.
    #[test]
    fn patches_are_merged_as_the_examples_of_the_standard_are() {
        for (target, patch, merged) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (
                json!({"a": "b"}),
                json!({"b": "c"}),
                json!({"a": "b", "b": "c"}),
            ),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (
                json!({"a": "b", "b": "c"}),
                json!({"a": null}),
                json!({"b": "c"}),
            ),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
            (
                json!({"a": {"b": "c"}}),
                json!({"a": {"b": "d", "c": null}}),
                json!({"a": {"b": "d"}}),
            ),
            (
                json!({"a": [{"b": "c"}]}),
                json!({"a": [1]}),
                json!({"a": [1]}),
            ),
            (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
            (json!({"a": "b"}), json!(["c"]), json!(["c"])),
            (json!({"a": "foo"}), Json::Null, Json::Null),
            (
                json!({"e": null}),
                json!({"a": 1}),
                json!({"e": null, "a": 1}),
            ),
            (
                json!([1, 2]),
                json!({"a": "b", "c": null}),
                json!({"a": "b"}),
            ),
            (
                json!({}),
                json!({"a": {"bb": {"ccc": null}}}),
                json!({"a": {"bb": {}}}),
            ),
        ] {
            let mut target = target;
            merge(&mut target, patch);
            assert_eq!(target, merged);
        }
    }
}
