//! Gives list responses a tag and answers 304 to clients that already have them (b99).

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

use super::routes::HandlerFuture;
use crate::http::{ApiError, etag};

/// A handler with tags. A layer would do the same, and cost every request a few boxes more.
#[derive(Clone)]
pub(crate) struct Tagged<H>(pub(crate) H);

impl<H, T, S> Handler<(T,), S> for Tagged<H>
where
    H: Handler<T, S> + Clone,
    T: 'static,
    S: Send + 'static,
{
    type Future = HandlerFuture;

    fn call(self, request: Request, state: S) -> Self::Future {
        let seen = request.headers().get_all(header::IF_NONE_MATCH);
        let seen: Vec<HeaderValue> = seen.iter().cloned().collect();
        let answer = self.0.call(request, state);
        Box::pin(async move { tag(answer.await, &seen).await })
    }
}

/// The tag is weak: the same list may be sent in several encodings.
async fn tag(response: Response, seen: &[HeaderValue]) -> Response {
    let is_whole = response.body().size_hint().exact().is_some();
    if response.status() != StatusCode::OK
        || !is_whole
        || response.headers().contains_key(header::ETAG)
    {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // The body is one buffer already: nothing is copied.
    let body = match body.collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return ApiError::internal(error).into_response(),
    };
    let tag = etag::weak_etag(&body);
    parts.headers.insert(header::ETAG, etag::header(&tag));
    parts
        .headers
        .entry(header::CACHE_CONTROL)
        .or_insert_with(etag::cache_control);
    if etag::names(seen, &tag) == Some(true) {
        return etag::unchanged(parts.headers);
    }
    Response::from_parts(parts, Body::from(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b101.
    #[tokio::test]
    async fn what_has_a_tag_of_its_own_and_what_is_an_error_stay_as_they_are() {
        let everything = [HeaderValue::from_static("*")];
        let own = Response::builder()
            .header(header::ETAG, "\"own\"")
            .body(Body::from("[]"))
            .unwrap();
        let own = tag(own, &everything).await;
        assert_eq!(own.status(), StatusCode::OK);
        assert_eq!(own.headers()[header::ETAG], "\"own\"");
        assert!(!own.headers().contains_key(header::CACHE_CONTROL));
        let wrong = Response::builder()
            .status(StatusCode::BAD_REQUEST)
            .body(Body::from("{}"))
            .unwrap();
        let wrong = tag(wrong, &everything).await;
        assert_eq!(wrong.status(), StatusCode::BAD_REQUEST);
        assert!(!wrong.headers().contains_key(header::ETAG));
    }
}
