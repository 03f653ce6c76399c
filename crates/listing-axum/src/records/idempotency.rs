//! Answers a repeated request with the first answer (d128).

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use chrono::Utc;
use listing::Context;
use sea_orm::sea_query::Value;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult,
    Statement,
};
use serde::{Deserialize, Serialize};

use super::WritableResource;
use super::digest::digest;
use super::hooks::Committed;
use super::write::{Transaction, begin, undone};
use crate::http::{ApiError, read_whole};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The longest key.
const LONGEST_KEY: usize = 255;

/// Whose keys a resource remembers, and for how long. A migration creates its table with
/// [`IdempotencyTable`](listing::migration::IdempotencyTable).
///
/// ```
/// use listing_axum::idempotency::Idempotency;
///
/// #[derive(Debug)]
/// struct User { id: i64 }
///
/// let keys = Idempotency::by(|context| context.get::<User>().map(|user| user.id.to_string()));
/// # let _ = keys;
/// ```
#[derive(Clone, Copy)]
#[must_use = "return it from `WritableResource::idempotency`"]
pub struct Idempotency {
    caller: fn(&Context) -> Option<String>,
    keep: Duration,
}

impl Idempotency {
    /// Remembers keys for 24 hours, separately for each caller that this function names. Keys of callers without a name have no
    /// effect.
    pub fn by(caller: fn(&Context) -> Option<String>) -> Self {
        Self {
            caller,
            keep: Duration::from_secs(24 * 60 * 60),
        }
    }

    /// How long keys are remembered.
    pub fn keep_for(mut self, keep: Duration) -> Self {
        self.keep = keep;
        self
    }
}

impl fmt::Debug for Idempotency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Idempotency")
            .field("keep", &self.keep)
            .finish_non_exhaustive()
    }
}

/// The keys of requests that are being answered by this process.
#[derive(Debug, Clone, Default)]
pub(super) struct UnderWay(Arc<Mutex<HashSet<String>>>);

impl UnderWay {
    fn enter(&self, key: &str) -> Option<Entered> {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.insert(key.to_owned()).then(|| Entered {
            under_way: self.clone(),
            key: key.to_owned(),
        })
    }
}

/// The key of a request that is being answered. Dropping it releases the key.
struct Entered {
    under_way: UnderWay,
    key: String,
}

impl Drop for Entered {
    fn drop(&mut self) {
        let keys = self.under_way.0.lock();
        keys.unwrap_or_else(PoisonError::into_inner)
            .remove(&self.key);
    }
}

/// A write that is carried out once for each key, if its request has a key.
pub(super) struct Once<'a> {
    db: &'a DatabaseConnection,
    key: Option<Key>,
}

/// The digests of a request.
struct Key {
    /// A digest of the caller, the route and the key.
    id: String,
    /// A digest of everything else that was sent.
    request: String,
    keep: i64,
    _entered: Option<Entered>,
}

/// The start of a write.
pub(super) enum Start {
    First(Transaction),
    /// The answer to the first request with this key.
    Again(Response),
}

impl<'a> Once<'a> {
    /// For a method that may be repeated anyway.
    pub(super) fn whenever(db: &'a DatabaseConnection) -> Self {
        Self { db, key: None }
    }

    /// With the key of the request. The request is read completely for it.
    pub(super) async fn of<R: WritableResource>(
        request: Request,
        context: &Context,
        limit: usize,
        db: &'a DatabaseConnection,
    ) -> Result<(Request, Self), ApiError> {
        let sent = request.headers().get(&KEY).cloned();
        let known = sent.and_then(|sent| {
            let idempotency = R::idempotency()?;
            Some((sent, (idempotency.caller)(context)?, idempotency.keep))
        });
        let Some((sent, caller, keep)) = known else {
            return Ok((request, Self::whenever(db)));
        };
        let is_one = request.headers().get_all(&KEY).iter().count() == 1;
        let text = sent.to_str().ok();
        let text = text.filter(|text| is_one && !text.is_empty() && text.len() <= LONGEST_KEY);
        let Some(text) = text else {
            let message = format!(
                "The header `Idempotency-Key` must be one text of 1 to {LONGEST_KEY} ASCII characters."
            );
            return Err(ApiError::Malformed(message));
        };
        let (parts, body) = request.into_parts();
        let bytes = read_whole(body, limit).await?;
        let route = parts.extensions.get::<MatchedPath>();
        let route = route.map_or_else(|| parts.uri.path(), MatchedPath::as_str);
        let id = digest(&[&caller, parts.method.as_str(), route, text].map(str::as_bytes));
        let address = parts.uri.to_string();
        let under_way = parts.extensions.get::<UnderWay>();
        let entered = match under_way.map(|under_way| under_way.enter(&id)) {
            Some(None) => return Err(ApiError::KeyUnderWay),
            entered => entered.flatten(),
        };
        let key = Key {
            request: digest(&[address.as_bytes(), &bytes]),
            id,
            keep: i64::try_from(keep.as_secs()).unwrap_or(i64::MAX),
            _entered: entered,
        };
        let key = Some(key);
        Ok((
            Request::from_parts(parts, Body::from(bytes)),
            Self { db, key },
        ))
    }

    /// Begins the transaction of the write, unless it has been committed before.
    pub(super) async fn start(&self) -> Result<Start, ApiError> {
        let transaction = begin(self.db).await?;
        let Some(key) = &self.key else {
            return Ok(Start::First(transaction));
        };
        let answer = match key.claim(transaction.connection()).await {
            Ok(None) => return Ok(Start::First(transaction)),
            Ok(Some(answer)) => Ok(answer),
            Err(error) => Err(error),
        };
        transaction.close().await;
        answer?.replayed().map(Start::Again)
    }

    /// Commits the write together with its answer.
    pub(super) async fn finish<R: WritableResource, T>(
        &self,
        transaction: Transaction,
        done: Result<(T, Vec<Committed<R>>), ApiError>,
        answer: impl FnOnce(T) -> Response,
    ) -> Result<Response, ApiError> {
        let answered = done.map(|(done, committed)| (answer(done), committed));
        let Some(key) = &self.key else {
            return transaction.finish(answered).await;
        };
        let kept = match answered {
            Ok((response, committed)) => {
                let kept = key.keep(response, transaction.connection()).await;
                kept.map(|response| (response, committed))
            }
            Err(error) => Err(error),
        };
        let response = transaction.finish(kept).await;
        let response = response.map_err(|error| match error {
            // The next request with this key finds out whether it was carried out (b1153).
            ApiError::OutcomeUnknown(error) => ApiError::OutcomeUnknownOnce(error),
            other => other,
        })?;
        key.forget_old(self.db).await;
        Ok(response)
    }
}

impl Key {
    /// Claims the key in this transaction. Returns the earlier answer to the same request, if there is one. Waits for another
    /// transaction that holds the key.
    async fn claim(&self, db: &DatabaseTransaction) -> Result<Option<Answer>, ApiError> {
        // Another request may remove an expired key in the meantime.
        for _ in 0..3 {
            let now = Utc::now().timestamp();
            let insert = match db.get_database_backend() {
                DbBackend::MySql => {
                    "INSERT IGNORE INTO listing_idempotency (id, request, answer, expires_at) VALUES (?, ?, '', ?)"
                }
                _ => {
                    "INSERT INTO listing_idempotency (id, request, answer, expires_at) VALUES ($1, $2, '', $3) \
                     ON CONFLICT DO NOTHING"
                }
            };
            let values = [
                self.id.clone().into(),
                self.request.clone().into(),
                now.saturating_add(self.keep).into(),
            ];
            if execute(db, insert, values).await?.rows_affected() == 1 {
                return Ok(None);
            }
            let select =
                "SELECT request, answer, expires_at FROM listing_idempotency WHERE id = $1";
            let select = statement(db, select, [self.id.clone().into()]);
            let Some(row) = db.query_one_raw(select).await.map_err(undone)? else {
                continue;
            };
            let until: i64 = row.try_get_by_index(2).map_err(undone)?;
            if until <= now {
                let remove = "DELETE FROM listing_idempotency WHERE id = $1 AND expires_at = $2";
                execute(db, remove, [self.id.clone().into(), until.into()]).await?;
                continue;
            }
            let request: String = row.try_get_by_index(0).map_err(undone)?;
            if request != self.request {
                return Err(ApiError::KeyReused);
            }
            let answer: String = row.try_get_by_index(1).map_err(undone)?;
            return serde_json::from_str(&answer)
                .map(Some)
                .map_err(ApiError::internal);
        }
        Err(ApiError::KeyUnderWay)
    }

    /// Stores the answer with the key.
    async fn keep(
        &self,
        response: Response,
        db: &DatabaseTransaction,
    ) -> Result<Response, ApiError> {
        let (parts, body) = response.into_parts();
        let bytes = read_whole(body, usize::MAX).await?;
        let headers = parts.headers.iter();
        let headers = headers.filter_map(|(name, value)| {
            Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
        });
        let answer = Answer {
            status: parts.status.as_u16(),
            headers: headers.collect(),
            body: String::from_utf8(bytes.to_vec()).map_err(ApiError::internal)?,
        };
        let answer = serde_json::to_string(&answer).map_err(ApiError::internal)?;
        let update = "UPDATE listing_idempotency SET answer = $1 WHERE id = $2";
        execute(db, update, [answer.into(), self.id.clone().into()]).await?;
        Ok(Response::from_parts(parts, Body::from(bytes)))
    }

    /// Removes the expired keys of all resources. The write is already committed, so a failure here does not matter.
    async fn forget_old(&self, db: &DatabaseConnection) {
        let now = Utc::now().timestamp();
        let remove = "DELETE FROM listing_idempotency WHERE expires_at <= $1";
        let removed = db.execute_raw(statement(db, remove, [now.into()])).await;
        if let Err(error) = removed {
            tracing::debug!(%error, "expired idempotency keys are still there");
        }
    }
}

/// An answer, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    fn replayed(self) -> Result<Response, ApiError> {
        let mut response = Response::new(Body::from(Bytes::from(self.body)));
        *response.status_mut() = StatusCode::from_u16(self.status).map_err(ApiError::internal)?;
        let headers = response.headers_mut();
        for (name, value) in self.headers {
            let name = HeaderName::try_from(name).map_err(ApiError::internal)?;
            let value = HeaderValue::try_from(value).map_err(ApiError::internal)?;
            headers.append(name, value);
        }
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
        Ok(response)
    }
}

async fn execute<const N: usize>(
    db: &DatabaseTransaction,
    sql: &str,
    values: [Value; N],
) -> Result<ExecResult, ApiError> {
    let done: Result<_, DbErr> = db.execute_raw(statement(db, sql, values)).await;
    done.map_err(undone)
}

/// The statement with its values in order. MySQL numbers its placeholders by itself.
fn statement<const N: usize>(
    db: &impl ConnectionTrait,
    sql: &str,
    values: [Value; N],
) -> Statement {
    let backend = db.get_database_backend();
    let sql = match backend {
        DbBackend::MySql => (1..=N).fold(sql.to_owned(), |sql, at| {
            sql.replace(&format!("${at}"), "?")
        }),
        _ => sql.to_owned(),
    };
    Statement::from_sql_and_values(backend, sql, values)
}
