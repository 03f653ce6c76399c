//! The derives `Listing` and `NamedRelations`, for a SeaORM model, and `Payload`, for the body of a write.

mod listing;
mod payload;
mod relations;
mod rules;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Writes the listing of a SeaORM entity from words at its columns and relations. A column without a word is out of reach.
///
/// | at a column | |
/// |---|---|
/// | `default` | returned when the client names no fields: `Fields::add_default` |
/// | `field` | returned when the client asks for it: `Fields::add` |
/// | `filter(eq, contains)` | filtered by, with these operators: their names in requests without `$`, or a named set of `FilterOperator` such as `comparisons`. Methods of `Filter` stand next to them: `filter(eq, labels([("true", "Active")]))` |
/// | `sort` | sorted by; `sort(nulls_last)` |
/// | `search` | looked into by `search=`, for parts of words |
/// | `write` | sent by clients: a field of `Payload`, with the rules of `#[garde(..)]` next to it. `write(trim, required)`, `optional`, `once` (when a record is created) |
/// | `alias = "name"` | the name that clients see, in all of these |
///
/// | at a relation | |
/// |---|---|
/// | `populate` | populated when the client asks for it; `populate(limit(5), only(name), order_by("created_at:desc"))` |
/// | `default` | populated when the client sends no `populate` |
/// | `filter` | filtered through; `filter(only(name))` |
/// | `count` | the number of related rows, as the field `<relation>_count`; `count(default, sort)` |
/// | `sort(name)` | sorted by this column of the related row |
/// | `write` at a to-many relation | clients link a record with its rows |
/// | `alias = "name"` | the name that clients see |
///
/// | at the struct | |
/// |---|---|
/// | `populate(author, tags)` | the same as the word at each of these relations |
/// | `sort = "created_at:desc"` | the default order, as requests write it |
/// | `search(title, body)` | looked into by `search=`; `search(full_text(title, body), language("english"), relevance)` |
/// | `soft_delete = deleted_at` | the column that marks a row as deleted |
/// | `show(title, body)` | what is shown of one record |
/// | `scope = function`, `trashed = function` | the functions of the trait, for what depends on the caller |
/// | `fields = function`, `relations`, `filters`, `sorts` | receives what the words said, and returns it changed |
/// | `count`, `exact_count`, `has_key`, `names`, `numeric_timestamps(..)`, `paging`, `plans` | the values of the functions of that name |
/// | `authorize = function` | who may do what: the entity is a `Resource` of `listing-axum`, and with `write` at columns a `WritableResource`; also `segment`, `titles`, `unique`, `require_if_match`, `events`, `history`, `bulk`, `upsert_by`, `import`, `idempotency`, and the hooks `before_store`, … `after_commit` |
///
/// It also gives the relations their names, as `NamedRelations` does.
#[proc_macro_derive(Listing, attributes(sea_orm, listing, garde))]
pub fn listing(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    listing::expand(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

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

/// Reads a payload from JSON field by field, so that all errors are reported at once, and writes it into an active model whose
/// fields have the same names.
///
/// `#[payload(active_model = path)]` on the struct names the active model. On a field, `#[payload(trim)]` removes white space
/// from both ends of a text, and `#[payload(alias = "name")]` sets the name that clients use. A field of type `Option<T>` may be
/// absent or null. An absent field of type `Given<T>` leaves the record as it is. Every other field is required. Descriptions of
/// the API contain the lengths, ranges and formats of `#[garde(..)]`.
#[proc_macro_derive(Payload, attributes(payload))]
pub fn payload(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    payload::expand(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
