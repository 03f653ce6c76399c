//! The public names of a record's fields in payloads and in errors (d90, d91).

use std::borrow::Cow;

use listing::Names;

use super::Payload;

/// A field of a payload.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PayloadField {
    /// The column that it is written into.
    pub column: &'static str,
    /// The public name, if it differs from the column's name.
    pub alias: Option<&'static str>,
    /// Whether a client must send it.
    pub required: bool,
    /// Whether a client may send `null`.
    pub nullable: bool,
    /// Whether white space is taken from both ends.
    pub trim: bool,
    /// Whether it is a relation with the rows that a record is linked with, and not a column.
    pub links: bool,
    /// The rules that are known in advance.
    pub rules: PayloadRules,
}

/// The rules of a payload's field that can be told beforehand, as JSON Schema names them. Others, such as functions of the
/// application, are only told by the error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PayloadRules {
    /// Characters at the least.
    pub min_length: Option<u64>,
    /// Characters at the most.
    pub max_length: Option<u64>,
    /// The least number.
    pub minimum: Option<f64>,
    /// The greatest number.
    pub maximum: Option<f64>,
    /// A regular expression.
    pub pattern: Option<&'static str>,
    /// `email`, `uri`, `ipv4`, …
    pub format: Option<&'static str>,
}

impl PayloadRules {
    /// No rules.
    pub const NONE: Self = Self {
        min_length: None,
        max_length: None,
        minimum: None,
        maximum: None,
        pattern: None,
        format: None,
    };
}

/// The public names of a record's columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldNames {
    fields: &'static [PayloadField],
    /// The form of names without an alias.
    form: Names,
}

impl FieldNames {
    pub(super) fn of<P: Payload>(form: Names) -> Self {
        Self {
            fields: P::FIELDS,
            form,
        }
    }

    /// Every column by its own name.
    #[cfg(test)]
    pub(super) const fn none() -> Self {
        Self {
            fields: &[],
            form: Names::AsDefined,
        }
    }

    /// The name of a column. One that the payload does not have can still be wrong, if a hook sets it.
    pub(super) fn shown<'c>(&self, column: &'c str) -> Cow<'c, str> {
        let field = self.fields.iter().find(|field| field.column == column);
        match field.and_then(|field| field.alias) {
            Some(alias) => Cow::Borrowed(alias),
            None if self.form == Names::AsDefined => Cow::Borrowed(column),
            None => Cow::Owned(self.form.of(column)),
        }
    }

    /// Whether clients send a column.
    pub(super) fn has(&self, column: &str) -> bool {
        let is_it = |field: &PayloadField| {
            field.column == column || self.shown(field.column) == self.shown(column)
        };
        self.fields.iter().any(is_it)
    }

    /// Every name that a payload can have.
    pub(super) fn all(&self) -> impl Iterator<Item = Cow<'static, str>> {
        self.fields.iter().map(|field| self.shown(field.column))
    }
}
