//! Reads the columns that `listing make` is given: `name:string`, `price:decimal?`, `author:references`.

use ::listing::nearest;
use anyhow::{Result, bail};

use crate::naming;

/// A column, as it was requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    /// `price`; of a reference the relation, `author`.
    pub(super) name: String,
    pub(super) kind: Type,
    pub(super) nullable: bool,
    pub(super) unique: bool,
    /// The entity that a reference means, where that is not its name.
    pub(super) target: Option<String>,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    String,
    Text,
    Integer,
    BigInt,
    Decimal,
    Float,
    Boolean,
    Date,
    DateTime,
    Uuid,
    Json,
    References,
}

const TYPES: &[(&str, Type)] = &[
    ("string", Type::String),
    ("text", Type::Text),
    ("integer", Type::Integer),
    ("bigint", Type::BigInt),
    ("decimal", Type::Decimal),
    ("float", Type::Float),
    ("boolean", Type::Boolean),
    ("date", Type::Date),
    ("datetime", Type::DateTime),
    ("uuid", Type::Uuid),
    ("json", Type::Json),
    ("references", Type::References),
];

/// Columns that every entity gets.
const OWN: &[&str] = &["id", "created_at", "updated_at"];

/// Every column, in the order in which they were given.
pub(super) fn read(arguments: &[String]) -> Result<Vec<Asked>> {
    let mut columns: Vec<Asked> = Vec::new();
    for argument in arguments {
        let column = one(argument)?;
        let is_same =
            |other: &Asked| other.name == column.name || other.column() == column.column();
        if columns.iter().any(is_same) {
            bail!("`{argument}`: there is already a column `{}`", column.name);
        }
        columns.push(column);
    }
    Ok(columns)
}

impl Asked {
    /// The column's name in the table.
    pub(super) fn column(&self) -> String {
        match self.kind {
            Type::References => format!("{}_id", self.name),
            _ => self.name.clone(),
        }
    }
}

fn one(argument: &str) -> Result<Asked> {
    let mut parts = argument.split(':');
    let name = parts.next().unwrap_or_default();
    let Some(kind) = parts.next().filter(|kind| !kind.is_empty()) else {
        bail!(
            "`{argument}` has no type: write `{name}:string`, for instance; {}",
            types()
        );
    };
    let (kind, nullable) = match kind.strip_suffix('?') {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    let known = TYPES.iter().find(|(known, _)| *known == kind);
    let Some((_, kind)) = known else {
        let near = nearest(kind, TYPES.iter().map(|(known, _)| *known));
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        bail!("`{argument}`: `{kind}` is not a type; {near}{}", types());
    };
    let mut column = Asked {
        name: name.to_owned(),
        kind: *kind,
        nullable,
        unique: false,
        target: None,
    };
    for part in parts {
        column.add(argument, part)?;
    }
    column.verify(argument)?;
    Ok(column)
}

impl Asked {
    /// A word after the type.
    fn add(&mut self, argument: &str, part: &str) -> Result<()> {
        if part == "unique" {
            self.unique = true;
        } else if self.kind == Type::References && self.target.is_none() && !part.is_empty() {
            self.target = Some(part.to_owned());
        } else if self.kind == Type::References {
            bail!("`{argument}`: after `references` come an entity and `unique`, not `{part}`");
        } else {
            let near = nearest(part, ["unique"]).map_or("", |_| "; did you mean `unique`?");
            bail!("`{argument}`: after the type comes `unique`, or nothing, not `{part}`{near}");
        }
        Ok(())
    }

    fn verify(&self, argument: &str) -> Result<()> {
        let name = &self.name;
        let spelled = naming::field(name);
        let spelled = spelled.trim_start_matches("r#");
        if name.is_empty() || spelled != name || !name.is_ascii() {
            bail!("`{argument}`: `{name}` cannot be the name of a column; `{spelled}` can");
        }
        if OWN.contains(&self.column().as_str()) {
            bail!(
                "`{argument}`: every entity has `{}`, so it is not named",
                self.column()
            );
        }
        if self.unique && [Type::Text, Type::Json].contains(&self.kind) {
            bail!(
                "`{argument}`: only a column of another type can be unique, `string` for instance"
            );
        }
        Ok(())
    }
}

/// The allowed types.
fn types() -> String {
    let names: Vec<_> = TYPES.iter().map(|(name, _)| *name).collect();
    format!(
        "the types are {}; `?` after one allows null",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &[&str]) -> Result<Vec<Asked>> {
        let arguments: Vec<_> = arguments.iter().map(ToString::to_string).collect();
        read(&arguments)
    }

    /// Rule b583.
    #[test]
    fn columns_have_a_type_may_be_null_and_may_be_unique() {
        let columns = of(&[
            "name:string:unique",
            "price:decimal?",
            "editor:references?:author",
        ])
        .unwrap();
        assert_eq!(
            (columns[0].kind, columns[0].nullable, columns[0].unique),
            (Type::String, false, true)
        );
        assert_eq!(
            (columns[1].kind, columns[1].nullable, columns[1].unique),
            (Type::Decimal, true, false)
        );
        assert_eq!(columns[2].target.as_deref(), Some("author"));
        assert_eq!(columns[2].column(), "editor_id");
        assert!(columns[2].nullable);
    }

    /// Rule b583.
    #[test]
    fn a_word_that_is_not_allowed_is_told_with_the_nearest_and_with_all_that_are() {
        let all = "the types are string, text, integer, bigint, decimal, float, boolean, date, datetime, uuid, json, \
                   references; `?` after one allows null";
        for (argument, said) in [
            ("price:decimel", format!("`price:decimel`: `decimel` is not a type; did you mean `decimal`? {all}")),
            ("price:money", format!("`price:money`: `money` is not a type; {all}")),
            ("price", format!("`price` has no type: write `price:string`, for instance; {all}")),
            ("price:decimal:uniqe", "`price:decimal:uniqe`: after the type comes `unique`, or nothing, not `uniqe`; \
              did you mean `unique`?".to_owned()),
            ("unitPrice:decimal", "`unitPrice:decimal`: `unitPrice` cannot be the name of a column; `unit_price` can".to_owned()),
            ("self:string", "`self:string`: `self` cannot be the name of a column; `column_self` can".to_owned()),
            ("id:uuid", "`id:uuid`: every entity has `id`, so it is not named".to_owned()),
            ("body:text:unique", "`body:text:unique`: only a column of another type can be unique, `string` for instance".to_owned()),
        ] {
            assert_eq!(of(&[argument]).unwrap_err().to_string(), said);
        }
        let twice = of(&["author:references", "author_id:bigint"]).unwrap_err();
        assert_eq!(
            twice.to_string(),
            "`author_id:bigint`: there is already a column `author_id`"
        );
    }
}
