//! Inserts very many rows of one entity in the fastest way that the database has.
//!
//! PostgreSQL copies rows from text. The others read long `INSERT` statements: parsing a number costs them less than
//! binding it. Rows of a seed are computed and refer to rows that exist, so foreign keys are not checked where the
//! database allows that.

use std::fmt::Write;

use sea_orm::sea_query::Value;
use sea_orm::sqlx::Executor;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
    IdenStatic, Iterable, ModelTrait, TransactionTrait,
};

/// Bytes of one statement: less than SQLite's limit (1,000,000) and MariaDB's smallest (1 MiB).
const STATEMENT_BYTES: usize = 500_000;

/// Loads rows with their ids as given, in one transaction, and returns how many.
pub(super) async fn load<E: EntityTrait>(
    db: &DatabaseConnection,
    rows: impl Iterator<Item = E::Model>,
) -> Result<u64, DbErr> {
    match db.get_database_backend() {
        DbBackend::Postgres => copy::<E>(db, rows).await,
        backend => {
            let transaction = db.begin().await?;
            check_foreign_keys(&transaction, false).await?;
            let inserted = insert::<E>(&transaction, backend, rows).await;
            // The connection goes back to the pool, whether or not the rows went in.
            check_foreign_keys(&transaction, true).await?;
            transaction.commit().await?;
            inserted
        }
    }
}

async fn copy<E: EntityTrait>(
    db: &DatabaseConnection,
    rows: impl Iterator<Item = E::Model>,
) -> Result<u64, DbErr> {
    let failed = |error: sea_orm::sqlx::Error| DbErr::Custom(error.to_string());
    let mut connection = db
        .get_postgres_connection_pool()
        .acquire()
        .await
        .map_err(failed)?;
    // Only for superusers; the others wait a little longer.
    let _ = connection
        .execute("SET session_replication_role = replica")
        .await;
    let statement = format!("COPY {} FROM STDIN", table_and_columns::<E>());
    let mut copy = connection.copy_in_raw(&statement).await.map_err(failed)?;
    let mut text = String::with_capacity(2 * STATEMENT_BYTES);
    for row in rows {
        for (place, column) in E::Column::iter().enumerate() {
            if place > 0 {
                text.push('\t');
            }
            write_copied(&mut text, &row.get(column));
        }
        text.push('\n');
        if text.len() >= STATEMENT_BYTES {
            copy.send(text.as_bytes()).await.map_err(failed)?;
            text.clear();
        }
    }
    copy.send(text.as_bytes()).await.map_err(failed)?;
    let copied = copy.finish().await.map_err(failed)?;
    let _ = connection.execute("RESET session_replication_role").await;
    Ok(copied)
}

async fn insert<E: EntityTrait>(
    db: &DatabaseTransaction,
    backend: DbBackend,
    rows: impl Iterator<Item = E::Model>,
) -> Result<u64, DbErr> {
    let start = format!("INSERT INTO {} VALUES ", table_and_columns::<E>());
    let mut statement = start.clone();
    let mut inserted = 0;
    for row in rows {
        statement.push_str(if statement.len() > start.len() {
            ",("
        } else {
            "("
        });
        for (place, column) in E::Column::iter().enumerate() {
            if place > 0 {
                statement.push(',');
            }
            write_literal(&mut statement, backend, &row.get(column));
        }
        statement.push(')');
        inserted += 1;
        if statement.len() >= STATEMENT_BYTES {
            db.execute_unprepared(&statement).await?;
            statement.truncate(start.len());
        }
    }
    if statement.len() > start.len() {
        db.execute_unprepared(&statement).await?;
    }
    Ok(inserted)
}

/// SQLite checks them quickly, and cannot be told otherwise within a transaction.
async fn check_foreign_keys(db: &DatabaseTransaction, check: bool) -> Result<(), DbErr> {
    if db.get_database_backend() == DbBackend::MySql {
        let check = u8::from(check);
        db.execute_unprepared(&format!(
            "SET foreign_key_checks = {check}, unique_checks = {check}"
        ))
        .await?;
    }
    Ok(())
}

fn table_and_columns<E: EntityTrait>() -> String {
    let columns: Vec<_> = E::Column::iter()
        .map(|column| column.as_str().to_owned())
        .collect();
    format!("{} ({})", E::default().table_name(), columns.join(","))
}

/// A value in PostgreSQL's text form of `COPY`. Writing to a string cannot fail.
fn write_copied(out: &mut String, value: &Value) {
    let _ = match value {
        Value::Bool(Some(flag)) => write!(out, "{flag}"),
        Value::Int(Some(number)) => write!(out, "{number}"),
        Value::BigInt(Some(number)) => write!(out, "{number}"),
        Value::Decimal(Some(number)) => write!(out, "{number}"),
        Value::ChronoDateTimeUtc(Some(moment)) => write!(out, "{}", moment.to_rfc3339()),
        Value::String(Some(text)) => {
            for character in text.chars() {
                match character {
                    '\\' => out.push_str("\\\\"),
                    '\t' => out.push_str("\\t"),
                    '\n' => out.push_str("\\n"),
                    '\r' => out.push_str("\\r"),
                    other => out.push(other),
                }
            }
            Ok(())
        }
        _ => out.write_str("\\N"),
    };
}

/// A value as SQL. Writing to a string cannot fail.
fn write_literal(out: &mut String, backend: DbBackend, value: &Value) {
    let _ = match value {
        Value::Bool(Some(flag)) => write!(out, "{}", u8::from(*flag)),
        Value::Int(Some(number)) => write!(out, "{number}"),
        Value::BigInt(Some(number)) => write!(out, "{number}"),
        Value::Decimal(Some(number)) => write!(out, "{number}"),
        Value::ChronoDateTimeUtc(Some(moment)) if backend == DbBackend::MySql => {
            write!(out, "'{}'", moment.format("%Y-%m-%d %H:%M:%S%.6f"))
        }
        // As the driver writes it: moments in SQLite are text, and are compared as text.
        Value::ChronoDateTimeUtc(Some(moment)) => write!(out, "'{}'", moment.to_rfc3339()),
        Value::String(Some(text)) => {
            out.push('\'');
            for character in text.chars() {
                match character {
                    '\'' => out.push_str("''"),
                    // In SQLite a backslash is itself.
                    '\\' if backend == DbBackend::MySql => out.push_str("\\\\"),
                    other => out.push(other),
                }
            }
            out.push('\'');
            Ok(())
        }
        _ => out.write_str("NULL"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b114.
    #[test]
    fn values_are_written_for_copy_and_for_long_inserts() {
        let text = Value::from("it's\ta \\");
        let moment = chrono::DateTime::UNIX_EPOCH;
        for (value, copied, mysql, sqlite) in [
            (Value::from(true), "true", "1", "1"),
            (Value::from(-7_i64), "-7", "-7", "-7"),
            (Value::from(None::<i64>), "\\N", "NULL", "NULL"),
            (text, "it's\\ta \\\\", "'it''s\ta \\\\'", "'it''s\ta \\'"),
            (
                Value::from(moment),
                "1970-01-01T00:00:00+00:00",
                "'1970-01-01 00:00:00.000000'",
                "'1970-01-01T00:00:00+00:00'",
            ),
        ] {
            let mut out = String::new();
            write_copied(&mut out, &value);
            assert_eq!(out, copied);
            for (backend, literal) in [(DbBackend::MySql, mysql), (DbBackend::Sqlite, sqlite)] {
                let mut out = String::new();
                write_literal(&mut out, backend, &value);
                assert_eq!(out, literal, "{backend:?}");
            }
        }
    }
}
