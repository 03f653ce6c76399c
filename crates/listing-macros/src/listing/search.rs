//! Writes `search()`: the columns with `search`, or those that `search(..)` of the struct names.

use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::Result;

use super::model::{Column, Model};
use super::variants;
use super::word::{Said, Word};

/// The words that are allowed in the struct's `search(..)`, besides columns.
const WORDS: [&str; 4] = ["contains", "full_text", "language", "relevance"];

pub(super) fn of(model: &Model<'_>) -> Result<Option<Tokens>> {
    let marked: Vec<&Column<'_>> = columns(model)?;
    let search = match model.word("search") {
        None if marked.is_empty() => return Ok(None),
        None => {
            let columns = variants(&marked);
            quote!(::listing::Search::contains([#columns]))
        }
        Some(word) => {
            if let Some(marked) = marked.first().and_then(|column| column.word("search")) {
                return Err(
                    marked.error("the struct says `search(..)` already; name the column there")
                );
            }
            said(model, word)?
        }
    };
    Ok(Some(quote! {
        fn search() -> ::core::option::Option<::listing::Search<Entity>> {
            ::core::option::Option::Some(#search)
        }
    }))
}

/// The columns that have the word.
fn columns<'c, 'm>(model: &'c Model<'m>) -> Result<Vec<&'c Column<'m>>> {
    let mut marked = Vec::new();
    for column in &model.columns {
        if let Some(word) = column.word("search") {
            word.alone()?;
            marked.push(column);
        }
    }
    Ok(marked)
}

/// `search(title, body)`, or `search(full_text(title, body), language("english"))`.
fn said(model: &Model<'_>, word: &Word) -> Result<Tokens> {
    let mut plain = Vec::new();
    let mut search = None;
    let mut language = Tokens::new();
    for word in word.inside()? {
        match (&*word.text(), &word.said) {
            ("contains" | "full_text", Said::Inside(_)) => {
                let columns = variants(&model.columns_of(&word.names()?)?);
                let engine = &word.name;
                search = Some(quote!(::listing::Search::#engine([#columns])));
            }
            ("language", Said::Inside(_) | Said::Value(_)) => language = word.call(),
            ("relevance", Said::Nothing) => {}
            (_, Said::Nothing) => plain.push(model.column(&word.name)?),
            _ => return Err(word.unknown("a word for a search", &WORDS)),
        }
    }
    let search = match (search, &plain[..]) {
        (Some(search), []) => search,
        (None, [_, ..]) => {
            let columns = variants(&plain);
            quote!(::listing::Search::contains([#columns]))
        }
        _ => {
            return Err(word.error(
                "name the columns once: `search(title, body)`, or `search(full_text(title, body))`",
            ));
        }
    };
    Ok(quote!(#search #language))
}

/// Whether clients may sort by relevance.
pub(super) fn has_relevance(model: &Model<'_>) -> Result<bool> {
    let said = model.word("search").map(Word::inside).transpose()?;
    let is_it = |word: &Word| word.name == "relevance" && matches!(word.said, Said::Nothing);
    Ok(said.iter().flatten().any(is_it))
}
