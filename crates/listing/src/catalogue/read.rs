//! Reads indexes and estimated sizes of tables from a database's catalogue, with a few statements.
//!
//! Written by hand instead of with `sea-schema`: an application that only needs its indexes should not compile a reader of
//! complete schemas for three databases.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement};

use super::{IndexNames, IndexedTable, TableIndex, inside};

/// Reads everything about tables whose names, and possibly schemas, are known. A table that the catalogue does not list, such as
/// a view, gets no row count.
pub(crate) async fn fill(
    db: &impl ConnectionTrait,
    tables: &mut [IndexedTable],
) -> Result<(), DbErr> {
    read_indexes(db, tables).await?;
    read_sizes(db, tables).await
}

/// Reads the sizes of tables.
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

/// Reads the keys and indexes of tables whose names, and possibly schemas, are known.
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
            columns(db, POSTGRES_INVERTED, tables, |table| &mut table.inverted).await?;
            columns(db, POSTGRES_FILLED, tables, |table| &mut table.filled).await?;
            for row in rows(db, POSTGRES_SETTLED).await? {
                for table in Place::of(&row)?.tables(tables) {
                    table.is_settled = true;
                }
            }
            Ok(())
        }
        DbBackend::MySql => indexes(db, MYSQL_INDEXES, tables).await,
        DbBackend::Sqlite => indexes(db, SQLITE_INDEXES, tables).await,
        _ => Ok(()),
    }
}

/// The names of all indexes, each with its place.
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

/// An index. A column that is compared or sorted differently than in the table has no name.
struct Found {
    place: Place,
    is_key: bool,
    index: TableIndex,
    /// The number of columns that were read.
    read: usize,
    /// Whether all of them have names.
    is_whole: bool,
    /// Its first column, if it finds text prefixes.
    start: Option<String>,
}

impl Found {
    /// An index is used from its first column on, so nothing after a column without a name counts.
    fn push(&mut self, column: Option<String>, descending: bool) {
        self.read += 1;
        self.is_whole &= column.is_some();
        if let Some(column) = column.filter(|_| self.is_whole) {
            if descending {
                self.index.descending.push(column.clone());
            }
            self.index.columns.push(column);
        }
    }
}

/// The table of a catalogue row: its first three columns.
#[derive(PartialEq, Eq)]
struct Place {
    schema: String,
    /// Whether an unqualified name means it.
    is_bare: bool,
    table: String,
}

impl Place {
    /// The tables that it means. Their schema is set.
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

/// One row for each column of each index: the index's name, whether it is unique, whether it is the primary key, the column,
/// whether it is descending, the column again if the index finds text prefixes in it, and for an expression its text; on SQLite
/// the statement that contains it.
async fn indexes(
    db: &impl ConnectionTrait,
    sql: &str,
    tables: &mut [IndexedTable],
) -> Result<(), DbErr> {
    let backend = db.get_database_backend();
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
                read: 0,
                is_whole: true,
                start: None,
            });
        }
        if let Some(last) = found.last_mut() {
            let mut column: Option<String> = row.try_get_by_index(6)?;
            let mut start: Option<String> = row.try_get_by_index(8)?;
            if let Some(text) = row.try_get_by_index::<Option<String>>(9)? {
                let text = match backend {
                    DbBackend::Sqlite => inside::part(&text, last.read),
                    _ => Some(&*text),
                };
                let name = text.map(|text| inside::ordered(backend, text));
                last.index.unique = false;
                column = column.and(name.clone());
                start = start.and(name);
            }
            if last.read == 0 {
                last.start = start;
            }
            let descending = row.try_get_by_index::<i32>(7)? != 0;
            last.push(column, descending);
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

/// One row for each table, with its number of rows.
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

/// The field for some columns of a table.
type Columns = fn(&mut IndexedTable) -> &mut Vec<String>;

/// One row for each of these columns, with the expression if it is one.
async fn columns(
    db: &impl ConnectionTrait,
    sql: &str,
    tables: &mut [IndexedTable],
    kept: Columns,
) -> Result<(), DbErr> {
    for row in rows(db, sql).await? {
        let place = Place::of(&row)?;
        let mut column: String = row.try_get_by_index(3)?;
        if row.try_get_by_index::<i32>(4)? != 0 {
            column = inside::name(db.get_database_backend(), &column);
        }
        for table in place.tables(tables) {
            kept(table).push(column.clone());
        }
    }
    Ok(())
}

/// SQLite does not store the number of rows, but it numbers them. Numbers may have gaps, so a table is never considered larger
/// than the whole file could hold.
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
        // Views and tables declared without a rowid have none. Their size stays unknown.
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

/// A column whose operator class or collation is not its own is neither compared nor sorted by the index. Text prefixes are found
/// by the pattern classes, and in the collation C, which may be that of the database.
const POSTGRES_INDEXES: &str = r"
    SELECT s.nspname::text, pg_table_is_visible(c.oid)::int, c.relname::text, n.relname::text,
           (i.indisunique AND i.indimmediate)::int, i.indisprimary::int,
           CASE WHEN o.opcdefault
                  AND (k.collated = a.attcollation OR (k.number = 0 AND COALESCE(l.collname, 'default') = 'default'))
                THEN COALESCE(a.attname::text, '') END,
           (k.way::int & 1),
           CASE WHEN o.opcname IN ('text_pattern_ops', 'varchar_pattern_ops', 'bpchar_pattern_ops')
                  OR (o.opcdefault AND (l.collname IN ('C', 'POSIX') OR (l.collname = 'default' AND d.is_c)))
                THEN COALESCE(a.attname::text, '') END,
           CASE WHEN k.number = 0 THEN pg_get_indexdef(i.indexrelid, k.place::int, true) END
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

/// The planner's estimate: rows per page at the time of the last statistics, times the current number of pages; 100 bytes per row
/// if there are no statistics yet. The size of a partitioned table is that of its partitions.
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
    SELECT s.nspname::text, pg_table_is_visible(c.oid)::int, c.relname::text,
           COALESCE(a.attname::text, pg_get_indexdef(i.indexrelid, k.place::int, true)), (k.number = 0)::int
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace s ON s.oid = c.relnamespace
    CROSS JOIN LATERAL unnest(i.indkey::smallint[], i.indclass::oid[]) WITH ORDINALITY AS k(number, class, place)
    JOIN pg_opclass o ON o.oid = k.class AND o.opcname IN ('gin_trgm_ops', 'gist_trgm_ops')
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number AND k.number > 0
    WHERE i.indisvalid AND i.indpred IS NULL";

/// Arrays of `varchar` are compared as arrays of `text`, which is another expression.
const POSTGRES_INVERTED: &str = r"
    SELECT s.nspname::text, pg_table_is_visible(c.oid)::int, c.relname::text,
           COALESCE(a.attname::text, pg_get_indexdef(i.indexrelid, k.place::int, true)), (k.number = 0)::int
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace s ON s.oid = c.relnamespace
    CROSS JOIN LATERAL unnest(i.indkey::smallint[], i.indclass::oid[]) WITH ORDINALITY AS k(number, class, place)
    JOIN pg_opclass o ON o.oid = k.class AND o.opcname IN ('jsonb_ops', 'jsonb_path_ops', 'array_ops')
    JOIN pg_am m ON m.oid = o.opcmethod AND m.amname = 'gin'
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number AND k.number > 0
    WHERE i.indisvalid AND i.indpred IS NULL
      AND COALESCE(a.atttypid, 0) NOT IN ('varchar[]'::regtype, 'bpchar[]'::regtype)";

/// A domain has the same indexes as its base type.
const POSTGRES_FILLED: &str = r"
    SELECT s.nspname::text, pg_table_is_visible(c.oid)::int, c.relname::text, a.attname::text, 0
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace s ON s.oid = c.relnamespace
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE 'bpchar'::regtype IN (t.oid, t.typbasetype) AND a.attnum > 0 AND NOT a.attisdropped
      AND c.relkind IN ('r', 'm', 'p') AND s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'";

/// Bit 1 of a trigger's type means that it runs before the write. Its changes are part of what the statement returns.
const POSTGRES_SETTLED: &str = r"
    SELECT s.nspname::text, pg_table_is_visible(c.oid)::int, c.relname::text
    FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
    WHERE c.relkind = 'r' AND NOT c.relhasrules AND NOT c.relhassubclass
      AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgtype & 2 = 0)
      AND s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'";

/// An index on the beginning of a column is of no use for an order or a range, but finds text prefixes.
const MYSQL_INDEXES: &str = "
    SELECT CAST(table_schema AS CHAR), CAST(table_schema = DATABASE() AS SIGNED), CAST(table_name AS CHAR),
           CAST(index_name AS CHAR), CAST(non_unique = 0 AS SIGNED), CAST(index_name = 'PRIMARY' AS SIGNED),
           CAST(CASE WHEN sub_part IS NULL THEN column_name END AS CHAR),
           CAST(COALESCE(collation = 'D', 0) AS SIGNED), CAST(column_name AS CHAR), CAST(NULL AS CHAR)
    FROM information_schema.statistics WHERE index_type = 'BTREE'
    ORDER BY table_schema, table_name, index_name, seq_in_index";

const MYSQL_SIZES: &str = "
    SELECT CAST(table_schema AS CHAR), CAST(table_schema = DATABASE() AS SIGNED), CAST(table_name AS CHAR),
           CAST(table_rows AS SIGNED)
    FROM information_schema.tables WHERE table_type = 'BASE TABLE'";

/// The primary key comes from the table, because one that is the row number has no index. SQLite returns the collation of an
/// index but not that of a column. A collation other than BINARY counts as the column's if the table names it. Text prefixes are
/// ranges only in BINARY.
const SQLITE_INDEXES: &str = r#"
    SELECT 'main', 1, t.name, '', 1, 1, c.name, 0, CASE WHEN NOT EXISTS (
             SELECT 1 FROM pragma_index_list(t.name) i, pragma_index_xinfo(i.name) k
             WHERE i.origin = 'pk' AND k.name = c.name AND upper(k.coll) <> 'BINARY') THEN c.name END, NULL, c.pk
    FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.rootpage > 0 AND c.pk > 0
    UNION ALL
    SELECT 'main', 1, t.name, i.name, i."unique", 0,
           CASE WHEN upper(c.coll) = 'BINARY' OR t.sql LIKE '%collate%' || c.coll || '%' THEN coalesce(c.name, '') END,
           c."desc", CASE WHEN upper(c.coll) = 'BINARY' THEN coalesce(c.name, '') END,
           CASE WHEN c.name IS NULL THEN (SELECT sql FROM sqlite_master WHERE type = 'index' AND name = i.name) END, c.seqno
    FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) c
    WHERE t.type = 'table' AND t.rootpage > 0 AND NOT i.partial AND i.origin <> 'pk' AND c."key"
    ORDER BY 3, 4, 11"#;

const SQLITE_BYTES: &str =
    "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()";

/// Indexes share the names of a schema with its tables.
const POSTGRES_NAMES: &str = r"
    SELECT s.nspname::text, c.relname::text FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
    WHERE s.nspname !~ '^pg_' AND s.nspname <> 'information_schema'";

const MYSQL_NAMES: &str = "
    SELECT DISTINCT CAST(table_name AS CHAR), CAST(index_name AS CHAR)
    FROM information_schema.statistics WHERE table_schema = DATABASE()";

const SQLITE_NAMES: &str = "SELECT '', name FROM sqlite_master";
