//! What a caller wants to do, as a resource's decision sees it (d63).

use std::cell::Cell;
use std::fmt;

use listing::Context;

use super::{ModelOf, Operation, Resource};
use crate::http::{ApiError, Denied};

/// What a caller wants to do, for [`Resource::authorize`] to decide.
pub struct Access<'a, R: Resource> {
    operation: Operation,
    context: &'a Context,
    record: Option<&'a ModelOf<R>>,
    /// A decision that did not look at the record is the same for every record, so that none has to be read for it.
    looked: Cell<bool>,
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

    /// The record; none for a list and for a new record, and none before a record has been looked for.
    #[must_use]
    pub fn record(&self) -> Option<&'a ModelOf<R>> {
        self.looked.set(true);
        self.record
    }

    fn new(operation: Operation, context: &'a Context, record: Option<&'a ModelOf<R>>) -> Self {
        Self {
            operation,
            context,
            record,
            looked: Cell::new(false),
        }
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
pub(super) fn without_record<R: Resource>(
    operation: Operation,
    context: &Context,
) -> Result<(), ApiError> {
    Ok(R::authorize(&Access::new(operation, context, None))?)
}

/// Whether a caller may do this, as far as can be told without a record: what depends on the record may be allowed.
pub(super) fn may<R: Resource>(operation: Operation, context: &Context) -> bool {
    let access = Access::<R>::new(operation, context, None);
    match R::authorize(&access) {
        Ok(()) => true,
        Err(Denied::Unauthenticated) => false,
        Err(Denied::Forbidden) => access.looked.get(),
    }
}

/// Decides about one record before it is looked for: 401 where an identity is needed. Whether the decision is final then,
/// whatever the record, is the answer.
pub(super) fn before_record<R: Resource>(
    operation: Operation,
    context: &Context,
) -> Result<Settled, ApiError> {
    let access = Access::<R>::new(operation, context, None);
    match R::authorize(&access) {
        Err(Denied::Unauthenticated) => Err(Denied::Unauthenticated.into()),
        Ok(()) if !access.looked.get() => Ok(Settled::Allowed),
        Ok(()) | Err(Denied::Forbidden) => Ok(Settled::DependsOnRecord),
    }
}

/// Whether a record has to be read to decide. A refusal needs it too: a record that does not exist is 404, not 403.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    Allowed,
    DependsOnRecord,
}

/// Decides about one record: 401 or 403.
pub(super) fn with_record<R: Resource>(
    operation: Operation,
    context: &Context,
    record: &ModelOf<R>,
) -> Result<(), ApiError> {
    Ok(R::authorize(&Access::new(
        operation,
        context,
        Some(record),
    ))?)
}
