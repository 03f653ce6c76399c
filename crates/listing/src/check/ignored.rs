//! The names that a list does not have, for `meta.ignored`, or as an error where the project is strict (d7).

use super::CheckError;
use crate::define::Whitelist;
use crate::vocabulary::Complaint;

/// What was asked for and is not there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ignored {
    /// Unknown fields.
    pub fields: Vec<String>,
    /// Unknown sorts.
    pub sort: Vec<String>,
    /// Unknown relations.
    pub populate: Vec<String>,
    /// Unknown parameters.
    pub parameters: Vec<String>,
}

impl Ignored {
    /// More names than this are not echoed.
    const MOST: usize = 20;

    /// Whether nothing was ignored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    pub(super) fn field(&mut self, name: &str) {
        if self.has_room() {
            self.fields.push(Complaint::shorten(name));
        }
    }

    pub(super) fn sort(&mut self, name: &str) {
        if self.has_room() {
            self.sort.push(Complaint::shorten(name));
        }
    }

    pub(super) fn relation(&mut self, name: &str) {
        if self.has_room() {
            self.populate.push(Complaint::shorten(name));
        }
    }

    pub(super) fn parameter(&mut self, name: &str) {
        if self.has_room() {
            self.parameters.push(Complaint::shorten(name));
        }
    }

    fn has_room(&self) -> bool {
        self.count() < Self::MOST
    }

    fn count(&self) -> usize {
        let Self {
            fields,
            sort,
            populate,
            parameters,
        } = self;
        [fields, sort, populate, parameters]
            .iter()
            .map(|names| names.len())
            .sum()
    }

    /// The first ignored name, as an error.
    pub(super) fn refuse(&self, whitelist: &Whitelist) -> Result<(), CheckError> {
        let unknown = |parameter, name: &String, known: Vec<&str>| {
            Err(CheckError::unknown_name(parameter, name, known))
        };
        if let Some(name) = self.fields.first() {
            return unknown("fields", name, whitelist.field_names().collect());
        }
        if let Some(name) = self.populate.first() {
            return unknown("populate", name, whitelist.relation_names().collect());
        }
        if let Some(name) = self.sort.first() {
            return unknown("sort", name, whitelist.sort_names().collect());
        }
        if let Some(name) = self.parameters.first() {
            return Err(CheckError::unknown_parameter(name));
        }
        Ok(())
    }
}
