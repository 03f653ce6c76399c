//! Which drivers are part of this program.

use super::{mysql, postgres, sqlite};
use crate::execute::ExecuteError;
use crate::sql::Dialect;

/// Whether a database's driver is part of this program.
pub(super) fn require(dialect: Dialect) -> Result<(), ExecuteError> {
    let (feature, is_on) = match dialect {
        Dialect::Postgres => ("postgres", postgres::IS_ON),
        Dialect::Mysql => ("mysql", mysql::IS_ON),
        Dialect::Sqlite => ("sqlite", sqlite::IS_ON),
    };
    if is_on {
        Ok(())
    } else {
        Err(ExecuteError::NoDriver { feature })
    }
}
