//! Parses a query string or a JSON body into a [`Request`]: what the client asks for, in the client's own words.

mod brackets;
mod complaint;
mod error;
mod filters;
mod interpret;
mod json;
mod node;
mod pagination;
mod percent;
mod place;
mod quote;
#[cfg(test)]
mod tests;
mod text;

pub use error::{Door, RequestError};
pub use json::parse_json;
pub use quote::Quote;
pub use text::parse_query;

use compact_str::CompactString;

use crate::vocabulary::SortDirection;

/// A list request as the client wrote it: names are not yet resolved, values are not yet typed.
///
/// Names and values are short, and short ones are kept in place: a request is read with few allocations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// `fields`; `None` when it was not sent (or sent empty).
    pub fields: Option<AskedNames>,
    /// `populate`; `None` when it was not sent (or sent empty).
    pub populate: Option<AskedNames>,
    /// `filters`, as a tree so that groups can be added.
    pub filters: AskedFilter,
    /// `search` or `_q`, as sent; `None` when it was not sent (or sent empty).
    pub search: Option<String>,
    /// `sort`, in order; `None` when it was not sent (or sent empty).
    pub sort: Option<Vec<AskedSort>>,
    /// `pagination`
    pub page: AskedPage,
    /// `pagination[cursor]`, empty for the first page; `None` when it was not sent.
    pub cursor: Option<String>,
    /// `pagination[withCount]`; `None` when it was not sent.
    pub with_count: Option<bool>,
    /// `trashed`, read only by listings that allow it; `None` when it was not sent.
    pub trashed: Option<String>,
}

/// Names in a list, or all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedNames {
    /// `*`: everything that is whitelisted.
    All,
    /// These, in order, without repetitions (the first counts, d11).
    These(Vec<CompactString>),
}

/// One node of the tree of filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedFilter {
    /// All of these must hold.
    All(Vec<AskedFilter>),
    /// One operator on one field.
    Compare(AskedComparison),
}

impl Default for AskedFilter {
    fn default() -> Self {
        Self::All(Vec::new())
    }
}

/// `filters[<field>][<operator>]=<values>`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedComparison {
    /// The field, as sent.
    pub field: CompactString,
    /// The operator, as sent; `$eq` for `filters[views]=5`.
    pub operator: CompactString,
    /// The value or values, as sent.
    pub values: AskedValues,
}

/// What stands behind an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedValues {
    /// One scalar.
    One(CompactString),
    /// An array, in the order of its indexes; can be empty only from JSON.
    Many(Vec<CompactString>),
}

/// `<name>[:<direction>]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedSort {
    /// The sort's name, as sent.
    pub name: CompactString,
    /// `asc` where none was sent.
    pub direction: SortDirection,
}

/// Which part of the rows is asked for. Numbers too long for 64 bits stand at the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedPage {
    /// `page` and `pageSize`, or neither; beside a cursor `pageSize` alone.
    Page {
        /// 1 or more; `None` when it was not sent.
        page: Option<u64>,
        /// 1 or more; `None` when it was not sent.
        size: Option<u64>,
    },
    /// `start` and `limit`, at least one of them sent.
    Offset {
        /// 0 or more; `None` when it was not sent.
        start: Option<u64>,
        /// 1 or more; `None` when it was not sent.
        limit: Option<u64>,
    },
}

impl Default for AskedPage {
    fn default() -> Self {
        Self::Page {
            page: None,
            size: None,
        }
    }
}
