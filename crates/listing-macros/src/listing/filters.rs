//! Writes `filters()`: operators by the words of requests, and the methods of `Filter` next to them.

use proc_macro2::{Ident, TokenStream as Tokens};
use quote::quote;
use syn::{LitStr, Result};

use super::model::{Column, Model, Relation};
use super::related::columns_of;
use super::word::{Said, Word};

/// The operators by the words of requests, without the `$`.
const OPERATORS: [(&str, &str); 19] = [
    ("eq", "Equal"),
    ("ne", "NotEqual"),
    ("lt", "LessThan"),
    ("lte", "LessThanEqual"),
    ("gt", "GreaterThan"),
    ("gte", "GreaterThanEqual"),
    ("contains", "Contains"),
    ("in", "In"),
    ("notIn", "NotIn"),
    ("null", "Null"),
    ("notNull", "NotNull"),
    ("between", "Between"),
    ("startsWith", "StartsWith"),
    ("endsWith", "EndsWith"),
    ("startsWithi", "StartsWithInsensitive"),
    ("endsWithi", "EndsWithInsensitive"),
    ("eqi", "EqualInsensitive"),
    ("nei", "NotEqualInsensitive"),
    ("notContains", "NotContains"),
];

/// Named sets of them, as `FilterOperator` names them.
const SETS: [&str; 9] = [
    "comparisons",
    "equality",
    "nulls",
    "text",
    "for_text",
    "for_numbers",
    "for_times",
    "for_booleans",
    "for_keys",
];

/// The methods of `Filter`, which stand next to the operators.
const METHODS: [&str; 12] = [
    "alias",
    "default",
    "default_value",
    "default_from",
    "when_absent",
    "custom_query",
    "value_kind",
    "labels",
    "labels_from",
    "label_resolver",
    "label_resolver_all",
    "label_resolver_async",
];

pub(super) fn of(model: &Model<'_>) -> Result<Tokens> {
    let mut filters = Vec::new();
    for column in &model.columns {
        if let Some(word) = column.word("filter") {
            filters.push(filter(column, word)?);
        }
    }
    for relation in &model.relations {
        if let Some(word) = relation.word("filter") {
            filters.push(through(relation, word)?);
        }
    }
    Ok(quote!(::std::vec![#(#filters),*]))
}

fn filter(column: &Column<'_>, word: &Word) -> Result<Tokens> {
    let said = word.inside()?;
    if said.is_empty() {
        return Err(word.error(
            "say which operators clients may use, by their names in requests without `$`: `filter(eq, contains)`",
        ));
    }
    let mut operators = Tokens::new();
    let mut calls = Tokens::new();
    for word in &said {
        match &word.said {
            Said::Nothing => {
                let operator = operator(word)?;
                operators.extend(quote!(.and(#operator)));
            }
            _ if METHODS.contains(&&*word.text()) => calls.extend(word.call()),
            _ => return Err(word.unknown("a method of `Filter`", &METHODS)),
        }
    }
    let variant = &column.variant;
    let alias = alias(column.alias()?);
    Ok(quote! {
        ::listing::Filter::make(Column::#variant)
            .allowed_operators(::listing::Operators::NONE #operators)
            #alias #calls
    })
}

/// An operator, or a named set of them.
fn operator(word: &Word) -> Result<Tokens> {
    let name = word.text();
    let span = word.name.span();
    let ident = |name: &str| Ident::new(name, span);
    if let Some((_, operator)) = OPERATORS.iter().find(|(wire, _)| *wire == name) {
        let operator = ident(operator);
        return Ok(quote!(::listing::FilterOperator::#operator));
    }
    if SETS.contains(&&*name) {
        return Ok(if name.starts_with("for_") {
            let set = ident(&name);
            quote!(::listing::FilterOperator::#set())
        } else {
            let set = ident(&name.to_uppercase());
            quote!(::listing::FilterOperator::#set)
        });
    }
    if METHODS.contains(&&*name) {
        return Err(word.error(&format!("`{name}` takes a value: `{name}(..)`")));
    }
    let mut known: Vec<_> = OPERATORS.iter().map(|(wire, _)| *wire).collect();
    known.extend(SETS);
    Err(word.unknown("an operator", &known))
}

/// A filter by what related rows hold.
fn through(relation: &Relation<'_>, word: &Word) -> Result<Tokens> {
    let constant = &relation.constant;
    let mut calls = alias(relation.alias()?);
    for word in word.inside()? {
        match &*word.text() {
            "only" => {
                let columns = columns_of(relation, &word.names()?);
                calls.extend(quote!(.only([#columns])));
            }
            "alias" => calls.extend(word.call()),
            _ => {
                return Err(
                    word.unknown("a word for a filter through a relation", &["only", "alias"])
                );
            }
        }
    }
    Ok(quote!(::listing::Filter::relation(Entity::#constant)#calls))
}

fn alias(alias: Option<LitStr>) -> Tokens {
    match alias {
        Some(alias) => quote!(.alias(#alias)),
        None => Tokens::new(),
    }
}
