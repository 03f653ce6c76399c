//! Serves the tables of a database, read-only, without a project and without a compiler.

mod tables;

use anyhow::{Context, Result};
use axum::extract::FromRef;
use listing::{Listings, Names, ReadOptions, ReadPool};
use listing_axum::{
    Api, ApiInfo, Config, Explorer, ResourceRoutes, Secret, console, serve, with_defaults,
};
use sea_orm::DatabaseConnection;
use tokio::net::TcpListener;

use self::tables::ServedTable;
use crate::arguments::ServeArguments;
use crate::database::{Database, Schema};
use crate::terminal;

#[derive(Clone, FromRef)]
struct App {
    db: DatabaseConnection,
    reads: ReadPool,
    listings: Listings,
}

pub(crate) fn run(arguments: &ServeArguments) -> Result<()> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(serve_database(arguments))
}

async fn serve_database(arguments: &ServeArguments) -> Result<()> {
    let url = arguments.url.as_str();
    let database = Database::open(url).await?;
    let schema = Schema::read(&database, &arguments.only).await?;
    let (tables, notes) = tables::of_schema(&schema)?;
    for note in &notes {
        terminal::doubtful("note", note);
    }
    let mut config = Config::default();
    config.bind.clone_from(&arguments.bind);
    config.database = url.into();
    config.settings.strict = true;
    if schema.needs_snake_case() {
        config.settings.names = Names::SnakeCase;
    }
    let first = tables.first().map(|table| table.segment.clone());
    let count = tables.len();
    let api = tables.into_iter().fold(Api::new("/api"), add);
    let name = Secret::from(url).as_shown_url().to_string();
    let info = ApiInfo::new(&name, env!("CARGO_PKG_VERSION"));
    let api = api.build(config.settings.clone())?.describe(info);
    if console(&config, &api.listings, &api.routes)? {
        return Ok(());
    }
    let reads = ReadPool::connect(&database.url(), ReadOptions::new()).await?;
    let db = database.into_connection();
    for seen in api.listings.inspect_forms(&db).await? {
        terminal::doubtful("note", &seen.to_string());
    }
    let app = App {
        reads,
        db,
        listings: api.listings,
    };
    let pages = Explorer::new("/api").routes(&config);
    let service = with_defaults(api.router.with_state(app).merge(pages), &config);
    let cannot = || {
        format!(
            "cannot listen on {}; choose another address with --bind",
            config.bind
        )
    };
    let listener = TcpListener::bind(&config.bind).await.with_context(cannot)?;
    let address = listener.local_addr()?;
    terminal::line(&format!(
        "Listening on http://{address}/api/{}\nServing {}, read-only. Open http://{address} in a browser. Press Ctrl-C to stop.",
        first.unwrap_or_default(),
        match count {
            1 => "1 table".to_owned(),
            _ => format!("{count} tables and views"),
        }
    ));
    let stopped = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    Ok(serve(listener, service, &config, stopped).await?)
}

fn add(api: Api<App>, table: ServedTable) -> Api<App> {
    let ServedTable {
        segment,
        titles,
        listing,
    } = table;
    api.resource(ResourceRoutes::table(&segment, titles, listing))
}
