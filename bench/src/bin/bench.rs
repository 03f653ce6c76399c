//! Runs a measurement against two database servers; `cargo xtask bench` calls it.

// The futures of all measurements lie in one another, deeper than the compiler looks otherwise.
#![recursion_limit = "256"]

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Parser, Subcommand};
use listing_bench::against::against;
use listing_bench::crowd::crowd;
use listing_bench::exports::exports;
use listing_bench::growth::growth;
use listing_bench::numbers::numbers;
use listing_bench::overload::overload;
use listing_bench::replicas::replicas;
use listing_bench::run::{Options, Places, run};
use listing_bench::shapes::shapes;
use listing_bench::slow::slow_statements;
use listing_bench::soak::{disconnect, soak};
use listing_bench::writes::writes;

/// Measures; `cargo xtask bench` brings the databases for it.
#[derive(Parser)]
struct Arguments {
    /// A PostgreSQL server, on which databases may be made.
    #[arg(long)]
    postgres: String,
    /// A MariaDB server, on which databases may be made.
    #[arg(long)]
    mysql: String,
    /// A folder for SQLite's files.
    #[arg(long)]
    folder: PathBuf,
    /// Articles in each database.
    #[arg(long)]
    rows: u64,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Asks both sides of each work in turn.
    Run {
        #[arg(long)]
        rounds: usize,
        #[arg(long)]
        slice_milliseconds: u64,
        #[arg(long)]
        wrk: bool,
        #[arg(long)]
        only: Vec<String>,
        #[arg(long)]
        json: PathBuf,
        #[arg(long)]
        document: Option<PathBuf>,
        #[arg(long, default_value = "cargo xtask bench")]
        command: String,
    },
    /// Watches memory.
    Soak { seconds: u64 },
    /// Downloads files.
    Exports,
    /// Creates and changes records.
    Writes,
    /// Asks for facets and totals.
    Numbers,
    /// Asks another build for the same lists.
    Against { program: PathBuf },
    /// Asks a service that reads from this replica of the PostgreSQL server, and one that does not.
    Replicas { replica: String },
    /// Compares the times of requests with those on a tenth of the rows.
    Growth,
    /// Asks for each filter with each sort and each way of counting.
    Shapes { only: Vec<String> },
    /// Leaves requests in the middle.
    Disconnect { requests: u64 },
    /// Asks for pages next to slow lists.
    Slow { seconds: u64 },
    /// Sends more requests than can be answered.
    Overload { seconds: u64 },
    /// Has many clients ask for large lists.
    Crowd { clients: usize },
}

/// One thread: the servers under measurement need the others.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let Arguments {
        postgres,
        mysql,
        folder,
        rows,
        task,
    } = Arguments::parse();
    let places = Places {
        postgres,
        mysql,
        folder,
    };
    match task {
        Task::Run {
            rounds,
            slice_milliseconds,
            wrk,
            only,
            json,
            document,
            command,
        } => {
            let options = Options {
                places,
                rows,
                rounds,
                slice: Duration::from_millis(slice_milliseconds),
                wrk,
                only,
                json,
                document,
                command,
            };
            run(&options).await
        }
        Task::Soak { seconds } => soak(&places, rows, seconds).await,
        Task::Exports => exports(&places, rows).await,
        Task::Writes => writes(&places, rows).await,
        Task::Numbers => numbers(&places, rows).await,
        Task::Against { program } => against(&places, rows, &program).await,
        Task::Shapes { only } => shapes(&places, rows, &only).await,
        Task::Replicas { replica } => replicas(&places, rows, &replica).await,
        Task::Growth => growth(&places, rows).await,
        Task::Disconnect { requests } => disconnect(&places, rows, requests).await,
        Task::Slow { seconds } => slow_statements(&places, rows, seconds).await,
        Task::Overload { seconds } => overload(&places, rows, seconds).await,
        Task::Crowd { clients } => crowd(&places, rows, clients).await,
    }
}
