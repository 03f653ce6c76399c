//! Serves `POST /<resources>/_bulk`: creates, updates and deletes many records with one request, all or none (d126).

mod attempt;
mod by_filter;
mod decisions;
mod import;
mod items;
mod together;
mod upsert;

use axum::Json;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{MethodRouter, post};

use self::attempt::{Whole, Written};
use self::by_filter::{delete_matching, update_matching};
use self::decisions::Decisions;
pub(crate) use self::decisions::Writes;
pub(super) use self::import::import;
pub(super) use self::items::{NAMES, mistakes, operations};
use self::items::{Placed, Reader};
use super::body;
use super::endpoint::{OfMany, only_post};
use super::handlers::Parts;
use super::idempotency::Once;
use super::resource::{Operation, WritableResource};
use super::valid::integers_as_text;
use super::write::{Attempts, refusal};
use crate::http::{ApiError, context_of_write, success};
use crate::list::answer;

/// An endpoint that writes many records: its required operation, the end of its path, and its methods. `_bulk` does not require a
/// particular operation.
pub(super) type Many<S> = (Option<Operation>, &'static str, MethodRouter<S>);

/// The endpoints of a resource that opts in.
pub(super) fn endpoints<R: WritableResource, S: Parts>() -> Vec<Many<S>> {
    if !R::BULK {
        return Vec::new();
    }
    let together: OfMany<S> = |state, request| answer(|| bulk::<R, S>(state, request));
    let update: OfMany<S> = |state, request| answer(|| update_matching::<R, S>(state, request));
    let delete: OfMany<S> = |state, request| answer(|| delete_matching::<R, S>(state, request));
    vec![
        (None, "_bulk", only_post(together)),
        (Some(Operation::Update), "query/update", post(update)),
        (Some(Operation::Destroy), "query/delete", post(delete)),
    ]
}

/// `POST /<resources>/_bulk`
async fn bulk<R: WritableResource, S: Parts>(
    State(state): State<S>,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of_write(&request);
    let (listings, db) = (state.listings(), state.db());
    let writes = Writes::of(&request);
    let decisions = Decisions::of::<R>(&writes, &context, &db).await?;
    let limit = listings.settings().bounds.body_bytes;
    let (request, once) = Once::of::<R>(request, &context, limit, &db).await?;
    let members = body::members(request, limit).await?;
    let as_text = integers_as_text::<R::Entity>(&listings);
    let items = Reader::new(&listings, &as_text, &decisions).read::<R>(members)?;
    let whole = Whole::<R>::new(&listings, &context, &decisions);
    let mut attempts = Attempts::default();
    loop {
        let mut at = 0;
        let answer = |written| answered::<R>(&items.sent, written);
        let tried = attempt::write(&items.placed, &whole, &once, &mut at, answer).await;
        if taken_meanwhile(&tried, &whole).is_some_and(|at| attempts.lost_race(at)) {
            continue;
        }
        let outcome = attempts.outcome_at(at, tried);
        if let Some(response) = outcome.map_err(|error| blamed(error, &items.placed, at, &whole))? {
            return Ok(response);
        }
    }
}

/// The first item of `upsert` whose key is taken: the record may have been created after the lookup, and the next attempt
/// finds it.
fn taken_meanwhile<R: WritableResource>(
    tried: &Result<Response, ApiError>,
    whole: &Whole<'_, R>,
) -> Option<usize> {
    let Err(ApiError::Invalid(errors)) = tried else {
        return None;
    };
    let (key, _) = R::upsert_by()?.taken(whole.store_names);
    errors.keys().find_map(|place| {
        let (at, field) = place.strip_prefix("upsert.")?.split_once('.')?;
        at.parse().ok().filter(|_| field == key)
    })
}

/// Converts a database error to 422 for the item that caused it, if the cause is known.
fn blamed<R: WritableResource>(
    error: ApiError,
    items: &[Placed<'_, R>],
    at: usize,
    whole: &Whole<'_, R>,
) -> ApiError {
    let placed = items.get(at).filter(|_| refusal(&error).is_some());
    let Some(placed) = placed else {
        return error;
    };
    match placed.item.blamed(error, whole) {
        ApiError::Invalid(errors) => ApiError::Invalid(attempt::placed(errors, &placed.place)),
        error => error,
    }
}

/// The results, by the members that were sent and in their order.
fn answered<R: WritableResource>(sent: &[&'static str], written: Vec<Written>) -> Response {
    let mut data = serde_json::Map::new();
    for member in sent {
        data.insert((*member).to_owned(), serde_json::Value::Array(Vec::new()));
    }
    for Written { member, id, result } in written {
        let mut item = serde_json::json!({ "id": id });
        if let Some(result) = result {
            item["result"] = result.into();
        }
        if let Some(items) = data.get_mut(member).and_then(|items| items.as_array_mut()) {
            items.push(item);
        }
    }
    let message = format!("{} saved.", R::titles().many);
    success(&*message, Json(serde_json::Value::from(data)), false)
}
