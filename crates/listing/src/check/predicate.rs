//! A tree of conditions on rows.

use chrono::NaiveDate;
use sea_orm::sea_query::Condition;
use smallvec::SmallVec;

use super::CheckedSearch;
use crate::define::{ColumnMeta, EntityMeta, FilterValue, Through};
use crate::vocabulary::SortDirection;

/// The values of one filter: mostly one.
pub(super) type Values = SmallVec<[FilterValue; 1]>;

/// A condition on rows.
#[derive(Debug, Clone)]
pub(crate) enum Predicate<'w> {
    /// All must hold; of nothing, everything does.
    All(Vec<Predicate<'w>>),
    /// One must hold; of nothing, nothing does.
    Any(Vec<Predicate<'w>>),
    Compare {
        column: ColumnOf<'w>,
        comparison: Comparison,
        value: FilterValue,
    },
    OneOf {
        column: ColumnOf<'w>,
        values: Vec<FilterValue>,
        negated: bool,
    },
    /// On one of these UTC days, or on none of them.
    OnDays {
        column: ColumnOf<'w>,
        days: Vec<NaiveDate>,
        negated: bool,
    },
    Null {
        column: ColumnOf<'w>,
        is_null: bool,
    },
    /// The column's text has this text in it.
    Text {
        column: ColumnOf<'w>,
        place: TextPlace,
        /// Whether the case of letters makes no difference.
        any_case: bool,
        text: String,
    },
    /// What was searched for is there.
    Search(CheckedSearch<'w>),
    /// This is not true: it is false, or unknown because of a null (d67). Made by `negated`.
    Not(Box<Predicate<'w>>),
    /// There is a related row that counts, or there is none.
    Exists {
        rows: Box<RelatedRows<'w>>,
        negated: bool,
    },
    /// The row is the one to which its relation leads, of several that it could lead to.
    First(Box<FirstRow<'w>>),
    /// A condition that application code wrote.
    Custom(Condition),
}

/// Where in a column's text a text is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextPlace {
    Anywhere,
    Start,
    End,
    Whole,
}

/// The rows of another entity to which a relation leads from each row.
#[derive(Debug, Clone)]
pub(crate) struct RelatedRows<'w> {
    /// The column on this side.
    pub(crate) from: ColumnOf<'w>,
    pub(crate) target: &'w EntityMeta,
    /// The column that it meets there, or that meets the junction.
    pub(crate) to: ColumnOf<'w>,
    pub(crate) through: Option<Junction<'w>>,
    /// Which of them count: those that the caller can see and that meet what was asked.
    pub(crate) counting: Predicate<'w>,
}

/// The one row to which a relation to one leads where nothing says that there is only one: the first in its order (b32).
#[derive(Debug, Clone)]
pub(crate) struct FirstRow<'w> {
    pub(crate) target: &'w EntityMeta,
    /// The column that meets the other side.
    pub(crate) to: usize,
    /// The relation's own order, and the primary key that decides where it does not.
    pub(crate) order: &'w [(usize, SortDirection)],
    pub(crate) key: &'w [usize],
    /// Of which rows it is the first.
    pub(crate) visible: Predicate<'w>,
}

/// The table between the two sides of a many-to-many relation.
#[derive(Debug, Clone)]
pub(crate) struct Junction<'w> {
    pub(crate) meta: &'w Through,
    /// Which of its rows count as links.
    pub(crate) visible: Predicate<'w>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A column and the table that it is in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnOf<'w> {
    pub(crate) table: &'w str,
    pub(crate) meta: &'w ColumnMeta,
}

impl<'w> ColumnOf<'w> {
    pub(crate) fn new(entity: &'w EntityMeta, column: usize) -> Self {
        Self {
            table: &entity.name,
            meta: &entity.columns[column],
        }
    }
}

impl<'w> Predicate<'w> {
    pub(crate) const ALWAYS: Self = Self::All(Vec::new());
    pub(crate) const NEVER: Self = Self::Any(Vec::new());

    /// Whether every row meets it.
    pub(crate) fn is_always(&self) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(Self::is_always),
            Self::Any(parts) => parts.iter().any(Self::is_always),
            // Nothing but an empty `all`: of an empty `any`, nothing holds.
            Self::Custom(custom) => *custom == Condition::all(),
            _ => false,
        }
    }

    /// The complement: every row for which this is not true, whatever is null in it (d67).
    pub(super) fn negated(self) -> Self {
        if self.is_always() {
            return Self::NEVER;
        }
        match self {
            Self::Not(part) => *part,
            Self::Any(parts) if parts.is_empty() => Self::ALWAYS,
            Self::Null { column, is_null } => Self::Null {
                column,
                is_null: !is_null,
            },
            Self::Exists { rows, negated } => Self::Exists {
                rows,
                negated: !negated,
            },
            part => Self::Not(Box::new(part)),
        }
    }

    /// Both must hold.
    pub(super) fn and(self, other: Self) -> Self {
        match (self.is_always(), other.is_always()) {
            (true, _) => other,
            (_, true) => self,
            _ => match other {
                Self::All(mut parts) => {
                    parts.insert(0, self);
                    Self::All(parts)
                }
                other => Self::All(vec![self, other]),
            },
        }
    }
}
