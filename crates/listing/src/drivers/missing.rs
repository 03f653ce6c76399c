//! Replaces a driver whose feature is off.

use sea_orm::{DatabaseConnection, QueryResult};

use super::driver::Driver;
use super::error::ReadPoolError;
use super::options::ReadOptions;
use crate::execute::{ExecuteError, RowSink};
use crate::render::{Batch, DecodeError, Shape};

pub(super) const IS_ON: bool = false;

pub(super) async fn alongside(
    _: &DatabaseConnection,
    _: ReadOptions,
) -> Result<Driver, ReadPoolError> {
    Err(ReadPoolError::Url)
}

pub(super) async fn of_url(_: &str, _: ReadOptions) -> Result<Driver, ReadPoolError> {
    Err(ReadPoolError::Url)
}

#[allow(dead_code, reason = "SQLite has no replicas")]
pub(super) async fn replica(
    _: &str,
    _: Option<&DatabaseConnection>,
    _: ReadOptions,
) -> Result<Driver, ReadPoolError> {
    Err(ReadPoolError::Url)
}

pub(super) fn is_closed(_: &DatabaseConnection) -> bool {
    false
}

pub(super) async fn stream_alongside(
    _: &DatabaseConnection,
    _: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    Err(ExecuteError::UnknownDatabase)
}

pub(super) fn push(_: &mut Batch, _: &Shape, _: &QueryResult) -> Option<Result<(), DecodeError>> {
    None
}
