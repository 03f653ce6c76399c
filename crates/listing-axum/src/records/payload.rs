//! Reads a JSON object into a typed payload and reports everything that is wrong with it, field by field (d57, d59, d60).

use garde::i18n::with_i18n;
use listing::{Complaint, FieldErrors, Names, nearest};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::body::Members;
use super::field_names::{FieldNames, PayloadField};
use super::value::{self, Reading};
use super::wording::{Wording, message};

/// What a client sends to create or change a record. Derive it, together with `garde::Validate`, on a struct whose fields
/// are named as the record's columns: those fields are read, and no others, whatever the client sends.
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

    /// Every field.
    const FIELDS: &'static [PayloadField];

    /// Reads every field, and leaves a note of each that is wrong.
    fn read(object: &mut PayloadObject<'_>) -> Self;

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

/// How a payload is read: what clients call its fields, and what they may send.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) names: FieldNames,
    /// The columns of integers that are shown as text, and may be sent as text (d93).
    pub(super) integers_as_text: &'a [String],
    /// Whether a key that the payload does not have is an error (d92).
    pub(super) strict: bool,
}

/// A payload's JSON object, and what is wrong with it so far.
#[derive(Debug)]
pub struct PayloadObject<'a> {
    members: Members,
    errors: FieldErrors,
    rules: Rules<'a>,
}

impl<'a> PayloadObject<'a> {
    fn new(members: Members, rules: Rules<'a>) -> Self {
        Self {
            members,
            errors: FieldErrors::new(),
            rules,
        }
    }

    /// A field that must be there.
    pub fn required<T>(&mut self, column: &str, trim: bool) -> T
    where
        T: DeserializeOwned + Default + 'static,
    {
        match self.take(column) {
            None => {
                let name = self.rules.names.shown(column).into_owned();
                let message = format!("{name} is required.");
                self.error(name, message);
                T::default()
            }
            Some(value) => self.typed(column, &value, trim),
        }
    }

    /// A field that may be absent or null.
    pub fn optional<T>(&mut self, column: &str, trim: bool) -> T
    where
        T: DeserializeOwned + Default + 'static,
    {
        self.take(column)
            .map_or_else(T::default, |value| self.typed(column, &value, trim))
    }

    /// A field that may be absent, which is not the same as null.
    pub fn given<T>(&mut self, column: &str, trim: bool) -> Given<T>
    where
        T: DeserializeOwned + Default + 'static,
    {
        match self.take(column) {
            None => Given::Absent,
            Some(value) => Given::Value(self.typed(column, &value, trim)),
        }
    }

    fn take(&mut self, column: &str) -> Option<Box<RawValue>> {
        self.members.remove(&*self.rules.names.shown(column))
    }

    /// The value, or a neutral one and a note: the other fields are still looked at.
    fn typed<T>(&mut self, column: &str, json: &RawValue, trim: bool) -> T
    where
        T: DeserializeOwned + Default + 'static,
    {
        let name = self.rules.names.shown(column).into_owned();
        if has_nul(json.get()) {
            let message = format!("{name} must not contain the NUL character.");
            self.error(name, message);
            return T::default();
        }
        let as_text = self.rules.integers_as_text;
        let reading = Reading {
            trim,
            integer_as_text: as_text.iter().any(|known| known == column),
        };
        value::read(json.get(), reading).unwrap_or_else(|wanted| {
            let message = format!("{name} must be {wanted}.");
            self.error(name, message);
            T::default()
        })
    }

    /// Notes every key that the payload does not have: a misspelt key would be lost data (d92).
    fn refuse_unknown(&mut self) {
        let known: Vec<_> = self.rules.names.all().collect();
        for key in std::mem::take(&mut self.members).into_keys().take(20) {
            let hint = match nearest(&key, known.iter().map(|name| &**name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the fields are {}.", known.join(", ")),
            };
            let key = Complaint::shorten(&key);
            let message = format!("{key} is not a field of this record; {hint}");
            self.error(key, message);
        }
    }

    fn error(&mut self, name: String, message: String) {
        self.errors.entry(name).or_default().push(message);
    }
}

/// No database keeps a NUL in text, nor in JSON. In the text of JSON it can only be an escape.
fn has_nul(json: &str) -> bool {
    fn inside(value: &Value) -> bool {
        match value {
            Value::String(text) => text.contains('\0'),
            Value::Array(items) => items.iter().any(inside),
            Value::Object(members) => members
                .iter()
                .any(|(key, value)| key.contains('\0') || inside(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    json.contains("\\u0000") && serde_json::from_str(json).is_ok_and(|value| inside(&value))
}

/// Whether a payload takes a value of one of its columns.
pub(super) fn takes<P: Payload>(column: &str, value: &Value) -> bool {
    let names = FieldNames::of::<P>(Names::AsDefined);
    let name = names.shown(column).into_owned();
    let Ok(json) = to_raw_value(value) else {
        return false;
    };
    let rules = Rules {
        names,
        integers_as_text: &[],
        strict: false,
    };
    let mut object = PayloadObject::new(Members::from([(name.clone(), json)]), rules);
    P::read(&mut object);
    !object.errors.contains_key(&name)
}

/// The payload and everything that is wrong with it. The fields that could not be read hold neutral values.
pub(super) fn read<P: Payload>(members: Members, rules: Rules<'_>) -> (P, FieldErrors) {
    let mut object = PayloadObject::new(members, rules);
    let payload = P::read(&mut object);
    if rules.strict {
        object.refuse_unknown();
    }
    let unread = object.errors;
    let mut errors = unread.clone();
    if let Err(report) = with_i18n(Wording, || payload.validate()) {
        for (path, error) in report.into_inner() {
            let path = path.to_string();
            let (column, rest) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
            let column = column.strip_prefix("r#").unwrap_or(column);
            let name = rules.names.shown(column).into_owned();
            // A rule about a neutral value tells a client nothing.
            if !unread.contains_key(&name) {
                let message = message(&format!("{name}{rest}"), error.message());
                errors.entry(name).or_default().push(message);
            }
        }
    }
    (payload, errors)
}
