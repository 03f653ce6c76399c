//! Fits the requested page into the listing's page sizes (d15, d16).

use super::CheckError;
use crate::define::Whitelist;
use crate::request::{AskedPage, Request};
use crate::vocabulary::CountMode;

/// The requested part of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// By number, from 1.
    Numbered {
        /// The page's number.
        page: u64,
        /// The most rows on it.
        size: u64,
    },
    /// By offset, from 0.
    Offset {
        /// The number of rows before it.
        start: u64,
        /// The most rows in it.
        limit: u64,
    },
    /// By cursor: from a row on, or from the first one.
    Cursor {
        /// The most rows on it.
        size: u64,
    },
}

impl Page {
    /// The number of rows before the page. A number that is too large becomes the largest one, because there are no rows there in
    /// either case.
    #[must_use]
    pub fn offset(self) -> u64 {
        match self {
            Self::Numbered { page, size } => page.saturating_sub(1).saturating_mul(size),
            Self::Offset { start, .. } => start,
            Self::Cursor { .. } => 0,
        }
    }

    /// The most rows on the page.
    #[must_use]
    pub fn limit(self) -> u64 {
        match self {
            Self::Numbered { size, .. } | Self::Cursor { size } => size,
            Self::Offset { limit, .. } => limit,
        }
    }

    /// The parameter that sets the number of its rows.
    pub(super) const fn size_parameter(self) -> &'static str {
        match self {
            Self::Numbered { .. } | Self::Cursor { .. } => "pagination[pageSize]",
            Self::Offset { .. } => "pagination[limit]",
        }
    }
}

pub(super) fn within(whitelist: &Whitelist, request: &Request) -> Page {
    match fitted(whitelist, request.page) {
        Page::Numbered { size, .. } if request.cursor.is_some() => Page::Cursor { size },
        page => page,
    }
}

/// The part that is requested without a cursor.
pub(crate) fn fitted(whitelist: &Whitelist, asked: AskedPage) -> Page {
    let size = |asked: Option<u64>| {
        asked
            .unwrap_or(whitelist.page_size)
            .min(whitelist.max_page_size)
    };
    match asked {
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

/// How the total is determined. A client can do without it (d20), and can request an exact one if the listing allows it (d153).
/// It cannot request a total that the listing does not have. Cursors are for lists that are too long to be counted, so pages by
/// cursor have a total only on request.
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
