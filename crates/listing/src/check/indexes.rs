//! Tells which conditions an index serves, as far as this is known from start-up.

use std::borrow::Cow;

use super::{ColumnOf, Comparison, Predicate, TextPlace, Word};
use crate::catalogue::{IndexedTable, LargeTables};
use crate::define::{Listings, SearchEngine};
use crate::vocabulary::Kind;

/// The indexes of large tables. Small tables need none, and nothing is known before the database is inspected.
#[derive(Default, Clone, Copy)]
pub(super) struct Indexes<'w> {
    large: Option<&'w LargeTables>,
}

impl<'w> Indexes<'w> {
    pub(super) fn of(listings: &'w Listings) -> Self {
        Self {
            large: listings.large_tables(),
        }
    }

    /// Whether the database was inspected.
    pub(super) const fn are_known(self) -> bool {
        self.large.is_some()
    }

    /// Whether it is a view or a foreign table, whose size and indexes are unknown.
    pub(super) fn are_unknown_for(self, name: &str) -> bool {
        self.large.is_some_and(|large| large.is_view(name))
    }

    /// The table, if it is large.
    pub(super) fn table(self, name: &str) -> Option<&'w IndexedTable> {
        self.large?.get(name)
    }

    /// The first column of an index that finds values of a column, or of a part of it; `None` if there can be none.
    pub(super) fn name<'c>(self, column: ColumnOf<'c>) -> Option<Cow<'c, str>> {
        let name = &column.meta.name;
        match column.path {
            None => Some(Cow::Borrowed(&**name)),
            Some(path) => {
                let inside = self.large?.inside(name, path, &column.meta.kind)?;
                Some(Cow::Owned(inside))
            }
        }
    }

    /// Whether the rows with a value of a column are found without reading all others. In a small table they always are.
    pub(super) fn find(&self, column: ColumnOf<'_>) -> bool {
        self.serve(column, IndexedTable::finds)
    }

    fn find_between(&self, column: ColumnOf<'_>) -> bool {
        self.serve(column, IndexedTable::finds_between)
    }

    fn find_start(&self, column: ColumnOf<'_>) -> bool {
        self.are_known() && self.serve(column, IndexedTable::finds_start)
    }

    fn find_inside(&self, column: ColumnOf<'_>) -> bool {
        self.are_known() && self.serve(column, IndexedTable::finds_inside)
    }

    fn find_held(&self, column: ColumnOf<'_>) -> bool {
        self.are_known() && self.serve(column, IndexedTable::finds_held)
    }

    fn serve(&self, column: ColumnOf<'_>, finds: fn(&IndexedTable, &str) -> bool) -> bool {
        let finds = |table| self.name(column).is_some_and(|name| finds(table, &name));
        self.table(column.table).is_none_or(finds)
    }

    /// Whether few rows are likely to match a condition, and an index finds them (b412).
    pub(super) fn narrow(&self, predicate: &Predicate<'_>) -> bool {
        /// The fewest letters that make a trigram.
        const TRIGRAM: usize = 3;
        match predicate {
            Predicate::All(parts) => {
                parts.iter().any(|part| self.narrow(part)) || self.has_both_ends(parts)
            }
            // An empty `Any` matches no row.
            Predicate::Any(parts) => parts.iter().all(|part| self.narrow(part)),
            Predicate::Compare {
                column,
                comparison: Comparison::Equal,
                ..
            }
            | Predicate::OneOf {
                column,
                negated: false,
                ..
            } => column.meta.kind != Kind::Boolean && self.find(*column),
            Predicate::Text {
                column,
                place,
                any_case,
                text,
            } => {
                let has_trigrams = text.chars().count() >= TRIGRAM;
                let is_start = *place == TextPlace::Start && !any_case;
                (is_start && self.find_start(*column))
                    || (*place != TextPlace::Whole && has_trigrams && self.find_inside(*column))
            }
            Predicate::Search(search) => match search.engine() {
                SearchEngine::Contains => {
                    let has_trigrams = |word: &Word| word.text.chars().count() >= TRIGRAM;
                    search.wanted().any(has_trigrams)
                        && search.columns().all(|one| self.find_inside(one))
                }
                SearchEngine::FullText { .. } => search.wanted().next().is_some(),
            },
            Predicate::Holds { column, .. } => self.find_held(*column),
            // Few rows match there, and an index leads from them to the rows here.
            Predicate::Exists {
                rows,
                negated: false,
            } => {
                let leads_back = rows.through.is_none() && self.find(rows.from);
                leads_back && self.narrow(&rows.counting)
            }
            Predicate::Compare { .. }
            | Predicate::OneOf { .. }
            | Predicate::OnDays { .. }
            | Predicate::Null { .. }
            | Predicate::Not(_)
            | Predicate::Exists { .. }
            | Predicate::First(_)
            | Predicate::Computed { .. }
            | Predicate::Custom(_) => false,
        }
    }

    /// Whether a condition asks for a value that an index finds. How many rows contain a part of a text, or lead to a related
    /// row, is not known (b1100).
    pub(super) fn names_a_value(&self, predicate: &Predicate<'_>) -> bool {
        match predicate {
            Predicate::All(parts) => parts.iter().any(|part| self.names_a_value(part)),
            Predicate::Any(parts) => parts.iter().all(|part| self.names_a_value(part)),
            Predicate::Compare {
                column,
                comparison: Comparison::Equal,
                ..
            }
            | Predicate::OneOf {
                column,
                negated: false,
                ..
            } => column.meta.kind != Kind::Boolean && self.find(*column),
            _ => false,
        }
    }

    /// Whether a column with an index is limited on both sides.
    fn has_both_ends(&self, parts: &[Predicate<'_>]) -> bool {
        use Comparison::{Greater, GreaterOrEqual, Less, LessOrEqual};
        let ends = |allowed: [Comparison; 2]| {
            parts.iter().filter_map(move |part| match part {
                Predicate::Compare {
                    column, comparison, ..
                } if allowed.contains(comparison) => Some(*column),
                _ => None,
            })
        };
        ends([Greater, GreaterOrEqual]).any(|low| {
            let is_same =
                |high: ColumnOf<'_>| (high.table, self.name(high)) == (low.table, self.name(low));
            self.find_between(low) && ends([Less, LessOrEqual]).any(is_same)
        })
    }
}
