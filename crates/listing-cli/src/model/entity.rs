//! Reads the table, columns and relations of a SeaORM entity from its source.

use anyhow::{Context, Result, bail};
use listing::Names;
use syn::{Attribute, Expr, Field, GenericArgument, Item, Lit, Meta, PathArguments, Type};

use super::attributes::{derives, flag, text_attribute, truth};
use super::secrets::{self, Subject, Values, Why};
use crate::naming;

/// The comment above the field that SeaORM treats as the key of rows without one: [`Entity::parse`] recognizes it.
pub(crate) const STANDS_IN: &str =
    "Does not tell rows apart: they have no key, and SeaORM wants one.";

/// An entity as its source, or a table, says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entity {
    /// `article`
    pub(crate) module: String,
    /// `articles`
    pub(crate) table: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) relations: Vec<Relation>,
    /// Whether the relations have their names.
    pub(crate) named: bool,
    /// Whether its rows have no key, whatever SeaORM was told.
    pub(crate) keyless: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    /// The column: `created_at`.
    pub(crate) name: String,
    /// The field of the model, without `r#`; differs from the column if that has another name.
    pub(crate) field: String,
    /// `CreatedAt`
    pub(crate) variant: String,
    /// `DateTimeUtc`, without `Option`.
    pub(crate) rust_type: String,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
    pub(crate) key: bool,
    /// Whether it is the whole key, which is shown as `id`.
    pub(crate) is_id: bool,
    pub(crate) unique: bool,
    /// Whether the table has a default if no value is given.
    pub(crate) has_default: bool,
    /// Whether the database numbers new rows by it.
    pub(crate) numbered: bool,
    /// Whether the database computes it.
    pub(crate) computed: bool,
    /// Whether its type can be read from JSON. For the application's own types this is unknown.
    pub(crate) sendable: bool,
    /// Whether it is a foreign key of a relation.
    pub(crate) foreign: bool,
    /// Whether sums of it have the same digits on every database: integers, and decimals of a declared scale.
    pub(crate) exact: bool,
    /// The name that clients have for it, where they cannot have its own.
    pub(crate) alias: Option<String>,
    /// Why it looks like a secret, if it does.
    pub(crate) secret: Option<Why>,
}

/// The possible uses of a column depend on this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Integer,
    Number,
    Boolean,
    /// With its greatest length, if it has one.
    Text(Option<u32>),
    /// Too long to be shown in a list by default.
    LongText,
    Uuid,
    /// A date, a time or a moment.
    Time,
    Json,
    Binary,
    /// Several values of one type.
    List,
    /// A type of one database that is shown as text: it can be read and written, but not compared with text.
    Opaque,
    /// A type of the application: an enumeration, or what only it knows.
    Enumeration,
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relation {
    /// `author`
    pub(crate) name: String,
    /// The module of the related entity: `author`.
    pub(crate) module: String,
    pub(crate) to_many: bool,
}

impl Entity {
    /// The columns of the primary key.
    pub(crate) fn key(&self) -> Vec<&Column> {
        self.columns.iter().filter(|column| column.key).collect()
    }

    /// The entity in a file, if it is one.
    pub(crate) fn parse(
        module: &str,
        source: &str,
        is_enumeration: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Self>> {
        let file = syn::parse_file(source).context("this is not valid Rust")?;
        let model = file.items.iter().find_map(|item| match item {
            Item::Struct(item) if derives(item, "DeriveEntityModel") => Some(item),
            _ => None,
        });
        let Some(model) = model else {
            return Ok(None);
        };
        let Some(table) = text_attribute(&model.attrs, "table_name")? else {
            bail!("the model has no `#[sea_orm(table_name = \"…\")]`");
        };
        let mut entity = Self {
            module: module.to_owned(),
            table,
            columns: Vec::new(),
            relations: Vec::new(),
            named: derives(model, "NamedRelations")
                || derives(model, "Listing")
                || source.contains("NamedRelations for"),
            keyless: model
                .fields
                .iter()
                .any(|field| is_said(&field.attrs, STANDS_IN)),
        };
        let mut sizes = Vec::new();
        let mut references = Vec::new();
        for field in &model.fields {
            if flag(&field.attrs, "ignore")? {
                continue;
            }
            if let Some(relation) = relation(field) {
                entity.relations.push(relation);
                references.extend(text_attribute(&field.attrs, "from")?);
            } else if let Some(column) = column(field, is_enumeration)? {
                sizes.push(size(field)?);
                entity.columns.push(column);
            }
        }
        let (alone, keyless) = (entity.key().len() == 1, entity.keyless);
        for column in &mut entity.columns {
            if keyless {
                (column.key, column.nullable) = (false, column.nullable || column.key);
            }
            column.is_id = column.key && alone;
            // SeaORM lets the database number a key of one column only.
            column.numbered &= alone;
        }
        entity.name_columns(Names::AsDefined);
        entity.find_foreign_keys_and_secrets(&sizes, &references);
        Ok(Some(entity))
    }

    /// Notes which columns are foreign keys, and which look like secrets. `sizes` has the length of those whose values have one length, `references` the
    /// fields and variants that belong to relations.
    fn find_foreign_keys_and_secrets(&mut self, sizes: &[Option<u32>], references: &[String]) {
        let next_to_secret = self.columns.iter().any(|column| column.field == "secret");
        for (column, size) in self.columns.iter_mut().zip(sizes) {
            let names = [column.field.clone(), format!("Column::{}", column.variant)];
            column.foreign = references.iter().any(|one| names.contains(one));
            column.secret = secrets::why(Subject {
                table: &self.table,
                column: &column.name,
                values: values(column.kind, *size),
                is_key: column.key || column.foreign,
                next_to_secret,
            });
        }
    }
}

/// Whether a comment says this.
fn is_said(attributes: &[Attribute], text: &str) -> bool {
    let says = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(said) if said.path.is_ident("doc") => match &said.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(said) => said.value().trim() == text,
                _ => false,
            },
            _ => false,
        },
        _ => false,
    };
    attributes.iter().any(says)
}

/// The properties of a kind of column.
fn values(kind: Kind, size: Option<u32>) -> Values {
    match kind {
        Kind::Integer | Kind::Number => Values::Number,
        Kind::Boolean | Kind::Time | Kind::Enumeration => Values::Harmless,
        Kind::Binary => Values::Bytes(size),
        Kind::Uuid => Values::Uuid,
        Kind::Text(_) | Kind::LongText | Kind::Json | Kind::List | Kind::Opaque | Kind::Unknown => {
            Values::Text(size)
        }
    }
}

/// The length that every value of a field has, where its type says so.
fn size(field: &Field) -> Result<Option<u32>> {
    let declared = text_attribute(&field.attrs, "column_type")?;
    let fixed = declared.filter(|one| one.starts_with("Char(") || one.starts_with("Binary("));
    Ok(fixed.and_then(|declared| length(&declared)))
}

fn column(field: &Field, is_enumeration: &dyn Fn(&str) -> bool) -> Result<Option<Column>> {
    let Some(ident) = &field.ident else {
        return Ok(None);
    };
    let rust_name = ident.to_string();
    let field_name = rust_name.trim_start_matches("r#").to_owned();
    let (nullable, inner) = match generic(&field.ty) {
        Some((wrapper, inner)) if wrapper == "Option" => (true, inner),
        _ => (false, &field.ty),
    };
    let rust_type = type_text(inner);
    let declared = text_attribute(&field.attrs, "column_type")?;
    let variant = match text_attribute(&field.attrs, "enum_name")? {
        Some(variant) => variant,
        None => naming::camel(&field_name),
    };
    let key = flag(&field.attrs, "primary_key")?;
    // A text that the database casts to a special type.
    let is_cast = rust_type == "String" && flag(&field.attrs, "save_as")?;
    let kind = match kind(&rust_type, declared.as_deref(), is_enumeration) {
        Kind::LongText if !is_long(&field_name) => Kind::Text(None),
        Kind::Unknown if is_cast => Kind::Opaque,
        kind => kind,
    };
    // The type of the column does not determine how a type of the application is read (b503).
    let own = self::kind(&rust_type, None, is_enumeration);
    let is_read = |kind: Kind| !matches!(kind, Kind::Binary | Kind::Enumeration | Kind::Unknown);
    let auto_increment = truth(&field.attrs, "auto_increment")?.unwrap_or(true);
    let name = text_attribute(&field.attrs, "column_name")?;
    let extra = text_attribute(&field.attrs, "extra")?.unwrap_or_default();
    Ok(Some(Column {
        computed: extra.starts_with("GENERATED"),
        sendable: is_read(kind) && is_read(own),
        exact: kind == Kind::Integer
            || declared.is_some_and(|declared| declared.starts_with("Decimal(Some")),
        // Its table and the other columns have a say.
        foreign: false,
        secret: None,
        name: name.unwrap_or_else(|| field_name.clone()),
        field: field_name,
        variant,
        rust_type,
        nullable: nullable || flag(&field.attrs, "nullable")?,
        key,
        is_id: false,
        numbered: key && kind == Kind::Integer && auto_increment,
        kind,
        unique: flag(&field.attrs, "unique")?,
        has_default: flag(&field.attrs, "default_value")? || flag(&field.attrs, "default_expr")?,
        alias: None,
    }))
}

/// Words in the name of a column that holds long text. The type alone does not say it: many schemas of PostgreSQL and
/// SQLite have no other type for text.
const LONG: &[&str] = &[
    "bio",
    "biography",
    "body",
    "comment",
    "comments",
    "content",
    "description",
    "details",
    "html",
    "markdown",
    "message",
    "note",
    "notes",
    "remarks",
    "summary",
    "text",
];

pub(crate) fn is_long(field: &str) -> bool {
    field.split('_').any(|word| LONG.contains(&word))
}

/// Types of PostgreSQL that SeaORM has no word for: they are shown and sent as they are read.
const OPAQUE: [&str; 4] = ["citext", "ltree", "time with time zone", "\"oid"];

/// The kind of a type, by its declared column type or else by its name.
fn kind(rust_type: &str, declared: Option<&str>, is_enumeration: &dyn Fn(&str) -> bool) -> Kind {
    if let Some(declared) = declared {
        let name = declared.split(['(', ' ']).next().unwrap_or_default();
        match name {
            "Text" => return Kind::LongText,
            "Json" | "JsonBinary" => return Kind::Json,
            "Decimal" | "Float" | "Double" => return Kind::Number,
            "Money" | "Interval" | "Inet" | "Cidr" | "MacAddr" | "Bit" | "VarBit" => {
                return Kind::Opaque;
            }
            "custom" if OPAQUE.iter().any(|own| declared.contains(own)) => return Kind::Opaque,
            "Binary" | "VarBinary" | "Blob" => return Kind::Binary,
            "Uuid" => return Kind::Uuid,
            "String" if declared.contains("None") => return Kind::Text(None),
            "String" | "Char" => return Kind::Text(Some(length(declared).unwrap_or(255))),
            "Custom" | "custom" | "Array" | "Vector" => return Kind::Unknown,
            _ => {}
        }
    }
    let last = rust_type.rsplit("::").next().unwrap_or(rust_type);
    match last {
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" => Kind::Integer,
        "f32" | "f64" | "Decimal" => Kind::Number,
        "bool" => Kind::Boolean,
        // SeaORM's own type for it is `varchar(255)`.
        "String" => Kind::Text(Some(255)),
        "Uuid" => Kind::Uuid,
        "Json" | "JsonValue" => Kind::Json,
        _ if rust_type == "serde_json::Value" => Kind::Json,
        "Vec<u8>" => Kind::Binary,
        _ if last.starts_with("Vec<") => Kind::List,
        _ if [
            "Date",
            "Time",
            "DateTime",
            "NaiveDate",
            "ChronoDate",
            "TimeDate",
        ]
        .iter()
        .any(|start| last.starts_with(start)) =>
        {
            Kind::Time
        }
        other if is_enumeration(other) => Kind::Enumeration,
        _ => Kind::Unknown,
    }
}

/// The number in `String(StringLen::N(255))`.
fn length(declared: &str) -> Option<u32> {
    let digits: String = declared.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn relation(field: &Field) -> Option<Relation> {
    let (wrapper, inner) = generic(&field.ty)?;
    if !["HasOne", "HasMany", "BelongsTo"].contains(&wrapper.as_str()) {
        return None;
    }
    let target = match generic(inner) {
        Some((name, inner)) if name == "Option" => inner,
        _ => inner,
    };
    let Type::Path(target) = target else {
        return None;
    };
    let mut names = target.path.segments.iter().rev().map(|part| &part.ident);
    let last = names.next()?;
    let module = names.next().unwrap_or(last).to_string();
    let module = module.trim_start_matches("r#").to_owned();
    Some(Relation {
        name: field
            .ident
            .as_ref()?
            .to_string()
            .trim_start_matches("r#")
            .to_owned(),
        module,
        to_many: wrapper == "HasMany",
    })
}

/// The last segment of a type's path, and its first type argument.
fn generic(ty: &Type) -> Option<(String, &Type)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some((last.ident.to_string(), inner)),
        _ => None,
    }
}

/// A type as it was written, near enough to be written again.
fn type_text(ty: &Type) -> String {
    let Type::Path(path) = ty else {
        return "_".to_owned();
    };
    let mut text = Vec::new();
    for segment in &path.path.segments {
        let mut part = segment.ident.to_string();
        if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
            let arguments: Vec<_> = arguments
                .args
                .iter()
                .map(|argument| match argument {
                    GenericArgument::Type(inner) => type_text(inner),
                    _ => "_".to_owned(),
                })
                .collect();
            part = format!("{part}<{}>", arguments.join(", "));
        }
        text.push(part);
    }
    text.join("::")
}

#[cfg(test)]
mod tests;
