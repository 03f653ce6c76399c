//! The handlers of a resource's endpoints (d49–d51, d53, d57–d62).

use axum::extract::{FromRef, FromRequest, OriginalUri, Request, State};
use axum::http::header;
use axum::response::Response;
use listing::{Context, Listings, ReadPool, Trashed};
use sea_orm::{ActiveModelTrait, DatabaseConnection};

use super::api::NoForce;
use super::bind::{Asked, Lock, PathId};
use super::change::{self, Draft};
use super::resource::{ActiveModelOf, Operation, Resource, WritableResource};
use super::stamp::{now, stamp};
use super::write::Attempts;
use super::{body, constraint, force, payload};
use crate::http::{
    ApiError, Denied, Rendered, context_of, destroy as destroyed, etag, store as stored, success,
    update as updated,
};
use crate::list::ListingQuery;

/// What every handler takes from the router's state.
pub(super) trait HasParts: Clone + Send + Sync + 'static {}
impl<S: Clone + Send + Sync + 'static> HasParts for S {}

fn parts<S>(state: &S) -> (Listings, DatabaseConnection)
where
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
{
    (
        Listings::from_ref(state),
        DatabaseConnection::from_ref(state),
    )
}

/// `GET /<resources>`
pub(super) async fn index<R, S>(
    State(state): State<S>,
    request: Request,
) -> Result<Response, ApiError>
where
    R: Resource,
    S: HasParts,
    Listings: FromRef<S>,
    ReadPool: FromRef<S>,
{
    let context = context_of(&request);
    allow_without_record::<R>(Operation::Index, &context)?;
    let ListingQuery(request) = ListingQuery::from_request(request, &state).await?;
    let page = listing::ListingQuery::<R::Entity>::all(&request)
        .listing_paginate(&ReadPool::from_ref(&state))
        .await?;
    Ok(success(R::message(Operation::Index).as_deref(), page, true))
}

/// `GET /<resources>/{id}`
pub(super) async fn show<R, S>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError>
where
    R: Resource,
    S: HasParts,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
    ReadPool: FromRef<S>,
{
    let context = context_of(&request);
    R::authenticate(Operation::Show, &context)?;
    let (listings, db) = parts(&state);
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let (record, key) = asked
        .find::<R::Entity>(&db, Trashed::Without, Lock::No)
        .await?;
    R::authorize(Operation::Show, &context, Some(&record))?;
    let reads = ReadPool::from_ref(&state);
    let json = listings
        .record::<R::Entity>(&key, &context, Trashed::Without, &reads)
        .await?
        .ok_or(ApiError::NotFound)?;
    let tag = etag::etag(&json);
    let seen = request.headers().get_all(header::IF_NONE_MATCH);
    if etag::names(seen, &tag) == Some(true) {
        return Ok(etag::not_modified(etag::header(&tag)));
    }
    let mut response = success(
        R::message(Operation::Show).as_deref(),
        Rendered(&json),
        false,
    );
    let headers = response.headers_mut();
    headers.insert(header::ETAG, etag::header(&tag));
    headers.insert(header::CACHE_CONTROL, etag::cache_control());
    Ok(response)
}

/// `POST /<resources>`
pub(super) async fn store<R, S>(
    State(state): State<S>,
    OriginalUri(uri): OriginalUri,
    request: Request,
) -> Result<Response, ApiError>
where
    R: WritableResource,
    S: HasParts,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
{
    let context = context_of(&request);
    allow_without_record::<R>(Operation::Store, &context)?;
    let (listings, db) = parts(&state);
    let members = body::members(request, listings.settings().bounds.body_bytes).await?;
    let (payload, errors) = payload::read::<R::Store>(members);
    let mut record = ActiveModelOf::<R>::default();
    payload::Payload::write(payload, &mut record);
    R::before_store(&mut record, &context);
    let moment = Some(now());
    stamp::<R::Entity>(&mut record, "created_at", moment);
    stamp::<R::Entity>(&mut record, "updated_at", moment);

    let draft = Draft {
        record: &record,
        errors: &errors,
        unique: &R::unique(),
    };
    let asked = Asked {
        id: &PathId::default(),
        listings: &listings,
        context: &context,
    };
    let mut attempts = Attempts::default();
    let id = loop {
        let tried = change::insert::<R>(&draft, &asked, &db).await;
        let outcome = attempts.outcome(tried);
        if let Some(id) =
            outcome.map_err(|error| constraint::of_record(error, draft.record, draft.unique))?
        {
            break id;
        }
    };
    let location = format!("{}/{}", uri.path().trim_end_matches('/'), text_of(&id));
    Ok(stored(
        R::message(Operation::Store).as_deref(),
        &id,
        &location,
    ))
}

/// `PUT /<resources>/{id}`
pub(super) async fn update<R, S>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError>
where
    R: WritableResource,
    S: HasParts,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
{
    let context = context_of(&request);
    R::authenticate(Operation::Update, &context)?;
    let (listings, db) = parts(&state);
    let headers = request.headers().clone();
    let members = body::members(request, listings.settings().bounds.body_bytes).await?;
    let (payload, errors) = payload::read::<R::Update>(members);
    let mut record = ActiveModelOf::<R>::default();
    payload::Payload::write(payload, &mut record);

    let draft = Draft {
        record: &record,
        errors: &errors,
        unique: &R::unique(),
    };
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let mut attempts = Attempts::default();
    loop {
        let tried = change::update::<R>(&draft, &asked, &headers, &db).await;
        let outcome = attempts.outcome(tried);
        if let Some(()) =
            outcome.map_err(|error| constraint::of_record(error, draft.record, draft.unique))?
        {
            break;
        }
    }
    Ok(updated(R::message(Operation::Update).as_deref()))
}

/// `DELETE /<resources>/{id}`, for good with `?force=true`
pub(super) async fn destroy<R, S>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError>
where
    R: WritableResource,
    S: HasParts,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
{
    let context = context_of(&request);
    let (listings, db) = parts(&state);
    let soft_delete = soft_delete_column::<R>(&listings);
    // Elsewhere every deletion is for good, and `force` is an unknown parameter.
    let forced = match soft_delete {
        Some(_) => force::asked(request.uri()),
        None => Ok(false),
    };
    let operation = match forced {
        Ok(true) => Operation::ForceDestroy,
        _ => Operation::Destroy,
    };
    R::authenticate(operation, &context)?;
    if forced? && request.extensions().get::<NoForce>().is_some() {
        return Err(Denied::Forbidden.into());
    }

    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let soft_delete = soft_delete.as_deref();
    let mut attempts = Attempts::default();
    loop {
        let headers = request.headers();
        let tried = change::delete::<R>(operation, soft_delete, &asked, headers, &db).await;
        let outcome = attempts.outcome(tried);
        if let Some(()) = outcome.map_err(constraint::of_deletion)? {
            break;
        }
    }
    Ok(destroyed(R::message(operation).as_deref()))
}

/// `POST /<resources>/{id}/restore`
pub(super) async fn restore<R, S>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError>
where
    R: WritableResource,
    S: HasParts,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
{
    let context = context_of(&request);
    R::authenticate(Operation::Restore, &context)?;
    let (listings, db) = parts(&state);
    let soft_delete = soft_delete_column::<R>(&listings).ok_or(ApiError::NotFound)?;
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let mut attempts = Attempts::default();
    loop {
        let tried = change::restore::<R>(&soft_delete, &asked, request.headers(), &db).await;
        if let Some(()) = attempts.outcome(tried)? {
            break;
        }
    }
    Ok(updated(R::message(Operation::Restore).as_deref()))
}

fn allow_without_record<R: Resource>(
    operation: Operation,
    context: &Context,
) -> Result<(), ApiError> {
    R::authenticate(operation, context)?;
    R::authorize(operation, context, None)?;
    Ok(())
}

fn soft_delete_column<R: Resource>(listings: &Listings) -> Option<String> {
    listings
        .of::<R::Entity>()?
        .soft_delete_column()
        .map(str::to_owned)
}

fn text_of(id: &serde_json::Value) -> String {
    id.as_str()
        .map_or_else(|| id.to_string(), super::route_table::escape)
}
