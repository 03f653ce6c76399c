//! Converts the key of a new record to the `id` that clients know.

use listing::join_id;
use sea_orm::sea_query::{Value, sea_value_to_json_value};

/// The value of a single-column key, as lists show it (b464), or the values of a composite key as one text (b360).
pub(super) fn id_of(key: &[Value], as_text: bool) -> serde_json::Value {
    match key {
        [] => serde_json::Value::Null,
        [key] if as_text => part(key).into(),
        [key] => sea_value_to_json_value(key),
        parts => join_id(parts.iter().map(part)).into(),
    }
}

/// The `id` as it appears in an address, before it is escaped.
pub(super) fn text_of(id: &serde_json::Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

/// A part, as lists show it.
fn part(value: &Value) -> String {
    const MOMENT: &str = "%Y-%m-%dT%H:%M:%S%.6fZ";
    match value {
        Value::ChronoDateTime(Some(moment)) => moment.format(MOMENT).to_string(),
        Value::ChronoDateTimeUtc(Some(moment)) => moment.format(MOMENT).to_string(),
        Value::ChronoDateTimeWithTimeZone(Some(moment)) => {
            moment.naive_utc().format(MOMENT).to_string()
        }
        Value::ChronoDate(Some(day)) => day.to_string(),
        other => match sea_value_to_json_value(other) {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::json;

    use super::*;

    /// Rule b464.
    #[test]
    fn an_integer_is_text_where_lists_show_it_as_text() {
        let key = [Value::from(9_007_199_254_740_993_i64)];
        assert_eq!(id_of(&key, true), json!("9007199254740993"));
        assert_eq!(id_of(&key, false), json!(9_007_199_254_740_993_i64));
    }

    /// Rule b360.
    #[test]
    fn a_key_of_several_columns_is_one_text() {
        let moment = DateTime::from_timestamp_micros(1_500_000).unwrap();
        assert_eq!(id_of(&[Value::from(7)], false), json!(7));
        assert_eq!(
            id_of(&[Value::from(7), Value::from("a,b")], false),
            json!("7,a~1b")
        );
        assert_eq!(
            id_of(&[Value::from(7), Value::from(moment)], false),
            json!("7,1970-01-01T00:00:01.500000Z")
        );
        assert_eq!(
            id_of(
                &[
                    Value::from(moment.naive_utc()),
                    Value::from(moment.date_naive())
                ],
                false
            ),
            json!("1970-01-01T00:00:01.500000Z,1970-01-01")
        );
    }
}
