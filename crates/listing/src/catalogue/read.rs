//! Reads indexes and estimated sizes of tables from the catalogue of a database, in a few statements.
//!
//! By hand, and not by `sea-schema`: an application that only wants to know its indexes should not compile a reader of whole
//! schemas for three databases.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement};

use super::{IndexNames, IndexedTable, TableIndex};

/// Finds out what there is to know of tables, of which only names are known, and perhaps schemas. What the catalogue does not
/// have, such as a view, stays without rows.
pub(crate) async fn fill(
    db: &impl ConnectionTrait,
    tables: &mut [IndexedTable],
) -> Result<(), DbErr> {
    read_indexes(db, tables).await?;
    read_sizes(db, tables).await
}

/// Finds out how large tables are.
pub(crate) async fn read_sizes(
    db: &impl ConnectionTrait,
    tables: &mut [IndexedTable],
) -> Result<(), DbErr> {
    match db.get_database_backend() {
        DbBackend::Postgres => sizes(db, POSTGRES_SIZES, tables).await,
        DbBackend::MySql => sizes(db, MYSQL_SIZES, tables).await,
        DbBackend::Sqlite => sqlite_sizes(db, tables).await,
        _ => Ok(()),
    }
}

/// Reads the keys and indexes of tables, of which only names are known, and perhaps schemas.
///
/// # Errors
/// When the catalogue cannot be read.
pub async fn read_indexes(
    db: &impl ConnectionTrait,
    tables: &mut [IndexedTable],
) -> Result<(), DbErr> {
    match db.get_database_backend() {
        DbBackend::Postgres => {
            indexes(db, POSTGRES_INDEXES, tables).await?;
            for table in tables.iter_mut() {
                table.trigrams = Some(Vec::new());
            }
            let trigrams: Columns = |table| table.trigrams.get_or_insert_default();
            columns(db, POSTGRES_TRIGRAMS, tables, trigrams).await?;
            columns(db, POSTGRES_FILLED, tables, |table| &mut table.filled).await
        }
        DbBackend::MySql => indexes(db, MYSQL_INDEXES, tables).await,
        DbBackend::Sqlite => indexes(db, SQLITE_INDEXES, tables).await,
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

/// An index. An expression in it has no name, and neither has a column that is compared or sorted in another way than in
/// the table.
struct Found {
    place: Place,
    is_key: bool,
    index: TableIndex,
    /// Whether each of its columns has a name.
    is_whole: bool,
    /// Its first column, if it finds the beginning of a text.
    start: Option<String>,
}

impl Found {
    /// An index serves from its beginning on, so that nothing after a column without a name counts.
    fn push(&mut self, column: Option<String>, descending: bool) {
        self.is_whole &= column.is_some();
        if let Some(column) = column.filter(|_| self.is_whole) {
            if descending {
                self.index.descending.push(column.clone());
            }
            self.index.columns.push(column);
        }
    }
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
    /// The tables that are meant by it. Their schema is known from now on.
    fn tables<'t>(
        &self,
        tables: &'t mut [IndexedTable],
    ) -> impl Iterator<Item = &'t mut IndexedTable> {
        tables.iter_mut().filter_map(|table| {
            let in_schema = match &table.schema {
                None => self.is_bare,
                Some(schema) => *schema == self.schema,
            };
            if !in_schema || table.name != self.table {
                return None;
            }
            table.schema = Some(self.schema.clone());
            table.hidden = !self.is_bare;
            Some(table)
        })
    }

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

/// A row for each column of each index: its name, whether it is unique, whether it is the primary key, the column, whether it
/// is descending, and the column once more if the index finds the beginning of a text in it.
async fn indexes(
    db: &impl ConnectionTrait,
    sql: &str,
    tables: &mut [IndexedTable],
) -> Result<(), DbErr> {
    let mut found: Vec<Found> = Vec::new();
    for row in rows(db, sql).await? {
        let place = Place::of(&row)?;
        let name: String = row.try_get_by_index(3)?;
        let is_last = |last: &Found| last.index.name == name && last.place == place;
        if !found.last().is_some_and(is_last) {
            found.push(Found {
                place,
                is_key: row.try_get_by_index::<i32>(5)? != 0,
                index: TableIndex {
                    name,
                    unique: row.try_get_by_index::<i32>(4)? != 0,
                    ..TableIndex::default()
                },
                is_whole: true,
                start: row.try_get_by_index(8)?,
            });
        }
        if let Some(last) = found.last_mut() {
            let descending = row.try_get_by_index::<i32>(7)? != 0;
            last.push(row.try_get_by_index(6)?, descending);
        }
    }
    for mut found in found {
        found.index.unique &= found.is_whole;
        for table in found.place.tables(tables) {
            table.starts.extend(found.start.clone());
            if found.is_key {
                table.key.clone_from(&found.index.columns);
            } else if !found.index.columns.is_empty() {
                table.indexes.push(found.index.clone());
            }
        }
    }
    Ok(())
}

/// A row for each table, with its number of rows.
async fn sizes(
    db: &impl ConnectionTrait,
    sql: &str,
    tables: &mut [IndexedTable],
) -> Result<(), DbErr> {
    for row in rows(db, sql).await? {
        let place = Place::of(&row)?;
        let size: Option<i64> = row.try_get_by_index(3)?;
        for table in place.tables(tables) {
            table.rows = size.and_then(|size| u64::try_from(size).ok());
        }
    }
    Ok(())
}

/// Where some columns of a table are kept.
type Columns = fn(&mut IndexedTable) -> &mut Vec<String>;

/// A row for each of these columns.
async fn columns(
    db: &impl ConnectionTrait,
    sql: &str,
    tables: &mut [IndexedTable],
    kept: Columns,
) -> Result<(), DbErr> {
    for row in rows(db, sql).await? {
        let place = Place::of(&row)?;
        let column: String = row.try_get_by_index(3)?;
        for table in place.tables(tables) {
            kept(table).push(column.clone());
        }
    }
    Ok(())
}

/// SQLite keeps no number of rows, but numbers them. Numbers may have gaps, so that a table is never taken for larger than
/// the whole file could hold.
async fn sqlite_sizes(db: &impl ConnectionTrait, tables: &mut [IndexedTable]) -> Result<(), DbErr> {
    const SMALLEST_ROW: i64 = 10;
    let mut most = 0;
    for row in rows(db, SQLITE_BYTES).await? {
        most = row.try_get_by_index::<i64>(0)? / SMALLEST_ROW;
    }
    for table in tables.iter_mut() {
        table.schema = Some("main".to_owned());
        let name = table.name.replace('"', "\"\"");
        let sql = format!(
            "SELECT (SELECT min(rowid) FROM \"{name}\"), (SELECT max(rowid) FROM \"{name}\")"
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
            table.rows = u64::try_from(size).ok();
        }
    }
    Ok(())
}

/// A column of another operator class or collation than its own is neither compared nor sorted by it. The beginning of a text is
/// found by the classes for patterns, and in the collation C, which may be that of the database.
const POSTGRES_INDEXES: &str = r"
    SELECT s.nspname::text, pg_table_is_visible(c.oid)::int, c.relname::text, n.relname::text,
           i.indisunique::int, i.indisprimary::int,
           CASE WHEN o.opcdefault AND k.collated = a.attcollation THEN a.attname::text END,
           (k.way::int & 1),
           CASE WHEN o.opcname IN ('text_pattern_ops', 'varchar_pattern_ops', 'bpchar_pattern_ops')
                  OR (o.opcdefault AND (l.collname IN ('C', 'POSIX') OR (l.collname = 'default' AND d.is_c)))
                THEN a.attname::text END
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid
    JOIN pg_namespace s ON s.oid = c.relnamespace
    JOIN pg_am m ON m.oid = n.relam AND m.amname = 'btree'
    CROSS JOIN LATERAL unnest(i.indkey::smallint[], i.indclass::oid[], i.indcollation::oid[], i.indoption::smallint[])
      WITH ORDINALITY AS k(number, class, collated, way, place)
    CROSS JOIN (
      SELECT CASE COALESCE(to_jsonb(b) ->> 'datlocprovider', 'c')
             WHEN 'b' THEN true WHEN 'c' THEN b.datcollate IN ('C', 'POSIX') ELSE false END AS is_c
      FROM pg_database b WHERE b.datname = current_database()) d
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number AND k.number > 0
    LEFT JOIN pg_opclass o ON o.oid = k.class
    LEFT JOIN pg_collation l ON l.oid = k.collated
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

/// A domain has the indexes of its type.
const POSTGRES_FILLED: &str = r"
    SELECT s.nspname::text, pg_table_is_visible(c.oid)::int, c.relname::text, a.attname::text
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace s ON s.oid = c.relnamespace
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE 'bpchar'::regtype IN (t.oid, t.typbasetype) AND a.attnum > 0 AND NOT a.attisdropped
      AND c.relkind IN ('r', 'm', 'p') AND s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'";

/// The beginning of a column serves neither an order nor a range, but the beginning of a text.
const MYSQL_INDEXES: &str = "
    SELECT CAST(table_schema AS CHAR), CAST(table_schema = DATABASE() AS SIGNED), CAST(table_name AS CHAR),
           CAST(index_name AS CHAR), CAST(non_unique = 0 AS SIGNED), CAST(index_name = 'PRIMARY' AS SIGNED),
           CAST(CASE WHEN sub_part IS NULL THEN column_name END AS CHAR),
           CAST(COALESCE(collation = 'D', 0) AS SIGNED), CAST(column_name AS CHAR)
    FROM information_schema.statistics WHERE index_type = 'BTREE'
    ORDER BY table_schema, table_name, index_name, seq_in_index";

const MYSQL_SIZES: &str = "
    SELECT CAST(table_schema AS CHAR), CAST(table_schema = DATABASE() AS SIGNED), CAST(table_name AS CHAR),
           CAST(table_rows AS SIGNED)
    FROM information_schema.tables WHERE table_type = 'BASE TABLE'";

/// The primary key is told by the table: one of the row's number has no index of its own. SQLite tells the collation of an index
/// and not of a column: another one than BINARY is taken for the column's where the table names it. Only in BINARY the beginning
/// of a text is a range.
const SQLITE_INDEXES: &str = r#"
    SELECT 'main', 1, t.name, '', 1, 1, c.name, 0, CASE WHEN NOT EXISTS (
             SELECT 1 FROM pragma_index_list(t.name) i, pragma_index_xinfo(i.name) k
             WHERE i.origin = 'pk' AND k.name = c.name AND upper(k.coll) <> 'BINARY') THEN c.name END, c.pk
    FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.rootpage > 0 AND c.pk > 0
    UNION ALL
    SELECT 'main', 1, t.name, i.name, i."unique", 0,
           CASE WHEN upper(c.coll) = 'BINARY' OR t.sql LIKE '%collate%' || c.coll || '%' THEN c.name END,
           c."desc", CASE WHEN upper(c.coll) = 'BINARY' THEN c.name END, c.seqno
    FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) c
    WHERE t.type = 'table' AND t.rootpage > 0 AND NOT i.partial AND i.origin <> 'pk' AND c."key"
    ORDER BY 3, 4, 10"#;

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
