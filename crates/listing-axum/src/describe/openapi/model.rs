//! The parts of an OpenAPI 3.1 document that are needed, as types that keep the order of definition.
//!
//! By hand, and not by the crate `utoipa`: its maps are sorted, so that `id` would not come first, and every application
//! would compile it.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// A map in the order in which it was filled.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ordered<T>(Vec<(String, T)>);

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Ordered<T> {
    pub(super) fn insert(&mut self, key: impl Into<String>, value: T) {
        self.0.push((key.into(), value));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        let found = self.0.iter_mut().find(|(known, _)| known == key);
        found.map(|(_, value)| value)
    }
}

impl<K: Into<String>, T> FromIterator<(K, T)> for Ordered<T> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(pairs: I) -> Self {
        let pairs = pairs.into_iter();
        Self(pairs.map(|(key, value)| (key.into(), value)).collect())
    }
}

impl<T: Serialize> Serialize for Ordered<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// An OpenAPI document.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct OpenApi {
    pub(super) openapi: &'static str,
    pub(super) info: Info,
    pub(super) servers: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) security: Option<Value>,
    pub(super) tags: Vec<Value>,
    pub(super) paths: Ordered<Ordered<Operation>>,
    pub(super) components: Components,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub(super) struct Info {
    pub(super) title: String,
    pub(super) version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Components {
    pub(super) schemas: Ordered<Schema>,
    pub(super) responses: Ordered<Response>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) security_schemes: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Operation {
    pub(super) operation_id: String,
    pub(super) tags: Vec<String>,
    pub(super) summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) parameters: Vec<Parameter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) request_body: Option<Body>,
    pub(super) responses: Ordered<Response>,
}

#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub(super) struct Parameter {
    pub(super) name: String,
    #[serde(rename = "in")]
    pub(super) place: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) style: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) explode: Option<bool>,
    pub(super) schema: Schema,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) example: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub(super) struct Body {
    pub(super) required: bool,
    pub(super) content: Ordered<Content>,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub(super) struct Content {
    pub(super) schema: Schema,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) example: Option<Value>,
}

impl Content {
    /// JSON of this schema.
    pub(super) fn json(schema: Schema, example: Option<Value>) -> Ordered<Self> {
        Ordered::from_iter([("application/json", Self { schema, example })])
    }
}

/// A response, or a reference to one.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub(super) struct Response {
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub(super) headers: Ordered<Value>,
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub(super) content: Ordered<Content>,
}

/// A schema of JSON Schema 2020-12. The empty one allows everything.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Schema {
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) content_encoding: Option<&'static str>,
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    pub(super) values: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) minimum: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) maximum: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) items: Option<Box<Schema>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_items: Option<u64>,
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub(super) properties: Ordered<Schema>,
    #[serde(skip_serializing_if = "Ordered::is_empty")]
    pub(super) pattern_properties: Ordered<Schema>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) required: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) additional_properties: Option<Additional>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min_properties: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) any_of: Vec<Schema>,
}

/// The members that an object can have besides its properties.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub(super) enum Additional {
    Nothing(bool),
    These(Box<Schema>),
}

impl Schema {
    pub(super) fn of(kind: &str) -> Self {
        Self {
            kind: Some(kind.into()),
            ..Self::default()
        }
    }

    pub(super) fn reference(name: &str) -> Self {
        Self {
            reference: Some(format!("#/components/schemas/{name}")),
            ..Self::default()
        }
    }

    pub(super) fn any_of(schemas: Vec<Self>) -> Self {
        Self {
            any_of: schemas,
            ..Self::default()
        }
    }

    pub(super) fn array(items: Self) -> Self {
        Self {
            items: Some(Box::new(items)),
            ..Self::of("array")
        }
    }

    pub(super) fn one_of_texts(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let values = values.into_iter().map(|value| Value::String(value.into()));
        Self {
            values: Some(values.collect()),
            ..Self::of("string")
        }
    }

    /// An object with these properties and no others.
    pub(super) fn object<K: Into<String>>(
        properties: impl IntoIterator<Item = (K, Self)>,
        required: &[&str],
    ) -> Self {
        Self {
            properties: properties.into_iter().collect(),
            required: required.iter().map(|name| (*name).to_owned()).collect(),
            additional_properties: Some(Additional::Nothing(false)),
            ..Self::of("object")
        }
    }

    /// An object with any keys and these values.
    pub(super) fn map(values: Self) -> Self {
        Self {
            additional_properties: Some(Additional::These(Box::new(values))),
            ..Self::of("object")
        }
    }

    pub(super) fn described(mut self, description: &str) -> Self {
        self.description = Some(description.to_owned());
        self
    }

    /// The same or null.
    pub(super) fn or_null(mut self) -> Self {
        if let Some(Value::String(kind)) = &self.kind {
            self.kind = Some(vec![kind.clone(), "null".to_owned()].into());
            if let Some(values) = &mut self.values {
                values.push(Value::Null);
            }
            return self;
        }
        match self == Self::default() {
            true => self,
            false => Self::any_of(vec![self, Self::of("null")]),
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}
