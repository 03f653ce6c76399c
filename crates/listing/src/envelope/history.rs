//! Builds [`HistoryPage`], the body of a response with changes of a record (d131).

use super::list::{put, put_number, put_text};
use crate::plan::Page;

/// A page of a record's changes, newest first.
#[derive(Debug, Clone)]
pub struct HistoryPage {
    changes: Vec<u8>,
    total: u64,
    page: Page,
}

impl HistoryPage {
    /// A page with these changes as a JSON array, and the number of changes on all pages.
    #[must_use]
    pub fn new(changes: Vec<u8>, total: u64, page: Page) -> Self {
        Self {
            changes,
            total,
            page,
        }
    }

    /// The response body.
    #[must_use]
    pub fn body(&self, code: u16, message: Option<&str>) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.changes.len() + 256);
        put_text(&mut body, b"{\"message\":", message);
        put(&mut body, b",\"data\":", &self.changes);
        put_number(&mut body, b",\"meta\":{\"code\":", code.into());
        put_text(&mut body, b",\"message\":", message);
        put_page(&mut body, self.page, self.total);
        body.extend_from_slice(b"}}");
        body
    }
}

/// Writes `,"pagination":{…}` for a page with a counted total.
pub(super) fn put_page(body: &mut Vec<u8>, page: Page, total: u64) {
    match page {
        Page::Numbered { page, size } => {
            put_number(body, b",\"pagination\":{\"page\":", page);
            put_number(body, b",\"pageSize\":", size);
            put_number(body, b",\"pageCount\":", total.div_ceil(size));
        }
        Page::Offset { start, limit } => {
            put_number(body, b",\"pagination\":{\"start\":", start);
            put_number(body, b",\"limit\":", limit);
        }
        Page::Cursor { size } => {
            put_number(body, b",\"pagination\":{\"pageSize\":", size);
        }
    }
    put_number(body, b",\"total\":", total);
    body.push(b'}');
}
