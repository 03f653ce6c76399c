//! A tree of conditions on rows.

use chrono::NaiveDate;
use sea_orm::sea_query::Condition;
use smallvec::SmallVec;

use super::{CheckedSearch, Computed};
use crate::define::{ColumnMeta, EntityMeta, FilterValue, Through, WhitelistPart};
use crate::vocabulary::{Kind, SortDirection};

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
    /// The array has all of these values in it, or one of them (d149).
    Holds {
        column: ColumnOf<'w>,
        all: bool,
        values: Vec<FilterValue>,
    },
    /// The row matches the search.
    Search(CheckedSearch<'w>),
    /// This is not true: it is false, or unknown because of a null (d67). Made by `negated`.
    Not(Box<Predicate<'w>>),
    /// There is a matching related row or, if `negated`, no such row.
    Exists {
        rows: Box<RelatedRows<'w>>,
        negated: bool,
    },
    /// The row is the one to which its relation leads, of several that it could lead to.
    First(Box<FirstRow<'w>>),
    /// The computed value of the row meets the test, which is about `ColumnOf::computed` alone.
    Computed {
        computed: Box<Computed<'w>>,
        test: Box<Predicate<'w>>,
    },
    /// A condition that application code wrote.
    Custom(Condition),
}

/// Where to search in a column's text.
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
    /// The condition of the rows that count: the caller can see them, and they meet the filters.
    pub(crate) counting: Predicate<'w>,
    /// Whether an index finds them, and they are few.
    pub(crate) are_found: bool,
}

/// The one row to which a relation to one leads where nothing says that there is only one: the first in its order (b32).
#[derive(Debug, Clone)]
pub(crate) struct FirstRow<'w> {
    pub(crate) target: &'w EntityMeta,
    /// The column that is equal to the one on the other side.
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
    /// The rows of it that count as links.
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

impl Comparison {
    /// The comparison that holds for every other value.
    const fn opposite(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }
}

/// A column and the table that it is in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnOf<'w> {
    pub(crate) table: &'w str,
    pub(crate) meta: &'w ColumnMeta,
    /// The names that lead to a part of it, which is meant instead of all of it: it is JSON, or an array if there are none.
    pub(crate) path: Option<&'w [String]>,
}

impl<'w> ColumnOf<'w> {
    pub(crate) fn new(entity: &'w EntityMeta, column: usize) -> Self {
        Self::of(&entity.name, &entity.columns[column])
    }

    /// A column of the table that is called so.
    pub(crate) fn of(table: &'w str, meta: &'w ColumnMeta) -> Self {
        Self {
            table,
            meta,
            path: None,
        }
    }

    /// A part of a column, which says itself what its values are.
    pub(super) fn part(entity: &'w EntityMeta, part: &'w WhitelistPart) -> Self {
        Self {
            table: &entity.name,
            meta: &part.values,
            path: Some(&part.path),
        }
    }

    /// The type of the computed value, as if it were a column; it is in no table.
    pub(super) fn computed(values: &'w ColumnMeta) -> Self {
        Self::of("", values)
    }

    /// Whether a comparison with each value of the column is true or false, and unknown for null alone. SQLite may hold a
    /// text in a column of moments that is not one, and compares it with nothing.
    fn compares_every_value(self) -> bool {
        self.meta.kind != Kind::Timestamp
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
    ///
    /// It is pushed down to the comparisons, which an index can serve: `views <= 5 OR views IS NULL` is read from the index
    /// of `views`, and `(views > 5) IS NOT TRUE` from every row.
    pub(super) fn negated(self) -> Self {
        if self.is_always() {
            return Self::NEVER;
        }
        match self {
            Self::Not(part) => *part,
            Self::All(parts) => Self::Any(parts.into_iter().map(Self::negated).collect()),
            Self::Any(parts) => Self::All(parts.into_iter().map(Self::negated).collect()),
            Self::Compare {
                column,
                comparison,
                value,
            } if column.compares_every_value() => Self::or_null(
                column,
                Self::Compare {
                    column,
                    comparison: comparison.opposite(),
                    value,
                },
            ),
            Self::OneOf {
                column,
                values,
                negated,
            } if column.compares_every_value() => Self::or_null(
                column,
                Self::OneOf {
                    column,
                    values,
                    negated: !negated,
                },
            ),
            Self::Null { column, is_null } => Self::Null {
                column,
                is_null: !is_null,
            },
            Self::Exists { rows, negated } => Self::Exists {
                rows,
                negated: !negated,
            },
            Self::Computed { computed, test } => Self::Computed {
                computed,
                test: Box::new(test.negated()),
            },
            part => Self::Not(Box::new(part)),
        }
    }

    /// The condition holds, or the column has no value.
    fn or_null(column: ColumnOf<'w>, condition: Self) -> Self {
        if !column.meta.nullable {
            return condition;
        }
        let is_null = Self::Null {
            column,
            is_null: true,
        };
        Self::Any(vec![condition, is_null])
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
