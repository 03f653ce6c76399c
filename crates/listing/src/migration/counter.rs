//! A count of related rows that the database keeps in a column, created and dropped by migrations.

use sea_orm::{ConnectionTrait, DbErr};

use super::{cascades, triggers};
use crate::sql::Dialect;

/// A column with the number of rows of another table that belong to each row. It is filled from the existing rows, and triggers
/// keep it up to date.
///
/// It counts the same rows for everyone. If the related listing has a scope or a default filter that depends on the caller, only
/// [`Field::count_of`](crate::Field::count_of) is right.
///
/// [`Field::count_of`](crate::Field::count_of) counts on request: for each row that is shown, and for each row of the table if
/// clients sort by it. A counter is a column, so that an index can serve the sort. In a migration:
///
/// ```no_run
/// # use listing::migration::Counter;
/// # use sea_orm::{ConnectionTrait, DbErr};
/// # struct SchemaManager<C>(C);
/// # impl<C> SchemaManager<C> { fn get_connection(&self) -> &C { &self.0 } }
/// # struct Migration;
/// fn visible_comments() -> Counter {
///     Counter::in_column("articles", "comments_count")
///         .of("comments", "article_id")
///         .only_false("is_hidden")
/// }
///
/// # impl Migration {
/// async fn up<C: ConnectionTrait>(&self, manager: &SchemaManager<C>) -> Result<(), DbErr> {
///     visible_comments().create(manager.get_connection()).await
/// }
///
/// async fn down<C: ConnectionTrait>(&self, manager: &SchemaManager<C>) -> Result<(), DbErr> {
///     visible_comments().drop(manager.get_connection()).await
/// }
/// # }
/// ```
///
/// The entity declares the column, and the listing has it as a field under the same name as before.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "nothing is created until `create` is called"]
pub struct Counter {
    pub(crate) table: String,
    pub(crate) column: String,
    pub(crate) key: String,
    /// The rows that are counted.
    pub(crate) counted: String,
    /// Their column that holds the key; of a many-to-many relation their own key.
    pub(crate) by: String,
    pub(crate) through: Option<Links>,
    /// Columns of the counted rows that must be false, or null.
    pub(crate) conditions: Vec<(String, Must)>,
}

/// The junction of a many-to-many relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Links {
    pub(crate) table: String,
    pub(crate) to_parent: String,
    pub(crate) to_counted: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Must {
    BeFalse,
    BeNull,
}

impl Counter {
    /// Kept in this column of a table whose primary key is `id`. The column must not exist yet.
    pub fn in_column(table: impl Into<String>, column: impl Into<String>) -> Self {
        Self {
            table: table.into(),
            column: column.into(),
            key: "id".to_owned(),
            counted: String::new(),
            by: String::new(),
            through: None,
            conditions: Vec::new(),
        }
    }

    /// The table's primary key, where it is not `id`.
    pub fn key(mut self, column: impl Into<String>) -> Self {
        self.key = column.into();
        self
    }

    /// Counts the rows of a table by their foreign key.
    pub fn of(mut self, table: impl Into<String>, foreign_key: impl Into<String>) -> Self {
        self.counted = table.into();
        self.by = foreign_key.into();
        self
    }

    /// Counts the rows of a table, by its primary key, to which a junction leads: its column of the row that has the counter,
    /// and its column of the counted row. Together the two must be unique.
    pub fn of_linked(
        mut self,
        table: impl Into<String>,
        key: impl Into<String>,
        junction: (impl Into<String>, impl Into<String>, impl Into<String>),
    ) -> Self {
        self.counted = table.into();
        self.by = key.into();
        self.through = Some(Links {
            table: junction.0.into(),
            to_parent: junction.1.into(),
            to_counted: junction.2.into(),
        });
        self
    }

    /// Only counts rows in which this column is false.
    pub fn only_false(mut self, column: impl Into<String>) -> Self {
        self.conditions.push((column.into(), Must::BeFalse));
        self
    }

    /// Only counts rows in which this column is null: those that are not soft-deleted.
    pub fn only_null(mut self, column: impl Into<String>) -> Self {
        self.conditions.push((column.into(), Must::BeNull));
        self
    }

    /// Adds the column, creates the triggers, and fills the column.
    ///
    /// Rows may be written in the meantime, and all of them are counted. On PostgreSQL it is one transaction: writers of the
    /// counted rows wait until it is over, or one of the two fails with a deadlock. MariaDB and MySQL have no transactions for
    /// such statements, and writers can make the last one fail with a deadlock. Then only the numbers are missing, and
    /// [`refresh`](Self::refresh) fills them in.
    ///
    /// # Errors
    /// When a table or a column does not exist, or the counter already does; when a table counts its own rows through a junction,
    /// and on MariaDB also when it counts them by a foreign key. On MariaDB and MySQL also when a foreign key of another table
    /// deletes or changes counted rows (`ON DELETE CASCADE`), because actions of foreign keys fire no triggers there. Only rows
    /// that are deleted with the one that has the counter, and links that are deleted with either end, may have such keys.
    pub async fn create(&self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        let dialect = self.dialect(db)?;
        if let Some(why) = self.own_rows(dialect) {
            let (table, column) = (&self.table, &self.column);
            return Err(DbErr::Custom(format!(
                "the counter `{table}.{column}` counts rows of its own table{why}"
            )));
        }
        if !dialect.cascades_fire_triggers() {
            cascades::refuse(self, db).await?;
        }
        run(db, dialect, self.create_sql(dialect)).await
    }

    /// Drops the existing triggers, and the column.
    ///
    /// # Errors
    /// When the column does not exist, or the database does not answer.
    pub async fn drop(&self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        let dialect = self.dialect(db)?;
        run(db, dialect, self.drop_sql(dialect)).await
    }

    /// Counts everything again, after changes that triggers do not see: `TRUNCATE` on PostgreSQL, `REPLACE` on SQLite, rows that
    /// were loaded with triggers off, or deletions by a foreign key that was added later on MariaDB. The tables should not be
    /// written to in the meantime.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn refresh(&self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        let dialect = self.dialect(db)?;
        run(db, dialect, vec![self.refresh_sql(dialect)]).await
    }

    /// The statements of [`create`](Self::create), for migrations that are written in SQL. On PostgreSQL and SQLite they
    /// belong in one transaction.
    #[must_use]
    pub fn create_sql(&self, dialect: Dialect) -> Vec<String> {
        let (table, column) = (quoted(dialect, &self.table), quoted(dialect, &self.column));
        let add = format!("ALTER TABLE {table} ADD COLUMN {column} BIGINT NOT NULL DEFAULT 0");
        let mut statements = vec![add];
        statements.extend(triggers::create(self, dialect));
        // This comes last, so that rows that are written before the triggers exist are counted, too.
        statements.push(self.refresh_sql(dialect));
        statements
    }

    /// The statements of [`drop`](Self::drop).
    #[must_use]
    pub fn drop_sql(&self, dialect: Dialect) -> Vec<String> {
        let mut statements = triggers::drop(self, dialect);
        statements.push(format!(
            "ALTER TABLE {} DROP COLUMN {}",
            quoted(dialect, &self.table),
            quoted(dialect, &self.column)
        ));
        statements
    }

    pub(crate) fn refresh_sql(&self, dialect: Dialect) -> String {
        let name = |name: &str| quoted(dialect, name);
        let counted = name(&self.counted);
        let by = format!("c.{}", name(&self.by));
        let (from, parent) = match &self.through {
            None => (format!("{counted} c"), by),
            Some(links) => (
                format!(
                    "{} l JOIN {counted} c ON {by} = l.{}",
                    name(&links.table),
                    name(&links.to_counted)
                ),
                format!("l.{}", name(&links.to_parent)),
            ),
        };
        let table = name(&self.table);
        format!(
            "UPDATE {table} SET {} = (SELECT COUNT(*) FROM {from} WHERE {parent} = {table}.{}{})",
            name(&self.column),
            name(&self.key),
            self.condition(dialect, "c")
        )
    }

    /// ` AND` and the condition on a counted row, for a row with this name.
    pub(crate) fn condition(&self, dialect: Dialect, row: &str) -> String {
        let one = |(column, must): &(String, Must)| {
            let column = quoted(dialect, column);
            match must {
                Must::BeFalse => format!(" AND NOT {row}.{column}"),
                Must::BeNull => format!(" AND {row}.{column} IS NULL"),
            }
        };
        self.conditions.iter().map(one).collect()
    }

    /// Why it cannot count rows of its own table, if it does.
    fn own_rows(&self, dialect: Dialect) -> Option<&'static str> {
        match &self.through {
            _ if self.counted != self.table => None,
            // The links of a row have to be read before it is deleted, and then it must not be changed.
            Some(_) => {
                Some(" through a junction, which a trigger cannot do: use `Field::count_of`")
            }
            None if dialect == Dialect::Mysql => {
                Some(", which a trigger cannot do on MariaDB and MySQL")
            }
            None => None,
        }
    }

    fn dialect(&self, db: &impl ConnectionTrait) -> Result<Dialect, DbErr> {
        if self.counted.is_empty() {
            let (table, column) = (&self.table, &self.column);
            return Err(DbErr::Custom(format!(
                "the counter `{table}.{column}` does not say what it counts: call `of` or `of_linked`"
            )));
        }
        let backend = db.get_database_backend();
        let none = || DbErr::Custom(format!("there are no counters for {backend:?}"));
        Dialect::of(backend).ok_or_else(none)
    }
}

async fn run(
    db: &impl ConnectionTrait,
    dialect: Dialect,
    mut statements: Vec<String>,
) -> Result<(), DbErr> {
    if dialect == Dialect::Postgres {
        // Sent together they are one transaction, and the locks of the first hold until the last is done.
        statements = vec![statements.join("; ")];
    }
    for statement in statements {
        db.execute_unprepared(&statement).await?;
    }
    Ok(())
}

pub(crate) fn quoted(dialect: Dialect, name: &str) -> String {
    let quote = match dialect {
        Dialect::Mysql => "`",
        Dialect::Postgres | Dialect::Sqlite => "\"",
    };
    format!("{quote}{}{quote}", name.replace(quote, &quote.repeat(2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIALECTS: [Dialect; 3] = [Dialect::Postgres, Dialect::Mysql, Dialect::Sqlite];

    /// Rule b487.
    #[test]
    fn triggers_of_long_names_are_told_apart() {
        let long = "ä".repeat(28);
        let names: std::collections::BTreeSet<_> = ["x_count", "y_count", "n"]
            .into_iter()
            .map(|column| Counter::in_column(&long, column).of("comments", "article_id"))
            .flat_map(|counter| counter.create_sql(Dialect::Sqlite))
            .filter_map(|sql| {
                let name = sql.strip_prefix("CREATE TRIGGER \"")?;
                Some(name[..name.find('"')?].to_owned())
            })
            .collect();
        assert_eq!(names.len(), 12, "{names:?}");
        assert!(names.iter().all(|name| name.len() <= 63), "{names:?}");
        assert!(names.contains(&format!("{long}_n_key")), "{names:?}");
    }

    /// Rule b484.
    #[test]
    fn a_counter_is_filled_when_its_triggers_are_there() {
        let comments =
            Counter::in_column("articles", "comments_count").of("comments", "article_id");
        for dialect in DIALECTS {
            let sql = comments.create_sql(dialect);
            let at = |start: &str| sql.iter().rposition(|sql| sql.starts_with(start)).unwrap();
            assert_eq!(at("ALTER TABLE"), 0, "{dialect:?}");
            assert_eq!(at("UPDATE"), sql.len() - 1, "{dialect:?}");
            assert!(at("CREATE TRIGGER") < at("UPDATE"), "{dialect:?}");
        }
    }
}
