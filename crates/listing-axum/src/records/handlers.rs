//! The handlers of a resource's endpoints (d49–d51, d53, d57–d62).

use axum::extract::{FromRef, OriginalUri, Request, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use listing::{EntityId, FieldErrors, Listings, ReadPool, RecordRequest, ShownRecord, Trashed};
use sea_orm::{ActiveModelTrait, DatabaseConnection, DatabaseTransaction};

use super::access::{self, Settled};
use super::api::NoForce;
use super::bind::{Asked, Lock, PathId};
use super::change::{self, Draft};
use super::field_names::FieldNames;
use super::payload::Payload;
use super::resource::{ActiveModelOf, Operation, Resource, WritableResource};
use super::stamp::{now, stamp};
use super::valid::{form_of_names, sent};
use super::write::Attempts;
use super::{constraint, force, write, zone};
use crate::http::{
    ApiError, Denied, context_of, destroy as destroyed, etag, store as stored, success,
    update as updated,
};
use crate::list::list_request;

/// What the handlers take from the router's state.
pub(super) trait Parts: Clone + Send + Sync + 'static {
    fn listings(&self) -> Listings;
    fn db(&self) -> DatabaseConnection;
    fn reads(&self) -> ReadPool;
}

impl<S> Parts for S
where
    S: Clone + Send + Sync + 'static,
    Listings: FromRef<S>,
    DatabaseConnection: FromRef<S>,
    ReadPool: FromRef<S>,
{
    fn listings(&self) -> Listings {
        Listings::from_ref(self)
    }

    fn db(&self) -> DatabaseConnection {
        DatabaseConnection::from_ref(self)
    }

    fn reads(&self) -> ReadPool {
        ReadPool::from_ref(self)
    }
}

/// `GET /<resources>`
pub(super) async fn index<R: Resource, S: Parts>(
    message: Option<&str>,
    state: &S,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of(&request);
    access::without_record::<R>(Operation::Index, &context)?;
    let request = list_request(request, &state.listings(), context).await?;
    let page = listing::ListingQuery::<R::Entity>::all(&request)
        .listing_paginate(&state.reads())
        .await?;
    Ok(success(message, page, true))
}

/// `GET /<resources>/{id}`
pub(super) async fn show<R: Resource, S: Parts>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of(&request);
    let settled = access::before_record::<R>(Operation::Show, &context)?;
    let (listings, db) = (state.listings(), state.db());
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    let query = request.uri().query().unwrap_or_default();
    let fields = RecordRequest::from_query(&listings, query)?;
    let shown = match settled {
        Settled::Allowed => {
            let reads = state.reads();
            let key = asked.key::<R::Entity>()?;
            listings
                .record_as::<R::Entity>(&key, &fields, &context, Trashed::Without, &reads)
                .await?
        }
        // What is decided about is what is shown: both are read from one snapshot.
        Settled::DependsOnRecord => {
            let snapshot = write::snapshot(&db).await?;
            let connection = snapshot.connection();
            let shown = show_in::<R>(&asked, &fields, connection).await;
            snapshot.close().await;
            shown?
        }
    };
    let shown = shown.ok_or(ApiError::NotFound)?;
    let message = R::message(Operation::Show);
    Ok(shown_as(message.as_deref(), shown, request.headers()))
}

/// A record, if the hook lets the caller see it.
async fn show_in<R: Resource>(
    asked: &Asked<'_>,
    fields: &RecordRequest,
    snapshot: &DatabaseTransaction,
) -> Result<Option<ShownRecord>, ApiError> {
    let (record, key) = asked
        .find::<R::Entity>(snapshot, Trashed::Without, Lock::No)
        .await?;
    access::with_record::<R>(Operation::Show, asked.context, &record)?;
    let shown = asked.listings.record_as::<R::Entity>(
        &key,
        fields,
        asked.context,
        Trashed::Without,
        snapshot,
    );
    Ok(shown.await?)
}

/// A record with its tag, unless the client has it already.
fn shown_as(message: Option<&str>, shown: ShownRecord, sent: &HeaderMap) -> Response {
    let tag = etag::etag(&shown.content());
    let seen = sent.get_all(header::IF_NONE_MATCH);
    if etag::names(seen, &tag) == Some(true) {
        return etag::not_modified(etag::header(&tag));
    }
    let mut response = success(message, shown, false);
    let headers = response.headers_mut();
    headers.insert(header::ETAG, etag::header(&tag));
    headers.insert(header::CACHE_CONTROL, etag::cache_control());
    response
}

/// `GET` of a table's list, which everybody may read.
pub(super) async fn table_index<S: Parts>(
    entity: EntityId,
    message: &str,
    state: &S,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of(&request);
    let request = list_request(request, &state.listings(), context).await?;
    let page = request.page_of(entity, &state.reads()).await?;
    Ok(success(message, page, true))
}

/// `GET` of one row of a table.
pub(super) async fn table_show<S: Parts>(
    entity: EntityId,
    message: &str,
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of(&request);
    let listings = state.listings();
    let query = request.uri().query().unwrap_or_default();
    let asked = RecordRequest::from_query(&listings, query)?;
    let key = listings.key_of(entity, id.text()?)?;
    let key = key.ok_or(ApiError::NotFound)?;
    let reads = state.reads();
    let shown = listings
        .record_of(entity, &key, &asked, &context, Trashed::Without, &reads)
        .await?;
    let shown = shown.ok_or(ApiError::NotFound)?;
    Ok(shown_as(Some(message), shown, request.headers()))
}

/// `POST /<resources>`
pub(super) async fn store<R: WritableResource, S: Parts>(
    State(state): State<S>,
    OriginalUri(uri): OriginalUri,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of(&request);
    access::without_record::<R>(Operation::Store, &context)?;
    let (listings, db) = (state.listings(), state.db());
    let (payload, errors) = sent::<R::Entity, R::Store>(request, &listings).await?;
    let mut record = ActiveModelOf::<R>::default();
    payload.write(&mut record);
    R::before_store(&mut record, &context);
    let moment = now();
    stamp::<R::Entity>(&mut record, "created_at", moment)?;
    stamp::<R::Entity>(&mut record, "updated_at", moment)?;
    zone::to_utc::<R::Entity>(&mut record)?;

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
pub(super) async fn update<R: WritableResource, S: Parts>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of(&request);
    access::before_record::<R>(Operation::Update, &context)?;
    let (listings, db) = (state.listings(), state.db());
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
pub(super) async fn destroy<R: WritableResource, S: Parts>(
    State(state): State<S>,
    id: PathId,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of(&request);
    let (listings, db) = (state.listings(), state.db());
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
    let settled = access::before_record::<R>(operation, &context)?;
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
        let tried =
            change::delete::<R>((operation, settled), soft_delete, &asked, headers, &db).await;
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
    let context = context_of(&request);
    access::before_record::<R>(Operation::Restore, &context)?;
    let (listings, db) = (state.listings(), state.db());
    let soft_delete = soft_delete_column::<R>(&listings).ok_or(ApiError::NotFound)?;
    let asked = Asked {
        id: &id,
        listings: &listings,
        context: &context,
    };
    // No value is new, but one can be taken by now.
    let draft = Draft::<R> {
        record: &ActiveModelOf::<R>::default(),
        errors: &FieldErrors::new(),
        unique: &R::unique(),
        names: FieldNames::of::<R::Update>(form_of_names::<R::Entity>(&listings)),
    };
    let mut attempts = Attempts::default();
    loop {
        let tried = change::restore::<R>(&soft_delete, &asked, request.headers(), &db).await;
        let outcome = attempts.outcome(tried);
        if let Some(()) = outcome.map_err(|error| draft.blamed(error))? {
            break;
        }
    }
    Ok(updated(R::message(Operation::Restore).as_deref()))
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
