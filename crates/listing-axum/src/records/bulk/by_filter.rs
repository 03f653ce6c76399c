//! Serves `POST /<resources>/query/update` and `…/query/delete`: changes all records that a filter matches, or none (d127).

use axum::Json;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use listing::reply::FieldErrors;
use listing::{Context, ListingRequest, Listings};
use sea_orm::{
    ActiveModelTrait, DatabaseConnection, DatabaseTransaction, EntityTrait, Iterable,
    PrimaryKeyToColumn, QueryFilter, QueryOrder, QuerySelect,
};
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::access;
use super::super::bind::{PathId, dialect_of};
use super::super::body::{self, Members};
use super::super::change::{Draft, id_of_row, update_taken};
use super::super::handlers::Parts;
use super::super::hooks::Committed;
use super::super::idempotency::{Once, Start};
use super::super::payload::Patch;
use super::super::resource::{ActiveModelOf, ModelOf, Operation, WritableResource};
use super::super::returning::NOTHING;
use super::super::valid::{integers_as_text, rules};
use super::super::write::Attempts;
use super::super::{constraint, foreign};
use super::attempt::{Whole, placed};
use super::decisions::{Decisions, Writes};
use super::together;
use crate::http::{ApiError, context_of_write, success};

/// `POST /<resources>/query/update`
pub(super) async fn update_matching<R: WritableResource, S: Parts>(
    State(state): State<S>,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of_write(&request);
    let (listings, db) = (state.listings(), state.db());
    let decisions = decided::<R>(Operation::Update, &context, &db).await?;
    let limit = listings.settings().bounds.body_bytes;
    let (request, once) = Once::of::<R>(request, &context, limit, &db).await?;
    let mut members = body::members(request, limit).await?;
    let set = members.remove("set");
    let asked = Matching::read(
        members,
        "filters`, `set` and `expected",
        &listings,
        &context,
    )?;
    let set: Option<Members> = set.and_then(|set| serde_json::from_str(set.get()).ok());
    let Some(set) = set else {
        let message = "`set` must be an object with the fields to change.".to_owned();
        return Err(ApiError::Malformed(message));
    };
    let as_text = integers_as_text::<R::Entity>(&listings);
    let rules = rules::<R::Entity, R::Update>(&listings, &as_text, foreign::keys::<R::Entity>);
    let patch = Patch::new(set, rules);
    let mut record = ActiveModelOf::<R>::default();
    patch.write::<R::Update>(&mut record);
    let whole = Whole::<R>::new(&listings, &context, &decisions);
    let draft = Draft {
        patch: Some(&patch),
        looks_for_taken: true,
        ..Draft::of(&record, &whole.unique, whole.update_names)
    };
    let mut attempts = Attempts::default();
    loop {
        let tried = asked.write(What::Update(&draft), &whole, &once).await;
        if let Some(response) = attempts.outcome(tried)? {
            return Ok(response);
        }
    }
}

/// `POST /<resources>/query/delete`
pub(super) async fn delete_matching<R: WritableResource, S: Parts>(
    State(state): State<S>,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of_write(&request);
    let (listings, db) = (state.listings(), state.db());
    let decisions = decided::<R>(Operation::Destroy, &context, &db).await?;
    let limit = listings.settings().bounds.body_bytes;
    let (request, once) = Once::of::<R>(request, &context, limit, &db).await?;
    let members = body::members(request, limit).await?;
    let asked = Matching::read(members, "filters` and `expected", &listings, &context)?;
    let whole = Whole::<R>::new(&listings, &context, &decisions);
    let mut attempts = Attempts::default();
    loop {
        let tried = asked.write(What::<R>::Delete, &whole, &once).await;
        if let Some(response) = attempts.outcome(tried)? {
            return Ok(response);
        }
    }
}

/// 401 or 403 if that does not depend on a record. Callers who may not read the list may not filter by it either, because that
/// would reveal its contents.
async fn decided<R: WritableResource>(
    operation: Operation,
    context: &Context,
    db: &DatabaseConnection,
) -> Result<Decisions, ApiError> {
    access::without_record::<R>(Operation::Index, context, db).await?;
    let writes = Writes::new(|known| known == operation);
    let decisions = Decisions::of::<R>(&writes, context, db).await?;
    decisions.about(operation)?;
    Ok(decisions)
}

fn done<R: WritableResource>(verb: &str, count: usize) -> Response {
    let message = format!("{} {verb}.", R::titles().many);
    success(
        &*message,
        Json(serde_json::json!({ "count": count })),
        false,
    )
}

/// The write to perform on the records.
enum What<'w, R: WritableResource> {
    Update(&'w Draft<'w, R>),
    Delete,
}

impl<R: WritableResource> What<'_, R> {
    fn verb(&self) -> &'static str {
        match self {
            Self::Update(_) => "saved",
            Self::Delete => "deleted",
        }
    }
}

impl<R: WritableResource> Clone for What<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: WritableResource> Copy for What<'_, R> {}

/// The filters that select the records, and their expected number.
struct Matching {
    request: ListingRequest,
    expected: usize,
    most: u64,
}

impl Matching {
    fn read(
        mut members: Members,
        known: &str,
        listings: &Listings,
        context: &Context,
    ) -> Result<Self, ApiError> {
        let filters = members.remove("filters");
        let expected = members.remove("expected");
        if let Some(key) = members.keys().next() {
            let key: String = key.chars().take(80).collect();
            let message =
                format!("`{key}` is not a member of this request; its members are `{known}`.");
            return Err(ApiError::Malformed(message));
        }
        let filters = filters.filter(|filters| has_condition(filters));
        let filters = filters.ok_or(ApiError::FiltersMissing)?;
        let expected: Option<usize> =
            expected.and_then(|expected| serde_json::from_str(expected.get()).ok());
        let Some(expected) = expected else {
            let message = "`expected` must be the number of records that the filters match.";
            return Err(ApiError::Malformed(message.to_owned()));
        };
        let most = listings.settings().bounds.bulk_matches;
        if u64::try_from(expected).is_ok_and(|expected| expected > most) {
            return Err(ApiError::TooManyRecords { most });
        }
        let body = format!("{{\"filters\":{}}}", filters.get());
        let request = ListingRequest::from_json(listings, body.as_bytes())?;
        Ok(Self {
            request: request.with_context(context.clone()),
            expected,
            most,
        })
    }

    /// The records, locked; 409 if their number differs from the expected one.
    async fn rows<R: WritableResource>(
        &self,
        whole: &Whole<'_, R>,
        transaction: &DatabaseTransaction,
    ) -> Result<Vec<ModelOf<R>>, ApiError> {
        let dialect = dialect_of(transaction)?;
        let matches = self.request.matching::<R::Entity>(dialect)?;
        let select = whole
            .listings
            .readable::<R::Entity>(R::Entity::find(), dialect)?;
        let mut select = select.filter(matches).limit(self.most.saturating_add(1));
        // In a fixed order, so that two such requests cannot deadlock.
        for key in <R::Entity as EntityTrait>::PrimaryKey::iter() {
            select = select.order_by_asc(key.into_column());
        }
        let rows = select.lock_exclusive().all(transaction).await?;
        let (most, found) = (self.most, u64::try_from(rows.len()).unwrap_or(u64::MAX));
        if found > most {
            return Err(ApiError::TooManyRecords { most });
        }
        if rows.len() != self.expected {
            let expected = u64::try_from(self.expected).unwrap_or(u64::MAX);
            return Err(ApiError::OtherNumber { found, expected });
        }
        Ok(rows)
    }

    /// Writes all of them, together if possible, otherwise one by one.
    async fn write<R: WritableResource>(
        &self,
        what: What<'_, R>,
        whole: &Whole<'_, R>,
        once: &Once<'_>,
    ) -> Result<Response, ApiError> {
        let mut apart = false;
        loop {
            let transaction = match once.start().await? {
                Start::First(transaction) => transaction,
                Start::Again(response) => return Ok(response),
            };
            let written = self.write_in(what, apart, whole, transaction.connection());
            let Some(written) = written.await.transpose() else {
                transaction.close().await;
                apart = true;
                continue;
            };
            let written = written.map(|committed| (committed.len(), committed));
            let answer = |count| done::<R>(what.verb(), count);
            return once.finish(transaction, written, answer).await;
        }
    }

    /// `None` if they cannot be written together.
    async fn write_in<R: WritableResource>(
        &self,
        what: What<'_, R>,
        apart: bool,
        whole: &Whole<'_, R>,
        transaction: &DatabaseTransaction,
    ) -> Result<Option<Vec<Committed<R>>>, ApiError> {
        let rows = self.rows(whole, transaction).await?;
        let written = match (what, apart) {
            (What::Update(draft), true) => {
                let written = self.update_apart(rows, draft, whole, transaction);
                return written.await.map(Some);
            }
            (What::Delete, true) => {
                return self.delete_apart(rows, whole, transaction).await.map(Some);
            }
            (What::Update(draft), false) => {
                if !together::may(Operation::Update, &rows, whole, transaction).await? {
                    return Ok(None);
                }
                let turns = rows.into_iter().map(|row| (row, draft)).collect();
                together::update(turns, whole, transaction).await
            }
            (What::Delete, false) => {
                if !together::may(Operation::Destroy, &rows, whole, transaction).await? {
                    return Ok(None);
                }
                together::delete(rows, whole, transaction).await
            }
        };
        // When they are written one by one, each gets its own messages.
        let written = written.ok().flatten();
        Ok(written.map(|done| {
            done.into_iter()
                .filter_map(|(_, _, change)| change)
                .collect()
        }))
    }

    async fn update_apart<R: WritableResource>(
        &self,
        rows: Vec<ModelOf<R>>,
        draft: &Draft<'_, R>,
        whole: &Whole<'_, R>,
        transaction: &DatabaseTransaction,
    ) -> Result<Vec<Committed<R>>, ApiError> {
        let mut committed = Vec::new();
        for row in rows {
            access::with_record::<R>(Operation::Update, whole.context, &row, transaction).await?;
            let id = path_of(&row, whole);
            let asked = whole.asked(&id);
            let updated = update_taken(draft, (row, None), &asked, &NOTHING, transaction).await;
            let (_, change) = updated.map_err(|error| match draft.blamed(error) {
                ApiError::Invalid(errors) => {
                    ApiError::Invalid(of_record(placed(errors, "set"), &id))
                }
                error => error,
            })?;
            committed.push(change);
        }
        Ok(committed)
    }

    async fn delete_apart<R: WritableResource>(
        &self,
        rows: Vec<ModelOf<R>>,
        whole: &Whole<'_, R>,
        transaction: &DatabaseTransaction,
    ) -> Result<Vec<Committed<R>>, ApiError> {
        let mut committed = Vec::new();
        for row in rows {
            let id = path_of(&row, whole);
            let deleted = whole.delete(&id, &HeaderMap::new(), transaction).await;
            committed.push(
                deleted.map_err(|error| match constraint::of_deletion(error) {
                    ApiError::Invalid(errors) => ApiError::Invalid(of_record(errors, &id)),
                    error => error,
                })?,
            );
        }
        Ok(committed)
    }
}

fn path_of<R: WritableResource>(row: &ModelOf<R>, whole: &Whole<'_, R>) -> PathId {
    PathId::of(&id_of_row::<R>(row, &whole.asked(&PathId::default())))
}

/// The same messages, each with the id of its record.
fn of_record(errors: FieldErrors, id: &PathId) -> FieldErrors {
    let Ok(id) = id.text() else { return errors };
    let told = errors.into_iter().map(|(field, messages)| {
        let messages = messages.into_iter();
        let messages = messages.map(|message| match message.strip_suffix('.') {
            Some(words) => format!("{words} (record {id})."),
            None => format!("{message} (record {id})"),
        });
        (field, messages.collect())
    });
    told.collect()
}

/// Whether filters contain a condition: empty groups, however deeply nested, would match every record.
fn has_condition(filters: &RawValue) -> bool {
    fn inside(value: &Value) -> bool {
        match value {
            Value::Array(items) => items.iter().any(inside),
            Value::Object(members) => members.values().any(inside),
            Value::Null => false,
            _ => true,
        }
    }
    serde_json::from_str(filters.get()).is_ok_and(|filters| inside(&filters))
}
