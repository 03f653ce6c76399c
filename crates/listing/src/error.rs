//! One error type for all stages.

use crate::check::CheckError;
use crate::execute::ExecuteError;
use crate::request::RequestError;
use crate::vocabulary::Complaint;

/// Why a list request was not answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not a list request.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The request does not pass the whitelist.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The database did not answer.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    /// The entity's listing was not added to the application's listings.
    #[error(
        "the listing of `{entity}` was not added: call `.add::<{entity}>()` on the builder of `Listings`"
    )]
    NotAdded {
        /// The entity.
        entity: &'static str,
    },
    /// The application's own query gives something else than rows of the entity.
    #[error(
        "the query before `.listing(..)` has {clause}: pages and counts would be wrong; put it into a sub-query of a condition"
    )]
    NotPlain {
        /// The clause.
        clause: &'static str,
    },
}

impl Error {
    /// The message for the client, if the mistake is its own.
    #[must_use]
    pub fn complaint(&self) -> Option<Complaint> {
        match self {
            Self::Request(error) => Some(error.complaint()),
            Self::Check(error) => Some(error.complaint()),
            Self::Execute(error) => error.complaint(),
            Self::NotAdded { .. } | Self::NotPlain { .. } => None,
        }
    }
}
