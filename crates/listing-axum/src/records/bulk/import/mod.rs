//! `POST /<resources>/_import`: a file of new records, all of them or none (d119).

mod asked;
mod columns;
mod csv;
mod rows;

use axum::Json;
use axum::extract::{Request, State};
use axum::response::Response;
use listing::reply::FieldErrors;
use sea_orm::{DatabaseTransaction, TransactionTrait};

use self::asked::Asked;
use self::columns::Known;
use self::rows::{Row, Rows};
use super::attempt::{MOST_ERRORS, Whole, placed};
use super::decisions::{Decisions, Writes};
use super::items::{Item, Placed, Sent};
use super::together;
use crate::http::{ApiError, context_of_write, success};
use crate::records::handlers::Parts;
use crate::records::hooks::{Committed, is_told};
use crate::records::payload::Rules;
use crate::records::resource::{Operation, WritableResource};
use crate::records::valid::{integers_as_text, rules};
use crate::records::write::{accept, begin, refusal, undone};
use crate::records::{access, foreign};

/// `POST /<resources>/_import`
pub(in super::super) async fn import<R: WritableResource, S: Parts>(
    State(state): State<S>,
    request: Request,
) -> Result<Response, ApiError> {
    let context = context_of_write(&request);
    let (listings, db) = (state.listings(), state.db());
    access::without_record::<R>(Operation::Import, &context, &db).await?;
    let store = Writes::new(|operation| operation == Operation::Store);
    let decisions = Decisions::of::<R>(&store, &context, &db).await?;
    decisions.about(Operation::Store)?;
    let asked = Asked::by(&request)?;
    let known = Known::of::<R>(&listings);
    let mut rows = Rows::new(request, asked.format, &known, listings.settings())?;
    let as_text = integers_as_text::<R::Entity>(&listings);
    let whole = Whole::<R>::new(&listings, &context, &decisions);
    let mut import = Import {
        whole: &whole,
        rules: rules::<R::Entity, R::Store>(&listings, &as_text, foreign::keys::<R::Entity>),
        is_told: is_told::<R>() && !asked.dry_run,
        count: 0,
        errors: FieldErrors::new(),
        committed: Vec::new(),
    };
    // Other writers must not wait for a client that has not sent anything yet.
    let first = rows.batch().await?;
    let transaction = begin(&db).await?;
    let written = import.write(first, &mut rows, transaction.connection());
    let written = written.await;
    let response = written.map(|()| answered::<R>(import.count, asked.dry_run));
    if asked.dry_run {
        transaction.close().await;
        return response;
    }
    let committed = std::mem::take(&mut import.committed);
    let done = response.map(|response| (response, committed));
    transaction.finish(done).await
}

fn answered<R: WritableResource>(count: u64, dry_run: bool) -> Response {
    let message = R::message(Operation::Import);
    let data = serde_json::json!({ "count": count, "dryRun": dry_run });
    success(message.as_deref(), Json(data), false)
}

/// An import in progress.
struct Import<'a, R: WritableResource> {
    whole: &'a Whole<'a, R>,
    rules: Rules<'a>,
    /// Whether the resource has hooks that run after the commit. Records are only kept for them.
    is_told: bool,
    count: u64,
    errors: FieldErrors,
    committed: Vec<Committed<R>>,
}

impl<R: WritableResource> Import<'_, R> {
    /// Writes all rows. Fails with 422 and up to a hundred messages if some are invalid.
    async fn write(
        &mut self,
        first: Vec<Row>,
        rows: &mut Rows<'_>,
        transaction: &DatabaseTransaction,
    ) -> Result<(), ApiError> {
        let mut batch = first;
        while !batch.is_empty() && self.errors.len() < MOST_ERRORS {
            let items = self.items(batch);
            self.count += u64::try_from(items.len()).unwrap_or_default();
            if self.errors.len() >= MOST_ERRORS {
                break;
            }
            match self.write_together(&items, transaction).await {
                Ok(true) => {}
                Ok(false) if self.write_apart(&items, transaction).await? => {}
                // The errors found so far are reported, although the transaction cannot be used any more.
                Err(error) if self.errors.is_empty() => return Err(error),
                Ok(false) | Err(_) => break,
            }
            batch = rows.batch().await?;
        }
        accept(std::mem::take(&mut self.errors))
    }

    /// Converts the rows to items. Rows that cannot be read are reported as errors.
    fn items(&mut self, rows: Vec<Row>) -> Vec<Placed<'static, R>> {
        let items = rows.into_iter().filter_map(|Row { number, members }| {
            let place = format!("rows.{number}");
            match members {
                Ok(members) => {
                    let item = Item::Create(Sent::read::<R::Store>(members, self.rules));
                    Some(Placed { place, item })
                }
                Err(words) => {
                    if self.errors.len() < MOST_ERRORS {
                        let message = format!("{place} {words}.");
                        self.errors.insert(place, vec![message]);
                    }
                    None
                }
            }
        });
        items.collect()
    }

    /// Whether the items were written with a few statements. Otherwise none of them was.
    async fn write_together(
        &mut self,
        items: &[Placed<'_, R>],
        transaction: &DatabaseTransaction,
    ) -> Result<bool, ApiError> {
        if !together::is_possible(items) {
            return Ok(false);
        }
        let step = transaction.begin().await.map_err(undone)?;
        let written = together::write(items, self.whole, &step).await;
        match written {
            Ok(Some(done)) => {
                step.commit().await.map_err(undone)?;
                let changes = done.into_iter().filter_map(|(_, _, change)| change);
                self.committed.extend(changes.filter(|_| self.is_told));
                Ok(true)
            }
            // The savepoint is gone if the database has rolled back the whole transaction.
            Ok(None) => step.rollback().await.map_err(undone).map(|()| false),
            Err(error) => match step.rollback().await {
                Ok(()) => Ok(false),
                Err(_) => Err(error),
            },
        }
    }

    /// Writes the items one by one, so that each gets its own messages. Returns whether to go on with the next ones.
    async fn write_apart(
        &mut self,
        items: &[Placed<'_, R>],
        transaction: &DatabaseTransaction,
    ) -> Result<bool, ApiError> {
        for Placed { place, item } in items {
            match self.whole.one(item, transaction).await {
                Ok((_, _, change)) => {
                    self.committed.extend(change.filter(|_| self.is_told));
                }
                Err(ApiError::Invalid(wrong)) => self.errors.extend(placed(wrong, place)),
                // The transaction may not be usable any more.
                Err(_) if !self.errors.is_empty() => return Ok(false),
                Err(error) if refusal(&error).is_some() => {
                    return Err(match item.blamed(error, self.whole) {
                        ApiError::Invalid(wrong) => ApiError::Invalid(placed(wrong, place)),
                        error => error,
                    });
                }
                Err(error) => return Err(error),
            }
            if self.errors.len() >= MOST_ERRORS {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
