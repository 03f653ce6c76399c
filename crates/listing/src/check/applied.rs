//! Applied filters, as `meta.filters` shows them.

use compact_str::{CompactString, ToCompactString};
use smallvec::SmallVec;

use crate::define::{FilterValue, LabelResolver, WhitelistFilter};
use crate::vocabulary::FilterOperator;

/// An applied filter, as `meta.filters` shows it.
#[derive(Debug, Clone)]
pub(crate) struct Applied<'w> {
    pub(crate) key: &'w str,
    pub(crate) operator: FilterOperator,
    /// As responses write them.
    pub(crate) values: SmallVec<[CompactString; 1]>,
    pub(crate) labels: Option<&'w LabelResolver>,
    /// The groups and relations around it; none for a plain filter (d70).
    pub(crate) path: Option<Box<str>>,
}

/// A filter with the labels of its values.
pub(super) fn applied<'w>(
    filter: &'w WhitelistFilter,
    operator: FilterOperator,
    values: &[FilterValue],
) -> Applied<'w> {
    Applied {
        key: filter.last(),
        operator,
        values: canonical(values),
        path: None,
        // The operand of `$null` is not a value of the field, but a resolver would take it for one.
        labels: match operator {
            FilterOperator::Null | FilterOperator::NotNull => None,
            _ => filter.labels.as_ref(),
        },
    }
}

/// Values in canonical form.
pub(super) fn canonical(values: &[FilterValue]) -> SmallVec<[CompactString; 1]> {
    let text = |value: &FilterValue| match value {
        // Most values are integers or texts, which need no formatter.
        FilterValue::Int(value) => value.to_compact_string(),
        FilterValue::Text(value) => value.into(),
        other => other.to_compact_string(),
    };
    values.iter().map(text).collect()
}
