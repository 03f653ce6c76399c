//! Builds a [`ListPage`], the body of a list response, from a plan and its rows (d48, contract 4.3).

use super::nest::{Branch, Tells, branches, put_branches, put_count, put_item};
use super::numbers::numbers;
use super::remarks::remarks;
use crate::execute::{Cursors, Rows, Total};
use crate::plan::{Page, Plan};
use crate::render::write_string;
use crate::vocabulary::Layout;

/// A page of rendered items, with everything else in its response.
#[derive(Debug, Clone)]
pub struct ListPage {
    /// The items, as a JSON array.
    items: Vec<u8>,
    count: usize,
    page: Page,
    total: Total,
    cursors: Option<Cursors>,
    filters: Vec<u8>,
    /// The facets and totals, each with the comma before it.
    numbers: Vec<u8>,
    remarks: Vec<u8>,
    layout: Layout,
}

pub(crate) fn list(plan: &Plan<'_>, mut rows: Rows) -> ListPage {
    ListPage {
        count: rows.shown,
        page: plan.page,
        total: rows.total,
        cursors: rows.cursors.take(),
        filters: filters(plan, &rows.labels),
        numbers: match plan.numbers.as_deref().zip(rows.numbers.as_ref()) {
            Some((asked, read)) => numbers(asked, read),
            None => Vec::new(),
        },
        remarks: remarks(plan, &rows),
        layout: plan.layout,
        items: items(plan, rows),
    }
}

impl ListPage {
    /// The number of items on the page.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the page is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The items, as a JSON array.
    #[must_use]
    pub fn items(&self) -> &[u8] {
        &self.items
    }

    /// The number of rows on all pages; `None` if they were not counted. If counting stopped early, there are more.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        match self.total {
            Total::Exact(total) | Total::MoreThan { total, .. } | Total::About { total, .. } => {
                Some(total)
            }
            Total::Unknown { .. } => None,
        }
    }

    /// Whether [`total`](Self::total) is the exact number of rows.
    #[must_use]
    pub fn total_is_exact(&self) -> bool {
        matches!(self.total, Total::Exact(_))
    }

    /// The cursor of the next page, if the page was requested by cursor and there is one.
    #[must_use]
    pub fn next_cursor(&self) -> Option<&str> {
        self.cursors.as_ref()?.next.as_deref()
    }

    /// The cursor of the previous page, if the page was requested by cursor and there is one.
    #[must_use]
    pub fn prev_cursor(&self) -> Option<&str> {
        self.cursors.as_ref()?.previous.as_deref()
    }

    /// The response body.
    #[must_use]
    pub fn body(&self, code: u16, message: Option<&str>, has_pagination: bool) -> Vec<u8> {
        let copies = if self.layout == Layout::Contract {
            2
        } else {
            1
        };
        let told = self.filters.len() + self.numbers.len() + 512;
        let mut body = Vec::with_capacity(self.items.len() * copies + told);
        put_text(&mut body, b"{\"message\":", message);
        put(&mut body, b",\"data\":", &self.items);
        put_number(&mut body, b",\"meta\":{\"code\":", code.into());
        put_text(&mut body, b",\"message\":", message);
        if self.layout == Layout::Contract {
            put(&mut body, b",\"data\":", &self.items);
        }
        put(&mut body, b",\"filters\":", &self.filters);
        if has_pagination {
            self.put_pagination(&mut body);
        }
        body.extend_from_slice(&self.numbers);
        put(&mut body, &self.remarks, b"}}");
        body
    }

    /// d19, d20, d153
    fn put_pagination(&self, body: &mut Vec<u8>) {
        body.extend_from_slice(b",\"pagination\":{");
        match self.page {
            Page::Numbered { page, size } => {
                put_number(body, b"\"page\":", page);
                put_number(body, b",\"pageSize\":", size);
            }
            Page::Offset { start, limit } => {
                put_number(body, b"\"start\":", start);
                put_number(body, b",\"limit\":", limit);
            }
            Page::Cursor { size } => {
                put_number(body, b"\"pageSize\":", size);
                put_text(body, b",\"nextCursor\":", self.next_cursor());
                put_text(body, b",\"prevCursor\":", self.prev_cursor());
            }
        }
        if let Some(total) = self.total() {
            // Clients would take the counted pages for all of them (d153).
            if let Page::Numbered { size, .. } = self.page
                && !matches!(self.total, Total::MoreThan { .. })
            {
                put_number(body, b",\"pageCount\":", total.div_ceil(size));
            }
            put_number(body, b",\"total\":", total);
        }
        if let Total::About { .. } | Total::MoreThan { .. } = self.total {
            body.extend_from_slice(b",\"totalIsExact\":false");
        }
        // Cursors show this by themselves.
        if let Total::About { more, .. } | Total::MoreThan { more, .. } | Total::Unknown { more } =
            self.total
            && self.cursors.is_none()
        {
            put(
                body,
                b",\"hasMore\":",
                if more { b"true" } else { b"false" },
            );
        }
        body.push(b'}');
    }
}

pub(super) fn put(body: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    body.extend_from_slice(name);
    body.extend_from_slice(value);
}

pub(super) fn put_text(body: &mut Vec<u8>, name: &[u8], text: Option<&str>) {
    body.extend_from_slice(name);
    match text {
        Some(text) => write_string(body, text.as_bytes()),
        None => body.extend_from_slice(b"null"),
    }
}

pub(super) fn put_number(body: &mut Vec<u8>, name: &[u8], number: u64) {
    put(body, name, itoa::Buffer::new().format(number).as_bytes());
}

fn items(plan: &Plan<'_>, rows: Rows) -> Vec<u8> {
    if rows.relations.is_empty() && rows.counts.is_empty() && !rows.backwards {
        return rows.page.into_array(rows.shown);
    }
    let branches = branches(&plan.relations, &rows.relations, Tells::InMeta);
    let related: usize = branches.iter().map(Branch::size).sum();
    let named: usize = branches.iter().map(|branch| branch.name.len() + 4).sum();
    let mut items = Vec::with_capacity(rows.page.size() + related + rows.shown * (named + 2) + 2);
    items.push(b'[');
    for (at, row) in rows.in_order().enumerate() {
        if at > 0 {
            items.push(b',');
        }
        rows.page.put_row(row, &mut items, |number, items| {
            put_count(items, rows.counts.get(number), row);
        });
        put_branches(&mut items, row, &branches);
    }
    items.push(b']');
    items
}

/// The item of a page with at most one row, with its relations; `None` if there is no row.
pub(crate) fn item(plan: &Plan<'_>, rows: &Rows) -> Option<Vec<u8>> {
    let row = rows.in_order().next()?;
    let mut item = Vec::with_capacity(rows.page.size() + 2);
    let branches = branches(&plan.relations, &rows.relations, Tells::InMeta);
    put_item(&mut item, rows.page.row(row), row, &branches);
    Some(item)
}

/// The rows of a plan without relations, one by one.
pub(crate) fn plain_items(rows: &Rows) -> impl Iterator<Item = Vec<u8>> {
    rows.in_order().map(|row| {
        let mut item = Vec::new();
        put_item(&mut item, rows.page.row(row), row, &[]);
        item
    })
}

/// d33: one object for each applied value.
pub(super) fn filters(plan: &Plan<'_>, labels: &[Option<Vec<String>>]) -> Vec<u8> {
    // An estimate of the size of one filter.
    const BYTES: usize = 128;
    let mut told = Vec::with_capacity(2 + BYTES * plan.applied.len());
    told.push(b'[');
    for (applied, labels) in plan.applied.iter().zip(labels) {
        for (at, value) in applied.values.iter().enumerate() {
            let label = labels.as_ref().and_then(|labels| labels.get(at));
            let members = [
                (
                    if told.len() > 1 {
                        ",{\"key\":"
                    } else {
                        "{\"key\":"
                    },
                    applied.key,
                ),
                (",\"value\":", value.as_str()),
                (",\"label\":", label.map_or(value.as_str(), String::as_str)),
                (",\"operator\":", applied.operator.wire()),
            ];
            for (name, text) in members {
                told.extend_from_slice(name.as_bytes());
                write_string(&mut told, text.as_bytes());
            }
            if let Some(path) = &applied.path {
                told.extend_from_slice(b",\"path\":");
                write_string(&mut told, path.as_bytes());
            }
            told.push(b'}');
        }
    }
    if let Some(search) = &plan.search {
        let text = search.canonical();
        told.extend_from_slice(if told.len() > 1 { b"," } else { b"" });
        put_text(&mut told, b"{\"key\":\"search\",\"value\":", Some(&text));
        put_text(&mut told, b",\"label\":", Some(&text));
        told.extend_from_slice(b",\"operator\":\"$search\"}");
    }
    told.push(b']');
    told
}
