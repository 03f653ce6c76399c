//! Settings of connections to MariaDB and MySQL.

use sea_orm::ConnectOptions;
use sea_orm::sqlx::Connection as _;

pub(super) fn server(options: &mut ConnectOptions) {
    options.map_sqlx_mysql_opts(listing::mysql_server);
    options.map_sqlx_mysql_pool_opts(|pool| {
        pool.after_release(|connection, _| Box::pin(super::answers(connection.ping())))
    });
}
