//! Converts the values of a CSV row to JSON, and selects the members of a row that belong to the payload (d119).

use std::collections::HashSet;

use listing::describe::TypeName;
use listing::whitelist::Whitelist;
use listing::{Complaint, Listings, NamedRelations, is_formula, nearest};
use serde_json::value::{RawValue, to_raw_value};

use super::csv::Cell;
use crate::http::ApiError;
use crate::records::body::{self, Members};
use crate::records::field_names::FieldNames;
use crate::records::resource::WritableResource;
use crate::records::valid::form_of_names;
use crate::records::{foreign, payload_description};

/// The columns that a file can have.
pub(super) struct Known {
    fields: Vec<Column>,
    /// The names that an export writes. Those that are not in `fields` are ignored, even where unknown names are errors.
    shown: HashSet<String>,
    strict: bool,
}

/// A column of a file that belongs to the payload.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    name: String,
    /// How its values are written.
    form: Form,
    nullable: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Text,
    Json,
    /// A column of any JSON, in which a text would be valid, too.
    AnyJson,
    Boolean,
}

impl Known {
    pub(super) fn of<R: WritableResource>(listings: &Listings) -> Self {
        let names = FieldNames::of::<R::Store>(form_of_names::<R::Entity>(listings));
        let described = payload_description::describe::<R, R::Store>(listings, &|_| String::new());
        let mut fields: Vec<_> = described
            .into_iter()
            .map(|field| Column {
                form: match field.value.name {
                    TypeName::Integer | TypeName::Number | TypeName::Array => Form::Json,
                    TypeName::Json => Form::AnyJson,
                    TypeName::Boolean => Form::Boolean,
                    _ => Form::Text,
                },
                name: field.name,
                nullable: field.nullable,
            })
            .collect();
        let links = payload_description::links::<R, R::Store>(listings, &|_| String::new());
        fields.extend(links.into_iter().map(|links| Column {
            name: links.name,
            form: Form::Json,
            nullable: false,
        }));
        // A foreign key can also be sent under the name of its relation.
        for (column, relation) in foreign::keys::<R::Entity>() {
            let (name, relation) = (names.shown(&column), names.shown(&relation));
            let of_key = fields.iter().find(|known| known.name == name);
            let Some(of_key) = of_key.cloned() else {
                continue;
            };
            if fields.iter().all(|known| known.name != relation) {
                let name = relation.into_owned();
                fields.push(Column { name, ..of_key });
            }
        }
        let listing = listings.of::<R::Entity>();
        let mut shown: HashSet<_> = listing
            .into_iter()
            .flat_map(Whitelist::field_names)
            .map(str::to_owned)
            .collect();
        let relations = R::Entity::named_relations().into_iter();
        shown.extend(relations.map(|relation| names.shown(&relation.name).into_owned()));
        Self {
            fields,
            shown,
            strict: listings.settings().strict,
        }
    }

    /// The columns that the first row of a file names; `None` for those that are ignored.
    pub(super) fn columns(&self, headings: &[Cell]) -> Result<Vec<Option<Column>>, ApiError> {
        let mut columns: Vec<Option<Column>> = Vec::with_capacity(headings.len());
        for Cell { text: heading, .. } in headings {
            let column = self.fields.iter().find(|known| known.name == *heading);
            let Some(column) = column else {
                let of = heading.split('.').next().unwrap_or_default();
                if self.strict && !self.shown.contains(of) {
                    return Err(ApiError::Malformed(self.unknown(heading)));
                }
                columns.push(None);
                continue;
            };
            if columns.iter().flatten().any(|known| known == column) {
                let message = format!("The column `{heading}` is there twice.");
                return Err(ApiError::Malformed(message));
            }
            columns.push(Some(column.clone()));
        }
        if columns.iter().all(Option::is_none) {
            let message = format!(
                "The first row must name columns of the file; `{}` are known.",
                self.names().join("`, `")
            );
            return Err(ApiError::Malformed(message));
        }
        Ok(columns)
    }

    fn names(&self) -> Vec<&str> {
        self.fields
            .iter()
            .map(|known| known.name.as_str())
            .collect()
    }

    fn unknown(&self, heading: &str) -> String {
        let (names, token) = (self.names(), Complaint::shorten(heading));
        match nearest(heading, names.iter().copied()) {
            Some(near) => {
                format!("`{token}` is not a field of these records; did you mean `{near}`?")
            }
            None => format!(
                "`{token}` is not a field of these records; the fields are `{}`.",
                names.join("`, `")
            ),
        }
    }

    /// Removes the members that an export writes and that clients cannot send.
    pub(super) fn only_sent(&self, members: &mut Members) {
        let is_field = |name: &String| self.fields.iter().any(|known| known.name == *name);
        members.retain(|name, _| is_field(name) || !self.shown.contains(name));
    }
}

/// A row, as the object that a client would send, or what is wrong with it.
pub(super) fn members(
    columns: &[Option<Column>],
    cells: Vec<Cell>,
    keeps_formulas: bool,
) -> Result<Members, String> {
    let mut members = Members::new();
    for (column, cell) in columns.iter().zip(cells) {
        let Some(column) = column else {
            continue;
        };
        if let Some(json) = column.json(&cell, keeps_formulas)? {
            members.insert(column.name.clone(), json);
        }
    }
    Ok(members)
}

impl Column {
    /// The value as JSON; `None` if it is left out.
    fn json(&self, cell: &Cell, keeps_formulas: bool) -> Result<Option<Box<RawValue>>, String> {
        let text = cell.text.as_str();
        if text.is_empty() && !cell.quoted {
            return Ok(self.nullable.then(|| to_raw_value(&()).ok()).flatten());
        }
        let is_text = self.form == Form::Text;
        let written = match text.strip_prefix('\'') {
            Some(rest) if is_text && !keeps_formulas && is_formula(rest.as_bytes()) => rest,
            _ => text,
        };
        let json = match self.form {
            Form::Text => None,
            Form::Json | Form::AnyJson => body::json(written),
            // Spreadsheets write booleans in capitals.
            Form::Boolean => body::json(&written.to_ascii_lowercase()),
        };
        if json.is_none() && self.form == Form::AnyJson {
            return Err(format!("must have valid JSON in `{}`", self.name));
        }
        // Another value that is not valid is passed on as text, so that the payload reports it.
        Ok(json.or_else(|| to_raw_value(written).ok()))
    }
}
