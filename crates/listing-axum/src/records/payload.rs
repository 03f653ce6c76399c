//! Reads a JSON object into a typed payload and reports everything that is wrong with it, field by field (d57, d59, d60).

use garde::i18n::with_i18n;
use listing::FieldErrors;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::wording::{Wording, message};

/// What a client sends to create or change a record. Derive it, beside `garde::Validate`, on a struct whose fields are
/// named as the record's columns: those fields are read, and no others, whatever the client sends.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub title: String, pub body: Option<String> }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use garde::Validate;
/// use listing_axum::{Given, Payload};
///
/// #[derive(Debug, Payload, Validate)]
/// #[payload(active_model = article::ActiveModel)]
/// struct ArticlePayload {
///     #[payload(trim)]
///     #[garde(length(chars, min = 1, max = 255))]
///     title: String,
///     #[garde(skip)]
///     body: Given<Option<String>>, // absent leaves it, null clears it
/// }
/// ```
pub trait Payload: garde::Validate<Context = ()> + Sized + Send {
    /// The active model that it is written into.
    type ActiveModel;

    /// Reads every field, and leaves a note of each that is wrong.
    fn read(object: &mut PayloadObject) -> Self;

    /// Writes every field that was given.
    fn write(self, active: &mut Self::ActiveModel);
}

/// A value that a client can leave out. What is left out breaks no rule; the rules of a value that is given stand in
/// `#[garde(inner(..))]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Given<T> {
    /// It was left out: the record keeps what it has.
    #[default]
    Absent,
    /// It was given.
    Value(T),
}

impl<T> garde::rules::inner::Inner<T> for Given<T> {
    type Key = garde::error::NoKey;

    fn validate_inner<F>(&self, mut rules: F)
    where
        F: FnMut(&T, &Self::Key),
    {
        if let Self::Value(value) = self {
            rules(value, &Self::Key::default());
        }
    }
}

/// A payload's JSON object, and what is wrong with it so far.
#[derive(Debug, Default)]
pub struct PayloadObject {
    members: Map<String, Value>,
    errors: FieldErrors,
}

impl PayloadObject {
    pub(super) fn new(members: Map<String, Value>) -> Self {
        Self {
            members,
            errors: FieldErrors::new(),
        }
    }

    /// A field that must be there.
    pub fn required<T: DeserializeOwned + Default>(&mut self, name: &str, trim: bool) -> T {
        match self.members.remove(name) {
            None => {
                self.error(name, format!("{name} is required."));
                T::default()
            }
            Some(value) => self.typed(name, value, trim),
        }
    }

    /// A field that may be absent or null.
    pub fn optional<T: DeserializeOwned + Default>(&mut self, name: &str, trim: bool) -> T {
        self.members
            .remove(name)
            .map_or_else(T::default, |value| self.typed(name, value, trim))
    }

    /// A field that may be absent, which is not the same as null.
    pub fn given<T: DeserializeOwned + Default>(&mut self, name: &str, trim: bool) -> Given<T> {
        match self.members.remove(name) {
            None => Given::Absent,
            Some(value) => Given::Value(self.typed(name, value, trim)),
        }
    }

    /// The value, or a neutral one and a note: the other fields are still looked at.
    fn typed<T: DeserializeOwned + Default>(&mut self, name: &str, value: Value, trim: bool) -> T {
        if has_nul(&value) {
            self.error(name, format!("{name} must not contain the NUL character."));
            return T::default();
        }
        let value = match value {
            Value::String(text) if trim => Value::String(text.trim().to_owned()),
            other => other,
        };
        serde_json::from_value(value).unwrap_or_else(|error| {
            self.error(name, format!("{name} must be {}.", expected(&error)));
            T::default()
        })
    }

    fn error(&mut self, name: &str, message: String) {
        self.errors
            .entry(name.to_owned())
            .or_default()
            .push(message);
    }
}

/// What would have been right: serde says what it found, which may be long, and then what it expected.
fn expected(error: &serde_json::Error) -> String {
    let error = error.to_string();
    let name = error
        .rsplit_once("expected ")
        .map_or("a valid value", |(_, name)| name);
    let between = |least: i128, most: i128| format!("an integer from {least} to {most}");
    match name {
        "i8" => between(i8::MIN.into(), i8::MAX.into()),
        "i16" => between(i16::MIN.into(), i16::MAX.into()),
        "i32" => between(i32::MIN.into(), i32::MAX.into()),
        "i64" => between(i64::MIN.into(), i64::MAX.into()),
        "u8" => between(0, u8::MAX.into()),
        "u16" => between(0, u16::MAX.into()),
        "u32" => between(0, u32::MAX.into()),
        "u64" => between(0, u64::MAX.into()),
        "f32" | "f64" => "a number".to_owned(),
        other => other.to_owned(),
    }
}

/// No database keeps a NUL in text, nor in JSON.
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(members) => members
            .iter()
            .any(|(key, value)| key.contains('\0') || has_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The payload and everything that is wrong with it. The fields that could not be read hold neutral values.
pub(super) fn read<P: Payload>(members: Map<String, Value>) -> (P, FieldErrors) {
    let mut object = PayloadObject::new(members);
    let payload = P::read(&mut object);
    let unread = object.errors;
    let mut errors = unread.clone();
    if let Err(report) = with_i18n(Wording, || payload.validate()) {
        for (path, error) in report.into_inner() {
            let path = path.to_string();
            let field = path.split(['.', '[']).next().unwrap_or_default();
            // A rule about a neutral value tells a client nothing.
            if !unread.contains_key(field) {
                errors
                    .entry(field.to_owned())
                    .or_default()
                    .push(message(&path, error.message()));
            }
        }
    }
    (payload, errors)
}
