//! The index of full-text search, created and dropped by migrations on each database.

use sea_orm::{ConnectionTrait, DbErr};

use crate::sql::Dialect;
use crate::vocabulary::FullTextNames;

/// Characters of all columns together that PostgreSQL indexes. A `tsvector` holds 1 MiB, and a row whose words do not fit
/// is refused; no text makes more than 8 bytes of a character.
const MOST_CHARACTERS: usize = 120_000;

/// The basis of full-text search on some columns of a table. It is filled from the existing rows, and the database keeps it up to
/// date.
///
/// | database | what it is |
/// |---|---|
/// | PostgreSQL | a generated column `search_vector`, and a GIN index on it |
/// | MariaDB | a generated column `search_<column>` for each column, in lower case, and a `FULLTEXT` index on them |
/// | SQLite | an FTS5 table `<table>_search`, and three triggers that follow the table |
///
/// A listing with [`Search::full_text`](crate::Search::full_text) needs it. In a migration:
///
/// ```no_run
/// # use listing::migration::FullTextIndex;
/// # use sea_orm::{ConnectionTrait, DbErr};
/// # struct SchemaManager<C>(C);
/// # impl<C> SchemaManager<C> { fn get_connection(&self) -> &C { &self.0 } }
/// # struct Migration;
/// # impl Migration {
/// async fn up<C: ConnectionTrait>(&self, manager: &SchemaManager<C>) -> Result<(), DbErr> {
///     FullTextIndex::on("articles", ["title", "body"])
///         .create(manager.get_connection())
///         .await
/// }
///
/// async fn down<C: ConnectionTrait>(&self, manager: &SchemaManager<C>) -> Result<(), DbErr> {
///     FullTextIndex::on("articles", ["title", "body"])
///         .drop(manager.get_connection())
///         .await
/// }
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "nothing is created until `create` is called"]
pub struct FullTextIndex {
    table: String,
    columns: Vec<String>,
    language: String,
}

impl FullTextIndex {
    /// On these columns of a table, in the order in which the listing's `Search::full_text` names them.
    pub fn on<C: Into<String>>(
        table: impl Into<String>,
        columns: impl IntoIterator<Item = C>,
    ) -> Self {
        Self {
            table: table.into(),
            columns: columns.into_iter().map(Into::into).collect(),
            language: FullTextNames::LANGUAGE.to_owned(),
        }
    }

    /// The text search configuration of PostgreSQL; the same as in
    /// [`Search::language`](crate::Search::language).
    pub fn language(mut self, configuration: impl Into<String>) -> Self {
        self.language = configuration.into();
        self
    }

    /// Creates the index, and fills it from the existing rows. PostgreSQL and MariaDB rewrite the table, and no other session can
    /// use it in the meantime.
    ///
    /// # Errors
    /// When the table or a column does not exist, or the index does.
    pub async fn create(&self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        self.run(db, Self::create_sql).await
    }

    /// Drops the index and everything that belongs to it.
    ///
    /// # Errors
    /// When it does not exist, or the database does not answer.
    pub async fn drop(&self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        self.run(db, Self::drop_sql).await
    }

    /// Stops keeping the index up to date, before very many rows are loaded. Searches fail or find nothing until
    /// [`resume`](Self::resume).
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn pause(&self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        self.run(db, Self::pause_sql).await
    }

    /// Builds the index from the existing rows, and keeps it up to date again.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn resume(&self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        self.run(db, Self::resume_sql).await
    }

    /// The statements of [`create`](Self::create), for migrations that are written in SQL.
    #[must_use]
    pub fn create_sql(&self, dialect: Dialect) -> Vec<String> {
        let mut statements = match dialect {
            Dialect::Postgres => vec![format!(
                "ALTER TABLE {} ADD COLUMN {} tsvector GENERATED ALWAYS AS ({}) STORED",
                quoted(dialect, &self.table),
                quoted(dialect, FullTextNames::VECTOR),
                self.vector()
            )],
            Dialect::Mysql => vec![self.alter(|column| {
                format!(
                    "ADD COLUMN {} LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin \
                     GENERATED ALWAYS AS (LOWER(COALESCE({}, ''))) STORED",
                    quoted(dialect, &self.names().lowered(column)),
                    quoted(dialect, column)
                )
            })],
            Dialect::Sqlite => vec![format!(
                "CREATE VIRTUAL TABLE {} USING fts5({}, tokenize = 'unicode61 remove_diacritics 0')",
                self.index(dialect),
                self.listed(dialect, "")
            )],
        };
        statements.extend(self.resume_sql(dialect));
        statements
    }

    /// The statements of [`drop`](Self::drop).
    #[must_use]
    pub fn drop_sql(&self, dialect: Dialect) -> Vec<String> {
        let mut statements = self.pause_sql(dialect);
        statements.push(match dialect {
            Dialect::Postgres => format!(
                "ALTER TABLE {} DROP COLUMN {}",
                quoted(dialect, &self.table),
                quoted(dialect, FullTextNames::VECTOR)
            ),
            Dialect::Mysql => self.alter(|column| {
                let lowered = self.names().lowered(column);
                format!("DROP COLUMN {}", quoted(dialect, &lowered))
            }),
            Dialect::Sqlite => format!("DROP TABLE {}", self.index(dialect)),
        });
        statements
    }

    fn pause_sql(&self, dialect: Dialect) -> Vec<String> {
        let table = quoted(dialect, &self.table);
        match dialect {
            Dialect::Postgres => vec![format!("DROP INDEX IF EXISTS {}", self.index(dialect))],
            Dialect::Mysql => vec![format!("DROP INDEX {} ON {table}", self.index(dialect))],
            Dialect::Sqlite => ["insert", "update", "delete"]
                .map(|event| format!("DROP TRIGGER IF EXISTS {}", self.trigger(event)))
                .to_vec(),
        }
    }

    fn resume_sql(&self, dialect: Dialect) -> Vec<String> {
        let (table, index) = (quoted(dialect, &self.table), self.index(dialect));
        match dialect {
            Dialect::Postgres => vec![format!(
                "CREATE INDEX {index} ON {table} USING gin ({})",
                quoted(dialect, FullTextNames::VECTOR)
            )],
            Dialect::Mysql => {
                let columns: Vec<_> = self
                    .columns
                    .iter()
                    .map(|column| quoted(dialect, &self.names().lowered(column)))
                    .collect();
                let columns = columns.join(", ");
                // FORCE rewrites the table. Without it, an index that is added after another was dropped lacks rows.
                vec![format!(
                    "ALTER TABLE {table} ADD FULLTEXT INDEX {index} ({columns}), FORCE"
                )]
            }
            Dialect::Sqlite => self.follow_table(&table, &index),
        }
    }

    /// The triggers of SQLite, and the existing rows. A row is deleted before it is inserted, because `REPLACE` deletes rows
    /// without firing a trigger.
    fn follow_table(&self, table: &str, index: &str) -> Vec<String> {
        let sqlite = Dialect::Sqlite;
        let columns = self.listed(sqlite, "");
        let changed: Vec<_> = self
            .columns
            .iter()
            .map(|column| quoted(sqlite, column))
            .map(|column| format!("old.{column} IS NOT new.{column}"))
            .collect();
        let delete = |row: &str| format!("DELETE FROM {index} WHERE rowid = {row}.rowid; ");
        let insert = format!(
            "{}INSERT INTO {index} (rowid, {columns}) VALUES (new.rowid, {}); ",
            delete("new"),
            self.listed(sqlite, "new.")
        );
        let trigger = |event: &str, when: &str, does: &str| {
            let name = self.trigger(&event.to_ascii_lowercase());
            format!(
                "CREATE TRIGGER IF NOT EXISTS {name} AFTER {event} ON {table} {when}BEGIN {does}END"
            )
        };
        vec![
            trigger("INSERT", "", &insert),
            trigger(
                "UPDATE",
                &format!(
                    "WHEN old.rowid IS NOT new.rowid OR {} ",
                    changed.join(" OR ")
                ),
                &format!("{}{insert}", delete("old")),
            ),
            trigger("DELETE", "", &delete("old")),
            format!("DELETE FROM {index}"),
            format!("INSERT INTO {index} (rowid, {columns}) SELECT rowid, {columns} FROM {table}"),
        ]
    }

    /// The words of all columns, those of the first with the greatest weight. Between two columns a place is left free, so
    /// that no phrase begins in one and ends in the next.
    fn vector(&self) -> String {
        let characters = MOST_CHARACTERS / self.columns.len().max(1);
        let words = |(at, column): (usize, &String)| {
            let weight = if at == 0 { 'A' } else { 'B' };
            format!(
                "setweight(to_tsvector('{}', left(coalesce({}::text, ''), {characters})), '{weight}')",
                self.language,
                quoted(Dialect::Postgres, column)
            )
        };
        let columns: Vec<_> = self.columns.iter().enumerate().map(words).collect();
        format!(
            "ts_delete({}, '|')",
            columns.join(" || '''|'':1'::tsvector || ")
        )
    }

    fn alter(&self, action: impl Fn(&String) -> String) -> String {
        let actions: Vec<_> = self.columns.iter().map(action).collect();
        let table = quoted(Dialect::Mysql, &self.table);
        format!("ALTER TABLE {table} {}", actions.join(", "))
    }

    fn listed(&self, dialect: Dialect, before: &str) -> String {
        let columns = self.columns.iter();
        let columns: Vec<_> = columns
            .map(|column| format!("{before}{}", quoted(dialect, column)))
            .collect();
        columns.join(", ")
    }

    fn names(&self) -> FullTextNames<'_> {
        FullTextNames::of(&self.table)
    }

    fn index(&self, dialect: Dialect) -> String {
        quoted(dialect, &self.names().index())
    }

    fn trigger(&self, event: &str) -> String {
        quoted(
            Dialect::Sqlite,
            &format!("{}_{event}", self.names().index()),
        )
    }

    async fn run(
        &self,
        db: &impl ConnectionTrait,
        statements: impl Fn(&Self, Dialect) -> Vec<String>,
    ) -> Result<(), DbErr> {
        if self.columns.is_empty() {
            return Err(DbErr::Custom(format!(
                "the full-text index of `{}` has no columns",
                self.table
            )));
        }
        if !FullTextNames::is_language(&self.language) {
            return Err(DbErr::Custom(format!(
                "`{}` cannot be the name of a text search configuration",
                self.language
            )));
        }
        let backend = db.get_database_backend();
        let dialect = Dialect::of(backend)
            .ok_or_else(|| DbErr::Custom(format!("there is no full-text index for {backend:?}")))?;
        for statement in statements(self, dialect) {
            db.execute_unprepared(&statement).await?;
        }
        Ok(())
    }
}

fn quoted(dialect: Dialect, name: &str) -> String {
    let quote = match dialect {
        Dialect::Mysql => "`",
        Dialect::Postgres | Dialect::Sqlite => "\"",
    };
    format!("{quote}{}{quote}", name.replace(quote, &quote.repeat(2)))
}
