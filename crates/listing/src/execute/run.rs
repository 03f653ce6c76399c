//! Reads everything that a plan requires: the page, its total and labels at the same time, then its relations.

use std::ops::Range;

use futures_util::future::{BoxFuture, join, join_all};

use super::cursors::Cursors;
use super::error::ExecuteError;
use super::family::{Families, Parents};
use super::labels::labels;
use super::numbers::{Numbers, numbers};
use super::reader::Reader;
use super::statement::read;
use super::total::{self, Counted, Total};
use crate::plan::{ColumnSource, Plan, PlannedColumn, RelationPlan};
use crate::render::{Batch, Shape, ShapeColumn};
use crate::sql::{
    self, Count, Dialect, First, NumberStatements, PageStatements, ParentBy, Populate, Statement,
    Statements,
};
use crate::vocabulary::{Key, Kind};

/// Everything that was read for a plan.
pub(crate) struct Rows {
    pub(crate) page: Batch,
    /// How many of the page's rows are visible.
    pub(crate) shown: usize,
    /// Whether they were read in reverse order.
    pub(crate) backwards: bool,
    pub(crate) total: Total,
    /// The cursors of the neighbouring pages, if the page was requested by cursor.
    pub(crate) cursors: Option<Cursors>,
    /// One for each relation of the plan.
    pub(crate) relations: Vec<RelationRows>,
    /// One for each count of the plan.
    pub(crate) counts: Vec<RelationRows>,
    /// The labels of each applied filter's values; `None` if the values are their own labels.
    pub(crate) labels: Vec<Option<Vec<String>>>,
    /// The facets and totals, if they were requested.
    pub(crate) numbers: Option<Numbers>,
}

impl Rows {
    /// A page without anything that belongs to it.
    pub(crate) fn of_page(page: Batch) -> Self {
        Self {
            shown: page.len(),
            page,
            backwards: false,
            total: Total::Unknown { more: false },
            cursors: None,
            relations: Vec::new(),
            counts: Vec::new(),
            labels: Vec::new(),
            numbers: None,
        }
    }

    /// Whether the list is known to be empty, given a page that begins after `before` rows.
    pub(crate) fn is_known_empty(&self, before: u64) -> bool {
        match self.total {
            Total::Exact(total) => total == 0,
            _ => self.shown == 0 && before == 0,
        }
    }

    /// The visible rows of the page, from the first to the last.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = usize> {
        let (shown, backwards) = (self.shown, self.backwards);
        (0..shown).map(move |at| if backwards { shown - 1 - at } else { at })
    }
}

/// The related rows of a page.
#[derive(Default)]
pub(crate) struct RelationRows {
    pub(crate) batch: Batch,
    /// Assigns them to the rows of the page, limited to the visible ones.
    pub(crate) families: Families,
    /// Whether any parent has more rows than are shown.
    pub(crate) truncated: bool,
    /// The number of rows of each parent, if requested with the rows: rows that only contain the number.
    pub(crate) totals: Option<Box<RelationRows>>,
    /// One for each relation of the related rows; empty if nothing was read.
    pub(crate) relations: Vec<RelationRows>,
}

/// Tells which rows of a batch are shown.
type IsShown<'r> = &'r (dyn Fn(usize) -> bool + Sync);

/// Reads a page with everything that belongs to it and, at the same time, the numbers that were requested with it.
pub(crate) async fn run(
    reader: &dyn Reader,
    dialect: Dialect,
    plan: &Plan<'_>,
    mut statements: Statements<'_, '_>,
) -> Result<Rows, ExecuteError> {
    let (Some(asked), Some(counts)) = (plan.numbers.as_deref(), statements.numbers.take()) else {
        return rows(reader, dialect, plan, statements).await;
    };
    // Boxed, so that lists without numbers do not pay for them.
    let rows = Box::pin(rows(reader, dialect, plan, statements));
    let numbers = Box::pin(numbers(reader, plan, asked, *counts));
    // Both are awaited even if one fails, because dropping a statement half-way costs its connection.
    let (rows, numbers) = join(rows, numbers).await;
    Ok(Rows {
        numbers: Some(numbers?),
        ..rows?
    })
}

/// The results for numbers without rows.
pub(crate) struct NumbersAlone {
    pub(crate) numbers: Option<Numbers>,
    /// The labels of each applied filter's values; `None` if the values are their own labels.
    pub(crate) labels: Vec<Option<Vec<String>>>,
}

/// Reads the requested numbers without rows (d108).
pub(crate) async fn numbers_alone(
    reader: &dyn Reader,
    plan: &Plan<'_>,
    statements: Option<Box<NumberStatements>>,
) -> Result<NumbersAlone, ExecuteError> {
    let numbers = async {
        match plan.numbers.as_deref().zip(statements) {
            Some((asked, counts)) => numbers(reader, plan, asked, *counts).await.map(Some),
            None => Ok(None),
        }
    };
    let labels = labels(&plan.applied, reader, plan.context);
    let (numbers, labels) = join(numbers, labels).await;
    Ok(NumbersAlone {
        numbers: numbers?,
        labels,
    })
}

/// Reads a page, its count and its labels at the same time, and then its relations (one statement for each).
async fn rows(
    reader: &dyn Reader,
    dialect: Dialect,
    plan: &Plan<'_>,
    statements: Statements<'_, '_>,
) -> Result<Rows, ExecuteError> {
    let shape = shape_of(&plan.columns);
    let labels = labels(&plan.applied, reader, plan.context);
    // All are awaited even if one fails, because dropping a statement half-way costs its connection.
    let Statements { first, page, .. } = statements;
    let read = async {
        match first {
            First::Both { page: first, count } => {
                let page = read_page(reader, first, &page, &shape, plan.rows_to_read());
                let (page, counted) = join(page, total::find(reader, count)).await;
                Ok((page?, counted?))
            }
            First::Count { count, look } => {
                count_and_read(reader, plan, count, look, &page, &shape).await
            }
        }
    };
    let (read, labels) = join(read, labels).await;
    let (page, counted) = read?;
    let shown = page
        .len()
        .min(usize::try_from(plan.page.limit()).unwrap_or(usize::MAX));
    let is_beyond = counted.is_some_and(|counted| !counted.is_exact());
    let more = page.len() > shown || (plan.count_tells_more() && is_beyond);
    // The number of rows before a cursor is not known.
    let before = plan.cursor.is_none().then(|| plan.page.offset());
    let total = Total::of(counted, before, shown as u64, more);
    let cursors = plan.cursor.as_ref();
    let cursors = cursors.map(|cursor| Cursors::of(cursor, &page, shown, more));
    let is_shown = |row| row < shown;
    let read = |relation| read_relation(reader, dialect, relation, &page, &is_shown);
    let relations = plan.counts.iter().chain(&plan.relations).map(read);
    let relations = join_all(relations).await;
    let mut counts = relations.into_iter().collect::<Result<Vec<_>, _>>()?;
    let relations = counts.split_off(plan.counts.len());
    Ok(Rows {
        relations,
        counts,
        labels,
        cursors: cursors.transpose()?,
        backwards: plan.cursor.as_ref().is_some_and(|cursor| cursor.backwards),
        page,
        shown,
        total,
        numbers: None,
    })
}

/// Counts the matching rows, and reads the page accordingly: nothing if the count is zero, all rows if they are few, and
/// otherwise in sort order until the page is full. If no total is requested, the page may be full before anything is counted.
async fn count_and_read(
    reader: &dyn Reader,
    plan: &Plan<'_>,
    count: Count,
    look: Option<Statement>,
    page: &PageStatements<'_, '_>,
    shape: &Shape,
) -> Result<(Batch, Option<Counted>), ExecuteError> {
    let counted = total::find(reader, count).await?;
    let known = match look {
        None => counted,
        Some(look) => {
            if let Some(near) = page.near() {
                let near = read(reader, near, shape).await?;
                if near.len() as u64 == plan.rows_to_read() {
                    return Ok((near, counted));
                }
            }
            Some(total::look(reader, look).await?)
        }
    };
    let page = match known {
        Some(known) if known.ends_before(plan.page.offset()) => Batch::default(),
        Some(known) if known.is_few() => read(reader, page.few(), shape).await?,
        _ => read_page(reader, page.first(), page, shape, plan.rows_to_read()).await?,
    };
    Ok((page, counted))
}

/// Reads the parts of a page until it has `rows` rows.
async fn read_page(
    reader: &dyn Reader,
    first: Statement,
    page: &PageStatements<'_, '_>,
    shape: &Shape,
    rows: u64,
) -> Result<Batch, ExecuteError> {
    let mut batch = read(reader, first, shape).await?;
    if batch.is_empty()
        && let Some(whole) = page.whole()
    {
        return read(reader, whole, shape).await;
    }
    let mut further = page.further();
    while (batch.len() as u64) < rows
        && let Some(part) = further.next()
    {
        batch.append(read(reader, part, shape).await?);
    }
    Ok(batch)
}

/// Reads the relations of some rows: one statement for each relation, and one for each relation of those.
pub(crate) async fn related(
    reader: &dyn Reader,
    plans: &[RelationPlan<'_>],
    rows: &Batch,
    some: Range<usize>,
) -> Result<Vec<RelationRows>, ExecuteError> {
    let dialect = reader.dialect()?;
    let is_shown = |row| some.contains(&row);
    let read = |plan| read_relation(reader, dialect, plan, rows, &is_shown);
    let read = join_all(plans.iter().map(read)).await;
    read.into_iter().collect()
}

/// Reads the related rows of the visible rows, and then the relations of the related rows.
async fn read_relation(
    reader: &dyn Reader,
    dialect: Dialect,
    plan: &RelationPlan<'_>,
    rows: &Batch,
    is_shown: IsShown<'_>,
) -> Result<RelationRows, ExecuteError> {
    let key = |row| match is_shown(row) {
        true => parent_key(rows, row, plan),
        false => &Key::Null,
    };
    let parents = Parents::of((0..rows.len()).map(key));
    if parents.keys().is_empty() {
        return Ok(RelationRows::default());
    }
    let Populate { statement, parent } = sql::populate(plan, parents.keys(), dialect);
    let whose = match parent {
        ParentBy::Key => plan.from.meta.kind.clone(),
        ParentBy::Number => Kind::Integer,
    };
    let count = plan
        .count
        .then(|| ShapeColumn::output("count", Kind::Integer));
    let shape = Shape {
        columns: std::iter::once(ShapeColumn::key(whose))
            .chain(plan.columns.iter().map(shape_column))
            .chain(count)
            .collect(),
    };
    let totals = async {
        match &plan.totals {
            None => Ok(None),
            Some(totals) => {
                let totals = read_totals(reader, dialect, totals, rows, is_shown).await;
                totals.map(|totals| Some(Box::new(totals)))
            }
        }
    };
    let (batch, totals) = join(read(reader, statement, &shape), totals).await;
    let (batch, totals) = (batch?, totals?);
    let most = usize::try_from(plan.limit).unwrap_or(usize::MAX);
    let (families, left_out) = parents.with(&batch, parent, most);
    let relations = match plan.relations.is_empty() || batch.is_empty() {
        true => Vec::new(),
        false => read_further(reader, dialect, plan, &batch, &families).await?,
    };
    Ok(RelationRows {
        batch,
        families,
        truncated: plan.to_many && left_out,
        totals,
        relations,
    })
}

/// The number of related rows of each visible row, by a plan without its own relations.
fn read_totals<'r>(
    reader: &'r dyn Reader,
    dialect: Dialect,
    plan: &'r RelationPlan<'_>,
    rows: &'r Batch,
    is_shown: IsShown<'r>,
) -> BoxFuture<'r, Result<RelationRows, ExecuteError>> {
    Box::pin(read_relation(reader, dialect, plan, rows, is_shown))
}

/// The relations of related rows. The future is boxed because it is recursive.
fn read_further<'r>(
    reader: &'r dyn Reader,
    dialect: Dialect,
    plan: &'r RelationPlan<'_>,
    batch: &'r Batch,
    families: &'r Families,
) -> BoxFuture<'r, Result<Vec<RelationRows>, ExecuteError>> {
    Box::pin(async move {
        let shown = families.shown();
        let is_shown = |row: usize| shown[row];
        let relations = plan
            .relations
            .iter()
            .map(|relation| read_relation(reader, dialect, relation, batch, &is_shown));
        join_all(relations).await.into_iter().collect()
    })
}

/// The key that connects a row with its related rows.
fn parent_key<'b>(page: &'b Batch, row: usize, plan: &RelationPlan<'_>) -> &'b Key {
    page.keys(row).get(plan.parent_key).unwrap_or(&Key::Null)
}

/// How to render rows of these columns.
pub(crate) fn shape_of(columns: &[PlannedColumn<'_>]) -> Shape {
    Shape {
        columns: columns.iter().map(shape_column).collect(),
    }
}

fn shape_column(column: &PlannedColumn<'_>) -> ShapeColumn {
    let mut shape = match column.output {
        Some(name) => ShapeColumn::output(name, column.kind.clone()),
        None => ShapeColumn::key(column.kind.clone()),
    };
    shape.key = column.key;
    shape.part = column.part;
    shape.later = matches!(column.source, ColumnSource::Later);
    shape
}
