//! Derives `Payload` for a struct.

use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Error, Field, Path, Result};

use crate::relations::generic;

pub(crate) fn expand(input: &DeriveInput) -> Result<Tokens> {
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            input,
            "`Payload` is derived on a struct with named fields",
        ));
    };
    let mut active_model: Option<Path> = None;
    for attribute in input
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("payload"))
    {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("active_model") {
                return Err(meta.error("expected `active_model = path`"));
            }
            active_model = Some(meta.value()?.parse()?);
            Ok(())
        })?;
    }
    let Some(active_model) = active_model else {
        return Err(Error::new_spanned(
            name,
            "add `#[payload(active_model = path::to::ActiveModel)]`",
        ));
    };
    let fields = data
        .fields
        .iter()
        .map(expand_field)
        .collect::<Result<Vec<_>>>()?;
    let (reads, writes): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    let names = data.fields.iter().filter_map(|field| field.ident.as_ref());
    Ok(quote! {
        impl ::listing_axum::Payload for #name {
            type ActiveModel = #active_model;

            fn read(object: &mut ::listing_axum::PayloadObject) -> Self {
                #(#reads)*
                Self { #(#names),* }
            }

            fn write(self, active: &mut Self::ActiveModel) {
                #(#writes)*
            }
        }
    })
}

/// How a field is read from JSON, and how it is written into the active model.
fn expand_field(field: &Field) -> Result<(Tokens, Tokens)> {
    let Some(ident) = &field.ident else {
        return Err(Error::new_spanned(field, "`Payload` needs named fields"));
    };
    let mut trim = false;
    for attribute in field
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("payload"))
    {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("trim") {
                return Err(meta.error("expected `trim`"));
            }
            trim = true;
            Ok(())
        })?;
    }
    let name = ident.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    let wrapper = generic(&field.ty).map(|(wrapper, _)| wrapper);
    let wrapper = wrapper.as_deref();
    let reader = format_ident!(
        "{}",
        match wrapper {
            Some("Given") => "given",
            Some("Option") => "optional",
            _ => "required",
        }
    );
    let read = quote!(let #ident = object.#reader(#name, #trim););
    let write = if wrapper == Some("Given") {
        quote! {
            if let ::listing_axum::Given::Value(value) = self.#ident {
                active.#ident = ::sea_orm::ActiveValue::Set(value);
            }
        }
    } else {
        quote!(active.#ident = ::sea_orm::ActiveValue::Set(self.#ident);)
    };
    Ok((read, write))
}
