//! Writes `sorts()`: the default order of the struct, and everything with the word `sort`.

use proc_macro2::{Ident, TokenStream as Tokens};
use quote::quote;
use syn::{Error, Result};

use super::model::{Column, Model, Relation};
use super::related::{Ordered, column_of, ident_in, ordered};
use super::word::{Word, is_not};
use super::{fields, search};

/// The methods of `Sort` that are allowed in the parentheses.
const METHODS: [&str; 3] = ["nulls_first", "nulls_last", "alias"];

/// Something to sort by: its name in the default order, and how it is written.
struct Sort {
    name: String,
    tokens: Tokens,
}

pub(super) fn of(model: &Model<'_>) -> Result<Tokens> {
    let all = all(model)?;
    let mut sorts = quote!(::listing::Sorts::new());
    let mut first = Vec::new();
    if let Some(word) = model.word("sort") {
        let text = word.string()?;
        for part in ordered(&text)? {
            let name = name_of(&part);
            let sort = match all.iter().find(|sort| sort.name == name) {
                Some(sort) => sort.tokens.clone(),
                None => named(model, &text, &part, &all)?,
            };
            let direction = part.direction;
            sorts.extend(quote!(.add_default_with(#sort, #direction)));
            first.push(name);
        }
    }
    for Sort { name, tokens } in &all {
        if !first.contains(name) {
            sorts.extend(quote!(.add(#tokens)));
        }
    }
    Ok(sorts)
}

/// Everything that has the word `sort`.
fn all(model: &Model<'_>) -> Result<Vec<Sort>> {
    let mut all = Vec::new();
    for column in &model.columns {
        if let Some(word) = column.word("sort") {
            all.push(Sort {
                name: text(column.ident),
                tokens: by_column(column, Some(word))?,
            });
        }
    }
    for relation in &model.relations {
        let counted = relation.word("count").map(Word::inside).transpose()?;
        if counted.iter().flatten().any(|word| word.name == "sort") {
            let name = fields::count_name(relation)?;
            let tokens = quote!(#name);
            all.push(Sort { name, tokens });
        }
    }
    for relation in &model.relations {
        if let Some(word) = relation.word("sort") {
            all.extend(by_related(relation, word)?);
        }
    }
    if search::has_relevance(model)? {
        all.push(Sort {
            name: "relevance".to_owned(),
            tokens: quote!(::listing::Sort::relevance()),
        });
    }
    Ok(all)
}

/// A sort that only the default order names.
fn named(model: &Model<'_>, text: &syn::LitStr, part: &Ordered, all: &[Sort]) -> Result<Tokens> {
    let ident = ident_in(text, &part.name)?;
    if let Some(column) = &part.column {
        let relation = model.relation(&ident)?;
        let column = column_of(relation, &ident_in(text, column)?);
        let constant = &relation.constant;
        return Ok(quote!(Entity::#constant.column(#column)));
    }
    if let Some(column) = model.columns.iter().find(|column| column.ident == &ident) {
        return by_column(column, None);
    }
    // A field that the application's own function adds.
    if model.word("fields").is_some() {
        let name = &part.name;
        return Ok(quote!(#name));
    }
    let mut known = model.column_names();
    known.extend(all.iter().map(|sort| sort.name.clone()));
    Err(Error::new(
        text.span(),
        is_not(&part.name, "a column of this model", &known),
    ))
}

fn by_column(column: &Column<'_>, word: Option<&Word>) -> Result<Tokens> {
    let variant = &column.variant;
    let said = word.map(Word::inside).transpose()?.unwrap_or_default();
    let alias = column.alias()?;
    if said.is_empty() && alias.is_none() {
        return Ok(quote!(Column::#variant));
    }
    let alias = alias.map(|alias| quote!(.alias(#alias)));
    let mut calls = Tokens::new();
    for word in &said {
        if !METHODS.contains(&&*word.text()) {
            return Err(word.unknown("a method of `Sort`", &METHODS));
        }
        calls.extend(word.call());
    }
    let name = quote!(::sea_orm::IdenStatic::as_str(&Column::#variant));
    Ok(quote!(::listing::Sort::by(#name)#alias #calls))
}

/// `sort(name)` at a relation that leads to one row.
fn by_related(relation: &Relation<'_>, word: &Word) -> Result<Vec<Sort>> {
    if relation.is_to_many {
        return Err(word.error(
            "a row has many of these: only a relation that leads to one row can be sorted by",
        ));
    }
    let constant = &relation.constant;
    let sort = |name: Ident| {
        let column = column_of(relation, &name);
        Sort {
            name: format!("{}.{}", text(relation.ident), text(&name)),
            tokens: quote!(Entity::#constant.column(#column)),
        }
    };
    Ok(word.names()?.into_iter().map(sort).collect())
}

fn name_of(part: &Ordered) -> String {
    match &part.column {
        Some(column) => format!("{}.{column}", part.name),
        None => part.name.clone(),
    }
}

fn text(ident: &Ident) -> String {
    syn::ext::IdentExt::unraw(ident).to_string()
}
