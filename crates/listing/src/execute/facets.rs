//! Makes a facet of what was counted: the labels, order and cut of its values, and the units of its calendar (d98–d103).

use std::cmp::Ordering;
use std::collections::HashMap;

use super::error::ExecuteError;
use super::labels::{read_pairs, resolved};
use super::reader::Reader;
use crate::define::{FilterValue, LabelResolver};
use crate::plan::{
    CalendarOptions, CheckedFacet, ColumnOf, FacetShows, FacetSort, Plan, RelatedFacet,
    ValueOptions,
};
use crate::render::{Bucket, bucket};
use crate::sql::{self, MOST_BUCKETS, MOST_GROUPS};
use crate::vocabulary::{Key, Kind, SortDirection};

/// A facet that was read.
pub(crate) enum ReadFacet {
    Values {
        values: Vec<FacetValue>,
        /// Rows without a value.
        missing: u64,
        /// Rows whose values are not shown.
        others: u64,
        /// Whether there are more values than are shown.
        truncated: bool,
    },
    Range {
        /// As JSON.
        min: String,
        max: String,
    },
    Calendar {
        /// Each unit from the first to the last, with its rows.
        buckets: Vec<(Bucket, u64)>,
        missing: u64,
    },
}

/// A value of a facet.
pub(crate) struct FacetValue {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) count: u64,
    pub(crate) selected: bool,
}

/// What was counted for a facet.
pub(super) enum Content {
    Values(Found),
    Range {
        /// As JSON.
        min: String,
        max: String,
    },
    Calendar {
        /// The numbers of the units that have rows, in order.
        counts: Vec<(i64, u64)>,
        missing: u64,
    },
}

impl Content {
    /// The facet as it is shown.
    pub(super) async fn shown(
        self,
        reader: &dyn Reader,
        plan: &Plan<'_>,
        facet: &CheckedFacet<'_>,
    ) -> Result<ReadFacet, ExecuteError> {
        match (self, &facet.shows) {
            (Self::Values(found), FacetShows::Related { related, options }) => {
                let labels = Labels::Related(related, related.label);
                found.shown(reader, plan, facet, options, &labels).await
            }
            (
                Self::Values(mut found),
                FacetShows::Values {
                    kind,
                    labels,
                    closed,
                    options,
                    ..
                },
            ) => {
                let is_cut = found.values.len() as u64 > MOST_GROUPS;
                if !closed.is_empty() && !is_cut {
                    found.add(closed, kind, options);
                }
                let labels = Labels::Filter(*labels);
                found.shown(reader, plan, facet, options, &labels).await
            }
            (Self::Calendar { counts, missing }, FacetShows::Calendar { options, .. }) => {
                calendar(counts, missing, facet.key, *options)
            }
            (Self::Range { min, max }, _) => Ok(ReadFacet::Range { min, max }),
            // Nothing else is read for what a facet shows.
            (Self::Values(_) | Self::Calendar { .. }, _) => Ok(ReadFacet::Calendar {
                buckets: Vec::new(),
                missing: 0,
            }),
        }
    }
}

/// The values of a facet that have rows, before their labels are known.
pub(super) struct Found {
    values: Vec<FoundValue>,
    kind: Kind,
    missing: u64,
    /// The rows of all values, and those without one.
    total: u64,
}

struct FoundValue {
    text: String,
    key: Key,
    count: u64,
}

impl Found {
    /// Nothing yet.
    pub(super) fn of(kind: &Kind) -> Self {
        Self {
            values: Vec::new(),
            kind: kind.clone(),
            missing: 0,
            total: 0,
        }
    }

    /// Adds the rows of one value, which is JSON; `total` is the number of rows of all values.
    pub(super) fn push(&mut self, value: &[u8], key: &Key, count: u64, total: u64) {
        self.total = total;
        let value = serde_json::from_slice(value).ok();
        match value.and_then(|value| text_of(value, &self.kind)) {
            None => self.missing += count,
            Some(text) => self.values.push(FoundValue {
                text,
                key: key.clone(),
                count,
            }),
        }
    }

    /// Adds rows without a value, which are not among the total yet.
    pub(super) fn without_value(&mut self, rows: u64) {
        self.missing += rows;
        self.total += rows;
    }
}

/// A value in the spelling of `meta.filters`; `None` for null.
pub(super) fn text_of(value: serde_json::Value, kind: &Kind) -> Option<String> {
    let text = match value {
        serde_json::Value::Null => return None,
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    let typed = FilterValue::parse(&text, kind);
    Some(typed.map_or(text, |value| value.canonical()))
}

pub(super) fn natural(key: &Key) -> u64 {
    match key {
        Key::Int(value) => u64::try_from(*value).unwrap_or(0),
        Key::UInt(value) => *value,
        _ => 0,
    }
}

/// The source of the values' labels.
enum Labels<'l, 'w> {
    Filter(Option<&'w LabelResolver>),
    Related(&'l RelatedFacet<'w>, Option<ColumnOf<'w>>),
}

impl Found {
    /// Adds the values of a closed set that have no rows, each in its place (d100).
    fn add(&mut self, closed: &[String], kind: &Kind, options: &ValueOptions) {
        for value in closed {
            let typed = FilterValue::parse(value, kind);
            let text = typed.map_or_else(|_| value.clone(), |value| value.canonical());
            if !self.values.iter().any(|found| found.text == text) {
                self.values.push(FoundValue {
                    text,
                    key: Key::Null,
                    count: 0,
                });
            }
        }
        self.values.sort_by(|a, b| {
            let by_value = by_value(kind, &a.text, &b.text);
            match options.sort {
                FacetSort::Count => {
                    directed(a.count.cmp(&b.count), options.direction).then(by_value)
                }
                FacetSort::Value => directed(by_value, options.direction),
                FacetSort::Label => by_value,
            }
        });
    }

    /// The values that are shown, with their labels.
    async fn shown(
        mut self,
        reader: &dyn Reader,
        plan: &Plan<'_>,
        facet: &CheckedFacet<'_>,
        options: &ValueOptions,
        labels: &Labels<'_, '_>,
    ) -> Result<ReadFacet, ExecuteError> {
        let limit = usize::try_from(options.limit).unwrap_or(usize::MAX);
        let mut truncated = self.values.len() > limit;
        if !options.need_labels() {
            self.values.truncate(limit);
        } else if self.values.len() as u64 > MOST_GROUPS {
            return Err(ExecuteError::TooManyGroups {
                parameter: format!("facets[{}]", facet.key),
                most: MOST_GROUPS,
            });
        }
        let labels = self.labels(reader, plan, facet.key, labels).await?;
        let mut labelled: Vec<_> = self.values.into_iter().zip(labels).collect();
        if options.need_labels() {
            choose(&mut labelled, &self.kind, options);
            truncated = labelled.len() > limit;
            labelled.truncate(limit);
        }
        let shown: u64 = labelled.iter().map(|(value, _)| value.count).sum();
        let is_selected = |text: &str| facet.selected.iter().any(|selected| selected == text);
        Ok(ReadFacet::Values {
            missing: self.missing,
            others: self
                .total
                .saturating_sub(self.missing)
                .saturating_sub(shown),
            truncated,
            values: labelled
                .into_iter()
                .map(|(value, label)| FacetValue {
                    selected: is_selected(&value.text),
                    value: value.text,
                    label,
                    count: value.count,
                })
                .collect(),
        })
    }

    /// The label of each value, from one look-up (d100). A value without one is its own label.
    async fn labels(
        &self,
        reader: &dyn Reader,
        plan: &Plan<'_>,
        key: &str,
        labels: &Labels<'_, '_>,
    ) -> Result<Vec<String>, ExecuteError> {
        let texts = || self.values.iter().map(|value| value.text.clone());
        match labels {
            Labels::Filter(resolver) => {
                let values: Vec<String> = texts().collect();
                let found = resolved((key, *resolver), &values, reader, plan.context).await;
                Ok(found.unwrap_or(values))
            }
            Labels::Related(related, Some(label)) if !self.values.is_empty() => {
                let keys: Vec<Key> = self.values.iter().map(|value| value.key.clone()).collect();
                let dialect = reader.dialect()?;
                let statement = sql::related_labels(related, *label, &keys, dialect);
                let kinds = [related.key.meta.kind.clone(), Kind::Natural];
                let found = read_pairs(kinds, statement, reader).await?;
                let found: HashMap<_, _> = found.into_iter().collect();
                let label = |text: String| found.get(&text).cloned().unwrap_or(text);
                Ok(texts().map(label).collect())
            }
            Labels::Related(..) => Ok(texts().collect()),
        }
    }
}

/// Keeps the values that match the search, in the requested order.
fn choose(labelled: &mut Vec<(FoundValue, String)>, kind: &Kind, options: &ValueOptions) {
    if let Some(search) = &options.search {
        let has = |text: &str| text.to_lowercase().contains(search);
        labelled.retain(|(value, label)| has(label) || has(&value.text));
    }
    labelled.sort_by(|(a, a_label), (b, b_label)| {
        let by_value = by_value(kind, &a.text, &b.text);
        let direction = options.direction;
        match options.sort {
            FacetSort::Count => directed(a.count.cmp(&b.count), direction).then(by_value),
            FacetSort::Value => directed(by_value, direction),
            FacetSort::Label => directed(a_label.cmp(b_label), direction).then(by_value),
        }
    });
}

pub(super) fn directed(ordering: Ordering, direction: SortDirection) -> Ordering {
    match direction {
        SortDirection::Asc => ordering,
        SortDirection::Desc => ordering.reverse(),
    }
}

/// Numbers by their size, and everything else by its bytes (d101).
pub(super) fn by_value(kind: &Kind, a: &str, b: &str) -> Ordering {
    let is_number = matches!(
        kind,
        Kind::Integer | Kind::IntegerText | Kind::Float32 | Kind::Float64 | Kind::Decimal { .. }
    );
    let numbers = || {
        let (a, b): (i128, i128) = (a.parse().ok()?, b.parse().ok()?);
        Some(a.cmp(&b))
    };
    let fractions = || {
        let (a, b): (f64, f64) = (a.parse().ok()?, b.parse().ok()?);
        Some(a.total_cmp(&b))
    };
    let by_size = is_number.then(|| numbers().or_else(fractions)).flatten();
    by_size.unwrap_or_else(|| a.cmp(b))
}

/// Each unit from the first to the last, if they are not too many.
fn calendar(
    counts: Vec<(i64, u64)>,
    missing: u64,
    key: &str,
    options: CalendarOptions,
) -> Result<ReadFacet, ExecuteError> {
    let (first, last) = match (counts.first(), counts.last()) {
        (Some((first, _)), Some((last, _))) => (*first, *last),
        _ => {
            return Ok(ReadFacet::Calendar {
                buckets: Vec::new(),
                missing,
            });
        }
    };
    if last.abs_diff(first) >= MOST_BUCKETS {
        return Err(ExecuteError::TooManyBuckets {
            key: key.to_owned(),
            unit: options.unit.wire(),
            larger: options.unit.larger().map(|unit| unit.wire()),
            most: MOST_BUCKETS,
        });
    }
    let counts: HashMap<i64, u64> = counts.into_iter().collect();
    let named = |number: i64| {
        let bucket = bucket(options.unit, number, options.offset, options.dates)?;
        Some((bucket, counts.get(&number).copied().unwrap_or(0)))
    };
    Ok(ReadFacet::Calendar {
        buckets: (first..=last).filter_map(named).collect(),
        missing,
    })
}
