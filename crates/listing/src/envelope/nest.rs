//! Nests related rows in the rows that they belong to (d44, d85).

use serde_json::json;

use crate::execute::RelationRows;
use crate::plan::RelationPlan;

/// A relation, its rows, and the same for its own relations.
pub(crate) struct Branch<'r> {
    /// With the comma before it and the colon after it.
    pub(super) name: String,
    plan: &'r RelationPlan<'r>,
    rows: &'r RelationRows,
    /// The remarks after the items of a row, if they are written there.
    remarks: Option<Remarks>,
    branches: Vec<Branch<'r>>,
}

/// Where it is written that a row has more related rows than are shown, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tells {
    /// In the `meta` of a page.
    InMeta,
    /// After the items, because a line of a file has no `meta`.
    InRow,
}

/// The members after the items of a relation, with the commas before them.
struct Remarks {
    truncated: String,
    count: String,
}

impl Branch<'_> {
    /// Roughly how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        let own = self.rows.batch.size() + 2 * self.rows.batch.len();
        own + self.branches.iter().map(Branch::size).sum::<usize>()
    }
}

/// The branches of these relations. If nothing was read for a relation, nothing was read for its own relations either, and no row
/// refers to them.
pub(crate) fn branches<'r>(
    plans: &'r [RelationPlan<'r>],
    rows: &'r [RelationRows],
    tells: Tells,
) -> Vec<Branch<'r>> {
    let remarks = |name: &str| Remarks {
        truncated: format!(",{}:true", json!(format!("{name}.truncated"))),
        count: format!(",{}:", json!(format!("{name}.count"))),
    };
    plans
        .iter()
        .zip(rows)
        .map(|(plan, rows)| Branch {
            name: format!(",{}:", json!(plan.name)),
            plan,
            rows,
            remarks: (tells == Tells::InRow).then(|| remarks(plan.name)),
            branches: branches(&plan.relations, &rows.relations, tells),
        })
        .collect()
}

pub(super) fn put_item(items: &mut Vec<u8>, bytes: &[u8], row: usize, branches: &[Branch<'_>]) {
    items.extend_from_slice(bytes);
    put_branches(items, row, branches);
}

/// Writes the relations of a row and the end of its object.
pub(crate) fn put_branches(items: &mut Vec<u8>, row: usize, branches: &[Branch<'_>]) {
    for branch in branches {
        items.extend_from_slice(branch.name.as_bytes());
        put_children(items, branch, row);
    }
    items.push(b'}');
}

fn put_children(items: &mut Vec<u8>, branch: &Branch<'_>, row: usize) {
    let Branch {
        plan,
        rows,
        branches,
        ..
    } = branch;
    let mut children = rows.families.children(row);
    if !plan.to_many || plan.count {
        match children.next() {
            Some(child) => put_item(items, rows.batch.row(child), child, branches),
            None if plan.count => items.extend_from_slice(b"{\"count\":0}"),
            None => items.extend_from_slice(b"null"),
        }
        return;
    }
    items.push(b'[');
    for (at, child) in children.enumerate() {
        if at > 0 {
            items.push(b',');
        }
        put_item(items, rows.batch.row(child), child, branches);
    }
    items.push(b']');
    if let Some(remarks) = &branch.remarks {
        put_remarks(items, branch, remarks, row);
    }
}

/// Writes whether there are more items than these and, if requested, how many there are (d113).
fn put_remarks(items: &mut Vec<u8>, branch: &Branch<'_>, remarks: &Remarks, row: usize) {
    if branch.rows.families.has_more(row) {
        items.extend_from_slice(remarks.truncated.as_bytes());
    }
    if branch.plan.totals.is_some() {
        items.extend_from_slice(remarks.count.as_bytes());
        put_count(items, branch.rows.totals.as_deref(), row);
    }
}

/// Writes how many related rows a row has.
pub(super) fn put_count(items: &mut Vec<u8>, counts: Option<&RelationRows>, row: usize) {
    let of_row = |counts: &'_ RelationRows| counts.families.children(row).next();
    let count = counts.and_then(|counts| Some(counts.batch.row(of_row(counts)?)));
    let count = count.and_then(|count| count.strip_prefix(b"{\"count\":"));
    items.extend_from_slice(count.unwrap_or(b"0"));
}
