//! What the databases do differently, each difference with its reason.

use sea_orm::DbBackend;

/// A database's way of speaking SQL.
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
    /// `unnest(keys) CROSS JOIN LATERAL (… LIMIT n)`: one index scan a parent, one text for any number of parents.
    Lateral,
    /// `json_each(keys) CROSS JOIN json_each((SELECT json_group_array(key) FROM (… LIMIT n)))`: SQLite has LATERAL only for
    /// functions. One text for any number of parents, too: a union of 50 parts is parsed for longer than it runs. Where
    /// keys are text, which a column may compare in its own way, or of several columns, it is a union.
    Picked,
    /// `(… LIMIT n) UNION ALL (… LIMIT n)`: MariaDB has no LATERAL, and a window function would read every child.
    Union,
}

/// Where a database puts nulls when it is not told.
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

    /// The most values that one statement can bind: a 16-bit count on the wire of two of them, a compile-time number in SQLite.
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

    /// What stands around a part of a union. SQLite takes a limit in one only inside a sub-query.
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

    /// `NULLS FIRST`; MariaDB and MySQL have no such words and sort by `IS NULL` first.
    pub(super) const fn has_nulls_first(self) -> bool {
        !matches!(self, Self::Mysql)
    }

    /// What stands before a query to ask the planner about it. SQLite's planner tells no number of rows.
    pub(super) const fn explain(self) -> Option<&'static str> {
        match self {
            Self::Postgres => Some("EXPLAIN (FORMAT JSON) "),
            Self::Mysql => Some("EXPLAIN FORMAT=JSON "),
            Self::Sqlite => None,
        }
    }

    /// Arrays as one value: the text stays the same for any number of keys.
    pub(super) const fn has_arrays(self) -> bool {
        matches!(self, Self::Postgres)
    }

    /// Keys in a column of `VALUES` are compared as the column on the left says. Elsewhere such a column has a collation of its
    /// own, and MariaDB compares no two of them.
    pub(super) const fn compares_values_as_the_column(self) -> bool {
        matches!(self, Self::Sqlite)
    }

    /// Actions of foreign keys fire triggers; those of MariaDB and MySQL fire none.
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

    /// Moments that carry their zone: MySQL's driver binds one as a TIMESTAMP, which begins in 1970 and ends in 2038,
    /// and what lies outside is then equal to nothing, before nothing and after nothing.
    pub(super) const fn has_zoned_moments(self) -> bool {
        !matches!(self, Self::Mysql)
    }
}
