//! Reads what several facets and the totals count, by the one statement that they share (b1260).

use super::counted::{json, members};
use super::error::ExecuteError;
use super::facets::{Content, Found, natural};
use super::numbers::{total_columns, totals_of};
use super::reader::Reader;
use super::statement::read;
use crate::plan::{CheckedFacet, CheckedNumbers, FacetShows};
use crate::render::{Batch, Shape, ShapeColumn};
use crate::sql::{Dialect, MOST_IN_PASS, Pass};
use crate::vocabulary::{Key, Kind};

/// What was counted in a pass.
pub(super) struct Passed {
    /// Each function of each total, as JSON.
    pub(super) totals: Vec<Vec<String>>,
    /// The facets of the pass, in their order.
    pub(super) facets: Vec<Content>,
}

/// Runs the statement; `None` if more rows match than a pass reads.
pub(super) async fn passed(
    reader: &dyn Reader,
    dialect: Dialect,
    numbers: &CheckedNumbers<'_>,
    Pass { statement, facets }: Pass,
) -> Result<Option<Passed>, ExecuteError> {
    let facets: Vec<_> = facets.iter().map(|at| &numbers.facets[*at]).collect();
    let batch = read(reader, statement, &shape(&facets, numbers, dialect)).await?;
    let rows = batch.keys(0).get(COUNT).map_or(0, natural);
    if rows > MOST_IN_PASS {
        return Ok(None);
    }
    // Part 0 is one row, and the others follow.
    let part = |row: usize| batch.keys(row).first().map_or(0, natural);
    let mut rest = 1..batch.len();
    let mut contents = Vec::with_capacity(facets.len());
    // The keys of a row begin with its part, its count and the sum of counts.
    let mut key = 3;
    for (at, facet) in facets.iter().enumerate() {
        let end = rest.clone().find(|row| part(*row) != at as u64 + 1);
        let own = rest.start..end.unwrap_or(rest.end);
        rest.start = own.end;
        contents.push(match &facet.shows {
            FacetShows::Range { .. } => {
                let ends = members(batch.row(0));
                Content::Range {
                    min: json(&ends, &low(at)),
                    max: json(&ends, &high(at)),
                }
            }
            FacetShows::Calendar { .. } => calendar(&batch, own, key),
            FacetShows::Values { kind, .. } => values(&batch, own, (at, key), kind),
            FacetShows::Related { related, .. } => {
                values(&batch, own, (at, key), &related.key.meta.kind)
            }
        });
        key += usize::from(!matches!(facet.shows, FacetShows::Range { .. }));
    }
    Ok(Some(Passed {
        totals: totals_of(&numbers.totals, dialect, &batch, 0),
        facets: contents,
    }))
}

const COUNT: usize = 1;
const SUM: usize = 2;

/// The names of the columns of a facet, by its place among those of the pass.
fn value(at: usize) -> String {
    format!("f{at}")
}

fn low(at: usize) -> String {
    format!("f{at}min")
}

fn high(at: usize) -> String {
    format!("f{at}max")
}

fn shape(facets: &[&CheckedFacet<'_>], numbers: &CheckedNumbers<'_>, dialect: Dialect) -> Shape {
    let mut columns = vec![ShapeColumn::key(Kind::Integer); 3];
    for (at, facet) in facets.iter().enumerate() {
        match &facet.shows {
            FacetShows::Range { column } => columns.extend([
                ShapeColumn::output(&low(at), column.meta.kind.clone()),
                ShapeColumn::output(&high(at), column.meta.kind.clone()),
            ]),
            FacetShows::Calendar { .. } => columns.push(ShapeColumn::key(Kind::Integer)),
            FacetShows::Values { kind, .. } => {
                columns.push(ShapeColumn::output(&value(at), (*kind).clone()).and_key());
            }
            FacetShows::Related { related, .. } => {
                let kind = related.key.meta.kind.clone();
                columns.push(ShapeColumn::output(&value(at), kind).and_key());
            }
        }
    }
    columns.extend(total_columns(&numbers.totals, dialect));
    Shape { columns }
}

fn values(
    batch: &Batch,
    rows: std::ops::Range<usize>,
    (at, key): (usize, usize),
    kind: &Kind,
) -> Content {
    let mut found = Found::of(kind);
    let name = value(at);
    for row in rows {
        let keys = batch.keys(row);
        let number = |at: usize| keys.get(at).map_or(0, natural);
        let value = json(&members(batch.row(row)), &name);
        let key = keys.get(key).unwrap_or(&Key::Null);
        found.push(value.as_bytes(), key, number(COUNT), number(SUM));
    }
    Content::Values(found)
}

fn calendar(batch: &Batch, rows: std::ops::Range<usize>, key: usize) -> Content {
    let (mut counts, mut missing) = (Vec::with_capacity(rows.len()), 0);
    for row in rows {
        let keys = batch.keys(row);
        let count = keys.get(COUNT).map_or(0, natural);
        match keys.get(key) {
            Some(Key::Int(number)) => counts.push((*number, count)),
            _ => missing += count,
        }
    }
    Content::Calendar { counts, missing }
}
