//! The handlers of a resource's endpoints (d49–d51, d53, d57–d62).

use axum::extract::{FromRef, FromRequest, OriginalUri, Request, State};
use axum::http::header;
use axum::response::Response;
use listing::{
    FieldErrors, HasListing, Listings, Names, ReadPool, RecordRequest, Trashed, Whitelist,
};
use sea_orm::{ActiveModelTrait, DatabaseConnection};

use super::access::{self, Settled};
use super::api::NoForce;
use super::bind::{Asked, Lock, PathId};
use super::change::{self, Draft};
use super::field_names::FieldNames;
use super::payload::{Payload, Rules};
use super::resource::{ActiveModelOf, Operation, Resource, WritableResource};
use super::stamp::{now, stamp};
use super::write::Attempts;
use super::{body, constraint, force, payload, write};
use crate::http::{
    ApiError, Denied, context_of, destroy as destroyed, etag, store as stored, success,
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
    access::without_record::<R>(Operation::Index, &context)?;
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
    let settled = access::before_record::<R>(Operation::Show, &context)?;
    let (listings, db) = parts(&state);
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let query = request.uri().query().unwrap_or_default();
    let fields = RecordRequest::from_query(&listings, query)?;
    let shown = match settled {
        Settled::Allowed => {
            let reads = ReadPool::from_ref(&state);
            let key = asked.key::<R::Entity>()?;
            listings
                .record_as::<R::Entity>(&key, &fields, &context, Trashed::Without, &reads)
                .await?
        }
        // What is decided about is what is shown: both are read from one snapshot.
        Settled::DependsOnRecord => {
            let snapshot = write::snapshot(&db).await?;
            let (record, key) = asked
                .find::<R::Entity>(&snapshot, Trashed::Without, Lock::No)
                .await?;
            access::with_record::<R>(Operation::Show, &context, &record)?;
            let shown = listings
                .record_as::<R::Entity>(&key, &fields, &context, Trashed::Without, &snapshot)
                .await?;
            snapshot.commit().await?;
            shown
        }
    };
    let shown = shown.ok_or(ApiError::NotFound)?;
    let tag = etag::etag(&shown.content());
    let seen = request.headers().get_all(header::IF_NONE_MATCH);
    if etag::names(seen, &tag) == Some(true) {
        return Ok(etag::not_modified(etag::header(&tag)));
    }
    let mut response = success(R::message(Operation::Show).as_deref(), shown, false);
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
    access::without_record::<R>(Operation::Store, &context)?;
    let (listings, db) = parts(&state);
    let (payload, errors) = sent::<R::Entity, R::Store>(request, &listings).await?;
    let mut record = ActiveModelOf::<R>::default();
    payload.write(&mut record);
    R::before_store(&mut record, &context);
    let moment = Some(now());
    stamp::<R::Entity>(&mut record, "created_at", moment);
    stamp::<R::Entity>(&mut record, "updated_at", moment);

    let draft = Draft {
        record: &record,
        errors: &errors,
        unique: &R::unique(),
        names: FieldNames::of::<R::Store>(form_of_names::<R::Entity>(&listings)),
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
        if let Some(id) = outcome.map_err(|error| draft.blamed(error))? {
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
    access::before_record::<R>(Operation::Update, &context)?;
    let (listings, db) = parts(&state);
    let headers = request.headers().clone();
    let (payload, errors) = sent::<R::Entity, R::Update>(request, &listings).await?;
    let mut record = ActiveModelOf::<R>::default();
    payload.write(&mut record);

    let draft = Draft {
        record: &record,
        errors: &errors,
        unique: &R::unique(),
        names: FieldNames::of::<R::Update>(form_of_names::<R::Entity>(&listings)),
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
        if let Some(()) = outcome.map_err(|error| draft.blamed(error))? {
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
    access::before_record::<R>(operation, &context)?;
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
    access::before_record::<R>(Operation::Restore, &context)?;
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

/// What a client sends, and what is wrong with it so far.
async fn sent<E: HasListing, P: Payload>(
    request: Request,
    listings: &Listings,
) -> Result<(P, FieldErrors), ApiError> {
    let settings = listings.settings();
    let members = body::members(request, settings.bounds.body_bytes).await?;
    let as_text = listings.of::<E>().map(Whitelist::integers_as_text);
    let rules = Rules {
        names: FieldNames::of::<P>(form_of_names::<E>(listings)),
        integers_as_text: &as_text.unwrap_or_default(),
        strict: settings.strict,
    };
    Ok(payload::read(members, rules))
}

/// The form of names that have no alias: the listing's, or the project's (d91).
pub(super) fn form_of_names<E: HasListing>(listings: &Listings) -> Names {
    let own = listings.of::<E>().map(Whitelist::names);
    own.unwrap_or(listings.settings().names)
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
