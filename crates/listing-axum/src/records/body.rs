//! Reads a request body as a JSON object (d61).

use std::fmt;

use axum::extract::Request;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::http::{ApiError, read_json};

/// The members of a payload: a plain object, or one that is the only member `data` of another.
pub(super) async fn members(
    request: Request,
    limit: usize,
) -> Result<Map<String, Value>, ApiError> {
    let bytes = read_json(request, limit).await?;
    let mut json = serde_json::Deserializer::from_slice(&bytes);
    let value = Strict
        .deserialize(&mut json)
        .and_then(|value| json.end().map(|()| value));
    match value {
        Ok(Value::Object(members)) => Ok(unwrapped(members)),
        Ok(_) => Err(ApiError::Malformed(
            "The body must be a JSON object.".to_owned(),
        )),
        Err(error) => Err(ApiError::Malformed(format!(
            "The body is no JSON: {error}."
        ))),
    }
}

fn unwrapped(mut members: Map<String, Value>) -> Map<String, Value> {
    if members.len() == 1
        && let Some(Value::Object(inner)) = members.get_mut("data")
    {
        return std::mem::take(inner);
    }
    members
}

/// Reads JSON and refuses a key that stands twice: which of the two was meant, nobody knows.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Strict)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Strict)?;
            if members.contains_key(&key) {
                let key: String = key.chars().take(80).collect();
                return Err(A::Error::custom(format!("the key `{key}` stands twice")));
            }
            members.insert(key, value);
        }
        Ok(Value::Object(members))
    }
}
