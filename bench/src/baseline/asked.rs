//! Reads from a query string the few things that a hand-written handler understands.

use serde::Deserialize;

pub(super) const PAGE_SIZE: u64 = 25;

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(rename = "pagination[page]", default = "first")]
    pub(super) page: u64,
    #[serde(rename = "pagination[withCount]", default = "yes")]
    pub(super) with_count: bool,
    #[serde(rename = "filters[author_id][$eq]")]
    pub(super) author_id: Option<i64>,
    pub(super) populate: Option<String>,
}

impl Asked {
    /// ` LIMIT … OFFSET …` as literals: PostgreSQL plans a statement with a bound limit again each time.
    pub(super) fn limit(&self) -> String {
        let limit = PAGE_SIZE + u64::from(!self.with_count);
        match (self.page - 1) * PAGE_SIZE {
            0 => format!(" LIMIT {limit}"),
            offset => format!(" LIMIT {limit} OFFSET {offset}"),
        }
    }
}

fn first() -> u64 {
    1
}

fn yes() -> bool {
    true
}
