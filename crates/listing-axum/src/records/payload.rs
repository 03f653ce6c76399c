//! Reads a JSON object into a typed payload and reports everything that is wrong with it, field by field (d57, d59, d60).

use std::fmt;

use garde::i18n::with_i18n;
use listing::reply::FieldErrors;
use listing::{Complaint, Names, nearest};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::body::Members;
use super::field_names::{FieldNames, PayloadField};
use super::links::Links;
use super::merge;
use super::value::{self, Reading};
use super::wording::{Wording, message};

/// The data that a client sends to create or change a record. Derive it, together with `garde::Validate`, on a struct whose
/// fields have the names of the record's columns. Only those fields are read, whatever the client sends.
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
/// use listing_axum::Payload;
/// use listing_axum::Given;
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

    /// Writes every given field if it was sent: a patch reads omitted fields from the record.
    fn write(self, active: &mut Self::ActiveModel, is_sent: &dyn Fn(&str) -> bool);

    /// Takes the linked rows, by the names of their relations.
    fn take_links(&mut self) -> Vec<(&'static str, Links)>;

    /// The value that a record has of one of the fields, by the field's column.
    fn present(active: &Self::ActiveModel, column: &str) -> Option<sea_orm::Value>;
}

/// A value that a client can leave out. An omitted value breaks no rule. The rules of a given value are inside
/// `#[garde(inner(..))]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Given<T> {
    /// The field was left out: the record keeps its value.
    #[default]
    Absent,
    /// It was given.
    Value(T),
}

impl<T> Given<T> {
    /// The value, if it was given.
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Absent => None,
            Self::Value(value) => Some(value),
        }
    }
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

/// How to read a payload: the public names of its fields, and the allowed values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) names: FieldNames,
    /// The columns of integers that are shown as text, and may be sent as text (d93).
    pub(super) integers_as_text: &'a [String],
    /// Whether a key that the payload does not have is an error (d92).
    pub(super) strict: bool,
    /// The foreign keys of the entity and the relations that they are of: either name can be sent (d124).
    pub(super) to_one: fn() -> Vec<(String, String)>,
}

/// The linked rows of a payload, by the names of their relations.
pub(super) type LinksOf = Vec<(&'static str, Links)>;

impl Rules<'_> {
    /// The members with every foreign key under the name of its column, where it was sent under that of its relation.
    fn with_keys(&self, members: &mut Members, errors: &mut FieldErrors) {
        let is_known = |key: &String| self.names.all().any(|name| *name == **key);
        if members.keys().all(is_known) {
            return;
        }
        for (column, relation) in (self.to_one)() {
            let (name, relation) = (self.names.shown(&column), self.names.shown(&relation));
            if !self.names.has(&column) || self.names.all().any(|known| known == relation) {
                continue;
            }
            let Some(sent) = members.remove(&*relation) else {
                continue;
            };
            if members.contains_key(&*name) {
                let message = format!("{relation} and {name} are the same; send one of them.");
                errors.insert(relation.into_owned(), vec![message]);
                continue;
            }
            members.insert(name.into_owned(), sent);
        }
    }

    /// Whether a column was sent.
    fn has(&self, members: &Members, column: &str) -> bool {
        members.contains_key(&*self.names.shown(column))
    }
}

/// A payload's JSON object, and its errors so far.
pub struct PayloadObject<'a> {
    members: Members,
    errors: FieldErrors,
    /// The names of fields that hold neutral values although the client made no mistake.
    unknown: Vec<String>,
    rules: Rules<'a>,
    patched: Option<Present<'a>>,
}

/// The JSON of the patched record's value in a column, if it can be written.
type Present<'a> = &'a dyn Fn(&str) -> Option<Value>;

impl fmt::Debug for PayloadObject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PayloadObject")
            .field("members", &self.members)
            .field("errors", &self.errors)
            .finish_non_exhaustive()
    }
}

impl<'a> PayloadObject<'a> {
    fn new(mut members: Members, rules: Rules<'a>, patched: Option<Present<'a>>) -> Self {
        let mut errors = FieldErrors::new();
        rules.with_keys(&mut members, &mut errors);
        Self {
            members,
            errors,
            unknown: Vec::new(),
            rules,
            patched,
        }
    }

    /// A field that must be there.
    pub fn required<T>(&mut self, column: &str, trim: bool) -> T
    where
        T: DeserializeOwned + Default + 'static,
    {
        match self.take(column) {
            None if self.patched.is_some() => self.left(column),
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
        match self.take(column) {
            None if self.patched.is_some() => self.left(column),
            None => T::default(),
            Some(value) => self.typed(column, &value, trim),
        }
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

    /// Linked rows that must be named; a patch can leave them out.
    pub fn links(&mut self, relation: &str) -> Links {
        let links = self.given_links(relation);
        if links == Given::Absent && self.patched.is_none() {
            let name = self.rules.names.shown(relation).into_owned();
            let message = format!("{name} is required.");
            self.error(name, message);
        }
        links.into_option().unwrap_or_default()
    }

    /// Linked rows, which stay as they are where they are left out.
    pub fn given_links(&mut self, relation: &str) -> Given<Links> {
        let name = self.rules.names.shown(relation).into_owned();
        let Some(sent) = self.members.remove(&name) else {
            return Given::Absent;
        };
        let sent = serde_json::from_str(sent.get()).unwrap_or_default();
        Given::Value(Links::read(&name, &sent).unwrap_or_else(|wrong| {
            for (place, message) in wrong {
                self.error(place, message);
            }
            Links::default()
        }))
    }

    fn take(&mut self, column: &str) -> Option<Box<RawValue>> {
        let sent = self.members.remove(&*self.rules.names.shown(column))?;
        let present = self.patched.map(|present| present(column));
        Some(match present {
            Some(present) => merge::merged(present, sent),
            None => sent,
        })
    }

    /// The fields that a patch leaves unchanged. A value that cannot be read breaks no rule: it was not sent, and it is not
    /// written.
    fn left<T>(&mut self, column: &str) -> T
    where
        T: DeserializeOwned + Default + 'static,
    {
        let present = self.patched.and_then(|present| present(column));
        let read = present.and_then(|json| value::read(&json.to_string(), Reading::default()).ok());
        read.unwrap_or_else(|| {
            self.unknown
                .push(self.rules.names.shown(column).into_owned());
            T::default()
        })
    }

    /// The value, or a neutral one and an error, so that the other fields are still checked.
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
        to_one: Vec::new,
    };
    let mut object = PayloadObject::new(Members::from([(name.clone(), json)]), rules, None);
    P::read(&mut object);
    !object.errors.contains_key(&name)
}

/// The payload and everything that is wrong with it. The fields that could not be read hold neutral values.
pub(super) fn read<P: Payload>(members: Members, rules: Rules<'_>) -> (P, FieldErrors) {
    read_object(PayloadObject::new(members, rules, None))
}

/// The members of a payload that a client changes; the others stay as they are (d120).
pub(super) struct Patch<'a> {
    members: Members,
    rules: Rules<'a>,
}

impl<'a> Patch<'a> {
    pub(super) fn new(mut members: Members, rules: Rules<'a>) -> Self {
        // Duplicates are reported when the patch is read.
        let mut renamed = members.clone();
        let mut errors = FieldErrors::new();
        rules.with_keys(&mut renamed, &mut errors);
        if errors.is_empty() {
            members = renamed;
        }
        Self { members, rules }
    }

    /// Writes the sent values to a record, and returns the errors of the result: omitted fields are read from the record, so that
    /// all of it is validated.
    pub(super) fn write<P: Payload>(&self, record: &mut P::ActiveModel) -> (FieldErrors, LinksOf) {
        let present = |column: &str| merge::json_of(&P::present(record, column)?);
        let object = PayloadObject::new(self.members.clone(), self.rules, Some(&present));
        let (mut payload, errors) = read_object::<P>(object);
        let links = payload.take_links();
        payload.write(record, &|column| self.rules.has(&self.members, column));
        (errors, links)
    }
}

fn read_object<P: Payload>(mut object: PayloadObject<'_>) -> (P, FieldErrors) {
    let rules = object.rules;
    let payload = P::read(&mut object);
    if rules.strict {
        object.refuse_unknown();
    }
    let PayloadObject {
        errors: unread,
        unknown,
        ..
    } = object;
    let mut errors = unread.clone();
    if let Err(report) = with_i18n(Wording, || payload.validate()) {
        for (path, error) in report.into_inner() {
            let path = path.to_string();
            let (column, rest) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
            let column = column.strip_prefix("r#").unwrap_or(column);
            let name = rules.names.shown(column).into_owned();
            // An error about a neutral value would not help the client.
            if !unread.contains_key(&name) && !unknown.contains(&name) {
                let message = message(&format!("{name}{rest}"), error.message());
                errors.entry(name).or_default().push(message);
            }
        }
    }
    (payload, errors)
}
