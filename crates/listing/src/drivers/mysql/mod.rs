//! Reads MariaDB and MySQL through sqlx, the driver that SeaORM uses too.

mod reader;
mod row;

pub(super) use reader::MysqlReader;
