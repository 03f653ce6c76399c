//! Serves the blog until it is told to stop, and fills its database on request.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use blog::resources::api;
use blog::routes::{App, Parts, router};
use blog::{data, migration::Migrator};
use clap::Parser;
use listing::{ReadOptions, ReadPool};
use listing_axum::{
    Config, Jwt, LogFormat, Observer, Server, connect_within, console, with_observer,
};
use sea_orm_migration::MigratorTrait;
use tokio::net::TcpListener;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// Gives memory back when a crowd has left, which the system's allocator does not.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The reference service: a small blog.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Loads N articles (N/100 authors, 3 N comments) into an empty database instead of the demo set, then serves.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Loads the data and ends without serving.
    #[arg(long)]
    load_only: bool,

    /// Where the configuration is.
    #[arg(long, value_name = "FILE", default_value = "listing.toml")]
    config: PathBuf,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let config = Config::load(&arguments.config)?;
    start_log(config.log.format)?;
    // Definitions first: a mistake in them should not wait for a database.
    let api = api(config.settings.clone())?;
    // The `listing` command may ask instead of a client.
    if console(&config, &api.listings, &api.routes)? {
        return Ok(());
    }
    let jwt = Jwt::new(&config.jwt)?;
    let wait = Duration::from_secs(config.database_wait_seconds);
    let (url, connections) = (config.database.expose(), config.database_connections);
    let db = connect_within(url, connections, wait)
        .await
        .with_context(|| {
            format!(
                "cannot open the database `{}`",
                config.database.as_shown_url()
            )
        })?;
    Migrator::up(&db, None)
        .await
        .context("cannot create the tables")?;
    match arguments.seed {
        Some(articles) => load_seed(&db, articles).await?,
        None => {
            if data::load_demo_if_empty(&db)
                .await
                .context("cannot load the demo data")?
            {
                tracing::info!("demo data loaded");
            }
        }
    }
    if arguments.load_only {
        return Ok(());
    }
    api.listings.inspect_indexes(&db).await?;

    let listener = TcpListener::bind(&config.bind).await.with_context(|| {
        format!(
            "cannot listen on {}; set LISTING_BIND to another address",
            config.bind
        )
    })?;
    let reads = ReadPool::alongside(
        &db,
        ReadOptions::new().statement_timeout(Duration::from_secs(config.request_timeout_seconds)),
    )
    .await?;
    let app = App::from(Parts {
        db: db.clone(),
        reads,
        listings: api.listings,
        jwt,
    });
    let observer = Observer::new(&config).routes(&api.routes).pool(&db);
    let service = with_observer(router(api.router, app, &config), &config, &observer);
    if !config.metrics_bind.is_empty() {
        let listener = TcpListener::bind(&config.metrics_bind).await;
        let listener =
            listener.with_context(|| format!("cannot listen on {}", config.metrics_bind))?;
        tokio::spawn(observer.serve_metrics_on(listener));
    }
    // Whatever can fail has succeeded.
    let server = Server::new(listener, &config)?;
    let url = server.url();
    let page = if config.explorer {
        "Open it in a browser, or look at three lists:"
    } else {
        "Three lists to look at:"
    };
    println!("Listening on {url}. {page}");
    println!("  {url}/api/articles?populate=author,tags&sort=views:desc&pagination[pageSize]=5");
    println!("  {url}/api/articles?filters[title][$contains]=garden&filters[is_active][$eq]=true");
    println!(
        "  {url}/api/authors?filters[country][$in][]=DE&filters[country][$in][]=BR&populate=articles"
    );
    server.serve(service, stopped()).await;
    tracing::info!("stopped");
    Ok(())
}

fn start_log(format: LogFormat) -> anyhow::Result<()> {
    let levels = std::env::var("RUST_LOG");
    let levels: Targets = levels
        .as_deref()
        .unwrap_or("info,sqlx=warn,sea_orm_migration=warn")
        .parse()?;
    let log = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let log = match format {
        LogFormat::Text => log.boxed(),
        LogFormat::Json => log.json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry().with(log).with(levels).init();
    Ok(())
}

async fn load_seed(db: &sea_orm::DatabaseConnection, articles: u64) -> anyhow::Result<()> {
    // A line at each tenth; a crate for progress bars would be compiled for every `cargo run`.
    let reported = AtomicU64::new(0);
    let progress = |done: u64, all: u64| {
        let tenths = done * 10 / all.max(1);
        if reported.swap(tenths, Ordering::Relaxed) != tenths {
            tracing::info!("{tenths}0 % of {all} rows");
        }
    };
    data::load_seed(db, articles, progress)
        .await
        .context("cannot load the seed")?;
    tracing::info!(articles, "seed loaded");
    Ok(())
}

/// Ctrl-C, or the signal that service managers send. Requests that are under way are answered first.
async fn stopped() {
    let interrupt = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    let terminate = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
