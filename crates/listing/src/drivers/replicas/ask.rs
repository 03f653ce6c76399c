//! Asks a server for its position in the writes of its cluster.

use super::super::asked::texts;
use super::position::Position;
use super::status::Out;
use crate::execute::{ExecuteError, Reader};
use crate::sql::Dialect;

/// A server's answer.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) position: Position,
    /// The identifier of the server in its cluster.
    server: String,
    /// Whether it accepts writes; not known on MariaDB, where that is only a setting.
    is_primary: bool,
}

/// A standby returns the position up to which it has replayed the log, and the timeline that it receives or, if this user may not
/// see that, the timeline of its last checkpoint. The primary returns the position up to which it has written its log, because a
/// commit is answered after that. With `synchronous_commit = off`, it returns the position of the next write instead. Replicas
/// reach that a little later, because nothing hurries the log after a commit.
const POSTGRES: &str = "SELECT pg_is_in_recovery()::text, \
     (SELECT system_identifier::text FROM pg_control_system()), \
     CASE WHEN pg_is_in_recovery() THEN coalesce( \
         (SELECT received_tli FROM pg_stat_wal_receiver), \
         (SELECT timeline_id FROM pg_control_checkpoint()))::text \
     ELSE ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int::text END, \
     (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() \
         WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn() \
         ELSE pg_current_wal_flush_lsn() END \
         - '0/0'::pg_lsn)::text";

/// `gtid_slave_pos` is what a replica has applied. `gtid_current_pos` also includes what the server itself has written.
const MARIADB: &str = "SELECT CAST(@@global.server_id AS CHAR), @@global.gtid_slave_pos, \
     @@global.gtid_current_pos, CAST(@@global.log_bin AS CHAR)";

/// The position of the primary.
pub(super) async fn primary(reader: &dyn Reader) -> Result<Told, Out> {
    ask(reader, true).await
}

/// The position of a replica.
pub(super) async fn replica(reader: &dyn Reader) -> Result<Told, Out> {
    ask(reader, false).await
}

async fn ask(reader: &dyn Reader, of_primary: bool) -> Result<Told, Out> {
    let away = |error: ExecuteError| Out::Away(error.to_string());
    match reader.dialect().map_err(away)? {
        Dialect::Postgres => {
            let rows = texts::<4>(reader, POSTGRES).await.map_err(away)?;
            of_postgres(&rows).ok_or_else(unclear)
        }
        Dialect::Mysql => {
            // MySQL does not have these variables and fails.
            let rows = texts::<4>(reader, MARIADB).await.map_err(away)?;
            of_mariadb(&rows, of_primary)
        }
        Dialect::Sqlite => Err(unclear()),
    }
}

fn unclear() -> Out {
    Out::Away("it does not say where it is".to_owned())
}

fn of_postgres(rows: &[[String; 4]]) -> Option<Told> {
    let [recovers, cluster, timeline, place] = rows.first()?;
    let is_primary = !recovers.starts_with('t');
    Some(Told {
        position: Position::Postgres {
            cluster: cluster.parse().ok()?,
            timeline: timeline.parse().ok()?,
            place: place.parse().ok()?,
        },
        server: cluster.clone(),
        is_primary,
    })
}

fn of_mariadb(rows: &[[String; 4]], of_primary: bool) -> Result<Told, Out> {
    let [server, applied, current, log] = rows.first().ok_or_else(unclear)?;
    if of_primary && !["1", "ON"].contains(&log.as_str()) {
        return Err(Out::Away("it writes no binary log".to_owned()));
    }
    let told = if of_primary { current } else { applied };
    Ok(Told {
        position: Position::of_mariadb(told).ok_or_else(unclear)?,
        server: server.clone(),
        is_primary: false,
    })
}

impl Told {
    /// Why a server is not a replica of this primary; `None` if it is one.
    pub(super) fn misfit(&self, primary: &Self) -> Option<Out> {
        match (&self.position, &primary.position) {
            (Position::Postgres { .. }, Position::Postgres { .. }) => {
                if self.server != primary.server {
                    Some(Out::OtherCluster)
                } else if !self.position.is_comparable(&primary.position) {
                    Some(Out::OtherTimeline)
                } else {
                    self.is_primary.then_some(Out::IsPrimary)
                }
            }
            _ => (self.server == primary.server).then_some(Out::IsPrimary),
        }
    }
}
