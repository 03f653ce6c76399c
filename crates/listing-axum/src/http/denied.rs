//! Why something is refused, as the decisions and hooks of an application say it.

use listing::reply::FieldErrors;
use sea_orm::DbErr;

use super::ApiError;

/// The key of errors that concern the whole record.
pub(crate) const RECORD: &str = "record";

/// Why an operation is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The caller is not known (401).
    #[error("Authentication is required.")]
    Unauthenticated,
    /// The caller may not do this (403).
    #[error("You are not allowed to do this.")]
    Forbidden,
    /// The database did not answer, and the decision depends on it (the status of the database's error).
    #[error("It could not be decided whether this is allowed.")]
    Undecided(#[from] DbErr),
}

impl From<Denied> for ApiError {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Undecided(error) => error.into(),
            denied => Self::Denied(denied),
        }
    }
}

impl ApiError {
    /// 422 with a message about the whole record, for a hook that refuses a change: `Err(ApiError::refused("…"))`.
    pub fn refused(message: impl Into<String>) -> Self {
        Self::Invalid(FieldErrors::from([(
            RECORD.to_owned(),
            vec![message.into()],
        )]))
    }
}
