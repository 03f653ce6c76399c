//! Writes `relations()`: the relations with `populate` or `default`, and those that `populate(..)` of the struct names.

use proc_macro2::{Ident, TokenStream as Tokens};
use quote::quote;
use syn::Result;

use super::model::{Model, Relation};
use super::related::{column_of, columns_of, ident_in, ordered};
use super::word::{Said, Word};

/// The methods of `Populate` that are allowed in the parentheses.
const METHODS: [&str; 4] = ["only", "limit", "order_by", "alias"];

pub(super) fn of(model: &Model<'_>) -> Result<Tokens> {
    let named = named(model)?;
    let mut relations = quote!(::listing::Relations::new());
    for relation in &model.relations {
        let is_default = relation.word("default");
        if let Some(word) = is_default {
            word.alone()?;
        }
        let word = relation.word("populate");
        if word.is_none() && is_default.is_none() && !named.contains(relation.ident) {
            continue;
        }
        let populate = populate(relation, word)?;
        relations.extend(match is_default {
            Some(_) => quote!(.add_default(#populate)),
            None => quote!(.add(#populate)),
        });
    }
    Ok(relations)
}

/// The relations that the struct names.
fn named(model: &Model<'_>) -> Result<Vec<Ident>> {
    let Some(word) = model.word("populate") else {
        return Ok(Vec::new());
    };
    let names = word.names()?;
    for name in &names {
        let relation = model.relation(name)?;
        if let Some(word) = relation.word("populate") {
            return Err(word.error(&format!(
                "`{name}` is in `populate(..)` of the struct already"
            )));
        }
    }
    Ok(names)
}

fn populate(relation: &Relation<'_>, word: Option<&Word>) -> Result<Tokens> {
    let constant = &relation.constant;
    let said = word.map(Word::inside).transpose()?.unwrap_or_default();
    let alias = relation.alias()?;
    if said.is_empty() && alias.is_none() {
        return Ok(quote!(Entity::#constant));
    }
    let mut calls = alias.map_or_else(Tokens::new, |alias| quote!(.alias(#alias)));
    for word in &said {
        calls.extend(match &*word.text() {
            "only" => {
                let columns = columns_of(relation, &word.names()?);
                quote!(.only([#columns]))
            }
            "order_by" => order(relation, word)?,
            "limit" | "alias" if !matches!(word.said, Said::Nothing) => word.call(),
            "limit" | "alias" => {
                let name = word.text();
                return Err(word.error(&format!("`{name}` takes a value: `{name}(..)`")));
            }
            _ => return Err(word.unknown("a method of `Populate`", &METHODS)),
        });
    }
    Ok(quote!(::listing::Populate::relation(Entity::#constant)#calls))
}

/// `order_by("created_at:desc")`
fn order(relation: &Relation<'_>, word: &Word) -> Result<Tokens> {
    let text = word.string()?;
    let mut calls = Tokens::new();
    for part in ordered(&text)? {
        let column = column_of(relation, &ident_in(&text, &part.name)?);
        let direction = part.direction;
        calls.extend(quote!(.order_by(#column, #direction)));
    }
    Ok(calls)
}
