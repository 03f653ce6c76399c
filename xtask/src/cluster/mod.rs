//! Runs copies of the reference service on a real cluster of databases, and verifies every answer while faults happen.

mod draw;
mod fault;
mod galera;
mod haproxy;
mod load;
mod member;
mod postgres;
mod programs;
mod progress;
mod scenario;
mod seen;
mod shares;
mod system;
mod total;
mod verify;
mod writer;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::ValueEnum;

pub(crate) use self::programs::find_or_install;
use self::scenario::Scenario;
use crate::clients::build_blog;
use crate::databases;

/// The clusters that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// A primary and two replicas under Patroni, with etcd, in synchronous mode
    Postgres,
    /// Three nodes of MariaDB that each have all rows
    Galera,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The databases
    #[arg(value_enum, value_name = "CLUSTER")]
    engine: Engine,
    /// Three faults only; part of `test` without arguments
    #[arg(long, conflicts_with = "minutes")]
    short: bool,
    /// How long faults happen
    #[arg(long, value_name = "MINUTES", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1440))]
    minutes: u64,
    /// Decides which faults happen, and in which order
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// A reference service that is already built, instead of building it
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

impl Options {
    /// What is part of the tests.
    pub(crate) fn short() -> Self {
        Self {
            engine: Engine::Postgres,
            short: true,
            minutes: 10,
            seed: 1,
            program: None,
        }
    }

    /// How long faults happen; none for a fixed number of them.
    fn time(&self) -> Option<Duration> {
        (!self.short).then(|| Duration::from_secs(self.minutes * 60))
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    databases::find_programs()?;
    find_or_install(options.engine)?;
    let program = match &options.program {
        Some(program) => program.canonicalize().map_err(|error| {
            let program = program.display();
            anyhow!("--program {program}: {error}")
        })?,
        None => build_blog()?,
    };
    let total = Scenario::start(options.engine, &program, options.seed)?.run(options.time())?;
    print!("{total}");
    Ok(if total.passed() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Cli {
        #[command(flatten)]
        options: Options,
    }

    fn options(arguments: &[&str]) -> Result<Options, String> {
        let arguments = ["cluster"].iter().chain(arguments);
        let parsed = Cli::try_parse_from(arguments).map(|cli| cli.options);
        parsed.map_err(|error| error.to_string())
    }

    /// Rule b1170.
    #[test]
    fn a_cluster_or_a_time_that_is_not_one_is_an_error() {
        let time = |arguments: &[&str]| options(arguments).unwrap().time();
        assert_eq!(time(&["postgres"]), Some(Duration::from_secs(600)));
        assert_eq!(
            time(&["galera", "--minutes", "2"]),
            Some(Duration::from_secs(120))
        );
        assert_eq!(time(&["postgres", "--short"]), None);
        let error = options(&["mysql"]).unwrap_err();
        assert!(error.contains("postgres, galera"), "{error}");
        let error = options(&["galera", "--minutes", "0"]).unwrap_err();
        assert!(error.contains("1..=1440"), "{error}");
        assert!(options(&["postgres", "--short", "--minutes", "2"]).is_err());
    }
}
