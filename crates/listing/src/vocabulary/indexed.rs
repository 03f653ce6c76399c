//! Tables with their sizes and indexes, as a database tells them, and what those indexes serve.

use super::FilterOperator;

/// A table with its size and its indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexedTable {
    /// Its schema, where that is known.
    pub schema: Option<String>,
    /// Whether a bare name does not mean it.
    pub hidden: bool,
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// The columns of its primary key.
    pub key: Vec<String>,
    /// Its indexes over whole columns and all rows; others cannot serve a listing.
    pub indexes: Vec<TableIndex>,
    /// The columns with an index of trigrams, where the database has such indexes.
    pub trigrams: Option<Vec<String>>,
    /// How many rows it has, roughly, where that is known.
    pub rows: Option<u64>,
}

/// An index of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableIndex {
    /// Whether each value is there once.
    pub unique: bool,
    /// Its columns, from the beginning up to its first expression.
    pub columns: Vec<String>,
}

impl IndexedTable {
    /// A table of which nothing but its name is known.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Whether it is the table that an entity names, with its schema or without.
    pub(crate) fn is(&self, schema: Option<&str>, name: &str) -> bool {
        let in_schema = match schema {
            None => !self.hidden,
            Some(schema) => self.schema.as_deref() == Some(schema),
        };
        in_schema && self.name == name
    }

    /// Whether the primary key or an index finds the rows with a value of this column.
    pub(crate) fn finds(&self, column: &str) -> bool {
        self.serves(&[column], None)
    }

    /// Whether an index of trigrams finds the rows whose text has a part.
    pub(crate) fn finds_inside(&self, column: &str) -> bool {
        let mut indexed = self.trigrams.iter().flatten();
        indexed.any(|indexed| indexed == column)
    }

    /// Whether the primary key or an index begins with these columns. With `ends_in` rows are read in its order alone: then
    /// only this key may follow the columns.
    pub(crate) fn serves(&self, columns: &[&str], ends_in: Option<&[&str]>) -> bool {
        let key = std::iter::once((&self.key, true));
        let indexes = self.indexes.iter();
        key.chain(indexes.map(|index| (&index.columns, index.unique)))
            .any(|(index, is_unique)| {
                // One row needs no order.
                is_served(columns, ends_in, index)
                    || (is_unique && *index == [*columns.first().unwrap_or(&"")])
            })
    }
}

/// Whether an index begins with columns, and has nothing but this key after them if rows are read in its order.
pub(crate) fn is_served<T: AsRef<str>>(
    columns: &[&str],
    ends_in: Option<&[&str]>,
    index: &[T],
) -> bool {
    let mut index = index.iter().map(AsRef::as_ref);
    if !columns.iter().all(|column| index.next() == Some(*column)) {
        return false;
    }
    ends_in.is_none_or(|key| {
        let key = key.iter().filter(|part| !columns.contains(part));
        index.zip(key).all(|(next, part)| next == *part)
    })
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
    /// How an index would find the rows. `$ne` and its like match nearly every row, few clients filter by null alone, and an
    /// index for `$eqi` is one over an expression.
    pub(crate) const fn finds(self) -> Option<Finds> {
        match self {
            Self::Equal | Self::In => Some(Finds::Value),
            Self::LessThan
            | Self::LessThanEqual
            | Self::GreaterThan
            | Self::GreaterThanEqual
            | Self::Between => Some(Finds::Range),
            Self::StartsWith => Some(Finds::Start),
            Self::Like
            | Self::EndsWith
            | Self::StartsWithInsensitive
            | Self::EndsWithInsensitive => Some(Finds::Inside),
            Self::NotEqual
            | Self::NotIn
            | Self::Null
            | Self::NotNull
            | Self::EqualInsensitive
            | Self::NotEqualInsensitive
            | Self::NotLike => None,
        }
    }
}

/// The tables that are too large to be read without an index.
#[derive(Debug, Clone, Default)]
pub(crate) struct LargeTables(Vec<IndexedTable>);

impl LargeTables {
    pub(crate) fn new(tables: Vec<IndexedTable>) -> Self {
        Self(tables)
    }

    /// The table, if it is large.
    pub(crate) fn get(&self, name: &str) -> Option<&IndexedTable> {
        self.0.iter().find(|table| table.name == name)
    }
}

/// A number of rows that is an estimate, as people read it: `1,200,000`.
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
