//! Runs the queries of `sea-schema`, repaired where they fail on ordinary databases, and adds what it does not read.
//!
//! | database | what `sea-schema` 0.18 does | here |
//! |---|---|---|
//! | SQLite | a foreign key without a column (`REFERENCES customers`) and an index over an expression panic | no nulls in those rows |
//! | SQLite | names are put into pragmas without quotes | quoted |
//! | SQLite | one table that cannot be read fails everything | it has no columns |
//! | SQLite | the order of a key of several columns, the declared type and `WITHOUT ROWID` are lost | [`sqlite_columns`] |
//! | PostgreSQL | a column whose type is in a schema off the search path fails everything | its bare name |
//! | PostgreSQL | columns come in any order | ordered |
//! | PostgreSQL | constraints and unique indexes are read table by table, a quarter of a second each among 500 tables | not read: nothing here needs them |
//! | PostgreSQL | a role that may only read sees no keys; foreign keys of one name in two tables are mixed up | [`postgres_foreign_keys`] |
//! | PostgreSQL, MySQL | views are not read, and on MySQL their empty engine panics | read as tables are |
//! | PostgreSQL | foreign tables and partitions are not read; materialized views are not where it looks | read as tables are; [`postgres_materialized`] |
//! | SQLite | tables that belong to virtual tables are read as tables | [`sqlite_shadows`] |
//! | MySQL | JSON of MariaDB is text | [`mariadb_json`] |
//! | MySQL | kinds of indexes that it does not know panic (`VECTOR` of MariaDB) | only ordered ones |
//! | all | it is not told which indexes have an operator class, a collation or a direction of their own | `listing::indexes::read_indexes` |

use async_trait::async_trait;
use sea_orm::sea_query::{
    MysqlQueryBuilder, PostgresQueryBuilder, SelectStatement, SqliteQueryBuilder,
};
use sea_schema::Connection;
use sea_schema::postgres::query::ColumnQueryResult;
use sea_schema::sqlx_types::{
    AssertSqlSafe, MySqlPool, PgPool, Row as _, SqlitePool, SqlxError, SqlxRow, query,
};

use super::{ForeignKey, Table};

/// A connection through which `sea-schema` reads.
pub(super) enum Mended {
    Sqlite(SqlitePool),
    Postgres(PgPool),
    MySql(MySqlPool),
}

#[async_trait]
impl Connection for Mended {
    async fn query_all(&self, select: SelectStatement) -> Result<Vec<SqlxRow>, SqlxError> {
        let sql = match self {
            Self::Sqlite(_) => select.to_string(SqliteQueryBuilder),
            Self::Postgres(_) => match postgres(select.to_string(PostgresQueryBuilder)) {
                Some(sql) => sql,
                None => return Ok(Vec::new()),
            },
            Self::MySql(_) => mysql(select.to_string(MysqlQueryBuilder)),
        };
        self.query_all_raw(sql).await
    }

    async fn query_all_raw(&self, sql: String) -> Result<Vec<SqlxRow>, SqlxError> {
        Ok(match self {
            Self::Sqlite(pool) => {
                let rows = query(AssertSqlSafe(sqlite(sql))).fetch_all(pool).await;
                let rows = if_readable(rows)?.into_iter();
                rows.map(SqlxRow::Sqlite).collect()
            }
            Self::Postgres(pool) => {
                let rows = query(AssertSqlSafe(sql)).fetch_all(pool).await?;
                rows.into_iter().map(SqlxRow::Postgres).collect()
            }
            Self::MySql(pool) => {
                let rows = query(AssertSqlSafe(sql)).fetch_all(pool).await?;
                rows.into_iter().map(SqlxRow::MySql).collect()
            }
        })
    }
}

/// `PRAGMA name('argument')` as a query, with quotes in the argument and without nulls in the rows.
fn sqlite(sql: String) -> String {
    let pragma = sql
        .strip_prefix("PRAGMA ")
        .and_then(|rest| rest.strip_suffix("')"))
        .and_then(|rest| rest.split_once("('"));
    let Some((pragma, argument)) = pragma else {
        return sql;
    };
    let columns = match pragma {
        "foreign_key_list" => {
            r#"id, seq, "table", "from", coalesce("to", ''), on_update, on_delete, "match""#
        }
        "index_info" => "seqno, cid, coalesce(name, '')",
        _ => "*",
    };
    let argument = argument.replace('\'', "''");
    format!("SELECT {columns} FROM pragma_{pragma}('{argument}')")
}

/// Views, foreign tables and parts of other tables are read as tables are. A statement whose rows nothing needs is left out.
fn postgres(sql: String) -> Option<String> {
    const UNUSED: [&str; 2] = [r#""table_constraints""#, r#""indisunique""#];
    if UNUSED.iter().any(|unused| sql.contains(unused)) {
        return None;
    }
    let mut sql = sql.replace(
        r#""table_type" = 'BASE TABLE'"#,
        r#""table_type" IN ('BASE TABLE', 'VIEW', 'FOREIGN')"#,
    );
    // The last condition leaves out whatever has the name of a part.
    if let Some(parts) = sql.find(r#" AND "table_name" NOT IN (SELECT "#) {
        sql.truncate(parts);
    }
    if !sql.contains(r#""information_schema"."columns""#) {
        return Some(sql);
    }
    let mended = sql.replace(
        r#"CONCAT('"', udt_name, '"')::regtype"#,
        r#"COALESCE(to_regtype(CONCAT('"', udt_name, '"'))::text, udt_name)"#,
    );
    Some(mended + r#" ORDER BY "ordinal_position""#)
}

fn mysql(sql: String) -> String {
    let sql = sql
        .replace("'BASE TABLE'", "'BASE TABLE', 'VIEW'")
        .replace("`engine`, ", "COALESCE(`engine`, ''), ")
        .replace("`create_options`, ", "COALESCE(`create_options`, ''), ");
    if !sql.contains("`statistics`") {
        return sql;
    }
    sql.replacen(" ORDER BY ", " AND `index_type` = 'BTREE' ORDER BY ", 1)
}

/// A column as a table or view of SQLite declares it.
pub(super) struct SqliteColumn {
    pub(super) table: String,
    pub(super) name: String,
    /// Its type, in lower case.
    pub(super) declared: String,
    /// Its place in the primary key, or zero.
    pub(super) place: i64,
    /// Whether its table numbers rows, which one `WITHOUT ROWID` does not, nor a view or a virtual table.
    pub(super) has_rowid: bool,
}

/// The columns of every table and view that can be read, each key in its order.
pub(super) async fn sqlite_columns(pool: &SqlitePool) -> Result<Vec<SqliteColumn>, SqlxError> {
    let tables = query("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'")
        .fetch_all(pool)
        .await?;
    let mut columns = Vec::new();
    for table in tables {
        let name: String = table.try_get(0)?;
        let (kind, without_rowid): (String, bool) = (table.try_get(1)?, table.try_get(2)?);
        let sql = "SELECT name, type, pk FROM pragma_table_xinfo(?) ORDER BY pk, cid";
        let rows = query(sql).bind(name.clone()).fetch_all(pool).await;
        for row in if_readable(rows)? {
            let mut column = SqliteColumn {
                table: name.clone(),
                name: row.try_get(0)?,
                declared: row.try_get::<String, _>(1)?.to_lowercase(),
                place: row.try_get(2)?,
                has_rowid: kind == "table" && !without_rowid,
            };
            if kind == "view" && column.declared.is_empty() {
                column.declared = computed_type(pool, &column).await?;
            }
            columns.push(column);
        }
    }
    Ok(columns)
}

/// The internal tables of virtual tables, such as those of a full-text search.
pub(super) async fn sqlite_shadows(pool: &SqlitePool) -> Result<Vec<String>, SqlxError> {
    let sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'";
    let rows = query(sql).fetch_all(pool).await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

/// Table and column of each JSON column of MariaDB: a text, and a check that it is JSON.
pub(super) async fn mariadb_json(pool: &MySqlPool) -> Result<Vec<(String, String)>, SqlxError> {
    let sql = "SELECT CAST(VERSION() AS CHAR) LIKE '%MariaDB%'";
    // MySQL has a type for it.
    if !query(sql).fetch_one(pool).await?.try_get::<bool, _>(0)? {
        return Ok(Vec::new());
    }
    let sql = "SELECT CAST(table_name AS CHAR), CAST(constraint_name AS CHAR) \
        FROM information_schema.check_constraints WHERE constraint_schema = DATABASE() \
        AND LOWER(check_clause) = CONCAT('json_valid(`', LOWER(constraint_name), '`)')";
    let rows = query(sql).fetch_all(pool).await?;
    let names =
        |row: &sea_schema::sqlx_types::mysql::MySqlRow| Ok((row.try_get(0)?, row.try_get(1)?));
    rows.iter().map(names).collect()
}

/// Computed columns of a view have no declared type: it is derived from the first rows, and text if there are none.
async fn computed_type(pool: &SqlitePool, column: &SqliteColumn) -> Result<String, SqlxError> {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    // Of several types the last in the alphabet: `real` is wider than `integer`, and `text` than both.
    let sql = format!(
        "SELECT max(nullif(typeof(value), 'null')) FROM (SELECT {} AS value FROM {} LIMIT 1000)",
        quoted(&column.name),
        quoted(&column.table)
    );
    let rows = query(AssertSqlSafe(sql)).fetch_all(pool).await;
    let found = match if_readable(rows)?.first() {
        Some(row) => row.try_get::<Option<String>, _>(0)?,
        None => None,
    };
    Ok(found.unwrap_or_else(|| "text".to_owned()))
}

/// The rows of a pragma; empty if a view selects from a table that is gone, or if a module is missing.
fn if_readable<R>(rows: Result<Vec<R>, SqlxError>) -> Result<Vec<R>, SqlxError> {
    match rows {
        Err(SqlxError::Database(error)) if error.code().as_deref() == Some("1") => Ok(Vec::new()),
        rows => rows,
    }
}

/// The kind of a PostgreSQL relation.
pub(super) struct Relation {
    pub(super) schema: String,
    pub(super) name: String,
    /// Whether it is a view, materialized or not, or a foreign table.
    pub(super) view: bool,
    /// Whether it is a part of another table.
    pub(super) part: bool,
}

/// Every table and view.
pub(super) async fn postgres_relations(pool: &PgPool) -> Result<Vec<Relation>, SqlxError> {
    let rows = query(POSTGRES_RELATIONS).fetch_all(pool).await?;
    let relation = |row: &sea_schema::sqlx_types::postgres::PgRow| {
        Ok(Relation {
            schema: row.try_get(0)?,
            name: row.try_get(1)?,
            view: row.try_get(2)?,
            part: row.try_get(3)?,
        })
    };
    rows.iter().map(relation).collect()
}

/// Schema, name and columns of each materialized view that can be read.
pub(super) async fn postgres_materialized(
    pool: &PgPool,
) -> Result<Vec<(String, String, Vec<ColumnQueryResult>)>, SqlxError> {
    let mut views: Vec<(String, String, Vec<ColumnQueryResult>)> = Vec::new();
    for row in query(POSTGRES_MATERIALIZED).fetch_all(pool).await? {
        let (schema, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let column = ColumnQueryResult {
            column_name: row.try_get(2)?,
            column_type: row.try_get(3)?,
            is_nullable: "YES".to_owned(),
            is_identity: "NO".to_owned(),
            udt_name: row.try_get(4)?,
            udt_name_regtype: row.try_get(5)?,
            numeric_precision: row.try_get(6)?,
            numeric_scale: row.try_get(7)?,
            character_maximum_length: row.try_get(8)?,
            datetime_precision: row.try_get(9)?,
            ..ColumnQueryResult::default()
        };
        match views.last_mut() {
            Some(last) if last.0 == schema && last.1 == name => last.2.push(column),
            _ => views.push((schema, name, vec![column])),
        }
    }
    Ok(views)
}

/// The foreign keys of tables, from the catalogue that every role can read. `schemas` has the schema of each table.
pub(super) async fn postgres_foreign_keys(
    pool: &PgPool,
    tables: &mut [Table],
    schemas: &[String],
) -> Result<(), SqlxError> {
    let of = |tables: &[Table], schema: &str, name: &str| {
        let mut all = tables.iter().zip(schemas);
        all.position(|(table, known)| table.name == name && known == schema)
    };
    for row in query(POSTGRES_FOREIGN_KEYS).fetch_all(pool).await? {
        let (table, schema): (String, String) = (row.try_get(0)?, row.try_get(4)?);
        let Some(at) = of(tables, &schema, &table) else {
            continue;
        };
        let (other, other_schema): (String, String) = (row.try_get(2)?, row.try_get(5)?);
        let found = of(tables, &other_schema, &other);
        tables[at].foreign_keys.push(ForeignKey {
            columns: row.try_get(1)?,
            table: other,
            table_schema: match found {
                Some(found) => tables[found].schema.clone(),
                None => Some(other_schema),
            },
            references: row.try_get(3)?,
        });
    }
    Ok(())
}

/// Schema, name, whether it is a kind of view, whether it is a part of another table.
const POSTGRES_RELATIONS: &str = r"
    SELECT s.nspname::text, c.relname::text, c.relkind IN ('v', 'm', 'f'),
           EXISTS (SELECT 1 FROM pg_inherits h WHERE h.inhrelid = c.oid)
    FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'";

/// Schema, view, and what `information_schema.columns` would tell of each column: name, type, the type's own name, that with
/// brackets for an array, precision, scale, length, precision of a time. That of a domain is its base's.
const POSTGRES_MATERIALIZED: &str = r"
    SELECT s.nspname::text, c.relname::text, a.attname::text,
           CASE WHEN b.typelem <> 0 AND b.typlen = -1 THEN 'ARRAY'
                WHEN n.nspname = 'pg_catalog' THEN format_type(b.oid, NULL)
                ELSE 'USER-DEFINED' END,
           b.typname::text, COALESCE(to_regtype(quote_ident(b.typname))::text, b.typname::text),
           information_schema._pg_numeric_precision(b.oid, m.typmod),
           information_schema._pg_numeric_scale(b.oid, m.typmod),
           information_schema._pg_char_max_length(b.oid, m.typmod),
           information_schema._pg_datetime_precision(b.oid, m.typmod)
    FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    JOIN pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
    JOIN pg_namespace n ON n.oid = b.typnamespace
    CROSS JOIN LATERAL (SELECT CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END AS typmod) m
    WHERE c.relkind = 'm' AND has_table_privilege(c.oid, 'SELECT')
      AND s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'
    ORDER BY s.nspname, c.relname, a.attnum";

/// Table, columns, the other table, its columns, the table's schema, that of the other one.
const POSTGRES_FOREIGN_KEYS: &str = r"
    SELECT c.relname::text, array_agg(a.attname::text ORDER BY k.place), r.relname::text,
           array_agg(b.attname::text ORDER BY k.place), s.nspname::text, t.nspname::text
    FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class r ON r.oid = f.confrelid
    JOIN pg_namespace s ON s.oid = c.relnamespace JOIN pg_namespace t ON t.oid = r.relnamespace
    CROSS JOIN LATERAL unnest(f.conkey, f.confkey) WITH ORDINALITY AS k(here, there, place)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.here
    JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = k.there
    LEFT JOIN pg_constraint p ON p.oid = f.conparentid
    WHERE f.contype = 'f' AND p.confrelid IS NOT DISTINCT FROM CASE WHEN f.conparentid <> 0 THEN f.confrelid END
      AND s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'
    GROUP BY f.oid, c.relname, r.relname, s.nspname, t.nspname ORDER BY c.relname, f.oid";

#[cfg(test)]
mod tests {
    use sea_orm::sea_query::{Alias, IntoIden as _};
    use sea_schema::postgres::query::SchemaQueryBuilder;

    use super::*;

    /// Rule b221.
    #[test]
    fn pragmas_have_quotes_and_no_nulls() {
        assert_eq!(
            sqlite("PRAGMA table_xinfo('it's')".to_owned()),
            "SELECT * FROM pragma_table_xinfo('it''s')"
        );
        assert!(
            sqlite("PRAGMA foreign_key_list('a')".to_owned()).contains(r#"coalesce("to", '')"#)
        );
        assert_eq!(sqlite("SELECT 1".to_owned()), "SELECT 1");
    }

    /// Rule b495.
    #[test]
    fn parts_and_foreign_tables_are_not_left_out() {
        let tables = SchemaQueryBuilder::default().query_tables(Alias::new("hr").into_iden());
        let sql = postgres(tables.to_string(PostgresQueryBuilder)).unwrap();
        let end =
            r#"WHERE "table_schema" = 'hr' AND "table_type" IN ('BASE TABLE', 'VIEW', 'FOREIGN')"#;
        assert!(sql.ends_with(end), "{sql}");
    }

    #[test]
    fn only_what_is_needed_is_asked_of_each_table() {
        let builder = SchemaQueryBuilder::default();
        let name = || Alias::new("orders").into_iden();
        let asked = |select: SelectStatement| postgres(select.to_string(PostgresQueryBuilder));
        assert!(asked(builder.query_tables(name())).is_some());
        assert!(asked(builder.query_columns(name(), name())).is_some());
        assert!(asked(builder.query_enums(name())).is_some());
        assert!(asked(builder.query_table_constraints(name(), name())).is_none());
        assert!(asked(builder.query_table_unique_indexes(name(), name())).is_none());
    }
}
