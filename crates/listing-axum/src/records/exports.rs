//! The addresses of a list's files: `GET /<resources>.csv` and `POST /<resources>/query` with `Accept` (d111).

use axum::extract::Request;
use axum::http::{Method, Version};
use axum::response::Response;
use listing::Format;

use super::access;
use super::handlers::Parts;
use super::resource::{Operation, Resource};
use crate::http::{ApiError, context_of, format_of_accept, format_of_path};
use crate::list::{export_request, file, file_head, file_headers};

/// Marks the list's address for bodies if files can be requested with `Accept`.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByAccept;

/// The format in which a request wants the list, if not as a page.
pub(super) fn wanted(request: &Request) -> Option<Format> {
    let by_body = request.extensions().get::<ByAccept>();
    by_body.and_then(|_| format_of_accept(request.headers()))
}

/// `GET /<resources>.csv`: the format is in the path.
pub(super) async fn by_path<R: Resource, S: Parts>(
    state: &S,
    request: Request,
) -> Result<Response, ApiError> {
    match format_of_path(request.uri()) {
        Some(format) => export::<R, S>(format, state, request).await,
        None => Err(ApiError::NotFound),
    }
}

/// All matching rows, for those who may export.
pub(super) async fn export<R: Resource, S: Parts>(
    format: Format,
    state: &S,
    request: Request,
) -> Result<Response, ApiError> {
    // There, the end of the connection is the end of the file: a proxy would pass on a broken one as a whole one.
    if request.version() < Version::HTTP_11 {
        return Err(ApiError::OldProtocol);
    }
    let context = context_of(&request);
    access::without_record::<R>(Operation::Export, &context, &state.db()).await?;
    let headers = file_headers(R::segment(), format, &context);
    let is_head = request.method() == Method::HEAD;
    let request = export_request(request, &state.listings(), context).await?;
    if is_head {
        return Ok(file_head(headers));
    }
    let reads = state.reads();
    file(headers, |writer| async move {
        let query = listing::ListingQuery::<R::Entity>::all(&request);
        query.export(format, &reads, writer).await
    })
    .await
}
