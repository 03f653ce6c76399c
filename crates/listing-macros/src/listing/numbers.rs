//! Writes `facets()` and `aggregates()`: the methods of `Facet` and the functions of totals, by the words of requests.

use proc_macro2::{Ident, TokenStream as Tokens};
use quote::quote;
use syn::Result;

use super::model::{Column, Model, Relation};
use super::word::{Said, Word};

/// The functions by the words of requests.
const FUNCTIONS: [(&str, &str); 6] = [
    ("count", "Count"),
    ("countDistinct", "CountDistinct"),
    ("sum", "Sum"),
    ("avg", "Average"),
    ("min", "Min"),
    ("max", "Max"),
];

/// The words that are allowed in the parentheses of a column's `facet`, and of a relation's.
const OF_COLUMN: [&str; 4] = ["range", "calendar", "limit", "narrowing"];
const OF_RELATION: [&str; 3] = ["limit", "narrowing", "label"];

/// The facets of the columns and relations that have the word.
pub(super) fn facets(model: &Model<'_>) -> Result<Tokens> {
    let mut facets = Vec::new();
    for column in &model.columns {
        if let Some(word) = column.word("facet") {
            facets.push(of_column(column, word)?);
        }
    }
    for relation in &model.relations {
        if let Some(word) = relation.word("facet") {
            facets.push(of_relation(relation, word)?);
        }
    }
    Ok(quote!(::std::vec![#(#facets),*]))
}

fn of_column(column: &Column<'_>, word: &Word) -> Result<Tokens> {
    let mut kind = Ident::new("of", word.name.span());
    let mut calls = Tokens::new();
    for word in word.inside()? {
        match &*word.text() {
            "range" | "calendar" => {
                word.alone()?;
                kind = word.name.clone();
            }
            "limit" | "narrowing" => calls.extend(word.call()),
            _ => return Err(word.unknown("a word for a facet", &OF_COLUMN)),
        }
    }
    let variant = &column.variant;
    Ok(quote!(::listing::Facet::#kind(Column::#variant)#calls))
}

fn of_relation(relation: &Relation<'_>, word: &Word) -> Result<Tokens> {
    let mut calls = Tokens::new();
    for word in word.inside()? {
        match &*word.text() {
            "limit" | "narrowing" | "label" => calls.extend(word.call()),
            _ => return Err(word.unknown("a word for a facet of a relation", &OF_RELATION)),
        }
    }
    let constant = &relation.constant;
    Ok(quote!(::listing::Facet::relation(Entity::#constant)#calls))
}

/// The totals of the columns that have the word.
pub(super) fn aggregates(model: &Model<'_>) -> Result<Tokens> {
    let mut aggregates = Vec::new();
    for column in &model.columns {
        if let Some(word) = column.word("total") {
            aggregates.push(aggregate(column, word)?);
        }
    }
    Ok(quote!(::std::vec![#(#aggregates),*]))
}

fn aggregate(column: &Column<'_>, word: &Word) -> Result<Tokens> {
    let said = word.inside()?;
    if said.is_empty() {
        return Err(word.error(
            "say which numbers clients may ask for, by their names in requests: `total(sum, avg)`",
        ));
    }
    let function = |word: &Word| {
        let name = word.text();
        let found = FUNCTIONS.iter().find(|(wire, _)| *wire == name);
        match (found, &word.said) {
            (Some((_, function)), Said::Nothing) => {
                let function = Ident::new(function, word.name.span());
                Ok(quote!(::listing::AggregateFunction::#function))
            }
            _ => {
                let known: Vec<_> = FUNCTIONS.iter().map(|(wire, _)| *wire).collect();
                Err(word.unknown("a function of totals", &known))
            }
        }
    };
    let functions = said.iter().map(function).collect::<Result<Vec<_>>>()?;
    let variant = &column.variant;
    Ok(quote!(::listing::Aggregate::of(Column::#variant).allow([#(#functions),*])))
}
