//! Reads everything that a plan asks for: the page, its total and labels at once, then its relations.

use futures_util::future::{BoxFuture, join_all, join3};

use super::cursors::Cursors;
use super::error::ExecuteError;
use super::family::{Families, Parents};
use super::labels::labels;
use super::reader::Reader;
use super::statement::read;
use super::total::{self, Total};
use crate::plan::{Plan, PlannedColumn, RelationPlan};
use crate::render::{Batch, Shape, ShapeColumn};
use crate::sql::{self, Dialect, PageStatements, ParentBy, Populate, Statements};
use crate::vocabulary::{Key, Kind};

/// Everything that was read for a plan.
pub(crate) struct Rows {
    pub(crate) page: Batch,
    /// How many of the page's rows are shown.
    pub(crate) shown: usize,
    /// Whether they were read from the last to the first.
    pub(crate) backwards: bool,
    pub(crate) total: Total,
    /// The ways on, if the page was asked for by cursor.
    pub(crate) cursors: Option<Cursors>,
    /// One for each relation of the plan.
    pub(crate) relations: Vec<RelationRows>,
    /// The labels of each applied filter's values; none where they are their own.
    pub(crate) labels: Vec<Option<Vec<String>>>,
}

impl Rows {
    /// Whether the list has no row, as far as a page shows it that begins after so many rows.
    pub(crate) fn is_known_empty(&self, before: u64) -> bool {
        match self.total {
            Total::Exact(total) => total == 0,
            _ => self.shown == 0 && before == 0,
        }
    }

    /// The page's rows that are shown, from the first to the last.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = usize> {
        let (shown, backwards) = (self.shown, self.backwards);
        (0..shown).map(move |at| if backwards { shown - 1 - at } else { at })
    }
}

/// The related rows of a page.
#[derive(Default)]
pub(crate) struct RelationRows {
    pub(crate) batch: Batch,
    /// Which of them belong to which row of the page, no more than are shown.
    pub(crate) families: Families,
    /// Whether any parent has more than are shown.
    pub(crate) truncated: bool,
    /// One for each relation of the related rows; empty where nothing was read.
    pub(crate) relations: Vec<RelationRows>,
}

/// Reads a page, its count and its labels at the same time, and then its relations (one statement each).
pub(crate) async fn run(
    reader: &dyn Reader,
    dialect: Dialect,
    plan: &Plan<'_>,
    statements: Statements<'_, '_>,
) -> Result<Rows, ExecuteError> {
    let shape = Shape {
        columns: plan.columns.iter().map(shape_column).collect(),
    };
    // All are waited for, also when one fails: a statement that is dropped half-way costs its connection.
    let (page, counted, labels) = join3(
        read_page(reader, statements.page, &shape, plan.rows_to_read()),
        total::find(reader, statements.count),
        labels(&plan.applied, reader, plan.context),
    )
    .await;
    let (page, counted) = (page?, counted?);
    let shown = page
        .len()
        .min(usize::try_from(plan.page.limit()).unwrap_or(usize::MAX));
    let is_beyond = counted.is_some_and(|counted| !counted.is_exact());
    let more = page.len() > shown || (plan.count_tells_more() && is_beyond);
    // How many rows are before a cursor, nobody knows.
    let before = plan.cursor.is_none().then(|| plan.page.offset());
    let total = Total::of(counted, before, shown as u64, more);
    let cursors = plan.cursor.as_ref();
    let cursors = cursors.map(|cursor| Cursors::of(cursor, &page, shown, more));
    let relations = plan
        .relations
        .iter()
        .map(|relation| read_relation(reader, dialect, relation, &page, |row| row < shown));
    let relations = join_all(relations).await;
    Ok(Rows {
        relations: relations.into_iter().collect::<Result<_, _>>()?,
        labels,
        cursors: cursors.transpose()?,
        backwards: plan.cursor.as_ref().is_some_and(|cursor| cursor.backwards),
        page,
        shown,
        total,
    })
}

/// Reads the parts of a page until it has so many rows.
async fn read_page(
    reader: &dyn Reader,
    PageStatements { first, others }: PageStatements<'_, '_>,
    shape: &Shape,
    rows: u64,
) -> Result<Batch, ExecuteError> {
    let mut page = read(reader, first, shape).await?;
    if page.is_empty()
        && let Some(whole) = others.whole()
    {
        return read(reader, whole, shape).await;
    }
    let mut further = others.further();
    while (page.len() as u64) < rows
        && let Some(part) = further.next()
    {
        page.append(read(reader, part, shape).await?);
    }
    Ok(page)
}

/// Reads the related rows of those rows that are shown, and then the relations of the related rows.
async fn read_relation(
    reader: &dyn Reader,
    dialect: Dialect,
    plan: &RelationPlan<'_>,
    rows: &Batch,
    is_shown: impl Fn(usize) -> bool,
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
    let batch = read(reader, statement, &shape).await?;
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
        relations,
    })
}

/// The relations of related rows: a level further down, so that the future has to be put into a box.
fn read_further<'r>(
    reader: &'r dyn Reader,
    dialect: Dialect,
    plan: &'r RelationPlan<'_>,
    batch: &'r Batch,
    families: &'r Families,
) -> BoxFuture<'r, Result<Vec<RelationRows>, ExecuteError>> {
    Box::pin(async move {
        let shown = families.shown();
        let relations = plan
            .relations
            .iter()
            .map(|relation| read_relation(reader, dialect, relation, batch, |row| shown[row]));
        join_all(relations).await.into_iter().collect()
    })
}

/// The key by which a row meets its related rows.
fn parent_key<'b>(page: &'b Batch, row: usize, plan: &RelationPlan<'_>) -> &'b Key {
    page.keys(row).get(plan.parent_key).unwrap_or(&Key::Null)
}

fn shape_column(column: &PlannedColumn<'_>) -> ShapeColumn {
    let mut shape = match column.output {
        Some(name) => ShapeColumn::output(name, column.kind.clone()),
        None => ShapeColumn::key(column.kind.clone()),
    };
    shape.key = column.key;
    shape.part = column.part;
    shape
}
