//! The differences between the databases, each with its reason.

use sea_orm::DbBackend;

/// The SQL of one kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// PostgreSQL
    Postgres,
    /// MariaDB and MySQL
    Mysql,
    /// SQLite
    Sqlite,
}

/// How the first rows of each parent are read in one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PerParent {
    /// `unnest(keys) CROSS JOIN LATERAL (… LIMIT n)`: one index scan for each parent, and one text for any number of parents.
    Lateral,
    /// `json_each(keys) CROSS JOIN json_each((SELECT json_group_array(key) FROM (… LIMIT n)))`: SQLite has LATERAL only for
    /// functions. This also has one text for any number of parents: parsing a union of 50 parts takes longer than running it. If
    /// keys are text, which a column may compare in its own way, or have several columns, a union is used.
    Picked,
    /// `(… LIMIT n) UNION ALL (… LIMIT n)`: MariaDB has no LATERAL, and a window function would read every child.
    Union,
}

/// The default position of nulls in a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NativeNulls {
    /// As if larger than every value.
    Largest,
    /// As if smaller than every value.
    Smallest,
}

impl Dialect {
    /// The dialect of a SeaORM connection.
    #[must_use]
    pub fn of(backend: DbBackend) -> Option<Self> {
        match backend {
            DbBackend::Postgres => Some(Self::Postgres),
            DbBackend::MySql => Some(Self::Mysql),
            DbBackend::Sqlite => Some(Self::Sqlite),
            _ => None,
        }
    }

    /// The most values that one statement can bind: two databases send a 16-bit count, and SQLite has a compile-time limit.
    #[must_use]
    pub const fn most_values(self) -> usize {
        match self {
            Self::Postgres | Self::Mysql => 65_535,
            Self::Sqlite => 32_766,
        }
    }

    pub(super) const fn per_parent(self) -> PerParent {
        match self {
            Self::Postgres => PerParent::Lateral,
            Self::Mysql => PerParent::Union,
            Self::Sqlite => PerParent::Picked,
        }
    }

    /// The text around a part of a union. SQLite accepts a limit in a part only inside a sub-query.
    pub(super) const fn part_of_union(self) -> (&'static str, &'static str) {
        match self {
            Self::Postgres | Self::Mysql => ("(", ")"),
            Self::Sqlite => ("SELECT * FROM (", ")"),
        }
    }

    pub(super) const fn native_nulls(self) -> NativeNulls {
        match self {
            Self::Postgres => NativeNulls::Largest,
            Self::Mysql | Self::Sqlite => NativeNulls::Smallest,
        }
    }

    /// `NULLS FIRST`; MariaDB and MySQL do not have it and sort by `IS NULL` first.
    pub(super) const fn has_nulls_first(self) -> bool {
        !matches!(self, Self::Mysql)
    }

    /// The words before a query that ask the planner about it. SQLite's planner does not tell the number of rows.
    pub(super) const fn explain(self) -> Option<&'static str> {
        match self {
            Self::Postgres => Some("EXPLAIN (FORMAT JSON) "),
            Self::Mysql => Some("EXPLAIN FORMAT=JSON "),
            Self::Sqlite => None,
        }
    }

    /// Whether rows without a related record are counted in the same pass as the others. On PostgreSQL, a separate statement for them
    /// took 1.6 s more for 980,000 rows and their 1.5 million links (`\timing` of psql). The others would read every link for it, even
    /// if few rows match.
    pub(super) const fn counts_unrelated_rows_too(self) -> bool {
        matches!(self, Self::Postgres)
    }

    /// Whether facets and totals of the same rows share one pass over them if they are few (`sql/pass.rs` has the measurement). The
    /// others have not been measured.
    pub(super) const fn shares_a_pass(self) -> bool {
        matches!(self, Self::Postgres)
    }

    /// SQLite evaluates `EXISTS` for each row outside, or joins several of them into their product (since 3.51); the planners of
    /// the others begin at the related rows where that is better.
    pub(super) const fn evaluates_exists_for_each_row(self) -> bool {
        matches!(self, Self::Sqlite)
    }

    /// The clause at the end of a sub-query that makes the database plan it separately, so that its rows are collected before
    /// they are sorted.
    pub(super) const fn fence(self) -> &'static str {
        match self {
            Self::Postgres => " OFFSET 0",
            Self::Mysql => " LIMIT 18446744073709551615",
            Self::Sqlite => " LIMIT -1",
        }
    }

    /// Arrays as one value: the text stays the same for any number of keys.
    pub(super) const fn has_arrays(self) -> bool {
        matches!(self, Self::Postgres)
    }

    /// Keys in a column of `VALUES` are compared with the collation of the column on the left. On other databases, the column of
    /// `VALUES` has a separate collation, and MariaDB refuses to compare different ones.
    pub(super) const fn compares_values_as_the_column(self) -> bool {
        matches!(self, Self::Sqlite)
    }

    /// `RETURNING` tells what a row is after the write, unless triggers change it later. MySQL does not have it, and MariaDB not for
    /// updates. SQLite has no triggers that change a row before it is written, so that their changes are never told.
    #[must_use]
    pub const fn returns_rows(self) -> bool {
        matches!(self, Self::Postgres)
    }

    /// Actions of foreign keys fire triggers, except on MariaDB and MySQL.
    pub(crate) const fn cascades_fire_triggers(self) -> bool {
        !matches!(self, Self::Mysql)
    }

    /// Integers above 2^63: only MySQL's drivers bind them.
    pub(crate) const fn has_unsigned(self) -> bool {
        matches!(self, Self::Mysql)
    }

    /// Decimals as values: SQLite has none and compares numbers.
    pub(super) const fn has_decimals(self) -> bool {
        !matches!(self, Self::Sqlite)
    }

    /// The text around a text, or a value of an enumeration, that is ordered by its bytes: the collations of databases differ.
    pub(super) const fn by_bytes(self) -> (&'static str, &'static str) {
        match self {
            Self::Postgres => ("CAST(", " AS text) COLLATE \"C\""),
            Self::Mysql => ("CAST(", " AS BINARY)"),
            Self::Sqlite => ("", " COLLATE BINARY"),
        }
    }

    /// Sums of integers and decimals are exact: those of SQLite fail above 2^63, and are floats where one value is.
    pub(super) const fn sums_exactly(self) -> bool {
        !matches!(self, Self::Sqlite)
    }

    /// Moments that carry their zone: MySQL's driver binds one as a TIMESTAMP, which begins in 1970 and ends in 2038, and a moment
    /// outside that range would compare with every value as null.
    pub(super) const fn has_zoned_moments(self) -> bool {
        !matches!(self, Self::Mysql)
    }
}
