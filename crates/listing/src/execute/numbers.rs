//! Reads the facets and totals that are requested with the rows, each within its time (d107).

use std::collections::HashMap;
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use sea_orm::DbErr;
use serde_json::value::RawValue;
use tokio::time::timeout;

use super::counted::content;
use super::error::ExecuteError;
use super::facets::ReadFacet;
use super::pass::passed;
use super::reader::Reader;
use super::statement::read;
use crate::plan::{CheckedNumbers, CheckedTotal, Plan};
use crate::render::{Batch, Shape, ShapeColumn, combined, quotient};
use crate::sql::{
    Dialect, FacetStatements, NumberStatements, Pass, Statement, TotalPart, total_parts,
    total_scale,
};
use crate::vocabulary::{AggregateFunction, Kind};

/// The results.
pub(crate) struct Numbers {
    /// Each function of each total, as JSON; `None` if they took too long.
    pub(crate) totals: Option<Vec<Vec<String>>>,
    /// Each facet with its place in the request, in order; `None` if it took too long.
    pub(crate) facets: Vec<(usize, Option<ReadFacet>)>,
}

/// Reads all of them at the same time. Those that share a pass are read by it, or each by its own statement if that takes too long or
/// too many rows match (b1260, b1261).
pub(crate) async fn numbers(
    reader: &dyn Reader,
    plan: &Plan<'_>,
    numbers: &CheckedNumbers<'_>,
    statements: NumberStatements,
) -> Result<Numbers, ExecuteError> {
    let NumberStatements {
        totals,
        facets,
        pass,
    } = statements;
    let within = numbers.within;
    let facets = facets.into_iter().enumerate();
    let Some(pass) = pass else {
        return separate(reader, plan, numbers, (totals, facets.collect()), within).await;
    };
    let (shared, alone): (Vec<_>, Vec<_>) =
        facets.partition(|(place, _)| pass.facets.contains(place));
    let shared = async {
        let began = Instant::now();
        match in_pass(reader, plan, numbers, pass).await? {
            Some(read) => Ok(read),
            None => {
                let left = within.saturating_sub(began.elapsed());
                separate(reader, plan, numbers, (totals, shared), left).await
            }
        }
    };
    let alone = separate(reader, plan, numbers, (None, alone), within);
    // Both are awaited even if one fails: a statement that is dropped half-way costs its connection.
    let (shared, alone) = join(shared, alone).await;
    let mut read = shared?;
    read.facets.extend(alone?.facets);
    read.facets.sort_by_key(|(place, _)| *place);
    Ok(read)
}

/// Reads numbers by the statement that they share, which may take a quarter of their time; `None` if it does not answer.
async fn in_pass(
    reader: &dyn Reader,
    plan: &Plan<'_>,
    numbers: &CheckedNumbers<'_>,
    pass: Pass,
) -> Result<Option<Numbers>, ExecuteError> {
    let began = Instant::now();
    let dialect = reader.dialect()?;
    let (within, places) = (numbers.within, pass.facets.clone());
    let read = passed(reader, dialect, numbers, pass);
    let Some(Some(read)) = in_time(reader, within / 4, read).await? else {
        return Ok(None);
    };
    let left = within.saturating_sub(began.elapsed());
    let facets = places.into_iter().zip(read.facets);
    let facets = facets.map(|(place, content)| async move {
        let shown = content.shown(reader, plan, &numbers.facets[place]);
        let shown = in_time(reader, left, shown).await;
        shown.map(|shown| (place, shown))
    });
    let facets = join_all(facets).await.into_iter();
    Ok(Some(Numbers {
        totals: Some(read.totals),
        facets: facets.collect::<Result<_, ExecuteError>>()?,
    }))
}

/// Reads totals, and facets with their places, each by its own statements.
async fn separate(
    reader: &dyn Reader,
    plan: &Plan<'_>,
    numbers: &CheckedNumbers<'_>,
    (totals, facets): (Option<Statement>, Vec<(usize, FacetStatements)>),
    within: Duration,
) -> Result<Numbers, ExecuteError> {
    let dialect = reader.dialect()?;
    let totals = in_time(
        reader,
        within,
        read_totals(reader, dialect, numbers, totals),
    );
    let facets = facets.into_iter();
    let facets = facets.map(|(place, statements)| async move {
        let facet = &numbers.facets[place];
        let read = async {
            let content = content(reader, facet, statements).await?;
            content.shown(reader, plan, facet).await
        };
        let read = in_time(reader, within, read).await;
        read.map(|read| (place, read))
    });
    // All are awaited even if one fails, as above.
    let (totals, facets) = join(totals, join_all(facets)).await;
    let facets = facets.into_iter();
    Ok(Numbers {
        totals: totals?,
        facets: facets.collect::<Result<_, ExecuteError>>()?,
    })
}

/// The result within a time limit; `None` if it is exceeded. A statement of a transaction has no limit: its connection is the
/// caller's, and would be lost if the statement were dropped half-way.
async fn in_time<T>(
    reader: &dyn Reader,
    within: Duration,
    read: impl Future<Output = Result<T, ExecuteError>>,
) -> Result<Option<T>, ExecuteError> {
    let done = match reader.shared() {
        None => read.await,
        Some(_) => match timeout(within, read).await {
            Ok(done) => done,
            Err(_) => return Ok(None),
        },
    };
    match done {
        Err(error) if is_over_time(error.cause()) => Ok(None),
        done => done.map(Some),
    }
}

/// Whether a statement ran for too long, or waited too long for a connection. Statements of one request can wait for each other.
fn is_over_time(error: &ExecuteError) -> bool {
    matches!(
        error,
        ExecuteError::OverTime(_) | ExecuteError::Unavailable(DbErr::ConnectionAcquire(_))
    )
}

async fn read_totals(
    reader: &dyn Reader,
    dialect: Dialect,
    numbers: &CheckedNumbers<'_>,
    statement: Option<Statement>,
) -> Result<Vec<Vec<String>>, ExecuteError> {
    let Some(statement) = statement else {
        return Ok(Vec::new());
    };
    let shape = Shape {
        columns: total_columns(&numbers.totals, dialect).collect(),
    };
    let batch = read(reader, statement, &shape).await?;
    Ok(totals_of(&numbers.totals, dialect, &batch, 0))
}

/// The columns in which totals are read.
pub(super) fn total_columns<'t>(
    totals: &'t [CheckedTotal<'_>],
    dialect: Dialect,
) -> impl Iterator<Item = ShapeColumn> + 't {
    let parts = totals.iter().flat_map(move |total| {
        let functions = total.functions.iter();
        let parts = functions.flat_map(move |function| total_parts(*function, dialect));
        parts.map(move |part| (total, *part))
    });
    parts.enumerate().map(|(at, (total, part))| {
        let kind = match part {
            TotalPart::Count | TotalPart::Distinct | TotalPart::High | TotalPart::Low => {
                Kind::Integer
            }
            TotalPart::Sum => Kind::Decimal {
                scale: Some(total_scale(total.kind)),
            },
            TotalPart::Min | TotalPart::Max => total.kind.clone(),
        };
        ShapeColumn::output(&at.to_string(), kind)
    })
}

/// The totals in a row, as JSON.
pub(super) fn totals_of(
    totals: &[CheckedTotal<'_>],
    dialect: Dialect,
    batch: &Batch,
    row: usize,
) -> Vec<Vec<String>> {
    let values = values(batch, row);
    let mut values = values.iter().map(|value| value.get());
    let mut next = || values.next().unwrap_or("null");
    let mut number = |total: &CheckedTotal<'_>, function: &AggregateFunction| {
        let parts = total_parts(*function, dialect);
        let parts: Vec<_> = parts.iter().map(|part| (*part, next())).collect();
        told(total.kind, *function, &parts)
    };
    let mut all = Vec::with_capacity(totals.len());
    for total in totals {
        all.push(
            total
                .functions
                .iter()
                .map(|function| number(total, function))
                .collect(),
        );
    }
    all
}

/// The values of a row that are named by their numbers, as they are written.
fn values(batch: &Batch, row: usize) -> Vec<Box<RawValue>> {
    let object = [batch.row(row), b"}"].concat();
    let members: Result<HashMap<String, Box<RawValue>>, _> = serde_json::from_slice(&object);
    let mut members = members.unwrap_or_default();
    let numbers = 0..members.len();
    numbers
        .filter_map(|at| members.remove(&at.to_string()))
        .collect()
}

/// A number as responses show it.
fn told(kind: &Kind, function: AggregateFunction, parts: &[(TotalPart, &str)]) -> String {
    let part = |wanted: TotalPart| {
        let found = parts.iter().find(|(part, _)| *part == wanted);
        found
            .map(|(_, value)| *value)
            .filter(|value| *value != "null")
    };
    let integer = |wanted| part(wanted).and_then(|value| value.parse::<i64>().ok());
    let sum = || match (integer(TotalPart::High), integer(TotalPart::Low)) {
        (Some(high), Some(low)) => combined(high, low, total_scale(kind)),
        _ => match part(TotalPart::Sum) {
            Some(sum) => sum.trim_matches('"').to_owned(),
            None => combined(0, 0, total_scale(kind)),
        },
    };
    match function {
        AggregateFunction::Count => part(TotalPart::Count).unwrap_or("0").to_owned(),
        AggregateFunction::CountDistinct => part(TotalPart::Distinct).unwrap_or("0").to_owned(),
        AggregateFunction::Sum => of_kind(sum(), kind),
        AggregateFunction::Average => {
            let count = part(TotalPart::Count).and_then(|count| count.parse().ok());
            let average = count.and_then(|count| quotient(&sum(), count));
            average.map_or_else(|| "null".to_owned(), |average| format!("\"{average}\""))
        }
        AggregateFunction::Min => part(TotalPart::Min).unwrap_or("null").to_owned(),
        AggregateFunction::Max => part(TotalPart::Max).unwrap_or("null").to_owned(),
    }
}

/// Integers are numbers while they have 64 bits, and text beyond, as decimals are (d105).
fn of_kind(sum: String, kind: &Kind) -> String {
    let is_number =
        *kind == Kind::Integer && (sum.parse::<i64>().is_ok() || sum.parse::<u64>().is_ok());
    match is_number {
        true => sum,
        false => format!("\"{sum}\""),
    }
}
