//! Whose fault it is that a statement failed, from what databases and drivers report.

use sea_orm::{DbErr, RuntimeErr};
use sqlx::error::DatabaseError;
#[cfg(feature = "mysql")]
use sqlx::mysql::MySqlDatabaseError;

use crate::execute::ExecuteError;

/// The database may answer later.
pub(super) fn unavailable(text: &str) -> ExecuteError {
    ExecuteError::Unavailable(DbErr::Conn(RuntimeErr::Internal(text.to_owned())))
}

/// The database will not answer this.
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub(super) fn refused(text: &str) -> ExecuteError {
    ExecuteError::Refused(DbErr::Query(RuntimeErr::Internal(text.to_owned())))
}

impl ExecuteError {
    /// Whether another transaction was in the way, so that the same one can succeed when it is tried again.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        let (Self::Unavailable(error) | Self::Refused(error)) = self.cause() else {
            return false;
        };
        database_error(error).is_some_and(|error| match mysql_number(error) {
            // A deadlock, and a row that changed under a snapshot.
            Some(number) => matches!(number, 1213 | 1020),
            // PostgreSQL's serialization failure and deadlock.
            None => error
                .code()
                .is_some_and(|code| matches!(&*code, "40001" | "40P01")),
        })
    }
}

impl From<DbErr> for ExecuteError {
    fn from(error: DbErr) -> Self {
        if database_error(&error).is_some_and(is_over_time) {
            Self::OverTime(error)
        } else if is_unavailable(&error) {
            Self::Unavailable(error)
        } else {
            Self::Refused(error)
        }
    }
}

fn is_unavailable(error: &DbErr) -> bool {
    if let Some(error) = database_error(error) {
        return is_passing(error);
    }
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => true,
        DbErr::Query(RuntimeErr::SqlxError(error)) | DbErr::Exec(RuntimeErr::SqlxError(error)) => {
            matches!(
                &**error,
                sqlx::Error::Io(_)
                    | sqlx::Error::Tls(_)
                    | sqlx::Error::Protocol(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::PoolClosed
                    | sqlx::Error::WorkerCrashed
            )
        }
        _ => false,
    }
}

/// What the database itself said.
fn database_error(error: &DbErr) -> Option<&dyn DatabaseError> {
    match error {
        DbErr::Query(RuntimeErr::SqlxError(error)) | DbErr::Exec(RuntimeErr::SqlxError(error)) => {
            error.as_database_error()
        }
        _ => None,
    }
}

#[cfg(feature = "mysql")]
fn mysql_number(error: &dyn DatabaseError) -> Option<u16> {
    error
        .try_downcast_ref::<MySqlDatabaseError>()
        .map(MySqlDatabaseError::number)
}

#[cfg(not(feature = "mysql"))]
fn mysql_number(_: &dyn DatabaseError) -> Option<u16> {
    None
}

/// Codes of statements that the database ended for their time.
fn is_over_time(error: &dyn DatabaseError) -> bool {
    match mysql_number(error) {
        // MariaDB's `max_statement_time` and MySQL's `max_execution_time`.
        Some(number) => matches!(number, 1969 | 3024),
        None => error
            .code()
            .is_some_and(|code| is_over_time_sqlstate(&code)),
    }
}

/// PostgreSQL's `query_canceled`: by its `statement_timeout`, or by somebody with the right to.
pub(super) fn is_over_time_sqlstate(code: &str) -> bool {
    code == "57014"
}

/// Codes that say "not now" rather than "not so".
fn is_passing(error: &dyn DatabaseError) -> bool {
    let code = error.code().unwrap_or_default();
    let sqlite = code.len() < 5 && code.parse().is_ok_and(is_passing_sqlite);
    let sqlstate = code.len() == 5 && is_passing_sqlstate(&code);
    // MySQL's lock timeout and changed row have no SQLSTATE of their own.
    let mysql = matches!(mysql_number(error), Some(1205 | 1020));
    sqlite || sqlstate || mysql
}

/// SQLite busy (5), locked (6), read-only (8), an error of the disk (10), full (13) and a file that cannot be opened (14), with
/// their extended codes: nothing that another request would do better.
pub(super) fn is_passing_sqlite(code: i32) -> bool {
    matches!(code & 0xff, 5 | 6 | 8 | 10 | 13 | 14)
}

/// Connection exceptions, resource shortages, shutdowns, serialization failures and deadlocks.
pub(super) fn is_passing_sqlstate(code: &str) -> bool {
    // 08P01 is not a lost connection but a message that the server did not understand.
    code != "08P01"
        && ["08", "53", "57P0", "40001", "40P01"]
            .iter()
            .any(|class| code.starts_with(class))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::error::Error;
    use std::fmt;

    use sqlx::error::ErrorKind;

    use super::*;

    /// What SQLite says by a code.
    #[derive(Debug)]
    struct Told(&'static str);

    impl fmt::Display for Told {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Told {}

    impl DatabaseError for Told {
        fn message(&self) -> &str {
            self.0
        }
        fn code(&self) -> Option<Cow<'_, str>> {
            Some(self.0.into())
        }
        fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
            self
        }
        fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
            self
        }
        fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
            self
        }
        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    #[test]
    fn b342_a_disk_that_fails_is_not_the_requests_fault() {
        // Read-only, broken in general and while it writes, full, and a file that cannot be opened.
        for passing in ["8", "10", "778", "13", "14"] {
            assert!(is_passing(&Told(passing)), "{passing}");
        }
        // A statement that is wrong, and a value that is taken.
        for lasting in ["1", "19", "2067"] {
            assert!(!is_passing(&Told(lasting)), "{lasting}");
        }
    }
}
