//! Reads one facet: its counts, and the labels of its values (d98–d103).

use std::cmp::Ordering;
use std::collections::HashMap;

use futures_util::future::join;

use super::error::ExecuteError;
use super::labels::{read_pairs, resolved};
use super::reader::Reader;
use super::statement::{read, read_number};
use crate::define::{FilterValue, LabelResolver};
use crate::plan::{
    CalendarOptions, CheckedFacet, ColumnOf, FacetShows, FacetSort, Plan, RelatedFacet,
    ValueOptions,
};
use crate::render::{Batch, Bucket, Shape, ShapeColumn, bucket};
use crate::sql::{self, FacetStatements, MOST_BUCKETS, MOST_GROUPS, Statement};
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

pub(super) async fn read_facet(
    reader: &dyn Reader,
    plan: &Plan<'_>,
    facet: &CheckedFacet<'_>,
    FacetStatements { rows, missing }: FacetStatements,
) -> Result<ReadFacet, ExecuteError> {
    match &facet.shows {
        FacetShows::Values {
            kind,
            labels,
            closed,
            options,
            ..
        } => {
            let mut found = found(reader, rows, kind).await?;
            let is_cut = found.values.len() as u64 > MOST_GROUPS;
            if !closed.is_empty() && !is_cut {
                found.add(closed, kind, options);
            }
            let labels = Labels::Filter(*labels);
            found.shown(reader, plan, facet, options, &labels).await
        }
        FacetShows::Related { related, options } => {
            let missing = async {
                match missing {
                    Some(missing) => read_number(reader, missing).await,
                    None => Ok(0),
                }
            };
            let kind = &related.key.meta.kind;
            let (found, missing) = join(found(reader, rows, kind), missing).await;
            let mut found = found?;
            let missing = missing?;
            found.missing += missing;
            found.total += missing;
            let labels = Labels::Related(related, related.label);
            found.shown(reader, plan, facet, options, &labels).await
        }
        FacetShows::Range { column } => range(reader, rows, &column.meta.kind).await,
        FacetShows::Calendar { options, .. } => calendar(reader, rows, facet.key, *options).await,
    }
}

/// The values of a facet that have rows, before their labels are known.
struct Found {
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

async fn found(
    reader: &dyn Reader,
    statement: Statement,
    kind: &Kind,
) -> Result<Found, ExecuteError> {
    let shape = Shape {
        columns: vec![
            ShapeColumn::output(VALUE, kind.clone()).and_key(),
            ShapeColumn::key(Kind::Integer),
            ShapeColumn::key(Kind::Integer),
        ],
    };
    let batch = read(reader, statement, &shape).await?;
    let mut found = Found {
        values: Vec::with_capacity(batch.len()),
        kind: kind.clone(),
        missing: 0,
        total: 0,
    };
    for row in 0..batch.len() {
        let [key, count, total] = batch.keys(row) else {
            continue;
        };
        let count = natural(count);
        found.total = natural(total);
        match value_text(&batch, row, kind) {
            None => found.missing += count,
            Some(text) => found.values.push(FoundValue {
                text,
                key: key.clone(),
                count,
            }),
        }
    }
    Ok(found)
}

const VALUE: &str = "v";

/// The value of a row in the spelling of `meta.filters`; `None` for null.
fn value_text(batch: &Batch, row: usize, kind: &Kind) -> Option<String> {
    let json = batch.row(row).strip_prefix(b"{\"v\":")?;
    text_of(serde_json::from_slice(json).ok()?, kind)
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

async fn range(
    reader: &dyn Reader,
    statement: Statement,
    kind: &Kind,
) -> Result<ReadFacet, ExecuteError> {
    let of = |name: &str| ShapeColumn::output(name, kind.clone());
    let shape = Shape {
        columns: vec![of("min"), of("max")],
    };
    let batch = read(reader, statement, &shape).await?;
    let object = [batch.row(0), b"}"].concat();
    let mut ends: HashMap<String, Box<serde_json::value::RawValue>> =
        serde_json::from_slice(&object).unwrap_or_default();
    let mut end = |name: &str| {
        let end = ends.remove(name);
        end.map_or_else(|| "null".to_owned(), |end| end.get().to_owned())
    };
    Ok(ReadFacet::Range {
        min: end("min"),
        max: end("max"),
    })
}

async fn calendar(
    reader: &dyn Reader,
    statement: Statement,
    key: &str,
    options: CalendarOptions,
) -> Result<ReadFacet, ExecuteError> {
    let shape = Shape {
        columns: vec![
            ShapeColumn::key(Kind::Integer),
            ShapeColumn::key(Kind::Integer),
        ],
    };
    let batch = read(reader, statement, &shape).await?;
    let mut missing = 0;
    let mut counts: Vec<(i64, u64)> = Vec::with_capacity(batch.len());
    for row in 0..batch.len() {
        match batch.keys(row) {
            [Key::Int(number), count] => counts.push((*number, natural(count))),
            [_, count] => missing += natural(count),
            _ => {}
        }
    }
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
