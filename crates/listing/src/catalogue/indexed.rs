//! Tables with their sizes and indexes, as the database describes them, and what those indexes can be used for.

use sea_orm::DbBackend;

use super::expression;
use crate::vocabulary::{FilterOperator, Kind};

/// A table with its size and its indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexedTable {
    /// Its schema, if it is known.
    pub schema: Option<String>,
    /// Whether its name must be qualified with the schema.
    pub hidden: bool,
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// The columns of its primary key.
    pub key: Vec<String>,
    /// Its indexes over all rows, in the order in which rows are compared and sorted. Listings cannot use any others.
    pub indexes: Vec<TableIndex>,
    /// The columns for which an index finds text prefixes.
    pub starts: Vec<String>,
    /// The columns with a trigram index, if the database has such indexes.
    pub trigrams: Option<Vec<String>>,
    /// The columns for which a GIN index finds elements of arrays.
    pub inverted: Vec<String>,
    /// The text columns that the database pads with spaces: `char(n)` of PostgreSQL, whose indexes differ from those of other
    /// texts.
    pub filled: Vec<String>,
    /// Its approximate number of rows, if it is known.
    pub rows: Option<u64>,
    /// Whether its rows are known to stay as the statement that writes them leaves them: it has neither triggers that run after a
    /// write nor rules, and it is a table without others below it.
    pub is_settled: bool,
}

/// An index of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableIndex {
    /// Its name.
    pub name: String,
    /// Whether values are unique.
    pub unique: bool,
    /// Its columns up to the first one that is sorted differently than in the table. An expression counts as a column: its name
    /// is its text, without the parts that each database writes differently.
    pub columns: Vec<String>,
    /// Those of its columns that are in descending order.
    pub descending: Vec<String>,
}

/// A column of an index or of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Directed<'c> {
    pub(crate) name: &'c str,
    pub(crate) descending: bool,
}

impl<'c> Directed<'c> {
    pub(crate) const fn ascending(name: &'c str) -> Self {
        Self {
            name,
            descending: false,
        }
    }
}

/// The columns that an index must begin with to be useful for something.
#[derive(Debug, Clone)]
pub(crate) struct Wanted<'c> {
    /// The columns, in their order.
    pub(crate) columns: Vec<Directed<'c>>,
    /// The number of leading columns that have a single value. Their direction does not matter.
    pub(crate) values: usize,
    /// The primary key, if rows are read in this order: no other column may come in between.
    pub(crate) ends_in: Option<Vec<&'c str>>,
}

impl<'c> Wanted<'c> {
    /// Finds the rows with a value.
    pub(crate) fn value(column: &'c str) -> Self {
        Self {
            columns: vec![Directed::ascending(column)],
            values: 1,
            ends_in: None,
        }
    }

    /// Reads all rows in an order that ends with the key.
    pub(crate) fn order(columns: Vec<Directed<'c>>, key: Vec<&'c str>) -> Self {
        Self {
            columns,
            values: 0,
            ends_in: Some(key),
        }
    }

    /// Whether an index can be used, read forwards or backwards. The key has the direction of the last column.
    pub(crate) fn is_served_by<'i>(&self, index: impl IntoIterator<Item = Directed<'i>>) -> bool {
        let mut index = index.into_iter();
        let mut is_backwards = None;
        let mut fits = |descending: bool, next: Directed<'_>| {
            let turned = descending != next.descending;
            *is_backwards.get_or_insert(turned) == turned
        };
        for (at, column) in self.columns.iter().enumerate() {
            let Some(next) = index.next().filter(|next| next.name == column.name) else {
                return false;
            };
            if at >= self.values && !fits(column.descending, next) {
                return false;
            }
        }
        let is_there = |part: &&&str| self.columns.iter().any(|column| column.name == **part);
        let key = self.ends_in.iter().flatten();
        let key = key.filter(|part| !is_there(part));
        let descending = self.columns.last().is_some_and(|last| last.descending);
        self.ends_in.is_none()
            || index
                .zip(key)
                .all(|(next, part)| next.name == *part && fits(descending, next))
    }
}

impl IndexedTable {
    /// A table of which only the name is known.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Whether an entity names this table, with its schema or without.
    pub(crate) fn is(&self, schema: Option<&str>, name: &str) -> bool {
        let in_schema = match schema {
            None => !self.hidden,
            Some(schema) => self.schema.as_deref() == Some(schema),
        };
        in_schema && self.name == name
    }

    /// Whether the primary key or an index finds the rows with a value of this column. An index for prefixes counts.
    pub(crate) fn finds(&self, column: &str) -> bool {
        self.finds_between(column) || self.finds_start(column)
    }

    /// Whether the primary key or an index finds the rows between two values.
    pub(crate) fn finds_between(&self, column: &str) -> bool {
        self.serves(&Wanted::value(column))
    }

    /// Whether an index finds the rows whose text begins with a prefix.
    pub(crate) fn finds_start(&self, column: &str) -> bool {
        self.starts.iter().any(|indexed| indexed == column)
    }

    /// Whether a trigram index finds the rows whose text contains a part.
    pub(crate) fn finds_inside(&self, column: &str) -> bool {
        let mut indexed = self.trigrams.iter().flatten();
        indexed.any(|indexed| indexed == column)
    }

    /// Whether an index finds the rows whose array contains a value.
    pub(crate) fn finds_held(&self, column: &str) -> bool {
        self.inverted.iter().any(|indexed| indexed == column)
    }

    /// Whether the database pads the texts of this column with spaces.
    pub(crate) fn is_filled(&self, column: &str) -> bool {
        self.filled.iter().any(|filled| filled == column)
    }

    /// Whether the primary key or an index can be used for this.
    pub(crate) fn serves(&self, wanted: &Wanted<'_>) -> bool {
        let is_key = wanted.is_served_by(self.key.iter().map(|part| Directed::ascending(part)));
        // A single row needs no order.
        let is_one = |columns: &[String]| match columns {
            [column] => wanted.columns.first().is_some_and(|c| c.name == column),
            _ => false,
        };
        is_key
            || is_one(&self.key)
            || self.indexes.iter().any(|index| {
                wanted.is_served_by(index.directed()) || (index.unique && is_one(&index.columns))
            })
    }
}

impl TableIndex {
    /// Its columns with their directions.
    fn directed(&self) -> impl Iterator<Item = Directed<'_>> {
        self.columns.iter().map(|name| Directed {
            name,
            descending: self.descending.contains(name),
        })
    }
}

/// How an operator finds rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finds {
    /// A few, by their value.
    Value,
    /// Those between two values, or on one side of a value.
    Range,
    /// By the beginning of a text.
    Start,
    /// By a part of a text.
    Inside,
}

impl FilterOperator {
    /// How an index would find the rows. `$ne` and similar operators match nearly every row, few clients filter only by null, and
    /// `$eqi` needs an index on an expression.
    pub(crate) const fn finds(self) -> Option<Finds> {
        match self {
            Self::Equal | Self::In => Some(Finds::Value),
            Self::LessThan
            | Self::LessThanEqual
            | Self::GreaterThan
            | Self::GreaterThanEqual
            | Self::Between => Some(Finds::Range),
            Self::StartsWith => Some(Finds::Start),
            Self::Contains
            | Self::EndsWith
            | Self::StartsWithInsensitive
            | Self::EndsWithInsensitive => Some(Finds::Inside),
            Self::NotEqual
            | Self::NotIn
            | Self::Null
            | Self::NotNull
            | Self::EqualInsensitive
            | Self::NotEqualInsensitive
            | Self::NotContains => None,
        }
    }
}

/// The tables that are too large to be read without an index, and those whose indexes are not known.
#[derive(Debug, Clone)]
pub(crate) struct LargeTables {
    backend: DbBackend,
    tables: Vec<IndexedTable>,
    views: Vec<String>,
}

impl LargeTables {
    pub(crate) fn new(backend: DbBackend, tables: Vec<IndexedTable>, views: Vec<String>) -> Self {
        Self {
            backend,
            tables,
            views,
        }
    }

    /// The first column of an index that finds values inside a column.
    pub(crate) fn inside(&self, column: &str, path: &[String], kind: &Kind) -> Option<String> {
        expression(self.backend, column, path, kind)
    }

    /// The table, if it is large.
    pub(crate) fn get(&self, name: &str) -> Option<&IndexedTable> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// Whether its rows and indexes are unknown, because it is a view or a foreign table.
    pub(crate) fn is_view(&self, name: &str) -> bool {
        self.views.iter().any(|view| view == name)
    }
}

/// An estimated number of rows in readable form: `1,200,000`.
pub(crate) fn about(rows: u64) -> String {
    let digits = rows.to_string().len();
    let unit = 10_u64.pow(u32::try_from(digits.saturating_sub(2)).unwrap_or(0));
    let rounded = (rows / unit * unit).to_string();
    let mut text = String::new();
    for (at, digit) in rounded.chars().enumerate() {
        if at > 0 && (rounded.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b491.
    #[test]
    fn an_index_serves_an_order_in_its_directions_from_either_end() {
        /// `a,-b`: by a, and descending by b.
        fn directed(text: &str) -> Vec<Directed<'_>> {
            let columns = text.split(',').filter(|column| !column.is_empty());
            columns
                .map(|column| Directed {
                    name: column.trim_start_matches('-'),
                    descending: column.starts_with('-'),
                })
                .collect()
        }
        for (order, index, is_served) in [
            ("a", "a", true),
            ("a", "-a", true),
            ("a", "a,id", true),
            ("-a", "a,id", true),
            ("a", "-a,-id", true),
            ("a", "-a,id", false),
            ("a", "a,c", false),
            ("-a,-b", "a,b,id", true),
            ("-a,b", "a,b,id", false),
            ("-a,b", "-a,b,id", true),
            ("-a,b", "a,-b,-id", true),
            ("-a,b", "-a,b,-id", false),
            ("a,b", "b,a,id", false),
        ] {
            let wanted = Wanted::order(directed(order), vec!["id"]);
            let served = wanted.is_served_by(directed(index));
            assert_eq!(served, is_served, "{order} by {index}");
        }
        // The direction of a value does not matter.
        let mut wanted = Wanted::value("v");
        assert!(wanted.is_served_by(directed("-v,a")));
        wanted.columns.extend(directed("-a,-b"));
        assert!(wanted.is_served_by(directed("v,-a,-b,id")));
        assert!(wanted.is_served_by(directed("-v,a,b")));
        assert!(!wanted.is_served_by(directed("v,-a,b")));
    }

    /// Rule b492.
    #[test]
    fn an_index_for_beginnings_finds_values_and_gives_no_order() {
        let mut table = IndexedTable::new("articles");
        table.starts.push("title".to_owned());
        assert!(table.finds("title") && table.finds_start("title"));
        assert!(!table.finds_between("title") && !table.finds_inside("title"));
        let order = Wanted::order(vec![Directed::ascending("title")], vec!["id"]);
        assert!(!table.serves(&order));
        let ordered = TableIndex {
            columns: vec!["title".to_owned()],
            ..TableIndex::default()
        };
        table.starts.clear();
        table.indexes.push(ordered);
        assert!(table.finds_between("title") && table.serves(&order));
        assert!(!table.finds_start("title"));
    }

    #[test]
    fn estimates_are_round() {
        for (rows, text) in [
            (7, "7"),
            (99, "99"),
            (1_234, "1,200"),
            (100_000, "100,000"),
            (1_049_999, "1,000,000"),
            (u64::MAX, "18,000,000,000,000,000,000"),
        ] {
            assert_eq!(about(rows), text);
        }
    }
}
