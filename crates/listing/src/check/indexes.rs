//! Tells which conditions an index serves, as far as was seen at start-up.

use super::{ColumnOf, Comparison, Predicate, TextPlace, Word};
use crate::catalogue::{IndexedTable, LargeTables};
use crate::define::{Listings, SearchEngine};
use crate::vocabulary::Kind;

/// The indexes of large tables. Small tables do not need any, and nothing is known before the database is inspected.
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

    /// Whether it is a view, or a table of another server: nothing is known of its size and indexes.
    pub(super) fn are_unknown_for(self, name: &str) -> bool {
        self.large.is_some_and(|large| large.is_view(name))
    }

    /// The table, if it is large.
    pub(super) fn table(self, name: &str) -> Option<&'w IndexedTable> {
        self.large?.get(name)
    }

    /// Whether the rows with a value of a column are found without reading all others; in a small table they always are.
    pub(super) fn find(&self, column: ColumnOf<'_>) -> bool {
        let table = self.table(column.table);
        table.is_none_or(|table| column.path.is_none() && table.finds(&column.meta.name))
    }

    fn finds_between(&self, column: ColumnOf<'_>) -> bool {
        let table = self.table(column.table);
        table.is_none_or(|table| column.path.is_none() && table.finds_between(&column.meta.name))
    }

    fn finds_start(&self, column: ColumnOf<'_>) -> bool {
        let table = self.table(column.table);
        self.are_known()
            && table
                .is_none_or(|table| column.path.is_none() && table.finds_start(&column.meta.name))
    }

    fn finds_inside(&self, column: ColumnOf<'_>) -> bool {
        let table = self.table(column.table);
        self.are_known()
            && table
                .is_none_or(|table| column.path.is_none() && table.finds_inside(&column.meta.name))
    }

    /// Whether few rows meet a condition, as far as can be told, and an index finds them (b412).
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
                (is_start && self.finds_start(*column))
                    || (*place != TextPlace::Whole && has_trigrams && self.finds_inside(*column))
            }
            Predicate::Search(search) => match search.engine() {
                SearchEngine::Contains => {
                    let has_trigrams = |word: &Word| word.text.chars().count() >= TRIGRAM;
                    search.wanted().any(has_trigrams)
                        && search.columns().all(|one| self.finds_inside(one))
                }
                SearchEngine::FullText { .. } => search.wanted().next().is_some(),
            },
            // Few rows there, and an index that leads from them to the rows here.
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
            | Predicate::Holds { .. }
            | Predicate::Not(_)
            | Predicate::Exists { .. }
            | Predicate::First(_)
            | Predicate::Computed { .. }
            | Predicate::Custom(_) => false,
        }
    }

    /// Whether a column with an index has to be between two values.
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
                |high: ColumnOf<'_>| (high.table, &high.meta.name) == (low.table, &low.meta.name);
            self.finds_between(low) && ends([Less, LessOrEqual]).any(is_same)
        })
    }
}
