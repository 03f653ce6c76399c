//! Derives `Listing` for the entity of a SeaORM model, from the words at its columns and relations.

mod fields;
mod filters;
mod model;
mod numbers;
mod payload;
mod populate;
mod related;
mod resource;
mod search;
mod sorts;
#[cfg(test)]
mod tests;
mod word;

use proc_macro2::TokenStream as Tokens;
use quote::{quote, quote_spanned};
use syn::{DeriveInput, Result};

use self::model::{Column, Model};
use self::word::{Said, Word};
use crate::relations;

/// The words that are allowed on the struct.
const WORDS: [&str; 42] = [
    // Words that do not belong to a single column.
    "populate",
    "search",
    "filter",
    "soft_delete",
    "sort",
    "show",
    // Functions that receive the derived definitions and return changed ones.
    "fields",
    "relations",
    "filters",
    "sorts",
    "facets",
    "aggregates",
    // The other functions of the trait.
    "scope",
    "trashed",
    "numeric_timestamps",
    "has_key",
    "count",
    "exact_count",
    "export",
    "plans",
    "names",
    "paging",
    // Words for the resource.
    "authorize",
    "segment",
    "titles",
    "unique",
    "require_if_match",
    "events",
    "history",
    "bulk",
    "import",
    "upsert_by",
    "idempotency",
    "before_store",
    "before_update",
    "before_destroy",
    "before_restore",
    "after_store",
    "after_update",
    "after_destroy",
    "after_restore",
    "after_commit",
];

pub(crate) fn expand(input: &DeriveInput) -> Result<Tokens> {
    if relations::is_copied(input)? {
        return Ok(Tokens::new());
    }
    let model = Model::read(input)?;
    if let Some(word) = model
        .words
        .iter()
        .find(|word| !WORDS.contains(&&*word.text()))
    {
        return Err(word.unknown("a word for a model", &WORDS));
    }
    let names = relations::names(input)?;
    let six = [
        changed(
            &model,
            "fields",
            fields::of(&model)?,
            quote!(::listing::Fields<Entity>),
        ),
        changed(
            &model,
            "relations",
            populate::of(&model)?,
            quote!(::listing::Relations<Entity>),
        ),
        changed(
            &model,
            "filters",
            filters::of(&model)?,
            quote!(::std::vec::Vec<::listing::Filter<Entity>>),
        ),
        changed(
            &model,
            "sorts",
            sorts::of(&model)?,
            quote!(::listing::Sorts<Entity>),
        ),
        changed(
            &model,
            "facets",
            numbers::facets(&model)?,
            quote!(::std::vec::Vec<::listing::Facet<Entity>>),
        ),
        changed(
            &model,
            "aggregates",
            numbers::aggregates(&model)?,
            quote!(::std::vec::Vec<::listing::Aggregate<Entity>>),
        ),
    ];
    let six = six.into_iter().collect::<Result<Vec<_>>>()?;
    let search = search::of(&model)?;
    let others = others(&model)?;
    let payload = payload::of(&model, &input.vis)?;
    let resource = resource::of(&model)?;
    Ok(quote! {
        #names

        #[automatically_derived]
        impl ::listing::HasListing for Entity {
            type Listing = Self;
        }

        #[automatically_derived]
        impl ::listing::Listing for Entity {
            type Entity = Self;
            #(#six)*
            #search
            #others
        }

        #payload
        #resource
    })
}

/// One of the six functions, with the changes of the application's own function.
fn changed(model: &Model<'_>, name: &str, said: Tokens, returns: Tokens) -> Result<Tokens> {
    let function = quote::format_ident!("{name}");
    let body = match model.word(name) {
        Some(word) => {
            let change = word.value()?;
            quote_spanned!(word.name.span()=> ::listing::__private::change(#said, #change))
        }
        None => said,
    };
    Ok(quote!(fn #function() -> #returns { #body }))
}

/// The functions with a single value.
fn others(model: &Model<'_>) -> Result<Tokens> {
    let mut functions = Tokens::new();
    for word in &model.words {
        let name = &word.name;
        let span = name.span();
        functions.extend(match &*word.text() {
            "soft_delete" => soft_delete(model, word)?,
            "show" => show(model, word)?,
            "numeric_timestamps" => {
                let columns = variants(&model.columns_of(&word.names()?)?);
                quote!(
                    fn numeric_timestamps() -> ::std::vec::Vec<Column> {
                        ::std::vec![#columns]
                    }
                )
            }
            "scope" => {
                let value = word.value()?;
                let body = quote_spanned!(span=> ::listing::__private::ask(#value, context));
                quote!(fn scope(context: &::listing::Context) -> ::listing::Scope { #body })
            }
            "trashed" => {
                let value = word.value()?;
                let body = quote_spanned!(span=> ::listing::__private::ask(#value, context));
                quote!(fn trashed(context: &::listing::Context) -> bool { #body })
            }
            "has_key" => {
                let value = word.value()?;
                quote!(fn has_key() -> bool { #value })
            }
            "plans" => {
                let value = word.value()?;
                quote!(fn plans() -> ::listing::Plans { #value })
            }
            "paging" => {
                let value = word.value()?;
                quote!(fn paging() -> ::listing::Paging { #value })
            }
            "count" => some(word, quote!(::listing::CountMode))?,
            "exact_count" => some(word, quote!(bool))?,
            "export" if matches!(word.said, Said::Nothing) => quote!(
                fn export() -> ::core::option::Option<::listing::Export> {
                    ::core::option::Option::Some(::listing::Export::new())
                }
            ),
            "export" => some(word, quote!(::listing::Export))?,
            "names" => some(word, quote!(::listing::Names))?,
            _ => Tokens::new(),
        });
    }
    Ok(functions)
}

/// A function that returns a value, if there is one.
fn some(word: &Word, returns: Tokens) -> Result<Tokens> {
    let (name, value) = (&word.name, word.value()?);
    Ok(
        quote!(fn #name() -> ::core::option::Option<#returns> { ::core::option::Option::Some(#value) }),
    )
}

fn soft_delete(model: &Model<'_>, word: &Word) -> Result<Tokens> {
    let name = word.ident()?;
    let column = model.column(&name)?;
    if !column.is_nullable() {
        return Err(syn::Error::new(
            name.span(),
            format!(
                "`{name}` marks rows as deleted, so it has to be an `Option`: null where a row is not deleted"
            ),
        ));
    }
    let column = variants(&[column]);
    Ok(quote! {
        fn soft_delete() -> ::core::option::Option<Column> { ::core::option::Option::Some(#column) }
    })
}

/// The fields of a single record.
fn show(model: &Model<'_>, word: &Word) -> Result<Tokens> {
    let mut fields = quote!(::listing::Fields::new());
    for column in model.columns_of(&word.names()?)? {
        let field = fields::field(column)?;
        fields.extend(quote!(.add(#field)));
    }
    Ok(quote! {
        fn show() -> ::core::option::Option<::listing::Fields<Entity>> { ::core::option::Option::Some(#fields) }
    })
}

/// `Column::Title, Column::Body`
fn variants(columns: &[&Column<'_>]) -> Tokens {
    let variants = columns.iter().map(|column| &column.variant);
    quote!(#(Column::#variants),*)
}
