//! Writes the entity's `Payload` from the columns with `write`, with the rules of garde that stand next to them.

use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::{Attribute, Field, Meta, Result, Visibility, parse_quote};

use super::model::{Column, Model};
use super::word::Word;
use crate::payload::implementation;
use crate::relations::text_attribute;

/// The words that are allowed in `write(..)`.
const WORDS: [&str; 5] = ["required", "optional", "trim", "once", "alias"];

/// Whether any column is written by clients.
pub(super) fn is_written(model: &Model<'_>) -> bool {
    model
        .columns
        .iter()
        .any(|column| column.word("write").is_some())
}

/// The payload for updates: the same one, unless some columns can only be sent once.
pub(super) fn update_type(model: &Model<'_>) -> Result<Tokens> {
    Ok(match has_once(model)? {
        true => quote!(Changes),
        false => quote!(Payload),
    })
}

pub(super) fn of(model: &Model<'_>, vis: &Visibility) -> Result<Option<Tokens>> {
    rules_without_write(model)?;
    if !is_written(model) {
        return Ok(None);
    }
    let payload = payload(model, vis, "Payload", |_| true)?;
    if !has_once(model)? {
        return Ok(Some(payload));
    }
    let changes = self::payload(model, vis, "Changes", |said| !is_once(said))?;
    Ok(Some(quote!(#payload #changes)))
}

/// Rules of a column that no client writes would be passed over.
fn rules_without_write(model: &Model<'_>) -> Result<()> {
    for column in &model.columns {
        let rule = column
            .attributes
            .iter()
            .find(|attribute| is_garde(attribute));
        if let (Some(rule), None) = (rule, column.word("write")) {
            return Err(syn::Error::new_spanned(
                rule,
                "these rules are for what clients send, and the column has no word `write`",
            ));
        }
    }
    Ok(())
}

fn payload(
    model: &Model<'_>,
    vis: &Visibility,
    name: &str,
    has: impl Fn(&[Word]) -> bool,
) -> Result<Tokens> {
    let doc = match name {
        "Changes" => "What clients send to change a record.",
        _ => "What clients send to create or change a record.",
    };
    let name = quote::format_ident!("{name}");
    let mut fields: Vec<Field> = Vec::new();
    for column in &model.columns {
        let Some(word) = column.word("write") else {
            continue;
        };
        let said = word.inside()?;
        if has(&said) {
            fields.push(field(column, &said)?);
        }
    }
    fields.extend(links(model)?);
    let implementation = implementation(&name, &parse_quote!(ActiveModel), fields.iter())?;
    // `payload` is read by us alone.
    for field in &mut fields {
        field
            .attrs
            .retain(|attribute| !attribute.path().is_ident("payload"));
    }
    Ok(quote! {
        #[doc = #doc]
        #[derive(::core::fmt::Debug, ::garde::Validate)]
        #vis struct #name { #(#fields),* }

        #implementation
    })
}

/// The relations whose rows clients link a record with.
fn links(model: &Model<'_>) -> Result<Vec<Field>> {
    let mut fields = Vec::new();
    for relation in &model.relations {
        let Some(word) = relation.words.iter().find(|word| word.name == "write") else {
            continue;
        };
        word.alone()?;
        if !relation.is_to_many {
            return Err(word.error(
                "clients write a relation with one row by its foreign key: give that column the word `write`",
            ));
        }
        let ident = relation.ident;
        let doc = format!("The relation `{}`.", syn::ext::IdentExt::unraw(ident));
        fields.push(parse_quote! {
            #[doc = #doc]
            #[garde(skip)]
            pub #ident: ::listing_axum::Given<::listing_axum::Links>
        });
    }
    Ok(fields)
}

/// The column as a field of a payload.
fn field(column: &Column<'_>, said: &[Word]) -> Result<Field> {
    let mut trim: Option<Tokens> = None;
    // Clients send the values that they read: the name in the database.
    let named = text_attribute(column.attributes, "column_name")?;
    let mut alias = column.alias()?.or(named);
    let mut is_optional = column.is_nullable() || column.has_default()?;
    for word in said {
        match &*word.text() {
            "required" if column.is_nullable() => {
                return Err(word.error("a column that can be null is never required"));
            }
            "required" => is_optional = false,
            "optional" => is_optional = true,
            "trim" => trim = Some(quote!(#[payload(trim)])),
            "once" => {}
            "alias" => {
                alias = Some(word.string()?);
                continue;
            }
            _ => return Err(word.unknown("a word for what clients write", &WORDS)),
        }
        word.alone()?;
    }
    let alias = alias.map(|alias| quote!(#[payload(alias = #alias)]));
    let (ident, ty) = (column.ident, column.ty);
    let doc = format!("The column `{}`.", syn::ext::IdentExt::unraw(ident));
    let rules = rules(column, is_optional)?;
    let ty = match is_optional {
        true => quote!(::listing_axum::Given<#ty>),
        false => quote!(#ty),
    };
    Ok(parse_quote! {
        #[doc = #doc]
        #trim
        #alias
        #(#rules)*
        pub #ident: #ty
    })
}

/// The rules on the column. They apply to its value, so an omitted field breaks none.
fn rules(column: &Column<'_>, is_optional: bool) -> Result<Vec<Attribute>> {
    let mut rules = Vec::new();
    for attribute in column
        .attributes
        .iter()
        .filter(|attribute| is_garde(attribute))
    {
        let Meta::List(list) = &attribute.meta else {
            return Err(syn::Error::new_spanned(attribute, "write `#[garde(..)]`"));
        };
        let said = &list.tokens;
        let is_skipped = said.to_string() == "skip";
        rules.push(match is_optional && !is_skipped {
            true => parse_quote!(#[garde(inner(#said))]),
            false => attribute.clone(),
        });
    }
    if rules.is_empty() {
        rules.push(parse_quote!(#[garde(skip)]));
    }
    Ok(rules)
}

fn is_garde(attribute: &Attribute) -> bool {
    attribute.path().is_ident("garde")
}

fn has_once(model: &Model<'_>) -> Result<bool> {
    for word in model
        .columns
        .iter()
        .filter_map(|column| column.word("write"))
    {
        if is_once(&word.inside()?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether clients send it when they create a record, and not when they change one.
fn is_once(said: &[Word]) -> bool {
    said.iter().any(|word| word.name == "once")
}
