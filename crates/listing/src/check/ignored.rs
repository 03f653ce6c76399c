//! Records unknown names for `meta.ignored`, or refuses them where the project is strict (d7).

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
}

impl Ignored {
    /// More names than this are not echoed.
    const MOST: usize = 20;

    /// Whether nothing was ignored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.sort.is_empty() && self.populate.is_empty()
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

    fn has_room(&self) -> bool {
        self.fields.len() + self.sort.len() + self.populate.len() < Self::MOST
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
        Ok(())
    }
}
