//! Reports every mistake in the definitions at once, each with its listing, its name and the remedy (d40).

use std::fmt;

use super::HasListing;

/// One mistake in a definition, found at start-up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{listing}: {place} `{name}`: {problem}; {remedy}")]
#[non_exhaustive]
pub struct DefinitionError {
    /// The listing's type.
    pub listing: String,
    /// The definition: `field`, `relation`, `filter`, `sort`, `key`, `soft_delete`, `column`, `paging`, `settings`, `route`.
    pub place: &'static str,
    /// The name that is wrong.
    pub name: String,
    /// The mistake.
    pub problem: String,
    /// The remedy.
    pub remedy: String,
}

impl DefinitionError {
    /// A mistake in the listing of an entity, for code that builds on listings.
    #[must_use]
    pub fn of<E: HasListing>(place: &'static str, name: &str, problem: &str, remedy: &str) -> Self {
        let listing = short_name(std::any::type_name::<E::Listing>());
        Self::new(listing, place, name, problem, remedy)
    }

    /// A mistake in a listing with this name, for code that builds on listings.
    #[must_use]
    pub fn new(
        listing: &str,
        place: &'static str,
        name: &str,
        problem: &str,
        remedy: &str,
    ) -> Self {
        Self {
            listing: listing.to_owned(),
            place,
            name: name.to_owned(),
            problem: problem.to_owned(),
            remedy: remedy.to_owned(),
        }
    }
}

/// A type's name without its module; that of an entity with its own, since every one is called `Entity`.
pub(super) fn short_name(path: &'static str) -> &'static str {
    let begin = |path: &str| path.rfind("::").map_or(0, |at| at + "::".len());
    let at = begin(path);
    if &path[at..] != "Entity" || at == 0 {
        return &path[at..];
    }
    &path[begin(&path[..at - "::".len()])..]
}

/// Every mistake in every definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionErrors(pub Vec<DefinitionError>);

impl fmt::Display for DefinitionErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        write!(
            f,
            "{count} mistake{} in listing definitions:",
            if count == 1 { "" } else { "s" }
        )?;
        for error in &self.0 {
            write!(f, "\n  - {error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for DefinitionErrors {}
