//! What a caller wants to do, as a resource's decision sees it (d63).

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use listing::Context;
use sea_orm::{DatabaseConnection, DatabaseExecutor};

use super::{ModelOf, Operation, Resource};
use crate::http::{ApiError, Denied};

/// What a caller wants to do, for [`Resource::authorize`] to decide.
pub struct Access<'a, R: Resource> {
    operation: Operation,
    context: &'a Context,
    record: Option<&'a ModelOf<R>>,
    /// A decision that did not look at the record is the same for every record, so no record has to be read for it.
    looked: AtomicBool,
    /// Neither has one to be made for each of several new records, if it did not ask the database.
    asked_db: AtomicBool,
    db: DatabaseExecutor<'a>,
}

impl<'a, R: Resource> Access<'a, R> {
    /// What the caller wants to do.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// What the application knows about the request, such as the current user.
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

    /// The database, for a decision that needs it. A decision about a record that is written is made in the transaction of the
    /// write.
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

/// Decides about new records without the database: whether the decision holds for each of them.
pub(super) async fn without_database<'a, R: Resource>(
    operation: Operation,
    context: &'a Context,
    db: impl Into<DatabaseExecutor<'a>>,
) -> Result<bool, ApiError> {
    let access = Access::<R>::new(operation, context, None, db);
    R::authorize(&access).await?;
    Ok(!access.asked_db.load(Ordering::Relaxed))
}

/// Whether a caller may do this, as far as can be told without a record: what depends on the record may be allowed.
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

/// Decides about one record before it is looked for: 401 if an identity is needed. Whether the decision is final then,
/// whatever the record, is the answer.
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

/// Whether a record has to be read to decide. A refusal needs it too: a record that does not exist is 404, not 403.
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
