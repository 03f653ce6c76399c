//! The handlers of a resource's endpoints that read: its list and its records (d49–d51, d53).

use axum::extract::{FromRef, Request, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use listing::entity::EntityId;
use listing::reply::ShownRecord;
use listing::{Listings, ReadPool, RecordRequest, Trashed};
use sea_orm::{DatabaseConnection, DatabaseTransaction};

use super::access::{self, Settled};
use super::bind::{Asked, PathId};
use super::exports;
use super::resource::{Operation, Resource};
use super::write;
use crate::http::{ApiError, context_of, etag, success};
use crate::list::list_request;

/// The parts of the router's state that the handlers need.
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
    if let Some(format) = exports::wanted(&request) {
        // In a box, for which lists do not pay.
        return Box::pin(exports::export::<R, S>(format, state, request)).await;
    }
    let context = context_of(&request);
    access::without_record::<R>(Operation::Index, &context, &state.db()).await?;
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
    let (listings, db) = (state.listings(), state.db());
    let settled = access::before_record::<R>(Operation::Show, &context, &db).await?;
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
        // The decision sees the same record that is shown: both are read from one snapshot.
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
    let key = asked.key::<R::Entity>()?;
    let record = asked.find::<R::Entity>(snapshot, Trashed::Without).await?;
    access::with_record::<R>(Operation::Show, asked.context, &record, snapshot).await?;
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

/// `GET` of a table's list, which everyone may read.
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
