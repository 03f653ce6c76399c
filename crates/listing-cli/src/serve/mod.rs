//! Serves the tables of a database, read-only, without a project and without a compiler.

mod log;
mod tables;

pub(crate) use tables::servable;

use anyhow::{Context, Result};
use axum::extract::FromRef;
use listing::{Listings, ReadOptions, ReadPool};
use listing_axum::{
    Api, ApiInfo, Config, Explorer, ResourceRoutes, Secret, Server, console, with_defaults,
};
use sea_orm::DatabaseConnection;
use tokio::net::TcpListener;

use self::tables::{ServedSchema, ServedTable};
use crate::arguments::ServeArguments;
use crate::database::{Database, Schema, Wanted};
use crate::make::secrets;
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
    log::start()?;
    let url = arguments.url.as_str();
    let database = Database::open(url).await?;
    let wanted = Wanted {
        only: &arguments.only,
        except: &arguments.except,
    };
    let schema = servable(Schema::read(&database, wanted).await?)?;
    let ServedSchema {
        tables,
        notes,
        left_out,
    } = tables::of_schema(&schema)?;
    for note in &notes {
        terminal::doubtful("note", note);
    }
    secrets::tell(
        &left_out,
        "`listing new --from-database` writes listings in which each can be put back.\n",
    );
    let mut config = Config::default();
    config.bind.clone_from(&arguments.bind);
    config.database = url.into();
    config.settings.strict = true;
    config.settings.names = schema.names();
    let first = tables.first().map(|table| table.segment.clone());
    let count = tables.len();
    let api = tables.into_iter().fold(Api::new("/api"), add);
    let name = Secret::from(url).as_shown_url().to_string();
    let info = ApiInfo::new(&name, env!("CARGO_PKG_VERSION"));
    let api = api.build(config.settings.clone())?.describe(info);
    if console(&config, &api.listings, &api.routes)? {
        return Ok(());
    }
    let app = App {
        reads: ReadPool::connect(&database.url(), ReadOptions::new()).await?,
        db: database.into_connection(),
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
    let server = Server::new(listener, &config)?;
    let url = server.url();
    terminal::line(&format!(
        "Listening on {url}/api/{}\nServing {}, read-only. Open {url} in a browser. Press Ctrl-C to stop.",
        first.unwrap_or_default(),
        match count {
            1 => "1 table".to_owned(),
            _ => format!("{count} tables and views"),
        }
    ));
    let stopped = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    server.serve(service, stopped).await;
    Ok(())
}

fn add(api: Api<App>, table: ServedTable) -> Api<App> {
    let ServedTable {
        segment,
        titles,
        listing,
    } = table;
    api.resource(ResourceRoutes::table(&segment, titles, listing))
}
