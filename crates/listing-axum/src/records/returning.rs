//! Answers a write with the record as it is now, where the client prefers that (d122).

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use listing::reply::ShownRecord;
use listing::{Listings, RecordRequest, Trashed};
use sea_orm::DatabaseTransaction;

use super::access::{self, Settled};
use super::bind::Asked;
use super::resource::{Operation, Resource};
use super::row::Row;
use crate::http::{ApiError, Denied, etag, json};

const PREFER: HeaderName = HeaderName::from_static("prefer");
const APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// The answer to a write: the record as `show` would return it, or the contract's message.
pub(super) struct Returning(Option<RecordRequest>);

/// The contract's message, whatever the client prefers.
pub(super) static NOTHING: Returning = Returning(None);

impl Returning {
    /// The request's preferences. `fields` and `populate` select parts of the record, as when it is read.
    pub(super) fn asked_by(request: &Request, listings: &Listings) -> Result<Self, ApiError> {
        if !prefers_record(request.headers()) {
            return Ok(Self(None));
        }
        let query = request.uri().query().unwrap_or_default();
        Ok(Self(Some(RecordRequest::from_query(listings, query)?)))
    }

    /// The parts of the record that the response contains.
    pub(super) fn request(&self) -> Option<&RecordRequest> {
        self.0.as_ref()
    }

    /// The record, read in the transaction that wrote it, if its row is not at hand. `None` if it was not requested, or if this caller may not see it; the
    /// write has succeeded anyway.
    pub(super) async fn read<R: Resource>(
        &self,
        asked: &Asked<'_>,
        row: Option<&Row<'_>>,
        transaction: &DatabaseTransaction,
    ) -> Result<Option<ShownRecord>, ApiError> {
        let Some(fields) = &self.0 else {
            return Ok(None);
        };
        match may_see::<R>(asked, transaction).await {
            Ok(()) => {}
            Err(
                ApiError::Denied(Denied::Forbidden | Denied::Unauthenticated) | ApiError::NotFound,
            ) => return Ok(None),
            Err(error) => return Err(error),
        }
        if let Some(row) = row.filter(|row| row.has_shown()) {
            return row.shown(Trashed::Without);
        }
        let key = asked.key::<R::Entity>()?;
        let shown = asked.listings.record_as::<R::Entity>(
            &key,
            fields,
            asked.context,
            Trashed::Without,
            transaction,
        );
        Ok(shown.await?)
    }
}

async fn may_see<R: Resource>(
    asked: &Asked<'_>,
    transaction: &DatabaseTransaction,
) -> Result<(), ApiError> {
    match access::before_record::<R>(Operation::Show, asked.context, transaction).await? {
        Settled::Allowed => Ok(()),
        Settled::DependsOnRecord => {
            let found = asked.find::<R::Entity>(transaction, Trashed::Without);
            let record = found.await?;
            access::with_record::<R>(Operation::Show, asked.context, &record, transaction).await
        }
    }
}

/// The record with its tag.
pub(super) fn returned(status: StatusCode, message: Option<&str>, shown: &ShownRecord) -> Response {
    let tag = etag::etag(&shown.content());
    let mut response = json(status, shown.body(status.as_u16(), message));
    let headers = response.headers_mut();
    headers.insert(header::ETAG, etag::header(&tag));
    headers.insert(APPLIED, HeaderValue::from_static("return=representation"));
    response
}

/// `Prefer: return=representation` (RFC 7240). The first preference of a name counts.
fn prefers_record(headers: &HeaderMap) -> bool {
    let values = headers.get_all(PREFER).into_iter();
    let preferences = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    let mut returns = preferences.filter_map(|preference| {
        let (name, value) = preference.split(';').next()?.split_once('=')?;
        let is_it = name.trim().eq_ignore_ascii_case("return");
        is_it.then(|| value.trim().trim_matches('"'))
    });
    returns
        .next()
        .is_some_and(|value| value.eq_ignore_ascii_case("representation"))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{PREFER, prefers_record};

    /// Rule d122.
    #[test]
    fn the_first_preference_for_an_answer_counts() {
        for (values, wanted) in [
            (&["return=representation"][..], true),
            (&["Return=\"representation\""], true),
            (&["respond-async, return=representation; x=1"], true),
            (&["wait=10", " return = representation "], true),
            (&["return=minimal"], false),
            (&["return=minimal, return=representation"], false),
            (&["representation"], false),
            (&[], false),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(PREFER, HeaderValue::from_static(value));
            }
            assert_eq!(prefers_record(&headers), wanted, "{values:?}");
        }
    }
}
