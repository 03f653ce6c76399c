//! Derives from database and driver errors why a statement failed.

use sea_orm::{ConnAcquireErr, DbErr, RuntimeErr};
use sqlx::error::DatabaseError;
#[cfg(feature = "mysql")]
use sqlx::mysql::MySqlDatabaseError;
#[cfg(feature = "postgres")]
use sqlx::postgres::{PgDatabaseError, PgSeverity};

use crate::execute::ExecuteError;

/// The database may answer later.
pub(super) fn unavailable(text: &str) -> ExecuteError {
    ExecuteError::Unavailable(DbErr::Conn(RuntimeErr::Internal(text.to_owned())))
}

/// Other statements had all connections for too long.
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub(super) fn no_connection_in_time() -> ExecuteError {
    ExecuteError::Unavailable(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))
}

/// The database refuses the statement.
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub(super) fn refused(text: &str) -> ExecuteError {
    ExecuteError::Refused(DbErr::Query(RuntimeErr::Internal(text.to_owned())))
}

impl ExecuteError {
    /// Whether the transaction conflicted with another one, so that it can succeed when it is repeated.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        let (Self::Unavailable(error) | Self::Refused(error)) = self.cause() else {
            return false;
        };
        database_error(error).is_some_and(|error| match mysql_number(error) {
            // A deadlock, or a row that changed since the snapshot.
            Some(number) => matches!(number, 1213 | 1020),
            // PostgreSQL's serialization failure and deadlock.
            None => error
                .code()
                .is_some_and(|code| matches!(&*code, "40001" | "40P01")),
        })
    }
}

/// Whether it is unknown if a statement was carried out, because the connection was lost before its answer. A statement that was
/// never sent was not carried out.
#[must_use]
pub fn is_outcome_unknown(error: &DbErr) -> bool {
    let (DbErr::Query(RuntimeErr::SqlxError(error))
    | DbErr::Exec(RuntimeErr::SqlxError(error))
    | DbErr::Conn(RuntimeErr::SqlxError(error))) = error
    else {
        return false;
    };
    match &**error {
        sqlx::Error::Database(error) => ends_connection(&**error),
        // It was not sent: the connection had been closed before.
        sqlx::Error::Io(error) => error.kind() != std::io::ErrorKind::BrokenPipe,
        sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => true,
        _ => false,
    }
}

/// Whether MariaDB or MySQL closes a connection: shutdown, network errors, a killed statement, a killed connection.
fn is_end_of_mysql(number: u16) -> bool {
    matches!(number, 1053 | 1158..=1161 | 1317 | 1927 | 3169 | 4031)
}

/// Whether the server, or a pooler, says that it closes the connection.
fn ends_connection(error: &dyn DatabaseError) -> bool {
    match mysql_number(error) {
        // Includes a Galera node that left its cluster during a commit (1180).
        Some(number) => is_end_of_mysql(number) || number == 1180,
        None => error.code().is_some_and(|code| {
            code.len() == 5 && (code.starts_with("08") || code.starts_with("57P"))
        }),
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

/// The database's own error.
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

/// Whether the database cancelled the statement because it ran for too long.
fn is_over_time(error: &dyn DatabaseError) -> bool {
    match mysql_number(error) {
        // MariaDB's `max_statement_time` and MySQL's `max_execution_time`.
        Some(number) => matches!(number, 1969 | 3024),
        None => error
            .code()
            .is_some_and(|code| is_over_time_sqlstate(&code)),
    }
}

/// PostgreSQL's `query_canceled`: by its `statement_timeout`, or by a user with that privilege.
pub(super) fn is_over_time_sqlstate(code: &str) -> bool {
    code == "57014"
}

/// Whether the error may be temporary, so that a later attempt can succeed.
fn is_passing(error: &dyn DatabaseError) -> bool {
    let code = error.code().unwrap_or_default();
    let sqlite = code.len() < 5 && code.parse().is_ok_and(is_passing_sqlite);
    // A server that became read-only reports 25006. Connections for reading, which are always read-only, do not get here.
    let sqlstate = code.len() == 5 && (is_passing_sqlstate(&code) || code == "25006");
    let mysql = mysql_number(error).is_some_and(is_passing_mysql);
    sqlite || sqlstate || mysql || is_of_pooler(error)
}

/// Errors of MariaDB and MySQL without their own SQLSTATE: too many connections, which the server reports before it sends
/// SQLSTATEs (1040; 1203 and 1226 for a single user), a changed row (1020), a lock wait timeout (1205), a server that became
/// read-only (1290, 1792, 1836), a Galera node that is not part of its cluster (1047) or left it (1180), and the end of a
/// connection.
fn is_passing_mysql(number: u16) -> bool {
    is_end_of_mysql(number)
        || matches!(
            number,
            1020 | 1040 | 1047 | 1180 | 1203 | 1205 | 1226 | 1290 | 1792 | 1836
        )
}

/// PgBouncer has a single code for every reason to close a connection, such as a server that does not answer.
#[cfg(feature = "postgres")]
fn is_of_pooler(error: &dyn DatabaseError) -> bool {
    error
        .try_downcast_ref::<PgDatabaseError>()
        .is_some_and(|error| error.code() == "08P01" && error.severity() == PgSeverity::Fatal)
}

#[cfg(not(feature = "postgres"))]
fn is_of_pooler(_: &dyn DatabaseError) -> bool {
    false
}

/// SQLite busy (5), locked (6), read-only (8), disk error (10), full (13) and a file that cannot be opened (14), with their
/// extended codes: no other request would do better.
pub(super) fn is_passing_sqlite(code: i32) -> bool {
    matches!(code & 0xff, 5 | 6 | 8 | 10 | 13 | 14)
}

/// Connection exceptions, resource shortages, shutdowns, serialization failures and deadlocks.
pub(super) fn is_passing_sqlstate(code: &str) -> bool {
    // 08P01 is not a lost connection, but a message that the server did not understand.
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

    /// An error of SQLite with this code.
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

    /// Rules b594, b1153.
    #[test]
    fn a_server_without_room_or_that_is_read_only_may_answer_later() {
        for number in [
            1040, 1047, 1053, 1180, 1203, 1205, 1226, 1290, 1792, 1836, 1927, 4031,
        ] {
            assert!(is_passing_mysql(number), "{number}");
        }
        // A duplicate value, and a column that does not exist.
        for number in [1062, 1054] {
            assert!(!is_passing_mysql(number), "{number}");
        }
        assert!(is_passing(&Told("25006")));
        assert!(!is_passing(&Told("23505")) && !is_passing(&Told("08P01")));
    }

    /// Rule b593.
    #[test]
    fn an_outcome_is_unknown_only_where_the_connection_ended() {
        let of = |error| {
            let error = DbErr::Query(RuntimeErr::SqlxError(std::sync::Arc::new(error)));
            is_outcome_unknown(&error)
        };
        let io = |kind: std::io::ErrorKind| sqlx::Error::Io(kind.into());
        assert!(of(io(std::io::ErrorKind::UnexpectedEof)));
        assert!(of(io(std::io::ErrorKind::ConnectionReset)));
        assert!(of(sqlx::Error::Database(Box::new(Told("57P01")))));
        // A statement that was never sent, and statements that the database refused: a serialization failure, a deferred
        // constraint.
        assert!(!of(io(std::io::ErrorKind::BrokenPipe)));
        assert!(!of(sqlx::Error::PoolTimedOut));
        for code in ["40001", "23505"] {
            assert!(!of(sqlx::Error::Database(Box::new(Told(code)))), "{code}");
        }
    }

    /// Rule b342.
    #[test]
    fn a_disk_that_fails_is_not_the_requests_fault() {
        // Read-only, disk errors in general and on writing, full, and a file that cannot be opened.
        for passing in ["8", "10", "778", "13", "14"] {
            assert!(is_passing(&Told(passing)), "{passing}");
        }
        // An invalid statement, and a duplicate value.
        for lasting in ["1", "19", "2067"] {
            assert!(!is_passing(&Told(lasting)), "{lasting}");
        }
    }
}
