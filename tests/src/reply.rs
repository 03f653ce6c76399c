//! A response, and what tests want to know about it.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode};
use http_body_util::BodyExt;
use listing::request::RequestError;
use listing::{CheckError, ExecuteError};
use listing_axum::ApiError;
use listing_axum::reply::STATUSES;
use serde_json::{Value, json};

/// A response that was read to its end.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub bytes: Vec<u8>,
}

impl Reply {
    /// Reads a response to its end.
    pub async fn of(response: Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        Self {
            status: parts.status,
            headers: parts.headers,
            bytes,
        }
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error} in {:?}", self.text()))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The same reply, if it is a success.
    #[must_use]
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text());
        self
    }

    /// `error` of the body, if the status is this one.
    #[track_caller]
    pub fn error(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        let json = self.json();
        assert_eq!(json["data"], Value::Null, "an error has no data");
        assert_eq!(json["error"]["status"], status);
        assert_eq!(json["meta"]["code"], status);
        let code = json["error"]["code"].as_str().unwrap();
        assert!(is_listed(code), "{code} is in no list of codes");
        json["error"].clone()
    }

    /// `error.code`, if the status is this one.
    #[track_caller]
    pub fn error_code(&self, status: u16) -> String {
        self.error(status)["code"].as_str().unwrap().to_owned()
    }

    /// `errors` of a 422: the messages by field, which `error.details.errors` must say too.
    #[track_caller]
    pub fn invalid(&self) -> BTreeMap<String, Vec<String>> {
        let error = self.error(422);
        assert_eq!(error["code"], "validation_failed");
        let json = self.json();
        let errors: BTreeMap<String, Vec<String>> =
            serde_json::from_value(json["errors"].clone()).unwrap();
        let list: Vec<Value> = errors
            .iter()
            .flat_map(|(field, texts)| texts.iter().map(move |text| (field, text)))
            .map(|(field, text)| {
                let path: Vec<_> = field.split('.').collect();
                json!({ "path": path, "message": text })
            })
            .collect();
        assert_eq!(error["details"]["errors"], json!(list));
        for (field, texts) in &errors {
            assert!(!texts.is_empty(), "{field}");
            for text in texts {
                // What concerns the whole record names no field.
                let place = field.strip_suffix(".record").unwrap_or(field);
                let is_named = text.starts_with(place) || field == "record";
                assert!(is_named, "{text:?} names {field}");
            }
        }
        errors
    }

    /// The fields that a 422 complains about.
    #[track_caller]
    pub fn invalid_fields(&self) -> Vec<String> {
        self.invalid().into_keys().collect()
    }

    /// The id of a new record, if there is one.
    #[track_caller]
    pub fn created(&self) -> i64 {
        assert_eq!(self.status, StatusCode::CREATED, "{}", self.text());
        self.json()["data"]["id"].as_i64().unwrap()
    }

    /// A header, if it is there.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The items of a list.
    #[track_caller]
    pub fn items(&self) -> Vec<Value> {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text());
        self.json()["data"].as_array().unwrap().clone()
    }

    /// The ids of a list's items, in order.
    #[track_caller]
    pub fn ids(&self) -> Vec<i64> {
        self.items()
            .iter()
            .map(|item| item["id"].as_i64().unwrap())
            .collect()
    }

    /// One key of a list's items, in order.
    #[track_caller]
    pub fn column(&self, key: &str) -> Vec<Value> {
        self.items().iter().map(|item| item[key].clone()).collect()
    }

    /// The keys of a list's first item, in order.
    #[track_caller]
    pub fn keys(&self) -> Vec<String> {
        self.items()[0]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    }

    /// `meta`
    #[track_caller]
    pub fn meta(&self) -> Value {
        self.json()["meta"].clone()
    }

    /// `meta.pagination.total`
    #[track_caller]
    pub fn total(&self) -> u64 {
        let meta = self.meta();
        meta["pagination"]["total"]
            .as_u64()
            .unwrap_or_else(|| panic!("no total in {meta}"))
    }
}

/// Whether the page of errors, which is made from these lists, explains the code.
fn is_listed(code: &str) -> bool {
    let lists = [
        RequestError::CODES,
        CheckError::CODES,
        ExecuteError::CODES,
        ApiError::CODES,
    ];
    let mut codes = lists.into_iter().flatten().map(|known| known.code);
    codes.any(|known| known == code)
        || STATUSES.iter().any(|known| known.code == code)
        // Of a status that only an application knows.
        || code == "error"
}
