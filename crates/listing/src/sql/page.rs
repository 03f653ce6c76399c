//! Writes the statement that reads a page.

use super::condition;
use super::either::Either;
use super::keyset::{self, Part};
use super::rows::all_rows;
use super::writer::{Numbered, Writer};
use super::{Dialect, Statement, export, order, selected};
use crate::plan::{ColumnOf, ColumnSource, Computed, OrderBy, Plan};
use crate::vocabulary::CountMode;

/// Writes the statements that read a page: its rows, and one more if they are not all counted, to know whether there is a next
/// page. After a cursor, and for a sort by a relation, the rows can be in two parts. The second one is written when it is needed.
pub(crate) struct PageStatements<'p, 'l> {
    plan: &'p Plan<'l>,
    dialect: Dialect,
    /// Whether everything about a row is read with it: its to-one relations, and counts of the others.
    is_whole: bool,
}

/// The source of a page's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The table, with the condition.
    Table,
    /// A sub-query with the condition, which the database may merge into the outer query.
    SubQuery,
    /// A sub-query with the condition, all of whose rows are found before they are sorted.
    Collected,
    /// The same, but only for the first rows in sort order.
    Near,
}

impl<'p, 'l> PageStatements<'p, 'l> {
    pub(super) const fn of(plan: &'p Plan<'l>, dialect: Dialect) -> Self {
        Self {
            plan,
            dialect,
            is_whole: false,
        }
    }

    /// Reads all rows of a plan at once, each with all of its visible parts.
    pub(super) fn export(plan: &'p Plan<'l>, dialect: Dialect) -> Statement {
        let is_whole = true;
        let all = Self {
            plan,
            dialect,
            is_whole,
        };
        all.part(Part::Whole)
    }

    /// Every statement that may be needed to read it in order.
    pub(crate) fn all(&self) -> Vec<Statement> {
        let mut all = vec![self.first()];
        all.extend(self.further());
        all.extend(self.whole());
        all
    }

    /// Reads the first part of the page, which is usually all of it.
    pub(crate) fn first(&self) -> Statement {
        self.part(keyset::parts(self.plan)[0])
    }

    /// The parts after the first, each of which is read only if those before it do not fill the page.
    pub(crate) fn further(&self) -> impl Iterator<Item = Statement> {
        let parts = keyset::parts(self.plan).iter().skip(1);
        parts.map(|part| self.part(*part))
    }

    /// Reads the page instead if the first part has no row of it, because the number of rows of the first part before the page is
    /// not known then.
    pub(crate) fn whole(&self) -> Option<Statement> {
        let can_miss = keyset::parts(self.plan).len() > 1 && self.plan.page.offset() > 0;
        can_miss.then(|| self.part(Part::Whole))
    }

    /// Reads the page if few rows match: all of them are found first and then sorted.
    pub(crate) fn few(&self) -> Statement {
        self.statement(|writer| self.write(writer, Part::Whole, self.collected()))
    }

    /// Reads the page from the first rows in sort order, for which there is an index. This succeeds if very many rows match. If
    /// the page is not full, that says nothing. It saves a count, which takes longer the more rows match.
    pub(crate) fn near(&self) -> Option<Statement> {
        let plan = self.plan;
        let last = plan.page.offset().saturating_add(plan.rows_to_read());
        let is_possible = plan.looks_at_the_order
            && plan.count == CountMode::None
            && plan.base.is_none()
            && !plan.entity.key.is_empty()
            && last <= NEAR
            && keyset::parts(plan) == [Part::Whole]
            && order::is_native(&plan.order, self.dialect);
        is_possible.then(|| self.statement(|writer| self.write(writer, Part::Whole, Source::Near)))
    }

    fn part(&self, part: Part) -> Statement {
        self.statement(|writer| self.write(writer, part, self.source()))
    }

    fn statement(&self, write: impl FnOnce(&mut Writer)) -> Statement {
        let mut writer = Writer::new(self.dialect);
        write(&mut writer);
        let statement = writer.finish().planned(self.plan.plans);
        statement.unindexed(self.plan.is_unindexed)
    }

    fn source(&self) -> Source {
        match self.plan.base {
            None => Source::Table,
            Some(_) => Source::SubQuery,
        }
    }

    /// Relevance is computed from the table itself and is in no index, so the rows are sorted after they are found.
    fn collected(&self) -> Source {
        let by_relevance = |by: &OrderBy<'_>| matches!(by, OrderBy::Relevance(_));
        match self.plan.order.iter().any(|term| by_relevance(&term.by)) {
            true => self.source(),
            false => Source::Collected,
        }
    }

    fn write(&self, writer: &mut Writer, part: Part, source: Source) {
        let plan = self.plan;
        let mut offset = plan.page.offset().min(MOST_ROWS);
        // The rest of the page, after its first part, begins with the second part.
        if part != Part::Whole && keyset::parts(plan).first() != Some(&part) {
            offset = 0;
        }
        writer.skips_rows = offset > 0;
        writer.text("SELECT ");
        columns(writer, plan);
        if self.is_whole {
            export::related_columns(writer, &plan.relations);
        }
        writer.text(" FROM ");
        match source {
            Source::Table => writer.table(&plan.entity.table),
            Source::SubQuery | Source::Collected | Source::Near => matching(writer, plan, source),
        }
        let from_related = source == Source::Table && plan.applied.is_empty();
        order::joins(writer, &plan.order, part, from_related);
        if self.is_whole {
            export::joins(writer, &plan.relations);
        }
        let mut before = " WHERE ";
        if source == Source::Table && !plan.predicate.is_always() {
            writer.text(before);
            condition::condition(writer, &plan.predicate);
            before = " AND ";
        }
        if plan.is_after_a_row() || part != Part::Whole {
            writer.text(before);
            keyset::within(writer, plan, part);
        }
        order::order_in(writer, &plan.order, part);
        writer.text(" LIMIT ");
        writer.number(plan.rows_to_read());
        // The first page needs no offset.
        if offset > 0 {
            writer.text(" OFFSET ");
            writer.number(offset);
        }
    }
}

/// How many of the first rows in sort order are read if no total is requested. Finding the matching ones among them takes a few
/// milliseconds (`cargo xtask bench --shapes`).
const NEAR: u64 = 1_000;

/// The largest number that every database accepts. No table has this many rows.
const MOST_ROWS: u64 = i64::MAX.unsigned_abs();

fn columns(writer: &mut Writer, plan: &Plan<'_>) {
    writer.list(plan.columns.iter().enumerate(), |writer, (at, column)| {
        selected(writer, &column.source, &plan.order);
        // A sort can refer to it by name.
        if matches!(column.source, ColumnSource::Computed(_)) {
            writer.text(" AS ");
            writer.numbered(Numbered::Selected(at));
        }
    });
}

/// Writes the rows that match, as a sub-query with the name of their table.
fn matching(writer: &mut Writer, plan: &Plan<'_>, source: Source) {
    let start = writer.len();
    writer.text("(");
    match Either::of(plan).filter(|_| source == Source::Collected) {
        None => all_rows(writer, plan, &|writer| needed(writer, plan)),
        Some(either) => either.rows(writer, &|writer| needed(writer, plan)),
    }
    if source == Source::Near {
        is_near(writer, plan);
    }
    if source != Source::SubQuery || writer.may_be_joined(start) {
        writer.text(writer.dialect.fence());
    }
    writer.text(") AS ");
    writer.name(&plan.entity.name);
}

/// Writes another condition: the row is among the first of all rows in sort order, beginning after the cursor.
fn is_near(writer: &mut Writer, plan: &Plan<'_>) {
    let entity = plan.entity;
    let key = |writer: &mut Writer| {
        writer.list(&entity.key, |writer, part| {
            writer.column(ColumnOf::new(entity, *part));
        });
    };
    let has_others = !plan.predicate.is_always();
    writer.text(if has_others { " AND (" } else { " WHERE (" });
    key(writer);
    // Databases accept a limit only in a sub-query of the sub-query.
    writer.text(") IN (SELECT * FROM (SELECT ");
    key(writer);
    writer.text(" FROM ");
    writer.table(&entity.table);
    if plan.is_after_a_row() {
        writer.text(" WHERE ");
        keyset::within(writer, plan, Part::Whole);
    }
    order::order(writer, &plan.order);
    writer.text(" LIMIT ");
    writer.number(NEAR);
    writer.text(") AS listing_near)");
}

/// Writes the columns of the table that a page shows or is sorted by.
fn needed(writer: &mut Writer, plan: &Plan<'_>) {
    let mut needed = Needed::default();
    for column in &plan.columns {
        match &column.source {
            ColumnSource::Column(of) => needed.column(*of),
            ColumnSource::Computed(computed) => needed.computed(computed),
            ColumnSource::Term(_) | ColumnSource::Later => {}
        }
    }
    for term in &plan.order {
        match &term.by {
            OrderBy::Column(of) => needed.column(*of),
            OrderBy::Computed(computed) => needed.computed(computed),
            OrderBy::Related(row) => needed.column(row.from),
            OrderBy::Relevance(_) => needed.all = true,
            OrderBy::Selected(_) | OrderBy::Link(_) => {}
        }
    }
    if needed.all {
        writer.name(&plan.entity.name);
        writer.text(".*");
    } else {
        writer.list(needed.columns, |writer, column| writer.column(column));
    }
}

/// The columns that a page needs, each once.
#[derive(Default)]
struct Needed<'w> {
    columns: Vec<ColumnOf<'w>>,
    /// Whether any column may be needed: by a query of the application, or by a search.
    all: bool,
}

impl<'w> Needed<'w> {
    fn column(&mut self, column: ColumnOf<'w>) {
        let is_it = |known: &ColumnOf<'_>| known.meta.name == column.meta.name;
        if !self.columns.iter().any(is_it) {
            self.columns.push(column);
        }
    }

    fn computed(&mut self, computed: &Computed<'w>) {
        match computed {
            Computed::Query(_) => self.all = true,
            Computed::Count(count) => self.column(count.from),
        }
    }
}
