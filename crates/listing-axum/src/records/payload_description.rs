//! Describes a payload from its type, its rules and the entity's columns.

use listing::describe::{TypeName, ValueType};
use listing::entity::{ColumnMeta, EntityMeta};
use listing::whitelist::Whitelist;
use listing::{Kind, Listings, NamedRelations};
use sea_orm::sea_query::{ColumnType, StringLen};
use serde::{Deserialize, Serialize};

use super::field_names::{FieldNames, PayloadField};
use super::valid::form_of_names;
use super::{Payload, WritableResource, fits};

/// A field that a client may send.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PayloadFieldDescription {
    /// Its name.
    pub name: String,
    /// The type of its values.
    #[serde(flatten)]
    pub value: ValueType,
    /// Whether it must be sent.
    pub required: bool,
    /// Whether it can be null.
    pub nullable: bool,
    /// Characters at the least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// Characters at the most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// The least number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    /// The greatest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    /// A regular expression that texts match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// `email`, `uri`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Whether white space is taken from both ends.
    #[serde(default, skip_serializing_if = "is_false")]
    pub trim: bool,
    /// Whether no two records have the same.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unique: bool,
    /// The listing whose `id`s are its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub references: Option<String>,
}

/// The payload `P` of a resource. `name` gives each listing its name.
pub(crate) fn describe<R: WritableResource, P: Payload>(
    listings: &Listings,
    name: &dyn Fn(&Whitelist) -> String,
) -> Vec<PayloadFieldDescription> {
    let entity = EntityMeta::of::<R::Entity>();
    let entity = entity.with_enumerations(<R::Entity as NamedRelations>::enumerations());
    let whitelist = listings.of::<R::Entity>();
    let names = FieldNames::of::<P>(form_of_names::<R::Entity>(listings));
    let as_text = whitelist
        .map(Whitelist::integers_as_text)
        .unwrap_or_default();
    let unique: Vec<_> = R::unique().iter().map(|rule| rule.names().next()).collect();
    let described = |field: &PayloadField| {
        let column = entity.column(field.column);
        let column = column.map(|column| &entity.columns[column]);
        let mut described = PayloadFieldDescription {
            name: names.shown(field.column).into_owned(),
            unique: unique.contains(&Some(field.column)),
            references: whitelist.and_then(|whitelist| {
                listing::describe::references(listings, whitelist, field.column, name)
            }),
            ..of_column(field, column)
        };
        let is_text = as_text.iter().any(|known| known == field.column);
        if is_text && described.value.name == TypeName::Integer {
            described.value.name = TypeName::BigInt;
        }
        described
    };
    let columns = P::FIELDS.iter().filter(|field| !field.links);
    columns.map(described).collect()
}

/// A relation that a client may send, with the rows that a record is to be linked with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LinksDescription {
    /// Its name.
    pub name: String,
    /// The type of the rows' `id`s.
    #[serde(flatten)]
    pub value: ValueType,
    /// Whether it must be sent.
    pub required: bool,
    /// The listing whose rows they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub references: Option<String>,
}

/// The relations that a client may send as `P` to a resource.
pub(crate) fn links<R: WritableResource, P: Payload>(
    listings: &Listings,
    name: &dyn Fn(&Whitelist) -> String,
) -> Vec<LinksDescription> {
    let mut fields = P::FIELDS.iter().filter(|field| field.links).peekable();
    if fields.peek().is_none() {
        return Vec::new();
    }
    let relations = <R::Entity as NamedRelations>::named_relations();
    let names = FieldNames::of::<P>(form_of_names::<R::Entity>(listings));
    let described = fields.filter_map(|field| {
        let mut relations = relations.iter();
        let relation = relations.find(|relation| relation.name == field.column)?;
        let target = &relation.target;
        let key = target.column(relation.to.first()?)?;
        let listing = listings.by_id(target.id);
        let mut value = ValueType::of(&target.columns[key].kind, None);
        if listing.is_some_and(Whitelist::shows_id_as_text) {
            value.name = TypeName::BigInt;
        }
        Some(LinksDescription {
            name: names.shown(field.column).into_owned(),
            value,
            required: field.required,
            references: listing.map(name),
        })
    });
    described.collect()
}

/// The combined information of the rules and the column.
fn of_column(field: &PayloadField, column: Option<&ColumnMeta>) -> PayloadFieldDescription {
    let rules = field.rules;
    let range = column.and_then(|column| fits::range(&column.column_type));
    // Every 64-bit integer can be sent, and none of its ends is a number that JSON keeps.
    let range = range.filter(|(_, most)| *most <= i32::MAX.into() || *most == u32::MAX.into());
    let kind = column.map_or(&Kind::Natural, |column| &column.kind);
    PayloadFieldDescription {
        name: String::new(),
        value: ValueType::of(kind, column.and_then(|column| column.values.as_deref())),
        required: field.required,
        nullable: field.nullable,
        min_length: rules.min_length,
        max_length: least(rules.max_length, column.and_then(longest)),
        minimum: rules.minimum.or(range.map(|(least, _)| least as f64)),
        maximum: rules.maximum.or(range.map(|(_, most)| most as f64)),
        pattern: rules.pattern.map(str::to_owned),
        format: rules.format.map(str::to_owned),
        trim: field.trim,
        unique: false,
        references: None,
    }
}

fn longest(column: &ColumnMeta) -> Option<u64> {
    // The values of an enumeration are listed one by one.
    if column.values.is_some() {
        return None;
    }
    match column.column_type {
        ColumnType::String(StringLen::N(most)) | ColumnType::Char(Some(most)) => Some(most.into()),
        _ => None,
    }
}

fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

fn is_false(value: &bool) -> bool {
    !value
}
