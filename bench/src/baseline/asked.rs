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
    #[serde(rename = "filters[$or][0][author_id][$eq]")]
    pub(super) or_author_id: Option<i64>,
    #[serde(rename = "filters[$or][1][views][$gte]", default)]
    pub(super) or_views: i32,
    #[serde(rename = "filters[author][country][$eq]")]
    pub(super) author_country: Option<String>,
    pub(super) search: Option<String>,
    pub(super) sort: Option<String>,
    /// How many rows are before the page in the order of the authors' names.
    pub(super) after: Option<u64>,
    pub(super) populate: Option<String>,
    #[serde(rename = "populate[author][populate][articles][pagination][limit]")]
    pub(super) articles_of_author: Option<u64>,
}

/// The part of the rows that a page shows; all of them by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Window {
    pub(super) limit: u64,
    pub(super) offset: u64,
}

impl Asked {
    /// One row more than the page has, where nobody counts them all, tells whether there is a next page.
    pub(super) fn window(&self) -> Window {
        Window {
            limit: PAGE_SIZE + u64::from(!self.with_count),
            offset: (self.page - 1) * PAGE_SIZE,
        }
    }

    /// The window as literals.
    pub(super) fn limit(&self) -> String {
        match self.window() {
            Window { limit, offset: 0 } => format!(" LIMIT {limit}"),
            Window { limit, offset } => format!(" LIMIT {limit} OFFSET {offset}"),
        }
    }
}

fn first() -> u64 {
    1
}

fn yes() -> bool {
    true
}
