//! The derives `NamedRelations`, for a SeaORM model, and `Payload`, for the body of a write.

mod payload;
mod relations;
mod rules;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Gives a SeaORM entity's relations their names: the names of the model's `HasOne`, `HasMany` and `BelongsTo` fields.
///
/// It also gives the entity a constant for each of them (`Entity::AUTHOR` for the field `author`), which definitions take
/// wherever they take the name of a relation.
///
/// `#[listing(ArticleListing)]` below it links the entity to its listing: it is `HasListing` for it.
///
/// Put it next to `DeriveEntityModel`. It works with `#[sea_orm::model]`, and on a model without relation fields it says
/// that there are none.
#[proc_macro_derive(NamedRelations, attributes(sea_orm, listing))]
pub fn named_relations(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    relations::expand(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Reads a payload from JSON field by field, so that everything that is wrong is told at once, and writes it into an
/// active model whose fields have the same names.
///
/// `#[payload(active_model = path)]` on the struct names the active model. On a field, `#[payload(trim)]` takes white
/// space from both ends of a text, and `#[payload(alias = "name")]` says what clients call it. A field of type `Option<T>`
/// may be absent or null; one of type `Given<T>` that is absent leaves the record as it is; every other one is required.
/// Lengths, ranges and formats of `#[garde(..)]` are told in descriptions of the API.
#[proc_macro_derive(Payload, attributes(payload))]
pub fn payload(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    payload::expand(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
