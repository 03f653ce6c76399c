//! The handlers of a resource's endpoints that write (d57–d62, d120–d122).

use axum::extract::{OriginalUri, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use listing::Listings;
use listing::reply::ShownRecord;
use sea_orm::ActiveModelTrait;

use super::access;
use super::bind::{Asked, PathId};
use super::change::{self, Draft, Inserted};
use super::field_names::FieldNames;
use super::handlers::Parts;
use super::idempotency::Once;
use super::payload::{Patch, Payload};
use super::resource::{ActiveModelOf, Operation, Resource, WritableResource};
use super::resource_routes::NoForce;
use super::returning::{Returning, returned};
use super::valid::{form_of_names, integers_as_text, rules, sent};
use super::write::Attempts;
use super::{body, constraint, force, foreign, removal};
use crate::http::{
    ApiError, Denied, context_of_write, destroy as destroyed, is_merge_patch, store as stored,
    update as updated,
};

/// `POST /<resources>`
pub(super) async fn store<R: WritableResource, S: Parts>(
    State(state): State<S>,
    OriginalUri(uri): OriginalUri,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of_write(&request);
    let (listings, db) = (state.listings(), state.db());
    access::without_record::<R>(Operation::Store, &context, &db).await?;
    let returning = Returning::asked_by(&request, &listings)?;
    let limit = listings.settings().bounds.body_bytes;
    let (request, once) = Once::of::<R>(request, &context, limit, &db).await?;
    let sent = sent::<R::Entity, R::Store>(request, &listings, foreign::keys::<R::Entity>);
    let (mut payload, errors) = sent.await?;
    let links = payload.take_links();
    let mut record = ActiveModelOf::<R>::default();
    payload.write(&mut record, &|_| true);
    let (unique, names) = (R::unique(), names::<R, R::Store>(&listings));
    let mut draft = Draft {
        errors: &errors,
        links: &links,
        ..Draft::<R>::of(&record, &unique, names)
    };
    let asked = Asked {
        id: &PathId::default(),
        listings: &listings,
        context: &context,
    };
    let mut attempts = Attempts::default();
    loop {
        let answer = |inserted| created::<R>(inserted, uri.path());
        let tried = change::insert::<R>(&draft, &asked, &returning, &once, answer).await;
        let outcome = attempts.outcome(tried);
        if let Some(response) = outcome.map_err(|error| draft.blamed(error))? {
            return Ok(response);
        }
        draft.looks_for_taken = true;
    }
}

/// The answer for a new record of the list at this path.
fn created<R: Resource>((id, shown): Inserted, path: &str) -> Response {
    let location = format!("{}/{}", path.trim_end_matches('/'), text_of(&id));
    let message = R::message(Operation::Store);
    let Some(shown) = shown else {
        return stored(message.as_deref(), &id, &location);
    };
    let mut response = returned(StatusCode::CREATED, message.as_deref(), &shown);
    if let Ok(location) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// `PUT /<resources>/{id}`
pub(super) async fn update<R: WritableResource, S: Parts>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of_write(&request);
    access::before_record::<R>(Operation::Update, &context, &state.db()).await?;
    has_version::<R>(request.headers())?;
    let listings = state.listings();
    let returning = Returning::asked_by(&request, &listings)?;
    let headers = request.headers().clone();
    let sent = sent::<R::Entity, R::Update>(request, &listings, foreign::keys::<R::Entity>);
    let (mut payload, errors) = sent.await?;
    let links = payload.take_links();
    let mut record = ActiveModelOf::<R>::default();
    payload.write(&mut record, &|_| true);
    let (unique, names) = (R::unique(), names::<R, R::Update>(&listings));
    let draft = Draft {
        errors: &errors,
        links: &links,
        ..Draft::<R>::of(&record, &unique, names)
    };
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let db = state.db();
    let once = Once::whenever(&db);
    changed::<R>(draft, &asked, &headers, &returning, &once).await
}

/// `PATCH /<resources>/{id}`
pub(super) async fn patch<R: WritableResource, S: Parts>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of_write(&request);
    access::before_record::<R>(Operation::Update, &context, &state.db()).await?;
    has_version::<R>(request.headers())?;
    let listings = state.listings();
    let returning = Returning::asked_by(&request, &listings)?;
    let headers = request.headers().clone();
    if !is_merge_patch(&headers) {
        return Err(ApiError::UnsupportedMediaType);
    }
    let (limit, db) = (listings.settings().bounds.body_bytes, state.db());
    let (request, once) = Once::of::<R>(request, &context, limit, &db).await?;
    let members = body::members(request, limit).await?;
    let as_text = integers_as_text::<R::Entity>(&listings);
    let to_one = foreign::keys::<R::Entity>;
    let rules = rules::<R::Entity, R::Update>(&listings, &as_text, to_one);
    let patch = Patch::new(members, rules);
    // The sent values, for the message if the database refuses them. The rest is read from the record.
    let mut record = ActiveModelOf::<R>::default();
    patch.write::<R::Update>(&mut record);
    let (unique, names) = (R::unique(), names::<R, R::Update>(&listings));
    let draft = Draft {
        patch: Some(&patch),
        ..Draft::<R>::of(&record, &unique, names)
    };
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    changed::<R>(draft, &asked, &headers, &returning, &once).await
}

async fn changed<R: WritableResource>(
    mut draft: Draft<'_, R>,
    asked: &Asked<'_>,
    headers: &HeaderMap,
    returning: &Returning,
    once: &Once<'_>,
) -> Result<Response, ApiError> {
    let mut attempts = Attempts::default();
    loop {
        let answer = |shown| reply::<R>(Operation::Update, shown);
        let tried = change::update::<R>(&draft, asked, headers, returning, once, answer).await;
        let outcome = attempts.outcome(tried);
        if let Some(response) = outcome.map_err(|error| draft.blamed(error))? {
            return Ok(response);
        }
        draft.looks_for_taken = true;
    }
}

/// `DELETE /<resources>/{id}`, permanently with `?force=true`
pub(super) async fn destroy<R: WritableResource, S: Parts>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of_write(&request);
    let (listings, db) = (state.listings(), state.db());
    let soft_delete = soft_delete_column::<R>(&listings);
    // Without a soft delete, every deletion is permanent, and `force` is an unknown parameter.
    let forced = match soft_delete {
        Some(_) => force::asked(request.uri()),
        None => Ok(false),
    };
    let operation = match forced {
        Ok(true) => Operation::ForceDestroy,
        _ => Operation::Destroy,
    };
    let settled = access::before_record::<R>(operation, &context, &db).await?;
    if forced? && request.extensions().get::<NoForce>().is_some() {
        return Err(Denied::Forbidden.into());
    }
    has_version::<R>(request.headers())?;

    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let soft_delete = soft_delete.as_deref();
    let mut attempts = Attempts::default();
    loop {
        let headers = request.headers();
        let tried =
            removal::delete::<R>((operation, settled), soft_delete, &asked, headers, &db).await;
        let outcome = attempts.outcome(tried);
        if let Some(()) = outcome.map_err(constraint::of_deletion)? {
            break;
        }
    }
    Ok(destroyed(R::message(operation).as_deref()))
}

/// `POST /<resources>/{id}/restore`
pub(super) async fn restore<R: WritableResource, S: Parts>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of_write(&request);
    let (listings, db) = (state.listings(), state.db());
    access::before_record::<R>(Operation::Restore, &context, &db).await?;
    has_version::<R>(request.headers())?;
    let returning = Returning::asked_by(&request, &listings)?;
    let soft_delete = soft_delete_column::<R>(&listings).ok_or(ApiError::NotFound)?;
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    // No value is new, but another record may have taken one in the meantime.
    let record = ActiveModelOf::<R>::default();
    let (unique, names) = (R::unique(), names::<R, R::Update>(&listings));
    let draft = Draft::<R>::of(&record, &unique, names);
    let limit = listings.settings().bounds.body_bytes;
    let (request, once) = Once::of::<R>(request, &context, limit, &db).await?;
    let headers = request.headers();
    let mut attempts = Attempts::default();
    loop {
        let answer = |shown| reply::<R>(Operation::Restore, shown);
        let column = soft_delete.as_str();
        let tried = removal::restore::<R>(column, &asked, headers, &returning, &once, answer).await;
        let outcome = attempts.outcome(tried);
        if let Some(response) = outcome.map_err(|error| draft.blamed(error))? {
            return Ok(response);
        }
    }
}

/// The names of a payload's columns, as clients know them.
fn names<R: Resource, P: Payload>(listings: &Listings) -> FieldNames {
    FieldNames::of::<P>(form_of_names::<R::Entity>(listings))
}

fn reply<R: Resource>(operation: Operation, shown: Option<ShownRecord>) -> Response {
    let message = R::message(operation);
    match shown {
        Some(shown) => returned(StatusCode::OK, message.as_deref(), &shown),
        None => updated(message.as_deref()),
    }
}

/// 428 if the resource requires the version of the record. It does not depend on whether the record exists.
fn has_version<R: WritableResource>(headers: &HeaderMap) -> Result<(), ApiError> {
    if R::require_if_match() && !headers.contains_key(header::IF_MATCH) {
        return Err(ApiError::VersionMissing);
    }
    Ok(())
}

pub(super) fn soft_delete_column<R: Resource>(listings: &Listings) -> Option<String> {
    listings
        .of::<R::Entity>()?
        .soft_delete_column()
        .map(str::to_owned)
}

fn text_of(id: &serde_json::Value) -> String {
    id.as_str()
        .map_or_else(|| id.to_string(), super::route_table::escape)
}
