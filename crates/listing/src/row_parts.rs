//! Reads parts of a record from the row of a statement that locks or writes it, so that they need no statement of their own.

use std::fmt;

use sea_orm::QueryResult;
use sea_orm::sea_query::{CaseStatement, Expr};

use crate::check::{self, ColumnOf, Predicate, Trashed};
use crate::define::{Context, HasListing, Listings, Whitelist};
use crate::envelope::{self, ShownRecord};
use crate::error::Error;
use crate::execute::{ExecuteError, Rows, shape_of};
use crate::history::RecordValues;
use crate::plan::{self, ColumnSource, Plan, PlannedColumn};
use crate::record::RecordRequest;
use crate::render::{Batch, Shape};
use crate::sql::{self, Dialect};

/// The parts of a record that are wanted from a row.
#[derive(Debug, Clone, Copy)]
pub struct WantedParts<'r> {
    /// The values for the record's history.
    pub recorded: bool,
    /// The record as it is shown.
    pub shown: Option<&'r RecordRequest>,
}

/// Where a row has the wanted parts of a record.
pub struct RowParts<'a> {
    columns: Vec<ColumnOf<'a>>,
    recorded: Option<Shape>,
    shown: Option<ShownPart<'a>>,
    /// The number of other columns before them.
    after: usize,
    dialect: Dialect,
}

/// The record as it is shown. All of it is in columns of its row.
struct ShownPart<'a> {
    plan: Plan<'a>,
    shape: Shape,
    is_plain: bool,
    /// The column that marks the row as deleted.
    soft_delete: Option<ColumnOf<'a>>,
}

impl Listings {
    /// Finds the wanted parts of a record in a row that has this many other columns before them. A record as it is shown is left
    /// out if it has relations or computed fields, which may need other rows.
    ///
    /// # Errors
    /// When the listing was not added.
    pub fn row_parts<'a, E: HasListing>(
        &'a self,
        wanted: WantedParts<'_>,
        context: &'a Context,
        after: usize,
        dialect: Dialect,
    ) -> Result<RowParts<'a>, Error> {
        let whitelist = self.required::<E>()?;
        let mut parts = RowParts {
            columns: Vec::new(),
            recorded: None,
            shown: None,
            after,
            dialect,
        };
        if wanted.recorded {
            let fields = whitelist.recorded_columns().iter();
            let columns = plan::of_fields(self, &whitelist.entity, fields, context)?;
            parts.recorded = parts.place(&columns);
        }
        if let Some(asked) = wanted.shown
            && let Some(plan) = self.plan_of_row(whitelist, asked, context)
            && let Some(shape) = parts.place(&plan.columns)
        {
            let soft_delete = whitelist.soft_delete;
            parts.shown = Some(ShownPart {
                shape,
                plan,
                is_plain: asked.is_plain(),
                soft_delete: soft_delete.map(|column| ColumnOf::new(&whitelist.entity, column)),
            });
        }
        Ok(parts)
    }

    /// `None` if it needs other rows, or if the request is refused: whatever reads the record then says why.
    fn plan_of_row<'a>(
        &'a self,
        whitelist: &'a Whitelist,
        asked: &RecordRequest,
        context: &'a Context,
    ) -> Option<Plan<'a>> {
        let checked = check::record(self, whitelist, asked.request(), context).ok()?;
        let plan = plan::record(self, whitelist, checked, Predicate::ALWAYS, context).ok()?;
        plan.relations.is_empty().then_some(plan)
    }
}

impl<'a> RowParts<'a> {
    /// Whether nothing is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Whether the record as it is shown is among them.
    #[must_use]
    pub fn has_shown(&self) -> bool {
        self.shown.is_some()
    }

    /// The expressions to select, in their order.
    pub fn selected(&self) -> impl Iterator<Item = Expr> {
        let columns = self.columns.iter();
        let columns = columns.map(|column| sql::shown(*column, self.dialect));
        let soft_delete = self.shown.iter().filter_map(|shown| shown.soft_delete);
        let deleted = soft_delete.filter_map(|column| {
            let is_null = false;
            let is_deleted = sql::expression(&Predicate::Null { column, is_null }, self.dialect)?;
            // No database gives a truth as the same type as the others.
            let case = CaseStatement::new().case(is_deleted, Expr::cust("1"));
            Some(case.finally(Expr::cust("0")).into())
        });
        columns.chain(deleted)
    }

    /// The values for the record's history, if they are wanted.
    ///
    /// # Errors
    /// When a value cannot be read.
    pub fn recorded(&self, row: &QueryResult) -> Result<Option<RecordValues>, Error> {
        let Some(shape) = &self.recorded else {
            return Ok(None);
        };
        let rows = rows(shape, row)?;
        let values = envelope::plain_items(&rows).next();
        values
            .map(|values| RecordValues::of_json(&values))
            .transpose()
    }

    /// The record as it is shown, if it is wanted and `trashed` does not exclude it.
    ///
    /// # Errors
    /// When a value cannot be read.
    pub fn shown(&self, row: &QueryResult, trashed: Trashed) -> Result<Option<ShownRecord>, Error> {
        let Some(shown) = &self.shown else {
            return Ok(None);
        };
        if shown.soft_delete.is_some() && trashed != Trashed::With {
            let at = self.after + self.columns.len();
            let is_deleted: i32 = row.try_get_by_index(at).map_err(ExecuteError::from)?;
            if (is_deleted == 1) != (trashed == Trashed::Only) {
                return Ok(None);
            }
        }
        let rows = rows(&shown.shape, row)?;
        Ok(envelope::record(&shown.plan, &rows, shown.is_plain))
    }

    /// Adds these columns, each once; `None` if they are not all columns of the row.
    fn place(&mut self, columns: &[PlannedColumn<'a>]) -> Option<Shape> {
        let is_own = |column: &PlannedColumn<'_>| matches!(column.source, ColumnSource::Column(_));
        if !columns.iter().all(is_own) {
            return None;
        }
        let mut shape = shape_of(columns);
        for (planned, shaped) in columns.iter().zip(&mut shape.columns) {
            let ColumnSource::Column(column) = planned.source else {
                continue;
            };
            let mut known = self.columns.iter();
            let at = known.position(|known| known.meta.name == column.meta.name);
            let at = at.unwrap_or_else(|| {
                self.columns.push(column);
                self.columns.len() - 1
            });
            shaped.place = Some(self.after + at);
        }
        Some(shape)
    }
}

/// A row of SeaORM as a page.
fn rows(shape: &Shape, row: &QueryResult) -> Result<Rows, ExecuteError> {
    let mut batch = Batch::default();
    batch.push_result(shape, row)?;
    Ok(Rows::of_page(batch))
}

impl fmt::Debug for RowParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowParts").finish_non_exhaustive()
    }
}
