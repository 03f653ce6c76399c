//! In: a SeaORM model. Out: an implementation of `NamedRelations` for its entity.

use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote};
use syn::{
    Data, DeriveInput, Error, Field, GenericArgument, LitStr, Path, PathArguments, Result, Type,
};

pub(crate) fn expand(input: &DeriveInput) -> Result<Tokens> {
    // `#[sea_orm::model]` copies the derives of `Model` to `ModelEx`, which has the relations.
    if attribute(&input.attrs, "model_ex")?.is_some() {
        return Ok(Tokens::new());
    }
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            input,
            "`NamedRelations` is derived on a SeaORM model",
        ));
    };
    let relations = data
        .fields
        .iter()
        .filter_map(|field| relation(field).transpose());
    let relations = relations.collect::<Result<Vec<_>>>()?;
    Ok(quote! {
        impl ::listing::NamedRelations for Entity {
            fn named_relations() -> ::std::vec::Vec<::listing::RelationMeta> {
                ::std::vec![#(#relations),*]
            }
        }
    })
}

/// The relation that a field is, if it is one.
fn relation(field: &Field) -> Result<Option<Tokens>> {
    let (Some(ident), Some(target)) = (&field.ident, target(&field.ty)) else {
        return Ok(None);
    };
    let name = ident.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    let meta = quote!(::listing::RelationMeta);
    let variant = attribute(&field.attrs, "relation_enum")?.and_then(Attribute::value);
    let via = attribute(&field.attrs, "via")?.and_then(Attribute::value);
    let self_ref = attribute(&field.attrs, "self_ref")?.is_some();
    Ok(Some(match (via, variant) {
        (Some(via), _) if self_ref => {
            let module = via.parse_with(Path::parse_mod_style)?;
            let related = quote!(<Entity as ::sea_orm::RelatedSelfVia<super::#module::Entity>>);
            quote!(#meta::through::<#target>(#name, #related::via(), #related::to()))
        }
        (None, Some(variant)) => {
            let variant = format_ident!("{}", variant.value());
            let def = quote!(::sea_orm::RelationTrait::def(&Relation::#variant));
            quote!(#meta::direct::<#target>(#name, #def))
        }
        _ => quote!(#meta::related::<Entity, #target>(#name)),
    }))
}

/// The entity in `HasOne<entity>`, `HasMany<entity>`, `BelongsTo<entity>` and `BelongsTo<Option<entity>>`.
fn target(ty: &Type) -> Option<&Type> {
    let (name, inner) = generic(ty)?;
    if !["HasOne", "HasMany", "BelongsTo"].contains(&name.as_str()) {
        return None;
    }
    match generic(inner) {
        Some((name, inner)) if name == "Option" => Some(inner),
        _ => Some(inner),
    }
}

/// The last segment of a type's path, and its first type argument.
pub(crate) fn generic(ty: &Type) -> Option<(String, &Type)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some((last.ident.to_string(), inner)),
        _ => None,
    }
}

/// `#[sea_orm(name)]` or `#[sea_orm(name = "value")]`.
enum Attribute {
    Flag,
    Value(LitStr),
}

impl Attribute {
    fn value(self) -> Option<LitStr> {
        match self {
            Self::Flag => None,
            Self::Value(value) => Some(value),
        }
    }
}

fn attribute(attributes: &[syn::Attribute], name: &str) -> Result<Option<Attribute>> {
    let mut found = None;
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("sea_orm"))
    {
        attribute.parse_nested_meta(|meta| {
            let is_it = meta.path.is_ident(name);
            if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<Tokens>()?;
            } else if meta.input.peek(syn::Token![=]) {
                let value = meta.value()?;
                if is_it && value.peek(LitStr) {
                    found = Some(Attribute::Value(value.parse()?));
                    return Ok(());
                }
                value.parse::<syn::Expr>()?;
            }
            if is_it && found.is_none() {
                found = Some(Attribute::Flag);
            }
            Ok(())
        })?;
    }
    Ok(found)
}
