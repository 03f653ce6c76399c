//! The project's own tasks: tests, checks, measurements and databases.

mod bench;
mod clients;
mod cluster;
mod compile_time;
mod databases;
mod dependencies;
mod faults;
mod features;
mod fuzz;
mod interrupt;
mod machine;
mod metadata;
mod package;
mod test;
mod tidy;

use std::env;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Tasks of this workspace, run as `cargo xtask <task>`.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run all tests on SQLite, PostgreSQL and MariaDB, then the clients, a few faults, a cluster and the fuzzer; starts the servers itself
    Test {
        /// Reach PostgreSQL through PgBouncer in transaction mode, and without further arguments run the tests of lists only
        #[arg(long)]
        pgbouncer: bool,
        /// Passed on to `cargo test`, which is then all that runs (`cargo xtask test -p listing-tests walk`)
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        cargo_args: Vec<String>,
    },
    /// Make, compile and start an application of every sample schema, and compare all that it answers with SQL; `test` does
    /// so for one of them
    Existing,
    /// Run real clients from npm against the reference service; part of `test` without arguments
    Clients,
    /// Check the tree against the project's own rules: walls between rooms, first lines, names, links, rules without tests
    Tidy {
        /// Bring docs/rules.md up to date first
        #[arg(long)]
        write: bool,
    },
    /// Check that the libraries compile without warnings in every combination of features that matters
    Features {
        /// Check one combination only, such as `listing-axum:sqlite,jwt`
        combination: Option<String>,
        /// Check features that bring many crates, too
        #[arg(long)]
        each: bool,
    },
    /// Check licences and sources of all dependencies; runs `cargo deny` too where it is installed
    Dependencies,
    /// Package the crates as they would be published, and check that the packages compile
    Package {
        /// Do not compile them
        #[arg(long)]
        quick: bool,
    },
    /// Measure the service against hand-written endpoints on a million rows; writes target/bench.json
    Bench(bench::Options),
    /// Measure builds of the blog and of a new application from an empty target folder
    CompileTime(compile_time::Options),
    /// Make faults happen to the service on each database, under a load of verified requests; a short form is part of `test`
    Faults(faults::Options),
    /// Run copies of the service on a cluster of databases while faults happen, and verify every answer; a short form is part of
    /// `test`
    Cluster(cluster::Options),
    /// Fuzz what reads a client's text and a database's bytes; a minute of it is part of `test`
    Fuzz(fuzz::Options),
    /// Start the databases, print their addresses as `export` lines, stop them at Ctrl-C or end of input
    Databases,
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<ExitCode> {
    interrupt::catch_signals()?;
    match task {
        Task::Test {
            pgbouncer: true,
            cargo_args,
        } => test::through_pgbouncer(&cargo_args),
        Task::Test { cargo_args, .. } => test::run(&cargo_args),
        Task::Existing => test::existing(),
        Task::Clients => clients::run(&clients::find_or_install()?),
        Task::Tidy { write } => tidy::run(write),
        Task::Features { combination, each } => features::run(combination.as_deref(), each),
        Task::Dependencies => dependencies::run(),
        Task::Package { quick } => package::run(quick),
        Task::Bench(options) => bench::run(&options),
        Task::CompileTime(options) => compile_time::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Cluster(options) => cluster::run(&options),
        Task::Faults(options) => faults::run(&options),
        Task::Databases => databases::keep_running(),
    }
}

/// The root of the workspace, wherever the command is called from.
fn workspace_root() -> PathBuf {
    // Cargo says where it runs; a program that was built elsewhere and copied has another place compiled in.
    let here = env::var_os("CARGO_MANIFEST_DIR");
    let xtask = here.map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    xtask.parent().unwrap_or(&xtask).to_path_buf()
}

/// The cargo that runs this, at the root. It does not hear which package it is run from: build scripts that look at that would
/// run again, and all that depends on them would be compiled again.
fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(name);
        }
    }
    cargo.current_dir(workspace_root());
    cargo
}
