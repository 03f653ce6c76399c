//! Builds the application in the current folder and asks it a question.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use listing_axum::{CONSOLE, ConsoleAnswer, ConsoleQuestion, ExplainQuestion};
use serde_json::Value;

use crate::arguments::ApplicationArguments;
use crate::terminal::Progress;

/// Builds the application and asks it. `database` stands in for the configured one.
pub(crate) fn ask(
    arguments: &ApplicationArguments,
    database: Option<&str>,
    explain: Option<ExplainQuestion>,
) -> Result<ConsoleAnswer> {
    let program = {
        let _progress = Progress::new("building the application");
        build(arguments)?
    };
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let answer = folder.path().join("answer.json");
    let question = serde_json::to_string(&ConsoleQuestion {
        answer: answer.clone(),
        explain,
    })?;
    let mut command = Command::new(&program);
    command.env(CONSOLE, question);
    if let Some(database) = database {
        command.env("DATABASE_URL", database);
    }
    let (status, said) = run(command, folder.path(), arguments.timeout)?;
    if !status.success() {
        bail!("the application did not start:\n{}", said.trim());
    }
    let bytes = fs::read(&answer).map_err(|_| no_console(&said))?;
    serde_json::from_slice(&bytes)
        .context("this command does not understand the application's answer; build both from the same version")
}

/// The executable, built.
fn build(arguments: &ApplicationArguments) -> Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args([
        "build",
        "--quiet",
        "--message-format=json-render-diagnostics",
    ]);
    if let Some(package) = &arguments.package {
        cargo.args(["--package", package]);
    }
    if arguments.release {
        cargo.arg("--release");
    }
    let output = cargo
        .stdin(Stdio::null())
        .output()
        .context("cannot run cargo; is Rust installed?")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("the application does not build:\n{}", said.trim());
    }
    let mut programs = executables(&output.stdout);
    match (programs.pop(), programs.is_empty()) {
        (Some(program), true) => Ok(program),
        (None, _) => {
            bail!("there is no program in this folder; run this in the folder of an application")
        }
        (Some(_), false) => {
            bail!("there are several programs in this folder; choose one with `--package`")
        }
    }
}

/// The programs that cargo says it built.
fn executables(messages: &[u8]) -> Vec<PathBuf> {
    let messages = String::from_utf8_lossy(messages);
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let kinds = message.get("target")?.get("kind")?.as_array()?;
        kinds.iter().any(|kind| kind == "bin").then_some(())?;
        Some(PathBuf::from(message.get("executable")?.as_str()?))
    };
    messages.lines().filter_map(executable).collect()
}

/// Runs the application until it ends, and returns what it logged. One that does not end does not know the question.
fn run(mut command: Command, folder: &Path, timeout: u64) -> Result<(ExitStatus, String)> {
    let log = folder.join("log");
    let said = || fs::read_to_string(&log).unwrap_or_default();
    let mut application = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&log)?)
        .spawn()
        .context("cannot start the application")?;
    let end = Instant::now() + Duration::from_secs(timeout);
    loop {
        if let Some(status) = application.try_wait()? {
            return Ok((status, said()));
        }
        if Instant::now() > end {
            application.kill()?;
            application.wait()?;
            return Err(no_console(&said()));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn no_console(said: &str) -> anyhow::Error {
    anyhow!(
        "the application did not answer; its `main` needs this before it serves:\n\n    \
         if listing_axum::console(&config, &listings, &routes)? {{\n        return Ok(());\n    }}\n\n{}",
        said.trim()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b121_an_application_that_does_not_answer_is_ended_and_told_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let mut mute = Command::new("sleep");
        mute.arg("600");
        let begun = Instant::now();
        let error = run(mute, folder.path(), 0).unwrap_err().to_string();
        assert!(error.contains("listing_axum::console("), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
}
