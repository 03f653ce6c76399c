//! Plans the counts of relations that a page shows: each is one statement for all rows of the page (b665).
//!
//! A sub-query in the page counts row by row. One statement with a group for each row took 1.2 seconds for the 30
//! tags of 1,000,000 articles on PostgreSQL (`GET /api/tags?fields=name,articles_count`, a debug build).

use super::columns::require_key;
use super::{
    ColumnSource, Computed, Junction, OrderBy, OrderTerm, PlannedColumn, RelatedCount, RelationPlan,
};
use crate::vocabulary::Plans;

/// Takes the counts out of the columns, unless the page is sorted by them.
pub(super) fn take<'w>(
    columns: &mut Vec<PlannedColumn<'w>>,
    order: &[OrderTerm<'_>],
) -> Vec<RelationPlan<'w>> {
    let is_sorted_by = |at: usize| {
        let by = |term: &OrderTerm<'_>| matches!(term.by, OrderBy::Selected(by) if by == at);
        order.iter().any(by)
    };
    let mut counts = Vec::new();
    for at in 0..columns.len() {
        let source = &mut columns[at].source;
        if !matches!(source, ColumnSource::Computed(Computed::Count(_))) || is_sorted_by(at) {
            continue;
        }
        if let ColumnSource::Computed(Computed::Count(count)) =
            std::mem::replace(source, ColumnSource::Later)
        {
            counts.push(plan(*count, columns));
        }
    }
    counts
}

fn plan<'w>(count: RelatedCount<'w>, columns: &mut Vec<PlannedColumn<'w>>) -> RelationPlan<'w> {
    let links = count.links;
    RelationPlan {
        name: &count.target.name,
        to_many: true,
        start: 0,
        limit: 1,
        unique: false,
        entity: count.target,
        to: count.to,
        through: count.through.map(|meta| Junction {
            meta,
            visible: links,
        }),
        parent_key: require_key(columns, count.from),
        from: count.from,
        columns: Vec::new(),
        visible: count.visible,
        order: Vec::new(),
        count: true,
        totals: None,
        relations: Vec::new(),
        plans: Plans::Shared,
    }
}
