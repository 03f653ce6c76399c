//! `POST /<resources>/query/update` and `…/query/delete`: changes the records that a filter matches, all of them or none (d127).

use axum::Json;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use listing::reply::FieldErrors;
use listing::{Context, ListingRequest, Listings};
use sea_orm::{
    ActiveModelTrait, DatabaseConnection, DatabaseTransaction, EntityTrait, IntoActiveModel,
    Iterable, PrimaryKeyToColumn, QueryFilter, QueryOrder, QuerySelect,
};
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::access;
use super::super::bind::{PathId, dialect_of};
use super::super::body::{self, Members};
use super::super::change::{Draft, id_in, primary_key, update_taken};
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
        record: &record,
        errors: &FieldErrors::new(),
        links: &[],
        patch: Some(&patch),
        unique: &whole.unique,
        names: whole.update_names,
    };
    let mut attempts = Attempts::default();
    loop {
        let tried = asked.update(&draft, &whole, &once).await;
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
        let tried = asked.delete(&whole, &once).await;
        if let Some(response) = attempts.outcome(tried)? {
            return Ok(response);
        }
    }
}

/// 401 or 403 where that does not depend on a record. The filters of those who may not read the list would tell what is in it.
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

/// Which records are meant, and how many there must be.
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

    /// The records, locked; 409 if their number is another one.
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
        // In one order, so that two of these do not wait for each other.
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

    async fn update<R: WritableResource>(
        &self,
        draft: &Draft<'_, R>,
        whole: &Whole<'_, R>,
        once: &Once<'_>,
    ) -> Result<Response, ApiError> {
        let transaction = match once.start().await? {
            Start::First(transaction) => transaction,
            Start::Again(response) => return Ok(response),
        };
        let updated = self.update_in(draft, whole, transaction.connection()).await;
        let updated = updated.map(|committed| (committed.len(), committed));
        let answer = |count| done::<R>("saved", count);
        once.finish(transaction, updated, answer).await
    }

    async fn update_in<R: WritableResource>(
        &self,
        draft: &Draft<'_, R>,
        whole: &Whole<'_, R>,
        transaction: &DatabaseTransaction,
    ) -> Result<Vec<Committed<R>>, ApiError> {
        let mut committed = Vec::new();
        for row in self.rows(whole, transaction).await? {
            access::with_record::<R>(Operation::Update, whole.context, &row, transaction).await?;
            let id = path_of(&row, whole);
            let asked = whole.asked(&id);
            let updated = update_taken(draft, row, &asked, &NOTHING, transaction).await;
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

    async fn delete<R: WritableResource>(
        &self,
        whole: &Whole<'_, R>,
        once: &Once<'_>,
    ) -> Result<Response, ApiError> {
        let transaction = match once.start().await? {
            Start::First(transaction) => transaction,
            Start::Again(response) => return Ok(response),
        };
        let deleted = self.delete_in(whole, transaction.connection()).await;
        let deleted = deleted.map(|committed| (committed.len(), committed));
        let answer = |count| done::<R>("deleted", count);
        once.finish(transaction, deleted, answer).await
    }

    async fn delete_in<R: WritableResource>(
        &self,
        whole: &Whole<'_, R>,
        transaction: &DatabaseTransaction,
    ) -> Result<Vec<Committed<R>>, ApiError> {
        let mut committed = Vec::new();
        for row in self.rows(whole, transaction).await? {
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
    let key = primary_key::<R>(&row.clone().into_active_model()).unwrap_or_default();
    PathId::of(&id_in::<R>(&key, &whole.asked(&PathId::default())))
}

/// The same messages, which say about which record they are.
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

/// Whether filters say anything: empty groups, however deep, would match every record.
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
