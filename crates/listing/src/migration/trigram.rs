//! The index of trigrams, by which PostgreSQL finds a part of a text, created and dropped by migrations.

use sea_orm::{ConnectionTrait, DbErr, Statement};

use crate::sql::Dialect;

/// An index of trigrams for each of some columns of a table, on PostgreSQL. MariaDB and SQLite have no index that serves a
/// part of a word; there, nothing is created.
///
/// Without it, `$contains`, `$endsWith` and [`Search::contains`](crate::Search::contains) read every row. In a migration:
///
/// ```no_run
/// # use listing::migration::TrigramIndex;
/// # use sea_orm::{ConnectionTrait, DbErr};
/// # struct SchemaManager<C>(C);
/// # impl<C> SchemaManager<C> { fn get_connection(&self) -> &C { &self.0 } }
/// # struct Migration;
/// # impl Migration {
/// async fn up<C: ConnectionTrait>(&self, manager: &SchemaManager<C>) -> Result<(), DbErr> {
///     let created = TrigramIndex::on("articles", ["title"])
///         .create(manager.get_connection())
///         .await?;
///     if !created {
///         // Everything works as before; `$contains` reads every row.
///     }
///     Ok(())
/// }
///
/// async fn down<C: ConnectionTrait>(&self, manager: &SchemaManager<C>) -> Result<(), DbErr> {
///     TrigramIndex::on("articles", ["title"])
///         .drop(manager.get_connection())
///         .await
/// }
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "nothing is created until `create` is called"]
pub struct TrigramIndex {
    table: String,
    columns: Vec<String>,
}

impl TrigramIndex {
    /// On these columns of a table.
    pub fn on<C: Into<String>>(
        table: impl Into<String>,
        columns: impl IntoIterator<Item = C>,
    ) -> Self {
        Self {
            table: table.into(),
            columns: columns.into_iter().map(Into::into).collect(),
        }
    }

    /// Creates the indexes, and the extension `pg_trgm` before them, and says whether it did. It does not where the database
    /// is not PostgreSQL, or the server does not offer the extension to this user: that is not an error, because requests
    /// are answered without the index too.
    ///
    /// # Errors
    /// When the table or a column does not exist, or the index does.
    pub async fn create(&self, db: &impl ConnectionTrait) -> Result<bool, DbErr> {
        if Dialect::of(db.get_database_backend()) != Some(Dialect::Postgres) {
            return Ok(false);
        }
        let Some(schema) = extension(db).await? else {
            return Ok(false);
        };
        for column in &self.columns {
            db.execute_unprepared(&self.index_sql(column, &format!("{}.", quoted(&schema))))
                .await?;
        }
        Ok(true)
    }

    /// Drops the indexes if they exist. The extension stays, because others may use it.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn drop(&self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        let Some(dialect) = Dialect::of(db.get_database_backend()) else {
            return Ok(());
        };
        for statement in self.drop_sql(dialect) {
            db.execute_unprepared(&statement).await?;
        }
        Ok(())
    }

    /// The statements of [`create`](Self::create), for migrations that are written in SQL.
    #[must_use]
    pub fn create_sql(&self, dialect: Dialect) -> Vec<String> {
        if dialect != Dialect::Postgres {
            return Vec::new();
        }
        let indexes = self.columns.iter().map(|column| self.index_sql(column, ""));
        std::iter::once(EXTENSION.to_owned())
            .chain(indexes)
            .collect()
    }

    /// The statements of [`drop`](Self::drop).
    #[must_use]
    pub fn drop_sql(&self, dialect: Dialect) -> Vec<String> {
        if dialect != Dialect::Postgres {
            return Vec::new();
        }
        let columns = self.columns.iter();
        columns
            .map(|column| format!("DROP INDEX IF EXISTS {}", self.index(column)))
            .collect()
    }

    fn index(&self, column: &str) -> String {
        quoted(&format!("{}_{column}_trigrams", self.table))
    }

    fn index_sql(&self, column: &str, schema: &str) -> String {
        format!(
            "CREATE INDEX {} ON {} USING gin ({} {schema}gin_trgm_ops)",
            self.index(column),
            quoted(&self.table),
            quoted(column)
        )
    }
}

const EXTENSION: &str = "CREATE EXTENSION IF NOT EXISTS pg_trgm";

/// The schema of the extension, which is created if the server offers it to this user. This is checked first, because a statement
/// that fails would end the migration's transaction. (Servers before version 13 do not know which extensions are trusted.)
async fn extension(db: &impl ConnectionTrait) -> Result<Option<String>, DbErr> {
    const OFFERED: &str = "SELECT 1 AS offered FROM pg_available_extension_versions v, pg_roles r \
        WHERE v.name = 'pg_trgm' AND r.rolname = current_user AND (r.rolsuper \
        OR coalesce((to_jsonb(v) ->> 'trusted')::boolean, false) \
        AND has_database_privilege(current_database(), 'CREATE'))";
    if let Some(schema) = installed(db).await? {
        return Ok(Some(schema));
    }
    let offered = Statement::from_string(db.get_database_backend(), OFFERED);
    if db.query_one_raw(offered).await?.is_none() {
        return Ok(None);
    }
    db.execute_unprepared(EXTENSION).await?;
    installed(db).await
}

async fn installed(db: &impl ConnectionTrait) -> Result<Option<String>, DbErr> {
    const INSTALLED: &str = "SELECT n.nspname::text AS name FROM pg_extension e \
        JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'";
    let installed = Statement::from_string(db.get_database_backend(), INSTALLED);
    match db.query_one_raw(installed).await? {
        Some(row) => row.try_get("", "name").map(Some),
        None => Ok(None),
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
