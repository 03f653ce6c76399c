//! How the application's own connections are set up, so that readers see what writers see.

use std::collections::HashSet;
use std::path::PathBuf;

use rusqlite::Connection;

use super::super::asked::texts;
use super::super::error::ReadPoolError;
use crate::execute::Reader;

/// The settings that a reading connection gets before its first statement.
///
/// Settings that cannot be copied (functions, collations and virtual tables of the application) are a reason to refuse.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::drivers) struct SessionSetup {
    /// Names and files of the databases next to the main one.
    attached: Vec<(String, PathBuf)>,
    case_sensitive_like: bool,
    distrusts_schema: bool,
}

/// The extensions of a connection, by kind and name. (Pragmas and JSON that were read as tables are in the list of modules too,
/// but every connection has them.)
const EXTENSIONS: &str = "SELECT DISTINCT 'the function `' || name || '`' FROM pragma_function_list WHERE builtin = 0 \
     UNION SELECT 'the collation `' || name || '`' FROM pragma_collation_list \
     UNION SELECT 'the virtual table `' || name || '`' FROM pragma_module_list WHERE name NOT LIKE 'pragma\\_%' ESCAPE '\\' \
     AND name NOT IN ('json_each', 'json_tree', 'jsonb_each', 'jsonb_tree')";

impl SessionSetup {
    /// The settings of the application's own connections.
    pub(in crate::drivers) async fn of(db: &dyn Reader) -> Result<Self, ReadPoolError> {
        let attached =
            "SELECT name, file FROM pragma_database_list WHERE name NOT IN ('main', 'temp')";
        let attached = texts::<2>(db, attached).await?;
        if let Some([name, _]) = attached.iter().find(|[_, file]| file.is_empty()) {
            return Err(ReadPoolError::Session(format!(
                "the database `{name}`, which is attached in memory"
            )));
        }
        let flags = "SELECT 'a' LIKE 'A', trusted_schema FROM pragma_trusted_schema";
        let flags = texts::<2>(db, flags).await?;
        let is_off = |at: usize| flags.first().is_some_and(|flags| flags[at] == "0");
        Ok(Self {
            attached: attached
                .into_iter()
                .map(|[name, file]| (name, file.into()))
                .collect(),
            case_sensitive_like: is_off(0),
            distrusts_schema: is_off(1),
        })
    }

    /// Whether the readers have everything that the application's connections have.
    pub(in crate::drivers) async fn check(
        db: &dyn Reader,
        readers: &dyn Reader,
    ) -> Result<(), ReadPoolError> {
        let ours: HashSet<_> = texts::<1>(readers, EXTENSIONS).await?.into_iter().collect();
        let theirs = texts::<1>(db, EXTENSIONS).await?;
        match theirs.into_iter().find(|one| !ours.contains(one)) {
            None => Ok(()),
            Some([missing]) => Err(ReadPoolError::Session(missing)),
        }
    }

    pub(super) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        for (name, file) in &self.attached {
            let file = file.to_string_lossy();
            connection.execute("ATTACH ?1 AS ?2", [&*file, name.as_str()])?;
        }
        if self.case_sensitive_like {
            connection.execute_batch("PRAGMA case_sensitive_like = ON")?;
        }
        if self.distrusts_schema {
            connection.execute_batch("PRAGMA trusted_schema = OFF")?;
        }
        Ok(())
    }
}
