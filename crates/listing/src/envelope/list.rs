//! In: a plan and its rows. Out: a [`ListPage`], which becomes the body of a list response (d48, contract 4.3).

use serde_json::json;

use crate::execute::{Cursors, RelationRows, Rows, Total, parent_key};
use crate::plan::{Page, Plan, RelationPlan};
use crate::vocabulary::Layout;

/// A page of items, rendered, with everything that its response tells about it.
#[derive(Debug, Clone)]
pub struct ListPage {
    /// The items, as a JSON array.
    items: Vec<u8>,
    count: usize,
    page: Page,
    total: Total,
    cursors: Option<Cursors>,
    filters: Vec<u8>,
    relations: Option<Vec<u8>>,
    ignored: Option<Vec<u8>>,
    layout: Layout,
}

pub(crate) fn list(plan: &Plan<'_>, rows: &Rows) -> ListPage {
    ListPage {
        items: items(plan, rows),
        count: rows.shown,
        page: plan.page,
        total: rows.total,
        cursors: rows.cursors.clone(),
        filters: filters(plan, rows),
        relations: relations(plan, rows),
        ignored: ignored(plan),
        layout: plan.layout,
    }
}

impl ListPage {
    /// How many items the page has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the page has no item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The items, as a JSON array.
    #[must_use]
    pub fn items(&self) -> &[u8] {
        &self.items
    }

    /// How many rows there are on all pages; none where they were not counted.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        match self.total {
            Total::Exact(total) | Total::About { total, .. } => Some(total),
            Total::Unknown { .. } => None,
        }
    }

    /// Whether there are exactly so many rows.
    #[must_use]
    pub fn total_is_exact(&self) -> bool {
        matches!(self.total, Total::Exact(_))
    }

    /// The cursor to the next page, if the page was asked for by cursor and there is one.
    #[must_use]
    pub fn next_cursor(&self) -> Option<&str> {
        self.cursors.as_ref()?.next.as_deref()
    }

    /// The cursor to the page before, if the page was asked for by cursor and there is one.
    #[must_use]
    pub fn prev_cursor(&self) -> Option<&str> {
        self.cursors.as_ref()?.previous.as_deref()
    }

    /// The body of a list response.
    #[must_use]
    pub fn body(&self, code: u16, message: Option<&str>, has_pagination: bool) -> Vec<u8> {
        let message = json!(message).to_string();
        let copies = if self.layout == Layout::Contract {
            2
        } else {
            1
        };
        let mut body = Vec::with_capacity(self.items.len() * copies + self.filters.len() + 512);
        put(&mut body, b"{\"message\":", message.as_bytes());
        put(&mut body, b",\"data\":", &self.items);
        put(
            &mut body,
            b",\"meta\":{\"code\":",
            code.to_string().as_bytes(),
        );
        put(&mut body, b",\"message\":", message.as_bytes());
        if self.layout == Layout::Contract {
            put(&mut body, b",\"data\":", &self.items);
        }
        put(&mut body, b",\"filters\":", &self.filters);
        if has_pagination {
            put(&mut body, b",\"pagination\":", self.pagination().as_bytes());
        }
        if let Some(relations) = &self.relations {
            put(&mut body, b",\"relations\":", relations);
        }
        if let Some(ignored) = &self.ignored {
            put(&mut body, b",\"ignored\":", ignored);
        }
        body.extend_from_slice(b"}}");
        body
    }

    /// d19, d20
    fn pagination(&self) -> String {
        let mut told = match self.page {
            Page::Numbered { page, size } => json!({ "page": page, "pageSize": size }),
            Page::Offset { start, limit } => json!({ "start": start, "limit": limit }),
            Page::Cursor { size } => json!({
                "pageSize": size,
                "nextCursor": self.next_cursor(),
                "prevCursor": self.prev_cursor(),
            }),
        };
        // Cursors say it themselves.
        let has_more = self.cursors.is_none();
        if let Some(total) = self.total() {
            if let Page::Numbered { size, .. } = self.page {
                told["pageCount"] = json!(total.div_ceil(size));
            }
            told["total"] = json!(total);
        }
        if let Total::About { .. } = self.total {
            told["totalIsExact"] = json!(false);
        }
        if let Total::About { more, .. } | Total::Unknown { more } = self.total
            && has_more
        {
            told["hasMore"] = json!(more);
        }
        told.to_string()
    }
}

fn put(body: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    body.extend_from_slice(name);
    body.extend_from_slice(value);
}

fn items(plan: &Plan<'_>, rows: &Rows) -> Vec<u8> {
    let names: Vec<_> = plan
        .relations
        .iter()
        .map(|relation| format!(",{}:", json!(relation.name)))
        .collect();
    let mut items = Vec::with_capacity(rows.shown * 256 + 2);
    items.push(b'[');
    for (at, row) in rows.in_order().enumerate() {
        if at > 0 {
            items.push(b',');
        }
        items.extend_from_slice(rows.page.row(row));
        for ((relation, related), name) in plan.relations.iter().zip(&rows.relations).zip(&names) {
            items.extend_from_slice(name.as_bytes());
            let children = related.by_parent.get(parent_key(&rows.page, row, relation));
            put_children(
                &mut items,
                relation,
                related,
                children.map_or(&[], Vec::as_slice),
            );
        }
        items.push(b'}');
    }
    items.push(b']');
    items
}

/// d44
fn put_children(
    items: &mut Vec<u8>,
    relation: &RelationPlan<'_>,
    related: &RelationRows,
    children: &[usize],
) {
    if !relation.to_many {
        match children.first() {
            Some(child) => put(items, related.batch.row(*child), b"}"),
            None => items.extend_from_slice(b"null"),
        }
        return;
    }
    items.push(b'[');
    for (at, child) in children.iter().enumerate() {
        if at > 0 {
            items.push(b',');
        }
        put(items, related.batch.row(*child), b"}");
    }
    items.push(b']');
}

/// d33: one object for each applied value.
fn filters(plan: &Plan<'_>, rows: &Rows) -> Vec<u8> {
    let objects: Vec<_> = plan
        .applied
        .iter()
        .zip(&rows.labels)
        .flat_map(|(applied, labels)| {
            applied.values.iter().zip(labels).map(|(value, label)| {
                json!({
                    "key": applied.key,
                    "value": value,
                    "label": label,
                    "operator": applied.operator.wire(),
                })
            })
        })
        .collect();
    json!(objects).to_string().into_bytes()
}

/// d43: each populated to-many relation, with its limit.
fn relations(plan: &Plan<'_>, rows: &Rows) -> Option<Vec<u8>> {
    let told: serde_json::Map<_, _> = plan
        .relations
        .iter()
        .zip(&rows.relations)
        .filter(|(relation, _)| relation.to_many)
        .map(|(relation, related)| {
            let told = json!({ "limit": relation.limit, "truncated": related.truncated });
            (relation.name.to_owned(), told)
        })
        .collect();
    (!told.is_empty()).then(|| json!(told).to_string().into_bytes())
}

/// d7: present only when something was ignored.
fn ignored(plan: &Plan<'_>) -> Option<Vec<u8>> {
    let ignored = &plan.ignored;
    let told: serde_json::Map<_, _> = [
        ("fields", &ignored.fields),
        ("sort", &ignored.sort),
        ("populate", &ignored.populate),
    ]
    .into_iter()
    .filter(|(_, names)| !names.is_empty())
    .map(|(parameter, names)| (parameter.to_owned(), json!(names)))
    .collect();
    (!told.is_empty()).then(|| json!(told).to_string().into_bytes())
}
