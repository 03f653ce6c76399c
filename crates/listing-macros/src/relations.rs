//! Derives `NamedRelations` for the entity of a SeaORM model.

use heck::ToUpperCamelCase as _;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::spanned::Spanned as _;
use syn::{
    Data, DeriveInput, Error, Field, GenericArgument, Ident, LitStr, Path, PathArguments, Result,
    Type,
};

pub(crate) fn expand(input: &DeriveInput) -> Result<Tokens> {
    if is_copied(input)? {
        return Ok(Tokens::new());
    }
    let listing = listing(input)?;
    let names = names(input)?;
    Ok(quote!(#listing #names))
}

/// Whether the derive is on `Model` alone: `#[sea_orm::model]` copies the derives of `Model` to `ModelEx`, which has the relations.
pub(crate) fn is_copied(input: &DeriveInput) -> Result<bool> {
    has_attribute(&input.attrs, "model_ex")
}

/// The names of the relations, and the values of enumerations.
pub(crate) fn names(input: &DeriveInput) -> Result<Tokens> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            input,
            "`NamedRelations` is derived on a SeaORM model",
        ));
    };
    let relations = data.fields.iter().filter_map(|field| {
        let target = target(&field.ty)?;
        let relation = relation(field).transpose()?;
        Some(relation.and_then(|relation| with_listings(field, target, relation)))
    });
    let relations = relations.collect::<Result<Vec<_>>>()?;
    let constants = data.fields.iter().filter_map(constant);
    let enumerations = data.fields.iter().map(enumeration);
    let enumerations = enumerations.collect::<Result<Vec<_>>>()?;
    Ok(quote! {
        #[allow(dead_code, private_interfaces, reason = "a relation need not be used")]
        impl Entity {
            #(#constants)*
        }

        impl ::listing::NamedRelations for Entity {
            fn named_relations() -> ::std::vec::Vec<::listing::entity::RelationMeta> {
                #[allow(unused_imports, reason = "every target may have a listing")]
                use ::listing::__private::{WithoutEnumerations as _, WithoutListing as _};
                ::std::vec![#(#relations),*]
            }

            fn enumerations() -> ::std::vec::Vec<(&'static str, ::std::vec::Vec<::std::string::String>)> {
                #[allow(unused_imports, reason = "no field need be an enumeration")]
                use ::listing::__private::NotAnEnumeration as _;
                [#(#enumerations)*]
                    .into_iter()
                    .filter_map(|(name, values): (_, ::std::option::Option<_>)| Some((name, values?)))
                    .collect()
            }
        }
    })
}

/// The link to the listing that `#[listing(ArticleListing)]` names.
fn listing(input: &DeriveInput) -> Result<Option<Tokens>> {
    if let Data::Struct(data) = &input.data {
        let mut attributes = data.fields.iter().flat_map(|field| &field.attrs);
        if let Some(said) = attributes.find(|attribute| attribute.path().is_ident("listing")) {
            return Err(words(said));
        }
    }
    let mut named = input
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("listing"));
    let Some(attribute) = named.next() else {
        return Ok(None);
    };
    if let Some(second) = named.next() {
        return Err(Error::new_spanned(second, "an entity has one listing"));
    }
    let listing: Path = attribute.parse_args().map_err(|_| words(attribute))?;
    Ok(Some(quote! {
        impl ::listing::HasListing for Entity {
            type Listing = #listing;
        }
    }))
}

/// Words that this derive would pass over.
fn words(attribute: &syn::Attribute) -> Error {
    Error::new_spanned(
        attribute,
        "`NamedRelations` takes the path of a listing, such as `#[listing(ArticleListing)]`; \
         for words on columns derive `listing::Listing` instead",
    )
}

/// `pub const AUTHOR` for the field `author`.
fn constant(field: &Field) -> Option<Tokens> {
    let (ident, target) = (field.ident.as_ref()?, target(&field.ty)?);
    let name = name_of(ident);
    let constant = Ident::new(&name.to_uppercase(), ident.span());
    let doc = format!("The relation `{name}`.");
    Some(quote! {
        #[doc = #doc]
        pub const #constant: ::listing::RelationName<Entity, #target> =
            ::listing::RelationName::new(#name);
    })
}

/// The values of the field's type, which it has if it is an enumeration; nothing for a type that is known not to be one.
fn enumeration(field: &Field) -> Result<Tokens> {
    const PLAIN: [&str; 16] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64",
        "String", "Uuid", "Decimal", "Vec",
    ];
    let inner = match generic(&field.ty) {
        Some((name, inner)) if name == "Option" => inner,
        _ => &field.ty,
    };
    let Type::Path(path) = inner else {
        return Ok(Tokens::new());
    };
    let is_plain = path.path.segments.last().is_some_and(|last| {
        PLAIN.iter().any(|plain| last.ident == plain) || last.ident.to_string().starts_with("Date")
    });
    let is_column = target(&field.ty).is_none() && attribute(&field.attrs, "ignore")?.is_none();
    let (Some(ident), true) = (&field.ident, is_column && !is_plain) else {
        return Ok(Tokens::new());
    };
    let named = attribute(&field.attrs, "column_name")?.and_then(Attribute::value);
    let name = named.map_or_else(|| name_of(ident), |named| named.value());
    Ok(quote!((#name, ::listing::__private::EnumerationProbe::<#inner>::values()),))
}

fn name_of(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_owned()
}

/// The relation, with the knowledge of which listings its target and its junction have.
fn with_listings(field: &Field, target: &Type, relation: Tokens) -> Result<Tokens> {
    let probe =
        |entity: &Tokens| quote!(::listing::__private::ListingProbe::<#entity>::HAS_LISTING);
    let has_listing = probe(&quote!(#target));
    let relation = quote! {
        #relation
            .with_listing(#has_listing)
            .with_enumerations(::listing::__private::EnumerationsProbe::<#target>::enumerations())
    };
    let Some(via) = attribute(&field.attrs, "via")?.and_then(Attribute::value) else {
        return Ok(relation);
    };
    let module = Junction::of(&via)?.module;
    let junction = quote!(super::#module::Entity);
    let has_listing = probe(&junction);
    Ok(quote!(#relation.with_junction::<#junction>(#has_listing)))
}

/// The relation that a field is, if it is one. Follows `#[sea_orm::model]` in where it finds the definition:
/// `Related` exists only for entities to which one relation leads.
fn relation(field: &Field) -> Result<Option<Tokens>> {
    let (Some(ident), Some(target)) = (&field.ident, target(&field.ty)) else {
        return Ok(None);
    };
    let name = name_of(ident);
    let meta = quote!(::listing::entity::RelationMeta);
    let has = |flag| Ok::<_, Error>(attribute(&field.attrs, flag)?.is_some());
    let variant = attribute(&field.attrs, "relation_enum")?.and_then(Attribute::value);
    let declared = has("has_one")? || has("has_many")? || has("belongs_to")?;
    if let Some(via) = attribute(&field.attrs, "via")?.and_then(Attribute::value) {
        let junction = Junction::of(&via)?;
        let (via, to) = if has("self_ref")? {
            junction.to_self(has("reverse")?)
        } else if declared {
            junction.between(&variant_of(variant.as_ref(), target)?)
        } else {
            return Ok(Some(quote!(#meta::related::<Entity, #target>(#name))));
        };
        return Ok(Some(quote!(#meta::through::<#target>(#name, #via, #to))));
    }
    if variant.is_none() && !declared {
        return Ok(Some(quote!(#meta::related::<Entity, #target>(#name))));
    }
    let variant = variant_of(variant.as_ref(), target)?;
    let def = quote!(::sea_orm::RelationTrait::def(&Relation::#variant));
    Ok(Some(quote!(#meta::direct::<#target>(#name, #def))))
}

/// The relation's variant in SeaORM's enum: the one that is named, or the related entity's module. SeaORM writes it in the
/// same way, with the same crate: `CEO` is `Ceo`.
fn variant_of(named: Option<&LitStr>, target: &Type) -> Result<Ident> {
    let name = match (named, target) {
        (Some(named), _) => named.clone(),
        (None, Type::Path(path)) => {
            let mut names = path.path.segments.iter().rev().map(|part| &part.ident);
            let last = names.next();
            let module = names.next().or(last).map(Ident::to_string);
            LitStr::new(&module.unwrap_or_default(), target.span())
        }
        (None, _) => {
            return Err(Error::new_spanned(
                target,
                "a relation leads to an entity, such as `super::author::Entity`",
            ));
        }
    };
    let variant = LitStr::new(&name.value().to_upper_camel_case(), name.span());
    variant.parse().map_err(|_| {
        let name = name.value();
        let why = format!("`{name}` cannot be the name of a variant of `Relation`");
        Error::new(variant.span(), why)
    })
}

/// `via = "junction"` or `via = "junction::Relation"`.
struct Junction {
    module: Ident,
    relation: Option<Ident>,
}

impl Junction {
    fn of(via: &LitStr) -> Result<Self> {
        let path = via.parse_with(Path::parse_mod_style)?;
        let mut names = path.segments.into_iter().map(|part| part.ident);
        match (names.next(), names.next(), names.next()) {
            (Some(module), relation, None) => Ok(Self { module, relation }),
            _ => Err(Error::new_spanned(
                via,
                "`via` is `junction` or `junction::Relation`",
            )),
        }
    }

    /// From this entity to the junction, and from there to another one, by the junction's `variant`.
    fn between(&self, variant: &Ident) -> (Tokens, Tokens) {
        let module = &self.module;
        let here = match &self.relation {
            Some(relation) => {
                quote!(::sea_orm::RelationTrait::def(&super::#module::Relation::#relation))
            }
            None => quote!(<super::#module::Entity as ::sea_orm::Related<Entity>>::to()),
        };
        let there = quote!(::sea_orm::RelationTrait::def(&super::#module::Relation::#variant));
        (quote!(#here.rev()), there)
    }

    /// From this entity to the junction and back to itself: there, or the other way round.
    fn to_self(&self, reverse: bool) -> (Tokens, Tokens) {
        let module = &self.module;
        let related = quote!(<Entity as ::sea_orm::RelatedSelfVia<super::#module::Entity>>);
        if reverse {
            (quote!(#related::to().rev()), quote!(#related::via().rev()))
        } else {
            (quote!(#related::via()), quote!(#related::to()))
        }
    }
}

/// The entity in `HasOne<entity>`, `HasMany<entity>`, `BelongsTo<entity>` and `BelongsTo<Option<entity>>`.
pub(crate) fn target(ty: &Type) -> Option<&Type> {
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

/// Whether `#[sea_orm(..)]` says this of a field, with a value or without one.
pub(crate) fn has_attribute(attributes: &[syn::Attribute], name: &str) -> Result<bool> {
    Ok(attribute(attributes, name)?.is_some())
}

/// The text that `#[sea_orm(..)]` gives for this.
pub(crate) fn text_attribute(attributes: &[syn::Attribute], name: &str) -> Result<Option<LitStr>> {
    Ok(attribute(attributes, name)?.and_then(Attribute::value))
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

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::parse_quote;

    fn expanded(field: proc_macro2::TokenStream) -> Result<String, String> {
        let model = parse_quote!(
            struct Model {
                #field,
            }
        );
        let tokens = super::expand(&model).map_err(|error| error.to_string())?;
        Ok(tokens.to_string())
    }

    /// Rule b488.
    #[test]
    fn variants_are_spelled_as_seaorm_spells_them() {
        for (named, variant) in [
            ("CEO", "Relation :: Ceo"),
            ("XMLReport", "Relation :: XmlReport"),
            ("reports_to", "Relation :: ReportsTo"),
            ("Author", "Relation :: Author"),
        ] {
            let field = quote!(#[sea_orm(belongs_to, relation_enum = #named)] boss: BelongsTo<super::person::Entity>);
            let tokens = expanded(field).unwrap();
            assert!(tokens.contains(&format!("{variant})")), "{named}: {tokens}");
        }
        let field = quote!(#[sea_orm(has_many)] parts: HasMany<super::spare_part::Entity>);
        let tokens = expanded(field).unwrap();
        assert!(tokens.contains("Relation :: SparePart)"), "{tokens}");
    }

    /// Rule b488.
    #[test]
    fn what_cannot_be_a_variant_is_an_error_of_the_compiler() {
        for named in ["", "_", "2nd", "Self"] {
            let field = quote!(#[sea_orm(belongs_to, relation_enum = #named)] boss: BelongsTo<super::person::Entity>);
            assert_eq!(
                expanded(field).unwrap_err(),
                format!("`{named}` cannot be the name of a variant of `Relation`")
            );
        }
        assert_eq!(
            expanded(quote!(#[sea_orm(has_many)] parts: HasMany<(Part, Part)>)).unwrap_err(),
            "a relation leads to an entity, such as `super::author::Entity`"
        );
    }
}
