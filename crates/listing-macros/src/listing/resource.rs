//! Writes the entity's `Resource`, if the struct has an authorization, with its hooks.

use proc_macro2::TokenStream as Tokens;
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Result};

use super::model::Model;
use super::payload;

/// The words for an entity whose records clients can write.
const OF_WRITERS: [&str; 8] = [
    "unique",
    "require_if_match",
    "bulk",
    "import",
    "upsert_by",
    "idempotency",
    "events",
    "history",
];

/// The functions that run around a write.
pub(super) const HOOKS: [&str; 9] = [
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

pub(super) fn of(model: &Model<'_>) -> Result<Option<Tokens>> {
    let Some(authorize) = model.word("authorize") else {
        let mut words = ["segment", "titles"]
            .iter()
            .chain(&OF_WRITERS)
            .chain(&HOOKS);
        return match words.find_map(|name| model.word(name)) {
            Some(word) => Err(word.error(&format!(
                "`{}` is for an entity that is served; say who may do what, too: `authorize = ..`",
                word.name
            ))),
            None => Ok(None),
        };
    };
    let decide = authorize.value()?;
    let place = authorize.name.span();
    let body = match decide {
        // An async block can query the database through the variable `access`.
        Expr::Async(_) => quote_spanned!(place=> #decide.await),
        _ => quote_spanned!(place=> ::listing_axum::__private::decide(#decide, access)),
    };
    let mut others = Tokens::new();
    if let Some(word) = model.word("segment") {
        let segment = word.string()?;
        others.extend(quote!(fn segment() -> &'static str { #segment }));
    }
    if let Some(word) = model.word("titles") {
        let titles = word.value()?;
        others.extend(quote!(fn titles() -> ::listing_axum::Titles { #titles }));
    }
    let writable = writable(model)?;
    Ok(Some(quote! {
        #[automatically_derived]
        impl ::listing_axum::Resource for Entity {
            type Entity = Self;

            async fn authorize(
                access: &::listing_axum::Access<'_, Self>,
            ) -> ::core::result::Result<(), ::listing_axum::Denied> {
                #body
            }

            #others
        }

        #writable
    }))
}

/// The part for an entity with columns that clients can write.
fn writable(model: &Model<'_>) -> Result<Option<Tokens>> {
    if !payload::is_written(model) {
        let mut words = OF_WRITERS.iter().chain(&HOOKS);
        return match words.find_map(|name| model.word(name)) {
            Some(word) => Err(word.error(&format!(
                "`{}` is for records that clients write, and no column has the word `write`",
                word.name
            ))),
            None => Ok(None),
        };
    }
    let update = payload::update_type(model)?;
    let mut others = Tokens::new();
    if let Some(word) = model.word("unique") {
        let unique = word.value()?;
        others.extend(quote! {
            fn unique() -> ::std::vec::Vec<::listing_axum::Unique<Entity>> { #unique }
        });
    }
    for word in ["bulk", "import"] {
        if let Some(word) = model.word(word) {
            word.alone()?;
            let name = format_ident!("{}", word.name.to_string().to_uppercase());
            others.extend(quote!(
                const #name: bool = true;
            ));
        }
    }
    if let Some(word) = model.word("require_if_match") {
        word.alone()?;
        others.extend(quote! {
            fn require_if_match() -> bool { true }
        });
    }
    if let Some(word) = model.word("events") {
        let events = word.value()?;
        others.extend(quote! {
            fn events() -> ::core::option::Option<::listing_axum::events::Events<Self>> {
                ::core::option::Option::Some(#events)
            }
        });
    }
    if let Some(word) = model.word("history") {
        let caller = match word.alone() {
            Ok(()) => None,
            Err(_) => Some(word.value()?),
        };
        let caller = caller.map(|caller| quote!(.caller(#caller)));
        others.extend(quote! {
            fn history() -> ::core::option::Option<::listing_axum::History> {
                ::core::option::Option::Some(::listing_axum::History::new()#caller)
            }
        });
    }
    if let Some(word) = model.word("upsert_by") {
        let key = word.value()?;
        others.extend(quote! {
            fn upsert_by() -> ::core::option::Option<::listing_axum::Unique<Entity>> {
                ::core::option::Option::Some(#key)
            }
        });
    }
    if let Some(word) = model.word("idempotency") {
        let caller = word.value()?;
        others.extend(quote! {
            fn idempotency() -> ::core::option::Option<::listing_axum::idempotency::Idempotency> {
                ::core::option::Option::Some(::listing_axum::idempotency::Idempotency::by(#caller))
            }
        });
    }
    for word in HOOKS.iter().filter_map(|name| model.word(name)) {
        let (hook, value) = (&word.name, word.value()?);
        let body = quote_spanned!(word.name.span()=> #value(change).await);
        others.extend(match hook == "after_commit" {
            true => quote! {
                async fn after_commit(change: ::listing_axum::Committed<Self>) { #body }
            },
            false => quote! {
                async fn #hook(
                    change: &mut ::listing_axum::Change<'_, Self>,
                ) -> ::core::result::Result<(), ::listing_axum::ApiError> { #body }
            },
        });
    }
    Ok(Some(quote! {
        #[automatically_derived]
        impl ::listing_axum::WritableResource for Entity {
            type Store = Payload;
            type Update = #update;
            #others
        }
    }))
}
