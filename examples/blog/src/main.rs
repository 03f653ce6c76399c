//! Serves the blog until it is told to stop, and fills its database on request.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use blog::data;
use blog::migration::Migrator;
use clap::Parser;
use listing_axum::ServiceError;
use sea_orm::{DatabaseConnection, DbErr};

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
async fn main() -> Result<(), ServiceError> {
    let arguments = Arguments::parse();
    blog::service()
        .config_file(&arguments.config)
        .migrations::<Migrator>()
        .prepare(async move |db| load(&db, arguments.seed).await)
        .only_prepare(arguments.load_only)
        .ready(|url| {
            println!("Listening on {url}. Open it in a browser, or look at three lists:");
            println!("  {url}/api/articles?populate=author,tags&sort=views:desc&pagination[pageSize]=5");
            println!("  {url}/api/articles?filters[title][$contains]=garden&filters[is_active][$eq]=true");
            println!("  {url}/api/authors?filters[country][$in][]=DE&filters[country][$in][]=BR&populate=articles");
        })
        .run()
        .await
}

async fn load(db: &DatabaseConnection, seed: Option<u64>) -> Result<(), DbErr> {
    let Some(articles) = seed else {
        if data::load_demo_if_empty(db).await? {
            tracing::info!("demo data loaded");
        }
        return Ok(());
    };
    // A line at each tenth; a crate for progress bars would be compiled for every `cargo run`.
    let reported = AtomicU64::new(0);
    let progress = |done: u64, all: u64| {
        let tenths = done * 10 / all.max(1);
        if reported.swap(tenths, Ordering::Relaxed) != tenths {
            tracing::info!("{tenths}0 % of {all} rows");
        }
    };
    data::load_seed(db, articles, progress).await
}
