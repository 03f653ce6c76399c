//! How much one request may ask for, counted while it is read (d3, d66, d81).

use super::error::{Door, RequestError};
use super::place::Place;
use super::quote::Quote;
use crate::vocabulary::Bounds;

/// Bytes of one name, or of a path of names with dots; names of most databases end at 64 characters. The name of a relation is
/// copied for each sort and each condition below it, so that a long one would take its memory many times (b547).
const LONGEST_NAME: usize = 512;

/// Whether something can have this name.
pub(super) fn check_name(
    name: &str,
    parameter: impl FnOnce() -> Quote,
) -> Result<(), RequestError> {
    if name.len() <= LONGEST_NAME {
        return Ok(());
    }
    Err(RequestError::NameTooLong {
        parameter: parameter(),
        limit: LONGEST_NAME,
    })
}

/// The rest of a request's bounds.
#[derive(Debug)]
pub(super) struct Budget<'b> {
    pub(super) bounds: &'b Bounds,
    /// Values in one list.
    pub(super) values: usize,
    pub(super) door: Door,
    /// Whether `by` and `having` are parameters.
    pub(super) groups: bool,
    /// Whether the request is for a file, which has its own parameters.
    pub(super) exports: bool,
    conditions: usize,
    relations: usize,
}

impl<'b> Budget<'b> {
    pub(super) fn new(bounds: &'b Bounds, door: Door) -> Self {
        Self {
            bounds,
            values: match door {
                Door::Query => bounds.in_values,
                Door::Body => bounds.body_in_values,
            },
            door,
            groups: false,
            exports: false,
            conditions: 0,
            relations: 0,
        }
    }

    /// The same for a request for groups.
    pub(super) fn of_groups(self) -> Self {
        Self {
            groups: true,
            ..self
        }
    }

    /// The same for an export.
    pub(super) fn of_exports(self) -> Self {
        Self {
            exports: true,
            ..self
        }
    }

    /// One more condition.
    pub(super) fn condition(&mut self) -> Result<(), RequestError> {
        self.conditions += 1;
        match self.bounds.conditions {
            limit if self.conditions > limit => Err(RequestError::TooManyConditions { limit }),
            _ => Ok(()),
        }
    }

    /// Counts `count` more relations in `populate`.
    pub(super) fn relations(&mut self, count: usize) -> Result<(), RequestError> {
        self.relations += count;
        match self.bounds.populate_relations {
            limit if self.relations > limit => Err(RequestError::TooManyRelations { limit }),
            _ => Ok(()),
        }
    }

    /// Whether a list of `count` values is allowed.
    pub(super) fn list(&self, count: usize, place: &Place<'_>) -> Result<(), RequestError> {
        if count <= self.values {
            return Ok(());
        }
        Err(RequestError::TooManyValues {
            parameter: place.quote(),
            count,
            limit: self.values,
            door: self.door,
        })
    }

    /// Whether `levels` levels of groups are allowed.
    pub(super) fn nested(&self, levels: usize, place: &Place<'_>) -> Result<(), RequestError> {
        match self.bounds.group_depth {
            limit if levels > limit => Err(RequestError::GroupsTooDeep {
                parameter: place.quote(),
                limit,
            }),
            _ => Ok(()),
        }
    }

    /// Whether `levels` levels of `populate` are allowed.
    pub(super) fn levels(&self, levels: usize, place: &Place<'_>) -> Result<(), RequestError> {
        match self.bounds.populate_depth {
            limit if levels > limit => Err(RequestError::PopulateTooDeep {
                parameter: place.quote(),
                limit,
            }),
            _ => Ok(()),
        }
    }
}
