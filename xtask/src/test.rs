//! Runs `cargo test` on three databases and, without arguments, the tests of the clients, faults, a cluster and the fuzzer.

use std::env;
use std::num::NonZero;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::thread;

use anyhow::{Result, anyhow};

use crate::databases::Databases;
use crate::machine::temp::Folder;
use crate::{cargo, clients, cluster, databases, faults, fuzz, interrupt};

/// The tests of generated applications, with every sample schema.
pub(crate) fn existing() -> Result<ExitCode> {
    let args = ["-p", "listing-cli", "--test", "command", "existing::"];
    run_with(&args.map(str::to_owned), &[("LISTING_TEST_EXISTING", "1")])
}

/// The tests of lists, which are run through PgBouncer.
const LISTS: [&str; 8] = [
    "exports", "filters", "language", "numbers", "pages", "search", "select", "suite",
];

/// Those of them that are run so with all others, since they have every kind of condition and every way to page.
const SOME_LISTS: [&str; 2] = ["filters", "pages"];

/// Tests with PgBouncer in front of PostgreSQL: those of lists, unless others are named.
pub(crate) fn through_pgbouncer(args: &[String]) -> Result<ExitCode> {
    let sources = databases::find_or_install()?;
    databases::pgbouncer::find_or_install()?;
    let databases = databases::bring_up(&sources, None)?;
    let all = programs(&LISTS);
    let status = pooled(if args.is_empty() { &all } else { args }, &databases)?;
    Ok(exit_code(status))
}

fn pooled(args: &[String], databases: &Databases) -> Result<ExitStatus> {
    let pooler = databases::pgbouncer::start(&databases.postgres)?;
    let folder = Folder::create("tests")?;
    let status = interrupt::run(
        cargo_test(args, false)
            .stdin(Stdio::null())
            .env("TMPDIR", folder.path())
            .env(THREADS, threads())
            .env(databases::pgbouncer::POOLER_URL, &pooler.url)
            .envs(databases.variables()),
    )?;
    let outcome = if status.success() { "passed" } else { "FAILED" };
    println!("\ntests {outcome} through {}", pooler.description);
    Ok(status)
}

/// Arguments of cargo that name test programs.
fn programs(names: &[&str]) -> Vec<String> {
    let named = |name: &&str| ["--test".to_owned(), (*name).to_owned()];
    names.iter().flat_map(named).collect()
}

pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    run_with(args, &[])
}

fn run_with(args: &[String], variables: &[(&str, &str)]) -> Result<ExitCode> {
    // Before compiling, so that a missing program is reported at once.
    let sources = databases::find_or_install()?;
    databases::pgbouncer::find_or_install()?;
    let whole_suite = args.is_empty();
    let clients = whole_suite.then(clients::find_or_install).transpose()?;
    if whole_suite {
        cluster::find_or_install(cluster::Engine::Postgres)?;
    }
    let (built, databases, replicated) = thread::scope(|scope| {
        let databases = scope.spawn(|| databases::bring_up(&sources, None));
        let replicated = scope.spawn(databases::replicas::bring_up);
        let built = interrupt::run(cargo_test(args, true).stdin(Stdio::null()));
        let databases = databases.join().map_err(|_| anyhow!("a thread panicked"))?;
        let replicated = replicated
            .join()
            .map_err(|_| anyhow!("a thread panicked"))?;
        Ok::<_, anyhow::Error>((built?, databases?, replicated?))
    })?;
    if !built.success() {
        return Ok(exit_code(built));
    }

    // What tests leave behind goes with it.
    let folder = Folder::create("tests")?;
    let status = interrupt::run(
        cargo_test(args, false)
            .stdin(Stdio::null())
            .env("TMPDIR", folder.path())
            .env(THREADS, threads())
            .envs(variables.iter().copied())
            .envs(databases.variables())
            .envs(replicated.variables()),
    )?;
    drop(replicated);

    let outcome = if status.success() { "passed" } else { "FAILED" };
    println!("\ntests {outcome} on");
    println!("  sqlite    embedded");
    println!("  postgres  {}", databases.postgres.description);
    println!("  mariadb   {}", databases.mariadb.description);
    match clients {
        Some(clients) if status.success() => {
            let status = pooled(&programs(&SOME_LISTS), &databases)?;
            if !status.success() {
                return Ok(exit_code(status));
            }
            drop(databases);
            let tested = clients::run(&clients)?;
            if tested != ExitCode::SUCCESS {
                return Ok(tested);
            }
            let tested = faults::run(&faults::Options::short())?;
            if tested != ExitCode::SUCCESS {
                return Ok(tested);
            }
            let tested = cluster::run(&cluster::Options::short())?;
            if tested != ExitCode::SUCCESS {
                return Ok(tested);
            }
            fuzz::run(&fuzz::Options::short())
        }
        _ => Ok(exit_code(status)),
    }
}

/// The variable that says how many tests are run at the same time.
const THREADS: &str = "RUST_TEST_THREADS";

/// As many as somebody asked for, or two for each processor: tests wait for databases, browsers and time limits about as long as
/// they compute.
fn threads() -> String {
    env::var(THREADS).unwrap_or_else(|_| {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        (processors * 2).to_string()
    })
}

fn cargo_test(args: &[String], only_build: bool) -> Command {
    let mut cargo = cargo();
    // One run shows every failure, and not only those of the first program that has some.
    cargo.args([
        "test",
        if only_build {
            "--no-run"
        } else {
            "--no-fail-fast"
        },
    ]);
    // With `--workspace`, cargo tests all packages even if `-p` names some.
    if !names_packages(args) {
        cargo.arg("--workspace");
    }
    cargo.args(args);
    cargo
}

fn names_packages(args: &[String]) -> bool {
    args.iter().take_while(|arg| *arg != "--").any(|arg| {
        arg == "--package"
            || arg.starts_with("--package=")
            || (arg.starts_with("-p") && !arg.starts_with("--"))
    })
}

fn exit_code(status: ExitStatus) -> ExitCode {
    match status.code().and_then(|code| u8::try_from(code).ok()) {
        Some(code) => ExitCode::from(code),
        None => ExitCode::FAILURE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args_of(args: &[&str], only_build: bool) -> String {
        let args: Vec<_> = args.iter().copied().map(str::to_owned).collect();
        let command = cargo_test(&args, only_build);
        let args: Vec<_> = command.get_args().map(|a| a.to_string_lossy()).collect();
        args.join(" ")
    }

    #[test]
    fn everything_is_tested_unless_packages_are_named() {
        assert_eq!(args_of(&[], false), "test --no-fail-fast --workspace");
        assert_eq!(
            args_of(&["walk"], false),
            "test --no-fail-fast --workspace walk"
        );
        assert_eq!(
            args_of(&["-p", "xtask", "walk"], false),
            "test --no-fail-fast -p xtask walk"
        );
        assert_eq!(
            args_of(&["--", "-p"], true),
            "test --no-run --workspace -- -p"
        );
    }
}
