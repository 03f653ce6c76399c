//! Reads indexes and estimated sizes of tables from the catalogue of a database, in a few statements.
//!
//! By hand, and not by `sea-schema`: an application that only wants to know its indexes should not compile a reader of whole
//! schemas for three databases.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement};

use super::names::IndexNames;
use crate::vocabulary::{IndexedTable, TableIndex};

/// A table that listings name, and what is known of it.
pub(super) struct Named {
    /// Its schema, if the entity names one.
    pub(super) schema: Option<String>,
    pub(super) table: IndexedTable,
}

impl Named {
    fn is(&self, place: &Place) -> bool {
        let in_schema = match &self.schema {
            None => place.is_bare,
            Some(schema) => *schema == place.schema,
        };
        in_schema && self.table.name == place.table
    }
}

/// Finds out what there is to know of these tables. What the catalogue does not have, such as a view, stays without rows.
pub(super) async fn fill(db: &impl ConnectionTrait, tables: &mut [Named]) -> Result<(), DbErr> {
    match db.get_database_backend() {
        DbBackend::Postgres => {
            indexes(db, POSTGRES_INDEXES, tables).await?;
            sizes(db, POSTGRES_SIZES, tables).await?;
            trigrams(db, tables).await
        }
        DbBackend::MySql => {
            indexes(db, MYSQL_INDEXES, tables).await?;
            sizes(db, MYSQL_SIZES, tables).await
        }
        DbBackend::Sqlite => {
            indexes(db, SQLITE_INDEXES, tables).await?;
            sqlite_sizes(db, tables).await
        }
        _ => Ok(()),
    }
}

/// The names that indexes have, each with the place where it is taken.
///
/// # Errors
/// When the catalogue cannot be read.
pub async fn index_names(db: &impl ConnectionTrait) -> Result<IndexNames, DbErr> {
    let backend = db.get_database_backend();
    let sql = match backend {
        DbBackend::Postgres => POSTGRES_NAMES,
        DbBackend::MySql => MYSQL_NAMES,
        _ => SQLITE_NAMES,
    };
    let mut taken = Vec::new();
    for row in rows(db, sql).await? {
        taken.push((row.try_get_by_index(0)?, row.try_get_by_index(1)?));
    }
    Ok(IndexNames::new(backend, taken))
}

/// An index; an expression in it has no name.
struct Found {
    place: Place,
    name: String,
    unique: bool,
    is_key: bool,
    columns: Vec<Option<String>>,
}

/// Where a row of the catalogue belongs: its first three columns.
#[derive(PartialEq, Eq)]
struct Place {
    schema: String,
    /// Whether a bare name means it.
    is_bare: bool,
    table: String,
}

impl Place {
    fn of(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            schema: row.try_get_by_index(0)?,
            is_bare: row.try_get_by_index::<i32>(1)? != 0,
            table: row.try_get_by_index(2)?,
        })
    }
}

async fn rows(db: &impl ConnectionTrait, sql: &str) -> Result<Vec<QueryResult>, DbErr> {
    let statement = Statement::from_string(db.get_database_backend(), sql);
    db.query_all_raw(statement).await
}

/// A row for each column of each index: its name, whether it is unique, whether it is the primary key, and the column; null
/// for an expression, after which an index serves nothing.
async fn indexes(db: &impl ConnectionTrait, sql: &str, tables: &mut [Named]) -> Result<(), DbErr> {
    let mut found: Vec<Found> = Vec::new();
    for row in rows(db, sql).await? {
        let place = Place::of(&row)?;
        let name: String = row.try_get_by_index(3)?;
        let column = row.try_get_by_index(6)?;
        match found.last_mut() {
            Some(last) if last.name == name && last.place == place => last.columns.push(column),
            _ => found.push(Found {
                place,
                name,
                unique: row.try_get_by_index::<i32>(4)? != 0,
                is_key: row.try_get_by_index::<i32>(5)? != 0,
                columns: vec![column],
            }),
        }
    }
    for index in found {
        let Found {
            place,
            unique,
            is_key,
            columns,
            ..
        } = index;
        let is_whole = columns.iter().all(Option::is_some);
        let columns: Vec<_> = columns.into_iter().map_while(|column| column).collect();
        for named in tables.iter_mut().filter(|named| named.is(&place)) {
            if is_key {
                named.table.key.clone_from(&columns);
            } else if !columns.is_empty() {
                named.table.indexes.push(TableIndex {
                    unique: unique && is_whole,
                    columns: columns.clone(),
                    descending: Vec::new(),
                });
            }
        }
    }
    Ok(())
}

/// A row for each table, with its number of rows.
async fn sizes(db: &impl ConnectionTrait, sql: &str, tables: &mut [Named]) -> Result<(), DbErr> {
    for row in rows(db, sql).await? {
        let place = Place::of(&row)?;
        let size: Option<i64> = row.try_get_by_index(3)?;
        for named in tables.iter_mut().filter(|named| named.is(&place)) {
            named.table.schema = Some(place.schema.clone());
            named.table.hidden = !place.is_bare;
            named.table.rows = size.and_then(|size| u64::try_from(size).ok());
        }
    }
    Ok(())
}

/// A row for each column with an index of trigrams.
async fn trigrams(db: &impl ConnectionTrait, tables: &mut [Named]) -> Result<(), DbErr> {
    for named in tables.iter_mut() {
        named.table.trigrams = Some(Vec::new());
    }
    for row in rows(db, POSTGRES_TRIGRAMS).await? {
        let place = Place::of(&row)?;
        let column: String = row.try_get_by_index(3)?;
        for named in tables.iter_mut().filter(|named| named.is(&place)) {
            let trigrams = named.table.trigrams.get_or_insert_default();
            trigrams.push(column.clone());
        }
    }
    Ok(())
}

/// SQLite keeps no number of rows, but numbers them. Numbers may have gaps, so that a table is never taken for larger than
/// the whole file could hold.
async fn sqlite_sizes(db: &impl ConnectionTrait, tables: &mut [Named]) -> Result<(), DbErr> {
    const SMALLEST_ROW: i64 = 10;
    let mut most = 0;
    for row in rows(db, SQLITE_BYTES).await? {
        most = row.try_get_by_index::<i64>(0)? / SMALLEST_ROW;
    }
    for named in tables.iter_mut() {
        named.table.schema = Some("main".to_owned());
        let table = named.table.name.replace('"', "\"\"");
        let sql = format!(
            "SELECT (SELECT min(rowid) FROM \"{table}\"), (SELECT max(rowid) FROM \"{table}\")"
        );
        // A view has no rowid, and neither has a table that says so: nothing is known of them.
        let Ok(found) = rows(db, &sql).await else {
            continue;
        };
        for row in found {
            let first: Option<i64> = row.try_get_by_index(0)?;
            let last: Option<i64> = row.try_get_by_index(1)?;
            let numbered = last.unwrap_or(0).saturating_sub(first.unwrap_or(1));
            let size = numbered.saturating_add(1).min(most);
            named.table.rows = u64::try_from(size).ok();
        }
    }
    Ok(())
}

const POSTGRES_INDEXES: &str = r"
    SELECT s.nspname::text, pg_table_is_visible(c.oid)::int, c.relname::text, n.relname::text,
           i.indisunique::int, i.indisprimary::int, a.attname::text
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid
    JOIN pg_namespace s ON s.oid = c.relnamespace
    JOIN pg_am m ON m.oid = n.relam AND m.amname = 'btree'
    CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY AS k(number, place)
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number AND k.number > 0
    WHERE i.indisvalid AND i.indpred IS NULL AND k.place <= i.indnkeyatts
      AND s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'
    ORDER BY s.nspname, c.relname, n.relname, k.place";

/// As the planner estimates them: rows for each page when statistics were last made, times the pages of today; 100 bytes for
/// each row where there are none yet. A partitioned table is as large as its parts.
const POSTGRES_SIZES: &str = r"
    WITH sizes AS (
      SELECT c.oid, pg_relation_size(c.oid)::float8 * CASE WHEN c.reltuples >= 0 AND c.relpages > 0
             THEN c.reltuples::float8 / c.relpages / current_setting('block_size')::float8
             ELSE 0.01 END AS rows
      FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'm') AND s.nspname !~ '^pg_' AND s.nspname <> 'information_schema')
    SELECT s.nspname::text, pg_table_is_visible(c.oid)::int, c.relname::text,
           (CASE c.relkind WHEN 'p' THEN
              (SELECT sum(z.rows) FROM pg_partition_tree(c.oid) t JOIN sizes z ON z.oid = t.relid)
            ELSE (SELECT z.rows FROM sizes z WHERE z.oid = c.oid) END)::bigint
    FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'm', 'p') AND s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'";

const POSTGRES_TRIGRAMS: &str = r"
    SELECT s.nspname::text, pg_table_is_visible(c.oid)::int, c.relname::text, a.attname::text
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace s ON s.oid = c.relnamespace
    CROSS JOIN LATERAL unnest(i.indkey::smallint[], i.indclass::oid[]) AS k(number, class)
    JOIN pg_opclass o ON o.oid = k.class AND o.opcname IN ('gin_trgm_ops', 'gist_trgm_ops')
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number AND k.number > 0
    WHERE i.indisvalid AND i.indpred IS NULL";

/// The beginning of a column serves neither an order nor, by itself, a value.
const MYSQL_INDEXES: &str = "
    SELECT CAST(table_schema AS CHAR), CAST(table_schema = DATABASE() AS SIGNED), CAST(table_name AS CHAR),
           CAST(index_name AS CHAR), CAST(non_unique = 0 AS SIGNED), CAST(index_name = 'PRIMARY' AS SIGNED),
           CAST(CASE WHEN sub_part IS NULL THEN column_name END AS CHAR)
    FROM information_schema.statistics WHERE index_type = 'BTREE'
    ORDER BY table_schema, table_name, index_name, seq_in_index";

const MYSQL_SIZES: &str = "
    SELECT CAST(table_schema AS CHAR), CAST(table_schema = DATABASE() AS SIGNED), CAST(table_name AS CHAR),
           CAST(table_rows AS SIGNED)
    FROM information_schema.tables WHERE table_type = 'BASE TABLE'";

/// The primary key is told by the table: one of the row's number has no index of its own.
const SQLITE_INDEXES: &str = r#"
    SELECT 'main', 1, t.name, '', 1, 1, c.name, c.pk
    FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.pk > 0
    UNION ALL
    SELECT 'main', 1, t.name, i.name, i."unique", 0, c.name, c.seqno
    FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
    WHERE t.type = 'table' AND NOT i.partial AND i.origin <> 'pk'
    ORDER BY 3, 4, 8"#;

const SQLITE_BYTES: &str =
    "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()";

/// An index shares the names of a schema with its tables.
const POSTGRES_NAMES: &str = r"
    SELECT s.nspname::text, c.relname::text FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
    WHERE s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'";

const MYSQL_NAMES: &str = "
    SELECT DISTINCT CAST(table_name AS CHAR), CAST(index_name AS CHAR)
    FROM information_schema.statistics WHERE table_schema = DATABASE()";

const SQLITE_NAMES: &str = "SELECT '', name FROM sqlite_master";
