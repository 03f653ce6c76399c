//! In: arguments for `cargo test`. Out: its exit code, after a run on three databases.

use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::{env, thread};

use anyhow::{Result, anyhow};

use crate::{databases, interrupt, workspace_root};

pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    // Before compiling: whoever lacks a database should hear of it at once.
    let sources = databases::find_or_install()?;
    let (built, databases) = thread::scope(|scope| {
        let databases = scope.spawn(|| databases::bring_up(&sources));
        let built = interrupt::run(cargo_test(args, true).stdin(Stdio::null()));
        let databases = databases.join().map_err(|_| anyhow!("a thread panicked"))?;
        Ok::<_, anyhow::Error>((built?, databases?))
    })?;
    if !built.success() {
        return Ok(exit_code(built));
    }

    let status = interrupt::run(
        cargo_test(args, false)
            .stdin(Stdio::null())
            .envs(databases.variables()),
    )?;

    let outcome = if status.success() { "passed" } else { "FAILED" };
    println!("\ntests {outcome} on");
    println!("  sqlite    embedded");
    println!("  postgres  {}", databases.postgres.description);
    println!("  mariadb   {}", databases.mariadb.description);
    Ok(exit_code(status))
}

fn cargo_test(args: &[String], only_build: bool) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace_root()).arg("test");
    if only_build {
        cargo.arg("--no-run");
    }
    // Cargo takes `--workspace` to mean all of them even beside `-p`.
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
        assert_eq!(args_of(&[], false), "test --workspace");
        assert_eq!(args_of(&["walk"], false), "test --workspace walk");
        assert_eq!(
            args_of(&["-p", "xtask", "walk"], false),
            "test -p xtask walk"
        );
        assert_eq!(
            args_of(&["--", "-p"], true),
            "test --no-run --workspace -- -p"
        );
    }
}
