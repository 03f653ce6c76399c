//! Finds out which writes a resource has, and decides about them before any record is looked up (d63, d126).

use axum::extract::Request;
use listing::Context;
use sea_orm::DatabaseConnection;

use super::super::access::{self, Settled};
use super::super::resource::{Operation, Resource};
use crate::http::{ApiError, Denied};

/// The operations on single records that use our handlers. A client cannot do with many records what it cannot do with one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Writes(Vec<Operation>);

impl Writes {
    /// The create, update and delete operations for which `is_ours` returns true.
    pub(crate) fn new(is_ours: impl Fn(Operation) -> bool) -> Self {
        let writes = [Operation::Store, Operation::Update, Operation::Destroy];
        Self(writes.into_iter().filter(|write| is_ours(*write)).collect())
    }

    pub(super) fn of(request: &Request) -> Self {
        let known = request.extensions().get::<Self>();
        known.cloned().unwrap_or_default()
    }

    pub(crate) fn has(&self, operation: Operation) -> bool {
        self.0.contains(&operation)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The decision about each of them.
pub(super) struct Decisions(Vec<(Operation, Result<Settled, Denied>)>);

impl Decisions {
    /// 401 if every operation requires a known caller.
    pub(super) async fn of<R: Resource>(
        writes: &Writes,
        context: &Context,
        db: &DatabaseConnection,
    ) -> Result<Self, ApiError> {
        let mut decisions = Vec::new();
        for operation in &writes.0 {
            let decided = match operation {
                Operation::Store => access::without_record::<R>(*operation, context, db)
                    .await
                    .map(|()| Settled::Allowed),
                _ => access::before_record::<R>(*operation, context, db).await,
            };
            decisions.push(match decided {
                Ok(settled) => (*operation, Ok(settled)),
                Err(ApiError::Denied(denied)) => (*operation, Err(denied)),
                Err(error) => return Err(error),
            });
        }
        let mut denied = decisions.iter().map(|(_, decided)| decided);
        if denied.all(|decided| matches!(decided, Err(Denied::Unauthenticated))) {
            return Err(Denied::Unauthenticated.into());
        }
        Ok(Self(decisions))
    }

    /// Whether the resource has this operation.
    pub(super) fn has(&self, operation: Operation) -> bool {
        self.0.iter().any(|(known, _)| *known == operation)
    }

    /// The decision: 401 or 403 if that does not depend on a record.
    pub(super) fn about(&self, operation: Operation) -> Result<Settled, ApiError> {
        match self.0.iter().find(|(known, _)| *known == operation) {
            Some((_, Ok(settled))) => Ok(*settled),
            Some((_, Err(Denied::Unauthenticated))) => Err(Denied::Unauthenticated.into()),
            _ => Err(Denied::Forbidden.into()),
        }
    }
}
