//! Passes on the rows of statements in one snapshot of MariaDB or MySQL while they are read, on a separate connection.

use std::sync::Arc;

use sqlx::Executor as _;
use sqlx::mysql::MySql;

use super::super::attended::Attended as _;
use super::super::lend::Lender;
use super::super::streaming::{Running, give_all};
use super::connect::MysqlServer;
use crate::execute::{ExecuteError, RowSink};

/// The isolation level, and the snapshot that all rows are read from.
pub(super) const ISOLATION: &str = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ";
pub(super) const SNAPSHOT: &str = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

/// Runs the statements of the sink. The connection is always closed afterwards.
pub(super) async fn stream(
    lender: Arc<Lender<MysqlServer>>,
    sink: &mut dyn RowSink,
) -> Result<(), ExecuteError> {
    let failed = MysqlServer::execute_error;
    let opened = lender.server.open_for_export().await;
    let mut opened = opened.map_err(failed)?;
    let number = opened.number;
    let opened_with = Arc::clone(&opened.opened_with);
    let abandoned = Arc::clone(&lender);
    let running = Running::new(async move {
        let _ = abandoned.server.kill(&opened_with, number).await;
    });
    for begin in [ISOLATION, SNAPSHOT] {
        opened.connection.execute(begin).await.map_err(failed)?;
    }
    give_all::<MySql>(&mut opened.connection, sink, failed).await?;
    running.finished();
    Ok(())
}
