//! Serves the tables of a database, read-only, without a project or a compiler.

mod log;
mod reload;
mod tables;
mod token;

pub(crate) use tables::servable;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::FromRef;
use listing::{Listings, ReadOptions, ReadPool, Unindexed};
use listing_axum::console::console;
use listing_axum::{Api, ApiInfo, Config, Explorer, ResourceRoutes, Server, with_defaults};
use sea_orm::DatabaseConnection;
use tokio::net::TcpListener;

use self::reload::Reloading;
use self::tables::{ServedSchema, ServedTable};
use crate::arguments::ServeArguments;
use crate::database::{Database, Schema, Wanted};
use crate::model::secrets::{self, LeftOut};
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

/// The database and how to serve it.
struct Source {
    arguments: ServeArguments,
    config: Config,
    database: Database,
}

/// The routes for a schema.
struct Tables {
    router: Router,
    listings: Listings,
    routes: listing_axum::routes::RouteTable,
    count: usize,
    /// The path of the first list.
    first: String,
    notes: Vec<String>,
    /// The columns that look like secrets.
    left_out: Vec<LeftOut>,
}

impl Source {
    fn connection(&self) -> &DatabaseConnection {
        self.database.connection()
    }

    /// Reads the schema and builds a router for it.
    async fn read(&self) -> Result<Tables> {
        let wanted = Wanted {
            only: &self.arguments.only,
            except: &self.arguments.except,
        };
        let mut schema = Schema::read(&self.database, wanted).await?;
        self.database.find_repeating(&mut schema.tables).await;
        let schema = servable(schema)?;
        let ServedSchema {
            tables,
            mut notes,
            left_out,
        } = tables::of_schema(&schema)?;
        let mut config = self.config.clone();
        config.settings.names = schema.names();
        let count = tables.len();
        let first = tables.first().map(|table| table.segment.clone());
        let mut info = ApiInfo::new(&self.database.name(), env!("CARGO_PKG_VERSION"));
        if self.arguments.token.is_some() {
            info = info.bearer_auth();
        }
        let api = tables.into_iter().fold(Api::new("/api"), add);
        let api = api.build(config.settings.clone())?.describe(info);
        let forms = api.listings.inspect_forms(self.connection()).await?;
        notes.extend(forms.iter().map(ToString::to_string));
        let listings = api.listings.clone();
        let app = App {
            reads: ReadPool::connect(&self.database.url(), ReadOptions::new()).await?,
            db: self.connection().clone(),
            listings: api.listings,
        };
        // The size of a table decides how far its rows are counted.
        app.listings.inspect_sizes(&app.db).await;
        let lists = api.router.with_state(app);
        let lists = match &self.arguments.token {
            Some(token) => token::protect(lists, token),
            None => lists,
        };
        let mut explorer = Explorer::new("/api").with_reference();
        if self.arguments.token.is_none() {
            explorer = explorer.without_sign_in();
        }
        let pages = explorer.routes(&config);
        Ok(Tables {
            router: lists.merge(pages),
            listings,
            routes: api.routes,
            count,
            first: format!("/api/{}", first.unwrap_or_default()),
            notes,
            left_out,
        })
    }
}

async fn serve_database(arguments: &ServeArguments) -> Result<()> {
    log::start()?;
    let url = arguments.url.as_str();
    let database = Database::open(url).await?;
    let mut config = Config::default();
    config.bind.clone_from(&arguments.bind);
    config.database = url.into();
    config.settings.strict = true;
    // Indexes are checked by `listing check`.
    config.settings.unindexed = Unindexed::Allow;
    let source = Source {
        arguments: arguments.clone(),
        config,
        database,
    };
    tracing::info!("reading the schema of {}", source.database.name());
    // Taken before the schema is read, so that later changes are noticed.
    let seen = reload::fingerprint(source.connection()).await?;
    let Tables {
        router,
        listings,
        routes,
        count,
        first,
        notes,
        left_out,
    } = source.read().await?;
    if console(&source.config, &listings, &routes)? {
        return Ok(());
    }
    for note in &notes {
        terminal::doubtful("note", note);
    }
    secrets::tell(
        &left_out,
        "`listing new --from-database` writes listings in which each can be put back.\n",
    );
    let config = source.config.clone();
    let service = with_defaults(Reloading::new(source, router, seen).into_router(), &config);
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
        "Listening on {url}{first}\nServing {}, read-only. Open {url} in a browser. Press Ctrl-C to stop.",
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
        group,
        listing,
    } = table;
    let routes = ResourceRoutes::table(&segment, titles, listing);
    api.resource(match group {
        Some(group) => routes.group(&group),
        None => routes,
    })
}
