//! Makes success responses from a message and data (contract 4.2 rule 3).

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use listing::reply::{HistoryPage, ListGroups, ListNumbers};
use listing::reply::{ListPage, ShownRecord, message_body, record_body};
use serde::Serialize;

use super::ApiError;

/// Data that [`success`] can return: a page of a list, or anything that serializes to JSON.
pub trait ReplyData {
    /// The response's body.
    ///
    /// # Errors
    /// When the data cannot be serialized.
    fn body(
        &self,
        message: Option<&str>,
        has_pagination: bool,
    ) -> Result<Vec<u8>, serde_json::Error>;
}

impl ReplyData for ListPage {
    fn body(
        &self,
        message: Option<&str>,
        has_pagination: bool,
    ) -> Result<Vec<u8>, serde_json::Error> {
        Ok(Self::body(
            self,
            StatusCode::OK.as_u16(),
            message,
            has_pagination,
        ))
    }
}

impl ReplyData for ListNumbers {
    fn body(&self, message: Option<&str>, _: bool) -> Result<Vec<u8>, serde_json::Error> {
        Ok(Self::body(self, StatusCode::OK.as_u16(), message))
    }
}

impl ReplyData for ListGroups {
    fn body(&self, message: Option<&str>, _: bool) -> Result<Vec<u8>, serde_json::Error> {
        Ok(Self::body(self, StatusCode::OK.as_u16(), message))
    }
}

impl ReplyData for HistoryPage {
    fn body(&self, message: Option<&str>, _: bool) -> Result<Vec<u8>, serde_json::Error> {
        Ok(Self::body(self, StatusCode::OK.as_u16(), message))
    }
}

impl ReplyData for ShownRecord {
    fn body(&self, message: Option<&str>, _: bool) -> Result<Vec<u8>, serde_json::Error> {
        Ok(Self::body(self, StatusCode::OK.as_u16(), message))
    }
}

impl<T: Serialize> ReplyData for axum::Json<T> {
    fn body(&self, message: Option<&str>, _: bool) -> Result<Vec<u8>, serde_json::Error> {
        record_body(StatusCode::OK.as_u16(), message, &self.0)
    }
}

/// `200` with a message and data: a page, or a record as `Json(record)`. Without pagination, `meta` has no pagination block.
#[must_use]
pub fn success<'m>(
    message: impl Into<Option<&'m str>>,
    data: impl ReplyData,
    has_pagination: bool,
) -> Response {
    match data.body(message.into(), has_pagination) {
        Ok(body) => json(StatusCode::OK, body),
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// `201` with a message, the new record's id, and its address.
#[must_use]
pub fn store<'m>(
    message: impl Into<Option<&'m str>>,
    id: &serde_json::Value,
    location: &str,
) -> Response {
    let data = serde_json::json!({ "id": id });
    let mut response = match record_body(StatusCode::CREATED.as_u16(), message.into(), &data) {
        Ok(body) => json(StatusCode::CREATED, body),
        Err(error) => return ApiError::internal(error).into_response(),
    };
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// `200` with only a message.
#[must_use]
pub fn update<'m>(message: impl Into<Option<&'m str>>) -> Response {
    json(
        StatusCode::OK,
        message_body(StatusCode::OK.as_u16(), message.into()),
    )
}

/// `200` with only a message.
#[must_use]
pub fn destroy<'m>(message: impl Into<Option<&'m str>>) -> Response {
    update(message)
}

pub(crate) fn json(status: StatusCode, body: Vec<u8>) -> Response {
    /// Includes the headers that layers add. Otherwise, all headers would be moved to a larger map.
    const HEADERS: usize = 8;
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.reserve(HEADERS);
    let json = HeaderValue::from_static("application/json");
    headers.insert(header::CONTENT_TYPE, json);
    response
}
