//! Makes faults happen to the reference service on each database, under a load of verified requests.

mod client;
mod database;
mod load;
mod service;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use self::database::Database;
use self::load::Load;
use self::service::Service;
use crate::clients::build_blog;
use crate::databases::{self, Engine};
use crate::interrupt;

/// For how long a database is slow: long enough that requests wait, shorter than they may take.
const FROZEN: Duration = Duration::from_secs(2);

/// For how long a database is away.
const AWAY: Duration = Duration::from_secs(1);

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How often the service and the database are killed
    #[arg(long, value_name = "TIMES", default_value_t = 1)]
    kills: usize,
    /// One database only: `postgres`, `mariadb` or `sqlite`
    #[arg(long, value_name = "DATABASE")]
    only: Option<String>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let sources = databases::find_programs()?;
    let program = build_blog()?;
    println!("| database | fault | errors | recovered after |");
    println!("|---|---|---|---|");
    let mut totals = Vec::new();
    for engine in [Engine::Postgres, Engine::Mariadb, Engine::Sqlite] {
        if options
            .only
            .as_ref()
            .is_some_and(|only| *only != engine.name())
        {
            continue;
        }
        let total = faults(engine, &sources, &program, options)
            .with_context(|| format!("faults on {}", engine.name()))?;
        totals.push((engine, total));
    }
    println!("\n| database | requests | wrong bodies | cut off | acknowledged writes | lost |");
    println!("|---|---|---|---|---|---|");
    let mut passed = true;
    for (engine, total) in &totals {
        let Total {
            requests,
            wrong,
            cut,
            acknowledged,
            lost,
        } = total;
        println!(
            "| {} | {requests} | {wrong} | {cut} | {acknowledged} | {lost} |",
            engine.name()
        );
        passed &= *wrong == 0 && *lost == 0;
    }
    Ok(if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

struct Total {
    requests: u64,
    wrong: u64,
    /// Answers that broke off, which they may when a service is killed.
    cut: u64,
    acknowledged: usize,
    lost: usize,
}

fn faults(
    engine: Engine,
    sources: &databases::Sources,
    program: &Path,
    options: &Options,
) -> Result<Total> {
    let mut database = Database::start(engine, sources)?;
    let mut service = Service::new(program.to_path_buf(), &database.url)?;
    let has_server = engine != Engine::Sqlite;
    if has_server {
        // Away at the start: the service waits, and is not ready.
        database.stop();
        service.launch()?;
        thread::sleep(AWAY);
        ensure!(!service.is_ready(), "ready without a database");
        database.up()?;
        service.wait_until_ready()?;
        println!(
            "| {} | away at the start | waits, not ready | |",
            engine.name()
        );
    } else {
        service.start()?;
    }
    let load = Load::start(service.address)?;
    load.recovered()?;
    let mut cut = 0;
    let mut tell = |fault: &str, errors: BTreeMap<String, u64>, after: Duration| {
        cut += errors.get("cut").copied().unwrap_or_default();
        let errors: Vec<_> = errors
            .iter()
            .map(|(kind, times)| format!("{times} × {kind}"))
            .collect();
        let errors = if errors.is_empty() {
            "none".to_owned()
        } else {
            errors.join(", ")
        };
        println!(
            "| {} | {fault} | {errors} | {:.2} s |",
            engine.name(),
            after.as_secs_f64()
        );
    };
    if has_server {
        database.stop();
        thread::sleep(AWAY);
        database.up()?;
        let after = load.recovered()?;
        let errors = load.seen.take_errors();
        ensure!(
            !errors.contains_key("500"),
            "a database that is away is a 500: {errors:?}"
        );
        tell("database restarted", errors, after);

        database.freeze()?;
        thread::sleep(FROZEN);
        database.thaw()?;
        let after = load.recovered()?;
        tell("database slow for 2 s", load.seen.take_errors(), after);
    }
    let mut longest = Duration::ZERO;
    for _ in 0..options.kills {
        interrupt::check()?;
        service.kill();
        service.start()?;
        longest = longest.max(load.recovered()?);
    }
    tell(
        &format!("service killed, {} ×", options.kills),
        load.seen.take_errors(),
        longest,
    );
    if has_server {
        let mut longest = Duration::ZERO;
        for _ in 0..options.kills {
            interrupt::check()?;
            database.kill()?;
            database.up()?;
            longest = longest.max(load.recovered()?);
        }
        tell(
            &format!("database killed, {} ×", options.kills),
            load.seen.take_errors(),
            longest,
        );
    }
    let took = service.terminate()?;
    service.start()?;
    load.recovered()?;
    let errors = load.seen.take_errors();
    ensure!(
        !errors.contains_key("cut"),
        "SIGTERM cut answers off: {errors:?}"
    );
    tell(
        &format!("SIGTERM, ended after {:.2} s", took.as_secs_f64()),
        errors,
        Duration::ZERO,
    );

    let (seen, acknowledged, lost) = load.finish()?;
    Ok(Total {
        requests: seen.requests.load(Ordering::Relaxed),
        wrong: seen.wrong.load(Ordering::Relaxed),
        cut,
        acknowledged,
        lost,
    })
}
