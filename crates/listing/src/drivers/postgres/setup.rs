//! How the application's own sessions are set up, so that readers see what writers see.

use sea_orm::DatabaseConnection;

use super::super::asked::texts;
use crate::execute::ExecuteError;

/// The settings that a reading session gets before its first statement.
///
/// They are read from the application's sessions rather than from its options: a search path, for example, is set by a callback
/// of SeaORM's pool that cannot be inspected. A session knows all of its settings, whatever set them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::drivers) struct SessionSetup {
    /// Names and values, in the order in which they are set.
    pub(super) names: Vec<String>,
    pub(super) values: Vec<String>,
    /// The application's own limit, in milliseconds.
    pub(super) statement_timeout: Option<u64>,
}

/// The settings that were set when the session was opened (`client`) or later (`session`). Settings of roles and databases apply
/// to every session anyway. Settings that can only be made at the start are among the options of every connection, and those of
/// one transaction do not belong to the session.
const SETTINGS: &str = "SELECT name, setting FROM pg_catalog.pg_settings \
     WHERE source IN ('client', 'session') AND context IN ('user', 'superuser') \
     AND name NOT LIKE 'transaction\\_%' \
     UNION ALL SELECT 'session_authorization', session_user::text \
     UNION ALL SELECT 'role', current_setting('role')";

/// The settings that readers choose themselves.
const OURS: [&str; 4] = [
    "client_encoding",
    "default_transaction_read_only",
    "jit",
    "plan_cache_mode",
];

impl SessionSetup {
    /// For a program that has no sessions but the readers': in UTC, like SeaORM's.
    pub(in crate::drivers) fn alone() -> Self {
        Self {
            names: vec!["TimeZone".to_owned()],
            values: vec!["UTC".to_owned()],
            statement_timeout: None,
        }
    }

    /// The settings of the application's own connections, which were opened for `user`.
    pub(in crate::drivers) async fn of(
        db: &DatabaseConnection,
        user: &str,
    ) -> Result<Self, ExecuteError> {
        let rows = texts::<2>(db, SETTINGS).await?;
        Ok(Self::from_rows(rows, user))
    }

    fn from_rows(rows: Vec<[String; 2]>, user: &str) -> Self {
        let mut setup = Self {
            names: Vec::new(),
            values: Vec::new(),
            statement_timeout: None,
        };
        for [name, value] in rows {
            match name.as_str() {
                "statement_timeout" => {
                    // 0 means no limit.
                    setup.statement_timeout = value.parse().ok().filter(|limit| *limit > 0);
                }
                "session_authorization" if value == user => {}
                "role" if value == "none" => {}
                name if OURS.contains(&name) => {}
                _ => {
                    setup.names.push(name);
                    setup.values.push(value);
                }
            }
        }
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b131.
    #[test]
    fn what_a_session_was_told_is_told_to_the_readers() {
        let row = |name: &str, value: &str| [name.to_owned(), value.to_owned()];
        let setup = |rows| SessionSetup::from_rows(rows, "me");
        let told = setup(vec![
            row("search_path", "\"tenant_b\""),
            row("plan_cache_mode", "force_generic_plan"),
            row("statement_timeout", "1500"),
            row("session_authorization", "me"),
            row("role", "none"),
        ]);
        assert_eq!(told.names, ["search_path"]);
        assert_eq!(told.values, ["\"tenant_b\""]);
        assert_eq!(told.statement_timeout, Some(1_500));
        let told = setup(vec![
            row("statement_timeout", "0"),
            row("session_authorization", "other"),
            row("role", "reader"),
        ]);
        assert_eq!(told.names, ["session_authorization", "role"]);
        assert_eq!(told.statement_timeout, None);
    }
}
