//! In: a request to a resource. Out: the answer of each of its endpoints (d49–d51, d53, d57–d62).

use axum::extract::{FromRef, FromRequest, OriginalUri, Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use listing::{Context, Listings, RecordKey, SelectListing, Trashed};
use sea_orm::sea_query::Value;
use sea_orm::{
    ActiveModelTrait, ActiveValue, DatabaseConnection, EntityTrait, IntoActiveModel, Iterable,
    PrimaryKeyToColumn,
};

use super::bind::{Asked, Lock};
use super::resource::{ActiveModelOf, ModelOf, Operation, Resource, WritableResource};
use super::stamp::{now, stamp};
use super::{body, etag, foreign, payload, unique, write};
use crate::extract::context_of;
use crate::reply::Rendered;
use crate::{
    ApiError, ListingQuery, destroy as destroyed, store as stored, success, update as updated,
};

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
    DatabaseConnection: FromRef<S>,
{
    let context = context_of(&request);
    allow_without_record::<R>(Operation::Index, &context)?;
    let ListingQuery(request) = ListingQuery::from_request(request, &state).await?;
    let (_, db) = parts(&state);
    let page = R::Entity::find()
        .listing(&request)
        .listing_paginate(&db)
        .await?;
    Ok(success(R::message(Operation::Index).as_deref(), page, true))
}

/// `GET /<resources>/{id}`
pub(super) async fn show<R, S>(
    State(state): State<S>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ApiError>
where
    R: Resource,
    S: HasParts,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
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
    let json = listings
        .record::<R::Entity>(&key, &context, &db)
        .await?
        .ok_or(ApiError::NotFound)?;
    let tag = etag::etag(&json);
    let mut response = match etag::names(request.headers(), header::IF_NONE_MATCH, &tag) {
        Some(true) => StatusCode::NOT_MODIFIED.into_response(),
        _ => success(
            R::message(Operation::Show).as_deref(),
            Rendered(&json),
            false,
        ),
    };
    response
        .headers_mut()
        .insert(header::ETAG, etag::header(&tag));
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
    ModelOf<R>: IntoActiveModel<ActiveModelOf<R>>,
    ActiveModelOf<R>: Send + Sync,
    S: HasParts,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
{
    let context = context_of(&request);
    allow_without_record::<R>(Operation::Store, &context)?;
    let (listings, db) = parts(&state);
    let members = body::members(request, listings.settings().bounds.body_bytes).await?;
    let (payload, mut errors) = payload::read::<R::Store>(members);
    let mut record = ActiveModelOf::<R>::default();
    payload::Payload::write(payload, &mut record);
    R::before_store(&mut record, &context);
    let moment = Some(now());
    stamp::<R::Entity>(&mut record, "created_at", moment);
    stamp::<R::Entity>(&mut record, "updated_at", moment);

    let rules = R::unique();
    let transaction = write::begin(&db).await?;
    unique::check(&rules, &record, None, &transaction, &mut errors).await?;
    foreign::check::<R::Entity>(&record, &listings, &context, &transaction, &mut errors).await?;
    write::accept(errors)?;
    let inserted = R::Entity::insert(record).exec(&transaction).await;
    let inserted = inserted.map_err(|error| write::refused(error, &rules))?;
    transaction.commit().await?;

    let id = json_of(inserted.last_insert_id);
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
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ApiError>
where
    R: WritableResource,
    ModelOf<R>: IntoActiveModel<ActiveModelOf<R>>,
    ActiveModelOf<R>: Send + Sync,
    S: HasParts,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
{
    let context = context_of(&request);
    R::authenticate(Operation::Update, &context)?;
    let (listings, db) = parts(&state);
    let headers = request.headers().clone();
    let members = body::members(request, listings.settings().bounds.body_bytes).await?;
    let (payload, mut errors) = payload::read::<R::Update>(members);

    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let transaction = write::begin(&db).await?;
    let (model, key) = asked
        .find::<R::Entity>(&transaction, Trashed::Without, Lock::Yes)
        .await?;
    R::authorize(Operation::Update, &context, Some(&model))?;
    fresh::<R>(&headers, &key, &asked, &transaction).await?;
    let mut record = model.into_active_model();
    let own_key = primary_key::<R>(&record);
    payload::Payload::write(payload, &mut record);
    R::before_update(&mut record, &context);
    stamp::<R::Entity>(&mut record, "updated_at", Some(now()));

    let rules = R::unique();
    unique::check(&rules, &record, own_key.as_ref(), &transaction, &mut errors).await?;
    foreign::check::<R::Entity>(&record, &listings, &context, &transaction, &mut errors).await?;
    write::accept(errors)?;
    let written = R::Entity::update(record).exec(&transaction).await;
    written.map_err(|error| write::refused(error, &rules))?;
    transaction.commit().await?;
    Ok(updated(R::message(Operation::Update).as_deref()))
}

/// `DELETE /<resources>/{id}`, for good with `?force=true`
pub(super) async fn destroy<R, S>(
    State(state): State<S>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ApiError>
where
    R: WritableResource,
    ModelOf<R>: IntoActiveModel<ActiveModelOf<R>>,
    ActiveModelOf<R>: Send + Sync,
    S: HasParts,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
{
    let context = context_of(&request);
    let (listings, db) = parts(&state);
    let soft_delete = soft_delete_column::<R>(&listings);
    let force = soft_delete.is_some() && asks_force(request.uri().query());
    let operation = if force {
        Operation::ForceDestroy
    } else {
        Operation::Destroy
    };
    R::authenticate(operation, &context)?;

    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let transaction = write::begin(&db).await?;
    // What is in the bin already can be deleted for good.
    let trashed = if force {
        Trashed::With
    } else {
        Trashed::Without
    };
    let (model, key) = asked
        .find::<R::Entity>(&transaction, trashed, Lock::Yes)
        .await?;
    R::authorize(operation, &context, Some(&model))?;
    if !force {
        fresh::<R>(request.headers(), &key, &asked, &transaction).await?;
    }
    let mut record = model.into_active_model();
    match soft_delete {
        Some(column) if !force => {
            stamp::<R::Entity>(&mut record, &column, Some(now()));
            R::Entity::update(record).exec(&transaction).await?;
        }
        _ => {
            let deleted = R::Entity::delete(record).exec(&transaction).await;
            deleted.map_err(|error| write::refused::<R::Entity>(error, &[]))?;
        }
    }
    transaction.commit().await?;
    Ok(destroyed(R::message(operation).as_deref()))
}

/// `POST /<resources>/{id}/restore`
pub(super) async fn restore<R, S>(
    State(state): State<S>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ApiError>
where
    R: WritableResource,
    ModelOf<R>: IntoActiveModel<ActiveModelOf<R>>,
    ActiveModelOf<R>: Send + Sync,
    S: HasParts,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
{
    let context = context_of(&request);
    R::authenticate(Operation::Restore, &context)?;
    let (listings, db) = parts(&state);
    let column = soft_delete_column::<R>(&listings).ok_or(ApiError::NotFound)?;
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let transaction = write::begin(&db).await?;
    let (model, _) = asked
        .find::<R::Entity>(&transaction, Trashed::Only, Lock::Yes)
        .await?;
    R::authorize(Operation::Restore, &context, Some(&model))?;
    let mut record = model.into_active_model();
    stamp::<R::Entity>(&mut record, &column, None);
    R::Entity::update(record).exec(&transaction).await?;
    transaction.commit().await?;
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

/// 412 where the client has seen another state of the record than there is now.
async fn fresh<R: Resource>(
    headers: &HeaderMap,
    key: &RecordKey,
    asked: &Asked<'_>,
    db: &sea_orm::DatabaseTransaction,
) -> Result<(), ApiError> {
    if !headers.contains_key(header::IF_MATCH) {
        return Ok(());
    }
    let json = asked
        .listings
        .record::<R::Entity>(key, asked.context, db)
        .await?;
    let tag = etag::etag(&json.ok_or(ApiError::NotFound)?);
    match etag::names(headers, header::IF_MATCH, &tag) {
        Some(false) => Err(ApiError::Stale),
        _ => Ok(()),
    }
}

fn soft_delete_column<R: Resource>(listings: &Listings) -> Option<String> {
    listings
        .of::<R::Entity>()?
        .soft_delete_column()
        .map(str::to_owned)
}

fn asks_force(query: Option<&str>) -> bool {
    query
        .unwrap_or_default()
        .split('&')
        .any(|pair| matches!(pair, "force=true" | "force=1" | "force"))
}

fn primary_key<R: Resource>(record: &ActiveModelOf<R>) -> Option<Value> {
    type Key<R> = <<R as Resource>::Entity as EntityTrait>::PrimaryKey;
    let column = Key::<R>::iter().next()?.into_column();
    match record.get(column) {
        ActiveValue::Set(value) | ActiveValue::Unchanged(value) => Some(value),
        ActiveValue::NotSet => None,
    }
}

/// A primary key as JSON.
fn json_of(key: impl sea_orm::sea_query::IntoValueTuple) -> serde_json::Value {
    let value = key.into_value_tuple().into_iter().next();
    match value {
        Some(value) => sea_orm::sea_query::sea_value_to_json_value(&value),
        None => serde_json::Value::Null,
    }
}

fn text_of(id: &serde_json::Value) -> String {
    id.as_str()
        .map_or_else(|| id.to_string(), super::route_table::escape)
}
