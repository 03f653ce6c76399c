//! Columns of related entities, by the names of their fields.

use heck::ToUpperCamelCase as _;
use proc_macro2::{Ident, TokenStream as Tokens};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Error, LitStr, Result};

use super::model::{Relation, variant_ident};

/// One of them, at the place where it is named: the compiler says there if the entity has no such column.
pub(super) fn column_of(relation: &Relation<'_>, name: &Ident) -> Tokens {
    let target = relation.target;
    let variant = variant_ident(&name.unraw().to_string().to_upper_camel_case(), name);
    quote_spanned!(name.span()=> <<#target as ::sea_orm::EntityTrait>::Column>::#variant)
}

/// Several.
pub(super) fn columns_of(relation: &Relation<'_>, names: &[Ident]) -> Tokens {
    let columns = names.iter().map(|name| column_of(relation, name));
    quote!(#(#columns),*)
}

/// One part of a text such as `created_at:desc,author.name`, as requests write it.
pub(super) struct Ordered {
    pub(super) name: String,
    /// The column, after the dot of `author.name`.
    pub(super) column: Option<String>,
    pub(super) direction: Tokens,
}

/// The parts of such a text.
pub(super) fn ordered(text: &LitStr) -> Result<Vec<Ordered>> {
    let one = |part: &str| {
        let (name, direction) = part.split_once(':').unwrap_or((part, "asc"));
        let direction = match direction.trim() {
            "asc" => quote!(::listing::SortDirection::Asc),
            "desc" => quote!(::listing::SortDirection::Desc),
            other => {
                return Err(Error::new(
                    text.span(),
                    format!("`{other}` is not a direction; expected one of `asc`, `desc`"),
                ));
            }
        };
        let (name, column) = match name.trim().split_once('.') {
            Some((relation, column)) => (relation, Some(column.to_owned())),
            None => (name.trim(), None),
        };
        Ok(Ordered {
            name: name.to_owned(),
            column,
            direction,
        })
    };
    text.value().split(',').map(one).collect()
}

/// A name in a text, at the place of the text.
pub(super) fn ident_in(text: &LitStr, name: &str) -> Result<Ident> {
    let parsed = LitStr::new(name, text.span());
    parsed.parse_with(Ident::parse_any).map_err(|_| {
        Error::new(
            text.span(),
            format!("`{name}` is not a name; write `\"created_at:desc\"`, as in requests"),
        )
    })
}
