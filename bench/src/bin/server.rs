//! Serves one baseline with the blog's own configuration, and with its layers or without any.

use std::path::Path;

use clap::Parser;
use listing_axum::{Config, Server, with_defaults};
use listing_bench::baseline::Baseline;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

/// As the service has it.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// A list endpoint written by hand.
#[derive(Parser)]
struct Arguments {
    /// Which one.
    baseline: Baseline,
    /// Without any layers: one handler and nothing else.
    #[arg(long)]
    bare: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    let config = Config::load(Path::new("listing.toml"))?;
    let router = arguments
        .baseline
        .router(config.database.expose(), config.database_connections)
        .await?;
    let listener = TcpListener::bind(&config.bind).await?;
    if arguments.bare {
        println!("Listening on http://{}. ", listener.local_addr()?);
        axum::serve(listener, router).await?;
        return Ok(());
    }
    let service = with_defaults(router, &config);
    let server = Server::new(listener, &config)?;
    println!("Listening on {}. ", server.url());
    server.serve(service, std::future::pending()).await;
    Ok(())
}
