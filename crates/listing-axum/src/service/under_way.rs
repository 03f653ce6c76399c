//! The body of a response, whose request counts as under way until all of it is on its way.
//!
//! A body can be a stream that is still being made: its connection is not idle, though nothing is being sent at the moment.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};

use super::connections::Busy;

/// The body, until it is dropped.
#[derive(Debug)]
pub(super) struct UnderWay {
    body: Body,
    #[expect(dead_code, reason = "held, not read")]
    busy: Busy,
}

impl UnderWay {
    pub(super) fn new(body: Body, busy: Busy) -> Self {
        Self { body, busy }
    }
}

impl HttpBody for UnderWay {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
