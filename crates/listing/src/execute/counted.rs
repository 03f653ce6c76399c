//! Reads what a facet counts by statements of its own.

use std::collections::HashMap;

use futures_util::future::join;
use serde_json::value::RawValue;

use super::error::ExecuteError;
use super::facets::{Content, Found, natural};
use super::reader::Reader;
use super::statement::{read, read_number};
use crate::plan::{CheckedFacet, FacetShows};
use crate::render::{Shape, ShapeColumn};
use crate::sql::{FacetStatements, Statement};
use crate::vocabulary::{Key, Kind};

/// Runs the statements of a facet.
pub(super) async fn content(
    reader: &dyn Reader,
    facet: &CheckedFacet<'_>,
    FacetStatements { rows, missing }: FacetStatements,
) -> Result<Content, ExecuteError> {
    match &facet.shows {
        FacetShows::Values { kind, .. } => found(reader, rows, kind).await.map(Content::Values),
        FacetShows::Related { related, .. } => {
            let missing = async {
                match missing {
                    Some(missing) => read_number(reader, missing).await,
                    None => Ok(0),
                }
            };
            let kind = &related.key.meta.kind;
            let (found, missing) = join(found(reader, rows, kind), missing).await;
            let mut found = found?;
            found.without_value(missing?);
            Ok(Content::Values(found))
        }
        FacetShows::Range { column } => range(reader, rows, &column.meta.kind).await,
        FacetShows::Calendar { .. } => calendar(reader, rows).await,
    }
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
    let mut found = Found::of(kind);
    for row in 0..batch.len() {
        if let [key, count, total] = batch.keys(row) {
            let value = batch.row(row).strip_prefix(b"{\"v\":");
            found.push(
                value.unwrap_or_default(),
                key,
                natural(count),
                natural(total),
            );
        }
    }
    Ok(found)
}

const VALUE: &str = "v";

async fn range(
    reader: &dyn Reader,
    statement: Statement,
    kind: &Kind,
) -> Result<Content, ExecuteError> {
    let of = |name: &str| ShapeColumn::output(name, kind.clone());
    let shape = Shape {
        columns: vec![of("min"), of("max")],
    };
    let batch = read(reader, statement, &shape).await?;
    let ends = members(batch.row(0));
    Ok(Content::Range {
        min: json(&ends, "min"),
        max: json(&ends, "max"),
    })
}

/// The members of a row.
pub(super) fn members(row: &[u8]) -> HashMap<String, Box<RawValue>> {
    let object = [row, b"}"].concat();
    serde_json::from_slice(&object).unwrap_or_default()
}

/// A member as JSON.
pub(super) fn json(members: &HashMap<String, Box<RawValue>>, name: &str) -> String {
    let member = members.get(name);
    member.map_or_else(|| "null".to_owned(), |member| member.get().to_owned())
}

async fn calendar(reader: &dyn Reader, statement: Statement) -> Result<Content, ExecuteError> {
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
    Ok(Content::Calendar { counts, missing })
}
