//! Reads the derives and the `sea_orm` attributes of models and enumerations.

use anyhow::Result;
use syn::punctuated::Punctuated;
use syn::{Attribute, ItemStruct, LitBool, LitStr, Token};

/// Whether a struct derives something.
pub(crate) fn derives(item: &ItemStruct, name: &str) -> bool {
    derived(&item.attrs).any(|path| ends_in(&path, name))
}

/// Everything that is derived.
pub(crate) fn derived(attributes: &[Attribute]) -> impl Iterator<Item = syn::Path> {
    let derives = attributes.iter().filter(|a| a.path().is_ident("derive"));
    let paths = derives.filter_map(|attribute| {
        let paths = Punctuated::<syn::Path, Token![,]>::parse_terminated;
        attribute.parse_args_with(paths).ok()
    });
    paths.flatten()
}

/// Whether a path means this name.
pub(crate) fn ends_in(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

/// `#[sea_orm(name = "value")]`
pub(crate) fn text_attribute(attributes: &[Attribute], name: &str) -> Result<Option<String>> {
    let mut found = None;
    each_attribute(attributes, |known, value| {
        if known == name {
            found = value;
        }
    })?;
    Ok(found)
}

/// The value of `#[sea_orm(name = true)]`; `None` if the attribute is not there.
pub(crate) fn truth(attributes: &[Attribute], name: &str) -> Result<Option<bool>> {
    let text = text_attribute(attributes, name)?;
    Ok(text.and_then(|text| text.parse().ok()))
}

/// `#[sea_orm(name)]`, with a value or without.
pub(crate) fn flag(attributes: &[Attribute], name: &str) -> Result<bool> {
    let mut found = false;
    each_attribute(attributes, |known, _| found |= known == name)?;
    Ok(found)
}

fn each_attribute(
    attributes: &[Attribute],
    mut tell: impl FnMut(&str, Option<String>),
) -> Result<()> {
    for attribute in attributes.iter().filter(|a| a.path().is_ident("sea_orm")) {
        attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string);
            let name = name.unwrap_or_default();
            if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                while !content.is_empty() {
                    content.step(|cursor| match cursor.token_tree() {
                        Some((_, rest)) => Ok(((), rest)),
                        None => Err(cursor.error("expected more")),
                    })?;
                }
                tell(&name, None);
            } else if meta.input.peek(Token![=]) {
                let value = meta.value()?;
                if value.peek(LitStr) {
                    tell(&name, Some(value.parse::<LitStr>()?.value()));
                } else if value.peek(LitBool) {
                    tell(&name, Some(value.parse::<LitBool>()?.value.to_string()));
                } else {
                    value.parse::<syn::Expr>()?;
                    tell(&name, None);
                }
            } else {
                tell(&name, None);
            }
            Ok(())
        })?;
    }
    Ok(())
}
