//! Reads a SeaORM model with its `#[listing(..)]` attributes: its columns, its relations and the words of each.

use heck::ToUpperCamelCase as _;
use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Error, Field, LitStr, Result, Type};

use super::word::{Word, unknown};
use crate::relations::{generic, has_attribute, target, text_attribute};

/// The words of a column.
const COLUMN: [&str; 9] = [
    "default", "field", "filter", "sort", "search", "facet", "total", "write", "alias",
];

/// The words of a relation.
const RELATION: [&str; 8] = [
    "default", "populate", "filter", "count", "sort", "facet", "write", "alias",
];

/// A model, as far as a listing needs it.
pub(super) struct Model<'m> {
    pub(super) columns: Vec<Column<'m>>,
    pub(super) relations: Vec<Relation<'m>>,
    /// The words of the struct.
    pub(super) words: Vec<Word>,
}

/// A column.
pub(super) struct Column<'m> {
    pub(super) ident: &'m Ident,
    /// Its name in SeaORM's `Column`.
    pub(super) variant: Ident,
    pub(super) ty: &'m Type,
    pub(super) attributes: &'m [Attribute],
    pub(super) words: Vec<Word>,
}

/// A relation.
pub(super) struct Relation<'m> {
    pub(super) ident: &'m Ident,
    /// The constant of its name: `AUTHOR`.
    pub(super) constant: Ident,
    /// The related entity.
    pub(super) target: &'m Type,
    pub(super) is_to_many: bool,
    pub(super) words: Vec<Word>,
}

impl<'m> Model<'m> {
    pub(super) fn read(input: &'m DeriveInput) -> Result<Self> {
        let Data::Struct(data) = &input.data else {
            return Err(Error::new_spanned(
                input,
                "`Listing` is derived on a SeaORM model",
            ));
        };
        let mut model = Self {
            columns: Vec::new(),
            relations: Vec::new(),
            words: Word::of(&input.attrs)?,
        };
        for field in &data.fields {
            let Some(ident) = &field.ident else {
                return Err(Error::new_spanned(field, "a model has named fields"));
            };
            let words = Word::of(&field.attrs)?;
            match target(&field.ty) {
                Some(target) => {
                    known(&words, &RELATION, &COLUMN, "relation")?;
                    model
                        .relations
                        .push(Relation::of(field, ident, target, words));
                }
                None => {
                    known(&words, &COLUMN, &RELATION, "column")?;
                    model.columns.extend(Column::of(field, ident, words)?);
                }
            }
        }
        Ok(model)
    }

    /// The column of that field.
    pub(super) fn column(&self, name: &Ident) -> Result<&Column<'m>> {
        let found = self.columns.iter().find(|column| column.ident == name);
        found.ok_or_else(|| unknown(name, "a column of this model", &self.column_names()))
    }

    /// The columns of these fields.
    pub(super) fn columns_of(&self, names: &[Ident]) -> Result<Vec<&Column<'m>>> {
        names.iter().map(|name| self.column(name)).collect()
    }

    /// The relation of that field.
    pub(super) fn relation(&self, name: &Ident) -> Result<&Relation<'m>> {
        let found = self
            .relations
            .iter()
            .find(|relation| relation.ident == name);
        found.ok_or_else(|| unknown(name, "a relation of this model", &self.relation_names()))
    }

    /// The word with this name on the struct.
    pub(super) fn word(&self, name: &str) -> Option<&Word> {
        find(&self.words, name)
    }

    pub(super) fn column_names(&self) -> Vec<String> {
        let columns = self.columns.iter();
        columns
            .map(|column| column.ident.unraw().to_string())
            .collect()
    }

    pub(super) fn relation_names(&self) -> Vec<String> {
        let relations = self.relations.iter();
        relations
            .map(|relation| relation.ident.unraw().to_string())
            .collect()
    }
}

fn find<'w>(words: &'w [Word], name: &str) -> Option<&'w Word> {
    words.iter().find(|word| word.name == name)
}

/// Refuses words that a field of this sort does not have.
fn known(words: &[Word], these: &[&str], others: &[&str], sort: &str) -> Result<()> {
    for word in words {
        let name = word.text();
        if these.contains(&&*name) {
            continue;
        }
        if others.contains(&&*name) {
            let of = if sort == "column" {
                "relation"
            } else {
                "column"
            };
            let these = these.join("`, `");
            return Err(word.error(&format!(
                "`{name}` is a word for a {of}, and this is a {sort}; its words are `{these}`"
            )));
        }
        return Err(word.unknown(&format!("a word for a {sort}"), these));
    }
    Ok(())
}

impl<'m> Column<'m> {
    fn of(field: &'m Field, ident: &'m Ident, words: Vec<Word>) -> Result<Option<Self>> {
        if has_attribute(&field.attrs, "ignore")? {
            return match words.first() {
                Some(word) => Err(word.error("SeaORM ignores this field: it is not a column")),
                None => Ok(None),
            };
        }
        let named = text_attribute(&field.attrs, "enum_name")?;
        let variant = match named {
            Some(named) => named.value(),
            None => ident.unraw().to_string().to_upper_camel_case(),
        };
        Ok(Some(Self {
            ident,
            variant: variant_ident(&variant, ident),
            ty: &field.ty,
            attributes: &field.attrs,
            words,
        }))
    }

    pub(super) fn word(&self, name: &str) -> Option<&Word> {
        find(&self.words, name)
    }

    /// The public name, if one is given.
    pub(super) fn alias(&self) -> Result<Option<LitStr>> {
        self.word("alias").map(Word::string).transpose()
    }

    pub(super) fn is_nullable(&self) -> bool {
        generic(self.ty).is_some_and(|(name, _)| name == "Option")
    }

    /// Whether its table has a value for a row that gives none.
    pub(super) fn has_default(&self) -> Result<bool> {
        Ok(has_attribute(self.attributes, "default_value")?
            || has_attribute(self.attributes, "default_expr")?)
    }
}

impl<'m> Relation<'m> {
    fn of(field: &'m Field, ident: &'m Ident, target: &'m Type, words: Vec<Word>) -> Self {
        let name = ident.unraw().to_string().to_uppercase();
        let is_to_many = generic(&field.ty).is_some_and(|(name, _)| name == "HasMany");
        Self {
            ident,
            constant: Ident::new(&name, ident.span()),
            target,
            is_to_many,
            words,
        }
    }

    pub(super) fn word(&self, name: &str) -> Option<&Word> {
        find(&self.words, name)
    }

    pub(super) fn alias(&self) -> Result<Option<LitStr>> {
        self.word("alias").map(Word::string).transpose()
    }
}

/// The variant of SeaORM's `Column`, at the place of the field: `Self` cannot be one, and is `Self_`.
pub(super) fn variant_ident(name: &str, at: &Ident) -> Ident {
    match name {
        "Self" => Ident::new("Self_", at.span()),
        name => Ident::new(name, at.span()),
    }
}
