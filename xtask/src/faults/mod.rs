//! Makes faults happen to the reference service on each database, under a load of verified requests.

mod database;
mod load;
mod scenario;
pub(crate) mod service;

use std::process::ExitCode;

use anyhow::{Context, Result};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use self::scenario::{Scenario, Total};
use crate::clients::build_blog;
use crate::databases::{self, Engine};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How often the service and the database are killed
    #[arg(long, value_name = "TIMES", default_value_t = 1)]
    kills: usize,
    /// One database only
    #[arg(long, value_enum, value_name = "DATABASE")]
    only: Option<Engine>,
    /// Leave out what takes long by its nature; part of `test` without arguments
    #[arg(long)]
    short: bool,
}

impl Options {
    /// What is part of the tests.
    pub(crate) fn short() -> Self {
        Self {
            kills: 1,
            only: None,
            short: true,
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let sources = databases::find_programs()?;
    let program = build_blog()?;
    open_many_files();
    println!("| database | fault | errors | recovered after |");
    println!("|---|---|---|---|");
    let mut totals = Vec::new();
    for engine in [Engine::Postgres, Engine::Mariadb, Engine::Sqlite] {
        if options.only.is_some_and(|only| only != engine) {
            continue;
        }
        let total = Scenario::start(engine, &sources, &program)
            .and_then(|scenario| scenario.run(&program, options.kills, options.short))
            .with_context(|| format!("faults on {}", engine.name()))?;
        totals.push((engine, total));
    }
    println!(
        "\n| database | requests | wrong bodies | cut off | acknowledged writes | lost | half-written | without event |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut passed = true;
    for (engine, total) in &totals {
        let Total {
            requests,
            wrong,
            cut,
            acknowledged,
            lost,
            half_written,
            untold,
        } = total;
        println!(
            "| {} | {requests} | {wrong} | {cut} | {acknowledged} | {lost} | {half_written} | {untold} |",
            engine.name()
        );
        passed &= *wrong == 0 && *lost == 0 && *half_written == 0 && *untold == 0;
    }
    Ok(if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Lets this process, and the services that it starts, have as many connections as the system allows.
fn open_many_files() {
    let most = getrlimit(Resource::Nofile).maximum;
    let all = Rlimit {
        current: most,
        maximum: most,
    };
    // Where it is refused, what needs more says so.
    let _ = setrlimit(Resource::Nofile, all);
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        options: Options,
    }

    fn only(database: &str) -> Result<Option<Engine>, clap::Error> {
        Cli::try_parse_from(["faults", "--only", database]).map(|cli| cli.options.only)
    }

    /// Rule b519.
    #[test]
    fn a_database_that_is_not_one_of_three_is_an_error() {
        for engine in [Engine::Postgres, Engine::Mariadb, Engine::Sqlite] {
            assert_eq!(only(engine.name()).unwrap(), Some(engine));
        }
        let error = only("mysql").unwrap_err().to_string();
        assert!(error.contains("postgres, mariadb, sqlite"), "{error}");
    }
}
