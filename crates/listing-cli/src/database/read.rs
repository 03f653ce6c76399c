//! Converts what `sea-schema` finds in each database to tables of the same form.

use std::collections::HashMap;

use anyhow::{Result, anyhow, bail};
use listing::indexes::IndexedTable;
use sea_orm::sea_query::{ColumnType, Iden as _, StringLen};
use sea_orm::{DatabaseConnection, DbBackend};
use sea_schema::sqlx_types::{Row as _, query};
use sea_schema::{mysql, postgres, sqlite};

use super::enumerations::are_variants;
use super::mend::{
    Mended, SqliteColumn, mariadb_json, postgres_foreign_keys, postgres_materialized,
    postgres_relations, sqlite_columns, sqlite_shadows,
};
use super::types::{is_readable, readable_from_mysql, readable_from_postgres};
use super::{Column, DefaultValue, ForeignKey, Table};

/// Every table, ordered by name.
pub(super) async fn tables(connection: &DatabaseConnection) -> Result<Vec<Table>> {
    let mut tables = match connection.get_database_backend() {
        DbBackend::Sqlite => from_sqlite(connection).await?,
        DbBackend::Postgres => from_postgres(connection).await?,
        DbBackend::MySql => from_mysql(connection).await?,
        other => bail!("{other:?} is not supported"),
    };
    read_indexes(connection, &mut tables).await?;
    if connection.get_database_backend() == DbBackend::MySql {
        tables.iter_mut().for_each(ask_for_parts_of_keys);
    }
    tables.sort_by(|a, b| (&a.schema, &a.name).cmp(&(&b.schema, &b.name)));
    // SQLite returns the last foreign key first, but relations are ordered by their columns.
    for table in &mut tables {
        let columns = &table.columns;
        let place = |key: &ForeignKey| columns.iter().position(|c| key.columns.contains(&c.name));
        table.foreign_keys.sort_by_key(place);
    }
    Ok(tables)
}

/// Reads the keys and indexes of tables in the same way as an application.
async fn read_indexes(connection: &DatabaseConnection, tables: &mut [Table]) -> Result<()> {
    let named = tables.iter().map(|table| {
        let mut indexed = IndexedTable::new(&table.name);
        indexed.schema.clone_from(&table.home);
        indexed
    });
    let mut indexed: Vec<_> = named.collect();
    listing::indexes::read_indexes(connection, &mut indexed).await?;
    for (table, indexed) in tables.iter_mut().zip(indexed) {
        table.key = indexed.key;
        table.indexes = indexed.indexes;
        table.starts = indexed.starts;
        table.trigrams = indexed.trigrams;
        table.inverted = indexed.inverted;
        table.filled = indexed.filled;
    }
    Ok(())
}

/// MariaDB and MySQL do not return the generated value of a key's part, so clients have to send it.
fn ask_for_parts_of_keys(table: &mut Table) {
    let key = &table.key;
    for column in &mut table.columns {
        column.numbered &= key.len() == 1 || !key.contains(&column.name);
    }
}

async fn from_sqlite(connection: &DatabaseConnection) -> Result<Vec<Table>> {
    let pool = connection.get_sqlite_connection_pool().clone();
    let declared = sqlite_columns(&pool).await?;
    let shadows = sqlite_shadows(&pool).await?;
    let views = query("SELECT name FROM sqlite_master WHERE type = 'view'")
        .fetch_all(&pool)
        .await?;
    let views: Vec<String> = views
        .iter()
        .map(|row| row.try_get(0))
        .collect::<Result<_, _>>()?;
    let schema = sqlite::discovery::SchemaDiscovery::discover_with(&Mended::Sqlite(pool))
        .await
        .map_err(|error| anyhow!("cannot read the schema: {error}"))?
        .merge_indexes_into_table();
    let tables = schema.tables.into_iter();
    Ok(tables
        .filter(|table| !table.name.starts_with("sqlite_") && !shadows.contains(&table.name))
        .map(|table| sqlite_table(table, &declared))
        .chain(views.iter().map(|view| sqlite_view(view, &declared)))
        .map(|table| Table {
            home: Some("main".to_owned()),
            ..table
        })
        .collect())
}

/// A view. SQLite only knows the names and declared types of its columns.
fn sqlite_view(name: &str, declared: &[SqliteColumn]) -> Table {
    let own = declared.iter().filter(|known| known.table == name);
    let columns = own.map(|known| {
        let declared = known.declared.clone();
        Column {
            name: known.name.clone(),
            column_type: sqlite_type(&declared)
                .or_else(|| sqlite::def::parse_type(declared.clone()).ok())
                .filter(is_readable)
                .unwrap_or(ColumnType::Text),
            nullable: true,
            default: None,
            numbered: false,
            computed: true,
            readable_as: &[],
            declared,
        }
    });
    Table {
        name: name.to_owned(),
        view: true,
        columns: columns.collect(),
        ..Table::default()
    }
}

fn sqlite_table(table: sqlite::def::TableDef, declared: &[SqliteColumn]) -> Table {
    let own = || declared.iter().filter(|known| known.table == table.name);
    let key: Vec<_> = own()
        .filter(|known| known.place > 0)
        .map(|known| known.name.clone())
        .collect();
    let columns = table.columns.into_iter().map(|column| {
        let known = own().find(|known| known.name == column.name);
        let has_rowid = known.is_some_and(|known| known.has_rowid);
        let declared = known.map_or_else(String::new, |known| known.declared.clone());
        let in_key = key.contains(&column.name);
        use sqlite::def::{ColumnVisibility, DefaultType};
        Column {
            column_type: sqlite_type(&declared).unwrap_or(column.r#type),
            // Only exactly this type makes the key the row number.
            numbered: declared == "integer" && key.len() == 1 && in_key && has_rowid,
            nullable: !column.not_null && !in_key,
            default: match column.default_value {
                DefaultType::Integer(number) => Some(DefaultValue::Integer(number)),
                DefaultType::Float(number) => Some(DefaultValue::Expression(number.to_string())),
                DefaultType::String(text) => Some(DefaultValue::Text(text)),
                DefaultType::CurrentTimestamp => Some(DefaultValue::Now),
                DefaultType::Null | DefaultType::Unspecified => None,
            },
            readable_as: &[],
            computed: matches!(
                column.hidden,
                ColumnVisibility::GeneratedVirtual | ColumnVisibility::GeneratedStored
            ),
            name: column.name,
            declared,
        }
    });
    let foreign_keys = table.foreign_keys.into_iter().map(|key| ForeignKey {
        columns: key.from,
        table: key.table,
        table_schema: None,
        references: key.to.into_iter().filter(|to| !to.is_empty()).collect(),
    });
    let columns: Vec<_> = columns.collect();
    let has_rowid = declared
        .iter()
        .any(|known| known.table == table.name && known.has_rowid);
    Table {
        rowid: rowid(&columns).filter(|_| has_rowid),
        columns,
        foreign_keys: foreign_keys.collect(),
        name: table.name,
        ..Table::default()
    }
}

/// The name of the row number, if no column has it. An insert does not return it under its other names (`_rowid_`, `oid`).
fn rowid(columns: &[Column]) -> Option<&'static str> {
    let is_free = |name: &&str| {
        let mut columns = columns.iter();
        !columns.any(|column| column.name.eq_ignore_ascii_case(name))
    };
    Some("rowid").filter(is_free)
}

/// Types that `sea-schema` treats as text, as a four-byte float (SQLite only has eight-byte ones) or as unknown. SQLite stores
/// any word as a type.
fn sqlite_type(declared: &str) -> Option<ColumnType> {
    let (name, size) = match declared.split_once('(') {
        Some((name, rest)) => (name.trim(), format!("({rest}")),
        None => (declared.trim(), String::new()),
    };
    if declared == "tinyint(1)" {
        return Some(ColumnType::Boolean);
    }
    let known = match name {
        "float" | "double precision" => "double".to_owned(),
        "bool" => "boolean".to_owned(),
        "numeric" | "decimal_text" => format!("decimal{size}"),
        "nvarchar" | "character varying" => format!("varchar{size}"),
        "nchar" | "character" => format!("char{size}"),
        "datetime" | "timestamp" | "timestamp_text" => "datetime_text".to_owned(),
        "timestamptz" | "timestamp with time zone" => "timestamp_with_timezone_text".to_owned(),
        "date" | "time" | "json" | "jsonb" | "uuid" => format!("{name}_text"),
        "uuid_blob" => "uuid_text".to_owned(),
        _ => return None,
    };
    sqlite::def::parse_type(known).ok()
}

async fn from_postgres(connection: &DatabaseConnection) -> Result<Vec<Table>> {
    let pool = connection.get_postgres_connection_pool().clone();
    // Ordered by the search path: an unqualified name means the first one.
    let schemas = query(
        "SELECT nspname::text, array_position(current_schemas(false), nspname) IS NOT NULL
         FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
         ORDER BY array_position(current_schemas(false), nspname), nspname",
    )
    .fetch_all(&pool)
    .await?;
    let relations = postgres_relations(&pool).await?;
    let mut materialized = postgres_materialized(&pool).await?;
    let mended = Mended::Postgres(pool.clone());
    let mut tables: Vec<Table> = Vec::new();
    let mut schemas_of_tables = Vec::new();
    for schema in &schemas {
        let on_path: bool = schema.try_get(1)?;
        let schema: String = schema.try_get(0)?;
        let found = postgres::discovery::SchemaDiscovery::new_no_exec(&schema)
            .discover_with(&mended)
            .await?;
        let enums = found.enums.into_iter();
        let enums: HashMap<_, _> = enums.map(|one| (one.typename, one.values)).collect();
        let (stored, others): (Vec<_>, _) =
            materialized.into_iter().partition(|view| view.0 == schema);
        materialized = others;
        let stored = stored.into_iter().map(|(_, name, columns)| {
            let columns = columns.into_iter().map(|column| column.parse(&enums));
            (name, columns.collect())
        });
        let found = found.tables.into_iter();
        let found = found.map(|table| (table.info.name, table.columns));
        for (name, columns) in found.chain(stored) {
            let is_hidden = |known: &Table| known.schema.is_none() && known.name == name;
            let bare = on_path && !tables.iter().any(is_hidden);
            let mut relations = relations.iter();
            let relation = relations.find(|one| one.schema == schema && one.name == name);
            let view = relation.is_some_and(|relation| relation.view);
            let columns = columns.iter().map(|column| Column {
                computed: view || column.generated.is_some(),
                ..postgres_column(column, bare)
            });
            tables.push(Table {
                columns: columns.collect(),
                schema: (!bare).then(|| schema.clone()),
                home: Some(schema.clone()),
                view,
                part: relation.is_some_and(|relation| relation.part),
                name,
                ..Table::default()
            });
            schemas_of_tables.push(schema.clone());
        }
    }
    postgres_foreign_keys(&pool, &mut tables, &schemas_of_tables).await?;
    Ok(tables)
}

/// A column. Its enumeration has a usable name only if the name needs no schema.
fn postgres_column(column: &postgres::def::ColumnInfo, bare: bool) -> Column {
    use postgres::def::{ColumnDefault, Type};
    let column_type = match &column.col_type {
        // SeaORM has one type for both, and decodes only the other one.
        Type::TimeWithTimeZone(_) => ColumnType::custom("time with time zone"),
        Type::Enum(found) if !bare || found.values.is_empty() => {
            ColumnType::custom(found.typename.clone())
        }
        Type::Enum(found) if !are_variants(&found.values) => ColumnType::Enum {
            name: found.typename.clone().into(),
            variants: Vec::new(),
        },
        _ => column.write_col_type(),
    };
    Column {
        name: column.name.clone(),
        declared: postgres_words(&column_type),
        readable_as: readable_from_postgres(&column_type),
        column_type,
        nullable: column.not_null.is_none(),
        default: match &column.default {
            Some(ColumnDefault::Int(number)) => Some(DefaultValue::Integer(*number)),
            Some(ColumnDefault::Bool(value)) => Some(DefaultValue::Boolean(*value)),
            Some(ColumnDefault::String(text)) => Some(DefaultValue::Text(text.clone())),
            Some(ColumnDefault::CurrentTimestamp) => Some(DefaultValue::Now),
            Some(ColumnDefault::Real(number)) => Some(DefaultValue::Expression(number.to_string())),
            Some(ColumnDefault::Expression(sql)) => Some(DefaultValue::Expression(sql.clone())),
            Some(ColumnDefault::AutoIncrement(_)) | None => None,
        },
        numbered: column.is_identity
            || matches!(column.default, Some(ColumnDefault::AutoIncrement(_))),
        computed: column.generated.is_some(),
    }
}

/// The type as PostgreSQL would write it.
fn postgres_words(column_type: &ColumnType) -> String {
    use sea_orm::sea_query::{PostgresQueryBuilder, TableBuilder as _};
    let mut sql = String::new();
    PostgresQueryBuilder.prepare_column_type(column_type, &mut sql);
    sql
}

async fn from_mysql(connection: &DatabaseConnection) -> Result<Vec<Table>> {
    let pool = connection.get_mysql_connection_pool().clone();
    let schema = query("SELECT CAST(DATABASE() AS CHAR)")
        .fetch_one(&pool)
        .await?;
    let Some(schema) = schema.try_get::<Option<String>, _>(0)? else {
        bail!("the URL names no database");
    };
    let views = query(
        "SELECT CAST(table_name AS CHAR) FROM information_schema.views WHERE table_schema = DATABASE()",
    )
    .fetch_all(&pool)
    .await?;
    let views: Vec<String> = views
        .iter()
        .map(|row| row.try_get(0))
        .collect::<Result<_, _>>()?;
    let json = mariadb_json(&pool).await?;
    let found = mysql::discovery::SchemaDiscovery::new_no_exec(&schema)
        .discover_with(&Mended::MySql(pool))
        .await?;
    let tables = found.tables.into_iter().map(|table| {
        let mut table = mysql_table(table);
        let name = &table.name;
        for column in &mut table.columns {
            let is_it = |(of, known): &(String, String)| of == name && *known == column.name;
            if column.column_type == ColumnType::Text && json.iter().any(is_it) {
                column.column_type = ColumnType::Json;
            }
        }
        table
    });
    Ok(tables
        .map(|table| Table {
            view: views.contains(&table.name),
            home: Some(schema.clone()),
            ..table
        })
        .collect())
}

fn mysql_table(table: mysql::def::TableDef) -> Table {
    let foreign_keys = table.foreign_keys.into_iter().map(|key| ForeignKey {
        columns: key.columns,
        table: key.referenced_table,
        table_schema: None,
        references: key.referenced_columns,
    });
    Table {
        columns: table.columns.iter().map(mysql_column).collect(),
        foreign_keys: foreign_keys.collect(),
        name: table.info.name,
        ..Table::default()
    }
}

fn mysql_column(column: &mysql::def::ColumnInfo) -> Column {
    use mysql::def::ColumnDefault;
    let column_type = mysql_type(column);
    let is_boolean = matches!(column_type, ColumnType::Boolean);
    Column {
        name: column.name.clone(),
        readable_as: readable_from_mysql(&column_type),
        column_type,
        declared: column.col_type.quoted().to_lowercase(),
        nullable: column.null,
        default: match &column.default {
            Some(ColumnDefault::Int(number)) if is_boolean => {
                Some(DefaultValue::Boolean(*number != 0))
            }
            Some(ColumnDefault::Int(number)) => Some(DefaultValue::Integer(*number)),
            Some(ColumnDefault::Real(number)) => Some(DefaultValue::Expression(number.to_string())),
            Some(ColumnDefault::String(text)) => Some(DefaultValue::Text(text.clone())),
            Some(ColumnDefault::CustomExpr(sql)) => Some(DefaultValue::Expression(sql.clone())),
            Some(ColumnDefault::CurrentTimestamp) => Some(DefaultValue::Now),
            Some(ColumnDefault::Null) | None => None,
        },
        numbered: column.extra.auto_increment,
        computed: column.extra.generated || column.expression.is_some(),
    }
}

/// Types that `sea-schema` returns as text, and booleans, which MySQL stores as small integers.
fn mysql_type(column: &mysql::def::ColumnInfo) -> ColumnType {
    use mysql::def::Type;
    match &column.col_type {
        Type::TinyInt(size) if size.maximum == Some(1) && size.unsigned.is_none() => {
            ColumnType::Boolean
        }
        Type::Bit(size) if size.maximum.unwrap_or(1) == 1 => ColumnType::Boolean,
        // SeaORM has no type for several bits.
        Type::Bit(_) => ColumnType::custom(column.col_type.quoted().into_owned()),
        Type::MediumInt(size) if size.unsigned.is_some() => ColumnType::Unsigned,
        Type::MediumInt(_) => ColumnType::Integer,
        Type::TinyText(_) | Type::MediumText(_) | Type::LongText(_) => ColumnType::Text,
        // Several values of an enumeration in one text.
        Type::Set(_) => ColumnType::String(StringLen::None),
        Type::Enum(found) if !are_variants(&found.values) => ColumnType::String(StringLen::None),
        Type::Blob(_) | Type::TinyBlob | Type::MediumBlob | Type::LongBlob => ColumnType::Blob,
        // MariaDB sends these as text.
        Type::Unknown(name) if ["uuid", "inet4", "inet6"].contains(&name.as_str()) => {
            ColumnType::Char(None)
        }
        _ => {
            let written = column.write();
            let written = written.get_column_type().cloned();
            written.unwrap_or_else(|| ColumnType::custom(column.col_type.quoted().into_owned()))
        }
    }
}
