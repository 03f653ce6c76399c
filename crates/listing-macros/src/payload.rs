//! Derives `Payload` for a struct.

use proc_macro2::{Span, TokenStream as Tokens};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Ident, LitStr, Path, Result, Type};

use crate::relations::generic;
use crate::rules;

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
    implementation(name, &active_model, data.fields.iter())
}

/// The implementation for a struct of that name with these fields.
pub(crate) fn implementation<'f>(
    name: &Ident,
    active_model: &Path,
    fields: impl Iterator<Item = &'f Field>,
) -> Result<Tokens> {
    let fields = fields.map(expand_field).collect::<Result<Vec<_>>>()?;
    let reads = fields.iter().map(|field| &field.read);
    let writes = fields.iter().filter_map(|field| field.write.as_ref());
    let links = fields.iter().filter_map(|field| field.links.as_ref());
    let presents = fields.iter().filter_map(|field| field.present.as_ref());
    let named = fields.iter().map(|field| &field.named);
    let (object, active) = (local("object"), local("active"));
    let (is_sent, column) = (local("is_sent"), local("column"));
    Ok(quote! {
        impl ::listing_axum::Payload for #name {
            type ActiveModel = #active_model;

            const FIELDS: &'static [::listing_axum::payload::PayloadField] = &[#(#named),*];

            fn read(#object: &mut ::listing_axum::payload::PayloadObject<'_>) -> Self {
                // Fields are read in the order in which they are written, and none of them is a variable.
                Self { #(#reads),* }
            }

            fn write(
                self,
                #active: &mut Self::ActiveModel,
                #is_sent: &dyn ::core::ops::Fn(&str) -> bool,
            ) {
                #(#writes)*
            }

            fn take_links(&mut self) -> ::std::vec::Vec<(&'static str, ::listing_axum::Links)> {
                ::std::vec![#(#links),*]
            }

            fn present(
                #active: &Self::ActiveModel,
                #column: &str,
            ) -> ::core::option::Option<::sea_orm::Value> {
                match #column {
                    #(#presents)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    })
}

/// A variable that no field and nothing around the struct can have: payloads have fields of any name.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The generated parts for a field. Each part has the field's span, so that the compiler points at the field whose type does not
/// fit, and not at the derive.
struct Expanded {
    /// How it is read from JSON.
    read: Tokens,
    /// How it is written into the active model, if it is a column.
    write: Option<Tokens>,
    /// How it is read from the active model.
    present: Option<Tokens>,
    /// Its linked rows, if it is a relation.
    links: Option<Tokens>,
    /// Its column and the name that clients use.
    named: Tokens,
}

fn expand_field(field: &Field) -> Result<Expanded> {
    let Some(ident) = &field.ident else {
        return Err(Error::new_spanned(field, "`Payload` needs named fields"));
    };
    let mut trim = false;
    let mut alias: Option<LitStr> = None;
    for attribute in field
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("payload"))
    {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("trim") {
                trim = true;
            } else if meta.path.is_ident("alias") {
                alias = Some(meta.value()?.parse()?);
            } else {
                return Err(meta.error("expected `trim` or `alias = \"name\"`"));
            }
            Ok(())
        })?;
    }
    let column = ident.to_string();
    let column = column.strip_prefix("r#").unwrap_or(&column);
    let wrapper = generic(&field.ty).map(|(wrapper, _)| wrapper);
    let wrapper = wrapper.as_deref();
    let (object, active, value) = (local("object"), local("active"), local("value"));
    let place = field.ty.span();
    let inner = match wrapper {
        Some("Given") => generic(&field.ty).map(|(_, inner)| inner),
        _ => Some(&field.ty),
    };
    let is_links = inner.is_some_and(is_links);
    let reader = match wrapper {
        Some("Given") if is_links => format_ident!("given_links", span = place),
        _ if is_links => format_ident!("links", span = place),
        Some("Given") => format_ident!("given", span = place),
        Some("Option") => format_ident!("optional", span = place),
        _ => format_ident!("required", span = place),
    };
    let read = match is_links {
        true => quote_spanned!(place=> #ident: #object.#reader(#column)),
        false => quote_spanned!(place=> #ident: #object.#reader(#column, #trim)),
    };
    let links = match wrapper {
        _ if !is_links => None,
        Some("Given") => Some(quote_spanned! {place=>
            (#column, ::core::mem::take(&mut self.#ident).into_option().unwrap_or_default())
        }),
        _ => Some(quote_spanned!(place=> (#column, ::core::mem::take(&mut self.#ident)))),
    };
    let is_sent = local("is_sent");
    let write = if wrapper == Some("Given") {
        quote_spanned! {place=>
            if let ::listing_axum::Given::Value(#value) = self.#ident {
                #active.#ident = ::sea_orm::ActiveValue::Set(#value);
            }
        }
    } else {
        quote_spanned! {place=>
            if #is_sent(#column) {
                #active.#ident = ::sea_orm::ActiveValue::Set(self.#ident);
            }
        }
    };
    let present = quote_spanned!(place=> #column => #active.#ident.clone().into_value(),);
    let alias = match alias {
        Some(alias) => quote!(::core::option::Option::Some(#alias)),
        None => quote!(::core::option::Option::None),
    };
    let is_option = |ty| generic(ty).is_some_and(|(name, _)| name == "Option");
    let nullable = inner.is_some_and(is_option);
    let required = !matches!(wrapper, Some("Given" | "Option"));
    let rules = rules::of(field);
    let named = quote! {
        ::listing_axum::payload::PayloadField {
            column: #column,
            alias: #alias,
            required: #required,
            nullable: #nullable,
            trim: #trim,
            links: #is_links,
            rules: #rules,
        }
    };
    Ok(Expanded {
        read,
        write: (!is_links).then_some(write),
        present: (!is_links).then_some(present),
        links,
        named,
    })
}

/// Whether a type is `Links`, wherever it comes from.
fn is_links(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path
        .segments
        .last()
        .is_some_and(|last| last.ident == "Links")
}
