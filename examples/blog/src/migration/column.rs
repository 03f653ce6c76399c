//! Defines tables and columns that behave alike on all three databases.
//!
//! All differences between the databases' schemas are here, each with its reason.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

/// An empty table definition whose text compares by exact characters.
///
/// MySQL and MariaDB treat upper and lower case (and `é` and `e`) as equal unless told otherwise, in `=` and in
/// unique indexes. PostgreSQL and SQLite compare exactly, and have no such options.
pub(super) fn table(backend: DbBackend, name: &'static str) -> TableCreateStatement {
    let mut table = Table::create();
    table.table(name);
    if backend == DbBackend::MySql {
        table.character_set("utf8mb4").collate("utf8mb4_bin");
    }
    table
}

/// The primary key `id`: 64 bits, counted by the database.
pub(super) fn id() -> ColumnDef {
    ColumnDef::new("id")
        .big_integer()
        .not_null()
        .auto_increment()
        .primary_key()
        .take()
}

/// A reference to another table's `id`.
pub(super) fn reference(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).big_integer().take()
}

/// Text with a maximum length, short enough to be indexed.
pub(super) fn text(name: &'static str, length: u32) -> ColumnDef {
    ColumnDef::new(name).string_len(length).not_null().take()
}

/// Text without a maximum length.
///
/// `text` on MySQL holds 64 KiB, less than a request body may; `mediumtext` holds 16 MiB.
pub(super) fn long_text(backend: DbBackend, name: &'static str) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    match backend {
        DbBackend::MySql => column.custom("mediumtext"),
        _ => column.text(),
    };
    column
}

/// A boolean that has a value even if an insert leaves it out.
pub(super) fn flag(name: &'static str, default: bool) -> ColumnDef {
    ColumnDef::new(name)
        .boolean()
        .not_null()
        .default(default)
        .take()
}

/// A timestamp in UTC, to the microsecond.
///
/// `timestamp` on MySQL ends in 2038 and has whole seconds; `datetime(6)` has neither limit, and the driver keeps the
/// session in UTC. SQLite gets the declared type that SeaORM recognises as a timestamp: RFC 3339 text, which sorts in time order.
/// No column has a default of `CURRENT_TIMESTAMP`: SQLite would write it in another text form, which sorts elsewhere.
pub(super) fn moment(backend: DbBackend, name: &'static str) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    match backend {
        DbBackend::MySql => column.custom("datetime(6)"),
        _ => column.timestamp_with_time_zone(),
    };
    column
}
