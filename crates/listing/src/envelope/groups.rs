//! Builds [`ListGroups`], the body of a response with the groups of a list (d106).

use serde_json::{Value, json};

use super::history::put_page;
use super::list::{filters, put, put_number, put_text};
use super::numbers::put_total;
use super::remarks::remarks_on_names;
use crate::execute::{Groups, ReadGroup};
use crate::plan::{CheckedGroups, CheckedTotal, Page, Plan};

/// A page of groups, rendered.
#[derive(Debug, Clone)]
pub struct ListGroups {
    /// The groups, as a JSON array.
    groups: Vec<u8>,
    total: u64,
    page: Page,
    filters: Vec<u8>,
    remarks: Vec<u8>,
}

pub(crate) fn list_groups(
    plan: &Plan<'_>,
    groups: &CheckedGroups<'_>,
    totals: &[CheckedTotal<'_>],
    read: &Groups,
) -> ListGroups {
    let mut told = vec![b'['];
    for (at, group) in read.groups.iter().enumerate() {
        told.extend_from_slice(if at == 0 { b"{" } else { b",{" });
        put_group(&mut told, groups, totals, group);
    }
    told.push(b']');
    ListGroups {
        groups: told,
        total: read.total,
        page: plan.page,
        filters: filters(plan, &read.labels),
        remarks: remarks_on_names(plan),
    }
}

/// `"author_id":{"value":"7","label":"Ada"},"created_at":"2024-05-01","count":12,"totals":{…}}`
fn put_group(
    told: &mut Vec<u8>,
    groups: &CheckedGroups<'_>,
    totals: &[CheckedTotal<'_>],
    group: &ReadGroup,
) {
    for (key, value) in groups.keys.iter().zip(&group.keys) {
        put_text(told, b"", Some(key.key));
        let value: Value = match key.calendar {
            Some(_) => json!(value.text),
            None => json!({ "value": value.text, "label": value.label }),
        };
        put(told, b":", value.to_string().as_bytes());
        told.push(b',');
    }
    put_number(told, b"\"count\":", group.count);
    if !totals.is_empty() {
        told.extend_from_slice(b",\"totals\":");
        for (at, (total, numbers)) in totals.iter().zip(&group.totals).enumerate() {
            told.push(if at == 0 { b'{' } else { b',' });
            put_text(told, b"", Some(total.name));
            told.push(b':');
            put_total(told, total, Some(numbers));
        }
        told.push(b'}');
    }
    told.push(b'}');
}

impl ListGroups {
    /// The number of groups on all pages.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The response body.
    #[must_use]
    pub fn body(&self, code: u16, message: Option<&str>) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.groups.len() + self.filters.len() + 256);
        put_text(&mut body, b"{\"message\":", message);
        put(&mut body, b",\"data\":", &self.groups);
        put_number(&mut body, b",\"meta\":{\"code\":", code.into());
        put_text(&mut body, b",\"message\":", message);
        put(&mut body, b",\"filters\":", &self.filters);
        put_page(&mut body, self.page, self.total);
        put(&mut body, &self.remarks, b"}}");
        body
    }
}
