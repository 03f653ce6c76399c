//! The four queries that read a schema, with the same columns on all three databases.

use anyhow::{Result, bail};
use sea_orm::DbBackend;

/// `columns`: table_name, column_name, declared, nullable. `keys`: table_name, column_name.
/// `indexes`: table_name, index_name, is_unique, column_name. `foreign_keys`: table_name, key_name, column_name,
/// to_table, to_column. All in order.
pub(super) struct Queries {
    pub(super) columns: &'static str,
    pub(super) keys: &'static str,
    pub(super) indexes: &'static str,
    pub(super) foreign_keys: &'static str,
}

impl Queries {
    pub(super) fn of(backend: DbBackend) -> Result<Self> {
        Ok(match backend {
            DbBackend::Sqlite => SQLITE,
            DbBackend::Postgres => POSTGRES,
            DbBackend::MySql => MYSQL,
            other => bail!("{other:?} is no database that we know"),
        })
    }
}

/// An `integer` of SQLite has 64 bits.
const SQLITE: Queries = Queries {
    columns: r#"
        SELECT t.name AS table_name, c.name AS column_name,
               CASE WHEN lower(c.type) IN ('int', 'integer') THEN 'bigint' ELSE c.type END AS declared,
               1 - c."notnull" AS nullable
        FROM sqlite_master t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'
        ORDER BY t.name, c.cid"#,
    keys: r#"
        SELECT t.name AS table_name, c.name AS column_name
        FROM sqlite_master t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND c.pk > 0 AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'
        ORDER BY t.name, c.pk"#,
    indexes: r#"
        SELECT t.name AS table_name, i.name AS index_name, i."unique" AS is_unique, c.name AS column_name
        FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
        WHERE t.type = 'table' AND i.partial = 0 AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'
        ORDER BY t.name, i.name, c.seqno"#,
    foreign_keys: r#"
        SELECT t.name AS table_name, CAST(f.id AS TEXT) AS key_name, f."from" AS column_name,
               f."table" AS to_table, f."to" AS to_column
        FROM sqlite_master t, pragma_foreign_key_list(t.name) f
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'
        ORDER BY t.name, f.id, f.seq"#,
};

/// Tables of the schemas that are searched for a bare name.
const POSTGRES: Queries = Queries {
    columns: r"
        SELECT c.relname::text AS table_name, a.attname::text AS column_name,
               format_type(a.atttypid, a.atttypmod) AS declared,
               CASE WHEN a.attnotnull THEN 0 ELSE 1 END::bigint AS nullable
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
          AND c.relnamespace = ANY (current_schemas(false)::regnamespace[]::oid[])
        ORDER BY c.relname, a.attnum",
    keys: r"
        SELECT c.relname::text AS table_name, a.attname::text AS column_name
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY AS k(number, place)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
        WHERE i.indisprimary AND k.place <= i.indnkeyatts
          AND c.relnamespace = ANY (current_schemas(false)::regnamespace[]::oid[])
        ORDER BY c.relname, k.place",
    indexes: r"
        SELECT c.relname::text AS table_name, n.relname::text AS index_name,
               CASE WHEN i.indisunique THEN 1 ELSE 0 END::bigint AS is_unique,
               a.attname::text AS column_name
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid
        CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY AS k(number, place)
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number AND k.number > 0
        WHERE i.indisvalid AND i.indpred IS NULL AND k.place <= i.indnkeyatts
          AND c.relnamespace = ANY (current_schemas(false)::regnamespace[]::oid[])
        ORDER BY c.relname, n.relname, k.place",
    foreign_keys: r"
        SELECT c.relname::text AS table_name, f.conname::text AS key_name, a.attname::text AS column_name,
               r.relname::text AS to_table, b.attname::text AS to_column
        FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class r ON r.oid = f.confrelid
        CROSS JOIN LATERAL unnest(f.conkey, f.confkey) WITH ORDINALITY AS k(here, there, place)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.here
        JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = k.there
        WHERE f.contype = 'f'
          AND c.relnamespace = ANY (current_schemas(false)::regnamespace[]::oid[])
        ORDER BY c.relname, f.conname, k.place",
};

/// The casts are for servers whose tables of information hold binary text.
const MYSQL: Queries = Queries {
    columns: r"
        SELECT CAST(c.TABLE_NAME AS CHAR) AS table_name, CAST(c.COLUMN_NAME AS CHAR) AS column_name,
               CAST(c.COLUMN_TYPE AS CHAR) AS declared,
               CAST(c.IS_NULLABLE = 'YES' AS SIGNED) AS nullable
        FROM information_schema.COLUMNS c
        JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
        WHERE c.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE'
        ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION",
    keys: r"
        SELECT CAST(TABLE_NAME AS CHAR) AS table_name, CAST(COLUMN_NAME AS CHAR) AS column_name
        FROM information_schema.STATISTICS
        WHERE TABLE_SCHEMA = DATABASE() AND INDEX_NAME = 'PRIMARY'
        ORDER BY TABLE_NAME, SEQ_IN_INDEX",
    indexes: r"
        SELECT CAST(TABLE_NAME AS CHAR) AS table_name, CAST(INDEX_NAME AS CHAR) AS index_name,
               CAST(NON_UNIQUE = 0 AS SIGNED) AS is_unique, CAST(COLUMN_NAME AS CHAR) AS column_name
        FROM information_schema.STATISTICS
        WHERE TABLE_SCHEMA = DATABASE() AND INDEX_TYPE = 'BTREE'
        ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX",
    foreign_keys: r"
        SELECT CAST(TABLE_NAME AS CHAR) AS table_name, CAST(CONSTRAINT_NAME AS CHAR) AS key_name,
               CAST(COLUMN_NAME AS CHAR) AS column_name, CAST(REFERENCED_TABLE_NAME AS CHAR) AS to_table,
               CAST(REFERENCED_COLUMN_NAME AS CHAR) AS to_column
        FROM information_schema.KEY_COLUMN_USAGE
        WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME IS NOT NULL
        ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION",
};
