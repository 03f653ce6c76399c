//! Reads the database's clock in milliseconds, because the clocks of a service's copies may differ.
//!
//! The value is the same throughout a statement, so all conditions of one statement compare with the same moment.

use std::time::Duration;

use listing::Dialect;
use sea_orm::sea_query::Expr;

pub(super) fn now(dialect: Dialect) -> Expr {
    Expr::cust(match dialect {
        Dialect::Postgres => "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000 AS bigint)",
        Dialect::Mysql => "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)",
        Dialect::Sqlite => "CAST((julianday('now') - 2440587.5) * 86400000 AS integer)",
    })
}

pub(super) fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
