//! Describes an access for the decision of a resource's `authorize` (d63).

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use listing::Context;
use sea_orm::{DatabaseConnection, DatabaseExecutor};

use super::{ModelOf, Operation, Resource};
use crate::http::{ApiError, Denied};

/// The access that [`Resource::authorize`] allows or denies.
pub struct Access<'a, R: Resource> {
    operation: Operation,
    context: &'a Context,
    record: Option<&'a ModelOf<R>>,
    /// If a decision did not look at the record, it is the same for every record, and no record needs to be read.
    looked: AtomicBool,
    /// If it did not query the database either, one decision is enough for several new records.
    asked_db: AtomicBool,
    db: DatabaseExecutor<'a>,
}

impl<'a, R: Resource> Access<'a, R> {
    /// The operation that the caller requests.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The application's data about the request, such as the current user.
    #[must_use]
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// The record; `None` for a list, for a new record, and before the record has been read.
    #[must_use]
    pub fn record(&self) -> Option<&'a ModelOf<R>> {
        self.looked.store(true, Ordering::Relaxed);
        self.record
    }

    /// The database, for decisions that need it. For a record that is being written, this is the transaction of the write.
    #[must_use]
    pub fn db(&self) -> &DatabaseExecutor<'a> {
        self.asked_db.store(true, Ordering::Relaxed);
        &self.db
    }

    fn new(
        operation: Operation,
        context: &'a Context,
        record: Option<&'a ModelOf<R>>,
        db: impl Into<DatabaseExecutor<'a>>,
    ) -> Self {
        Self {
            operation,
            context,
            record,
            looked: AtomicBool::new(false),
            asked_db: AtomicBool::new(false),
            db: db.into(),
        }
    }

    fn has_looked(&self) -> bool {
        self.looked.load(Ordering::Relaxed)
    }
}

impl<R: Resource> fmt::Debug for Access<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access")
            .field("operation", &self.operation)
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}

/// Decides about a list or a new record: 401 or 403.
pub(super) async fn without_record<'a, R: Resource>(
    operation: Operation,
    context: &'a Context,
    db: impl Into<DatabaseExecutor<'a>>,
) -> Result<(), ApiError> {
    let access = Access::<R>::new(operation, context, None, db);
    Ok(R::authorize(&access).await?)
}

/// Decides about new records, or about one that was read. Returns whether the decision was made without the database, which does
/// not have the earlier writes of the same request yet.
pub(super) async fn without_database<'a, R: Resource>(
    operation: Operation,
    context: &'a Context,
    record: Option<&'a ModelOf<R>>,
    db: impl Into<DatabaseExecutor<'a>>,
) -> Result<bool, ApiError> {
    let access = Access::<R>::new(operation, context, record, db);
    R::authorize(&access).await?;
    Ok(!access.asked_db.load(Ordering::Relaxed))
}

/// Whether a caller may do this, as far as it can be decided without a record. If it depends on the record, the answer is yes.
pub(super) async fn may<R: Resource>(
    operation: Operation,
    context: &Context,
    db: &DatabaseConnection,
) -> Result<bool, ApiError> {
    let access = Access::<R>::new(operation, context, None, db);
    match R::authorize(&access).await {
        Ok(()) => Ok(true),
        Err(Denied::Unauthenticated) => Ok(false),
        Err(Denied::Forbidden) => Ok(access.has_looked()),
        Err(undecided @ Denied::Undecided(_)) => Err(undecided.into()),
    }
}

/// Decides about a record before it is looked up: 401 if the caller must be known. Returns whether the decision holds for every
/// record.
pub(super) async fn before_record<'a, R: Resource>(
    operation: Operation,
    context: &'a Context,
    db: impl Into<DatabaseExecutor<'a>>,
) -> Result<Settled, ApiError> {
    let access = Access::<R>::new(operation, context, None, db);
    match R::authorize(&access).await {
        Ok(()) if !access.has_looked() => Ok(Settled::Allowed),
        Ok(()) | Err(Denied::Forbidden) => Ok(Settled::DependsOnRecord),
        Err(denied) => Err(denied.into()),
    }
}

/// Whether the record must be read before deciding. Denials need it as well: a record that does not exist is 404, not 403.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    Allowed,
    DependsOnRecord,
}

/// Decides about one record: 401 or 403.
pub(super) async fn with_record<'a, R: Resource>(
    operation: Operation,
    context: &'a Context,
    record: &'a ModelOf<R>,
    db: impl Into<DatabaseExecutor<'a>>,
) -> Result<(), ApiError> {
    let access = Access::<R>::new(operation, context, Some(record), db);
    Ok(R::authorize(&access).await?)
}
