//! An extractor that validates a JSON body, for custom handlers (d57, d61).

use axum::extract::{FromRef, FromRequest, Request};
use listing::reply::FieldErrors;
use listing::whitelist::Whitelist;
use listing::{Listings, Names};
use sea_orm::{ActiveModelTrait, EntityTrait};

use super::field_names::FieldNames;
use super::payload::Rules;
use super::{Payload, body, payload, write};
use crate::http::ApiError;

/// Extracts a payload: 422 with all errors if it breaks a rule; 400, 413 or 415 if the body is not a JSON object. Unique values
/// and foreign keys are not checked, because that takes the database.
///
/// ```
/// # mod article {
/// #     use sea_orm::entity::prelude::*;
/// #     #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
/// #     #[sea_orm(table_name = "articles")]
/// #     pub struct Model { #[sea_orm(primary_key)] pub id: i64, pub title: String }
/// #     #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)] pub enum Relation {}
/// #     impl ActiveModelBehavior for ActiveModel {}
/// # }
/// use axum::response::Response;
/// use garde::Validate;
/// use listing_axum::{ApiError, Payload, Valid, update};
///
/// #[derive(Debug, Payload, Validate)]
/// #[payload(active_model = article::ActiveModel)]
/// struct ArticlePayload {
///     #[payload(trim)]
///     #[garde(length(chars, min = 1, max = 255))]
///     title: String,
/// }
///
/// async fn preview(Valid(payload): Valid<ArticlePayload>) -> Response {
///     update(&*format!("It would be called {}.", payload.title))
/// }
/// # let _: axum::routing::MethodRouter<listing::Listings> = axum::routing::post(preview);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Valid<P>(pub P);

impl<P, S> FromRequest<S> for Valid<P>
where
    P: Payload<ActiveModel: ActiveModelTrait>,
    Listings: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let listings = Listings::from_ref(state);
        let (payload, errors) = sent::<EntityOf<P>, P>(request, &listings, Vec::new).await?;
        write::accept(errors)?;
        Ok(Self(payload))
    }
}

type EntityOf<P> = <<P as Payload>::ActiveModel as ActiveModelTrait>::Entity;

/// The payload for a record of `E`, with the errors found so far.
pub(super) async fn sent<E: EntityTrait, P: Payload>(
    request: Request,
    listings: &Listings,
    to_one: fn() -> Vec<(String, String)>,
) -> Result<(P, FieldErrors), ApiError> {
    let members = body::members(request, listings.settings().bounds.body_bytes).await?;
    let as_text = integers_as_text::<E>(listings);
    let rules = rules::<E, P>(listings, &as_text, to_one);
    Ok(payload::read(members, rules))
}

/// The rules for reading a payload for a record of `E`.
pub(super) fn rules<'a, E: EntityTrait, P: Payload>(
    listings: &Listings,
    integers_as_text: &'a [String],
    to_one: fn() -> Vec<(String, String)>,
) -> Rules<'a> {
    Rules {
        names: FieldNames::of::<P>(form_of_names::<E>(listings)),
        integers_as_text,
        strict: listings.settings().strict,
        to_one,
    }
}

/// The integer columns that may be sent as text.
pub(super) fn integers_as_text<E: EntityTrait>(listings: &Listings) -> Vec<String> {
    let own = listings.of_entity::<E>().map(Whitelist::integers_as_text);
    own.unwrap_or_default()
}

/// The form of names without an alias: the listing's, or the project's (d91).
pub(super) fn form_of_names<E: EntityTrait>(listings: &Listings) -> Names {
    let own = listings.of_entity::<E>().map(Whitelist::names);
    own.unwrap_or(listings.settings().names)
}
