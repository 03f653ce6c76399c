//! Settings of connections to MariaDB and MySQL.

use std::sync::Arc;

use sea_orm::sqlx::mysql::{MySqlConnectOptions, MySqlConnection};
use sea_orm::sqlx::{Error, Executor as _, MySql, Row as _, raw_sql};
use sea_orm::{ConnectOptions, DatabaseConnection, DbErr, RuntimeErr};

use super::follow::{HostDriver, Moves, watched};
use super::hosts::{Host, Hosts, Wanted};
use super::unusable;

/// Recent servers return `OFF`, and older ones return 0.
const TAKES_WRITES: &str = "SELECT @@read_only IN ('0', 'OFF')";

/// Whether the server is a Galera node, and whether it accepts statements. Nodes answer this even when they accept no other
/// statements. Servers without Galera return nothing.
const IS_NODE: &str = "SHOW VARIABLES LIKE 'wsrep_on'";
const IS_READY: &str = "SHOW STATUS LIKE 'wsrep_ready'";

/// Makes reads wait until their node has applied everything that the cluster had committed when they arrived (b1154).
const SYNC_WAIT: &str = "SET SESSION wsrep_sync_wait = 1";

pub(super) fn server(options: &mut ConnectOptions, moves: Option<&Moves>, sync_wait: bool) {
    options.map_sqlx_mysql_opts(listing::mysql_server);
    let moves = moves.cloned();
    options.map_sqlx_mysql_pool_opts(move |pool| {
        let pool = watched(pool, moves.as_ref());
        if !sync_wait {
            return pool;
        }
        pool.after_connect(|connection, _| {
            Box::pin(async move {
                match connection.execute(SYNC_WAIT).await {
                    // A server without this setting is refused later, with an explanation.
                    Err(Error::Database(_)) | Ok(_) => Ok(()),
                    Err(error) => Err(error),
                }
            })
        })
    });
}

/// Refuses a server that is not a Galera node, where reads would not wait for anything.
pub(super) async fn is_node(db: DatabaseConnection) -> Result<DatabaseConnection, DbErr> {
    let failed = |error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error)));
    let pool = db.get_mysql_connection_pool();
    let mut connection = pool.acquire().await.map_err(failed)?;
    if is_on(&mut connection, IS_NODE).await.map_err(failed)? {
        drop(connection);
        return Ok(db);
    }
    Err(unusable(
        "`galera_sync_wait` is on, and the database's server is no node of a Galera cluster: turn it off",
    ))
}

/// Connects to one of several hosts.
pub(super) async fn several(
    hosts: Hosts,
    max_connections: u32,
) -> Result<DatabaseConnection, DbErr> {
    let chosen = hosts.choose::<MySql>().await?;
    let moves = Moves::new(hosts.wanted);
    let url = &hosts.chosen(&chosen).url;
    let db = super::one(url, max_connections, Some(&moves)).await?;
    let pool = db.get_mysql_connection_pool().clone();
    tokio::spawn(hosts.follow(pool, moves, chosen));
    Ok(db)
}

impl HostDriver for MySql {
    fn options(url: &str) -> Result<MySqlConnectOptions, Error> {
        Ok(listing::mysql_server(url.parse()?))
    }

    fn at(options: &MySqlConnectOptions, host: &Host) -> MySqlConnectOptions {
        options.clone().host(&host.name).port(host.port)
    }

    async fn refusal(
        connection: &mut MySqlConnection,
        wanted: Wanted,
    ) -> Result<Option<&'static str>, Error> {
        if wanted == Wanted::Any {
            raw_sql("DO 0").execute(connection).await?;
            return Ok(None);
        }
        let row = raw_sql(TAKES_WRITES).fetch_one(connection).await?;
        let takes_writes: i64 = row.try_get_unchecked(0)?;
        Ok((takes_writes == 0).then_some("is read-only"))
    }

    async fn long_refusal(
        connection: &mut MySqlConnection,
        wanted: Wanted,
    ) -> Result<Option<&'static str>, Error> {
        if is_on(connection, IS_NODE).await? && !is_on(connection, IS_READY).await? {
            return Ok(Some("is not ready in its Galera cluster"));
        }
        Self::refusal(connection, wanted).await
    }
}

async fn is_on(connection: &mut MySqlConnection, asked: &'static str) -> Result<bool, Error> {
    let row = raw_sql(asked).fetch_optional(connection).await?;
    let value: Option<String> = row.map(|row| row.try_get_unchecked(1)).transpose()?;
    Ok(value.as_deref() == Some("ON"))
}
