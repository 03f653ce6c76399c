//! Reads a request body as a JSON object (d61).

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::fmt;

use axum::extract::Request;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::http::{ApiError, read_json};

/// The members of a payload as the text that was sent, so that numbers keep every digit.
pub(super) type Members = BTreeMap<String, Box<RawValue>>;

/// The members of a payload: a plain object, or the object in its only member `data`.
pub(super) async fn members(request: Request, limit: usize) -> Result<Members, ApiError> {
    let bytes = read_json(request, limit).await?;
    members_of(&bytes)
}

/// The members of a payload that has been read.
pub(super) fn members_of(bytes: &[u8]) -> Result<Members, ApiError> {
    if bytes.trim_ascii().is_empty() {
        let message = "The body is empty: send a JSON object.".to_owned();
        return Err(ApiError::Malformed(message));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let is_object = Strict
        .deserialize(&mut json)
        .and_then(|is_object| json.end().map(|()| is_object))
        .map_err(|error| not_json(&error))?;
    if !is_object {
        let message = "The body must be a JSON object.".to_owned();
        return Err(ApiError::Malformed(message));
    }
    let members: Members = serde_json::from_slice(bytes).map_err(|error| not_json(&error))?;
    Ok(unwrapped(members))
}

/// The text as JSON, if it is JSON without duplicate keys.
pub(super) fn json(text: &str) -> Option<Box<RawValue>> {
    let mut json = serde_json::Deserializer::from_str(text);
    Strict.deserialize(&mut json).ok()?;
    json.end().ok()?;
    RawValue::from_string(text.trim().to_owned()).ok()
}

fn not_json(error: &serde_json::Error) -> ApiError {
    ApiError::Malformed(format!("The body is not valid JSON: {error}."))
}

fn unwrapped(members: Members) -> Members {
    if members.len() == 1
        && let Some(inner) = members.get("data")
        && let Ok(inner) = serde_json::from_str(inner.get())
    {
        return inner;
    }
    members
}

/// Parses JSON and refuses duplicate keys, because either value could be meant. Returns whether it is an object.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E>(self, _: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_str<E>(self, _: &str) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
        while items.next_element_seed(Strict)?.is_some() {}
        Ok(false)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<bool, A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            entries.next_value_seed(Strict)?;
            if keys.contains(&key) {
                let key: String = key.chars().take(80).collect();
                return Err(A::Error::custom(format!("the key `{key}` occurs twice")));
            }
            keys.insert(key);
        }
        Ok(true)
    }
}
