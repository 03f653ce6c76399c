//! Fits the requested page into the listing's page sizes (d15, d16).

use super::CheckError;
use crate::define::Whitelist;
use crate::request::{AskedPage, Request};
use crate::vocabulary::CountMode;

/// Which part of the rows is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// By number, from 1.
    Numbered {
        /// The page's number.
        page: u64,
        /// Its rows, at most.
        size: u64,
    },
    /// By offset, from 0.
    Offset {
        /// Rows before it.
        start: u64,
        /// Its rows, at most.
        limit: u64,
    },
    /// By cursor: from a row on, or from the first.
    Cursor {
        /// Its rows, at most.
        size: u64,
    },
}

impl Page {
    /// The number of rows before the page. A number that is too large becomes the largest: there is no row either way.
    #[must_use]
    pub fn offset(self) -> u64 {
        match self {
            Self::Numbered { page, size } => page.saturating_sub(1).saturating_mul(size),
            Self::Offset { start, .. } => start,
            Self::Cursor { .. } => 0,
        }
    }

    /// Rows on the page, at most.
    #[must_use]
    pub fn limit(self) -> u64 {
        match self {
            Self::Numbered { size, .. } | Self::Cursor { size } => size,
            Self::Offset { limit, .. } => limit,
        }
    }

    /// The parameter of the number of its rows.
    pub(super) const fn size_parameter(self) -> &'static str {
        match self {
            Self::Numbered { .. } | Self::Cursor { .. } => "pagination[pageSize]",
            Self::Offset { .. } => "pagination[limit]",
        }
    }
}

pub(super) fn within(whitelist: &Whitelist, request: &Request) -> Page {
    let size = |asked: Option<u64>| {
        asked
            .unwrap_or(whitelist.page_size)
            .min(whitelist.max_page_size)
    };
    match request.page {
        AskedPage::Page { size: asked, .. } if request.cursor.is_some() => {
            Page::Cursor { size: size(asked) }
        }
        AskedPage::Page { page, size: asked } => Page::Numbered {
            page: page.unwrap_or(1),
            size: size(asked),
        },
        AskedPage::Offset { start, limit } => Page::Offset {
            start: start.unwrap_or(0),
            limit: size(limit),
        },
    }
}

/// How the total is found. A client can do without it (d20), and can ask for an exact one where the listing allows it (d153);
/// where the listing has none, it can not ask for one. Cursors are for lists that are too long to be counted, so that with
/// one a total must be asked for.
pub(super) fn count(whitelist: &Whitelist, request: &Request) -> Result<CountMode, CheckError> {
    if request.exact_count {
        return match whitelist.allows_exact_count() {
            true => Ok(CountMode::Exact),
            false => Err(CheckError::no_exact_count()),
        };
    }
    Ok(
        match request.with_count.unwrap_or(request.cursor.is_none()) {
            true => whitelist.counting(),
            false => CountMode::None,
        },
    )
}
