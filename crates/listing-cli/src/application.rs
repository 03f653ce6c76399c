//! Builds the application in the current folder and asks it a question.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use listing_axum::console::{CONSOLE, ConsoleAnswer, ConsoleQuestion, ExplainQuestion};
use serde_json::Value;

use crate::arguments::ApplicationArguments;
use crate::terminal::Progress;

/// Builds the application and asks it a question. `database` replaces the configured one.
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
    let mut cargo = new_cargo();
    cargo.args([
        "build",
        "--quiet",
        "--message-format=json-render-diagnostics",
    ]);
    if let Some(package) = &arguments.package {
        cargo.args(["--package", package]);
    }
    if let Some(bin) = &arguments.bin {
        cargo.args(["--bin", bin]);
    }
    if arguments.release {
        cargo.arg("--release");
    }
    let output = output_of(cargo)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("the application does not build:\n{}", said.trim());
    }
    let mut programs = programs(&output.stdout);
    if programs.len() > 1 {
        let mut cargo = new_cargo();
        cargo.args(["metadata", "--no-deps", "--format-version", "1"]);
        programs = chosen(
            programs,
            &serde_json::from_slice(&output_of(cargo)?.stdout)?,
        )?;
    }
    let Some(program) = programs.pop() else {
        bail!("there is no program in this folder; run this in the folder of an application");
    };
    Ok(program.file)
}

fn new_cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn output_of(mut cargo: Command) -> Result<Output> {
    let output = cargo.stdin(Stdio::null()).output();
    output.context("cannot run cargo; is Rust installed?")
}

/// A program that cargo built.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Program {
    /// The id of its package.
    package: String,
    name: String,
    file: PathBuf,
}

/// The programs that cargo says it built.
fn programs(messages: &[u8]) -> Vec<Program> {
    let messages = String::from_utf8_lossy(messages);
    let program = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let target = message.get("target")?;
        let kinds = target.get("kind")?.as_array()?;
        kinds.iter().any(|kind| kind == "bin").then_some(())?;
        Some(Program {
            package: message.get("package_id")?.as_str()?.to_owned(),
            name: target.get("name")?.as_str()?.to_owned(),
            file: PathBuf::from(message.get("executable")?.as_str()?),
        })
    };
    messages.lines().filter_map(program).collect()
}

/// Of each package the program that `default-run` names, or else the one with the same name as the package (b501).
fn chosen(programs: Vec<Program>, metadata: &Value) -> Result<Vec<Program>> {
    let is_main = |program: &&Program| {
        let siblings = programs.iter().filter(|p| p.package == program.package);
        let mut packages = metadata["packages"].as_array().into_iter().flatten();
        let package = packages.find(|package| package["id"] == program.package.as_str());
        let main = package.and_then(|one| one["default_run"].as_str().or(one["name"].as_str()));
        siblings.count() == 1 || main == Some(&program.name)
    };
    let main: Vec<_> = programs.iter().filter(is_main).cloned().collect();
    if main.len() == 1 {
        return Ok(main);
    }
    let names: Vec<_> = programs.iter().map(|p| p.name.as_str()).collect();
    bail!(
        "there are several programs in this folder: {}; choose one with `--bin`",
        names.join(", ")
    )
}

/// Runs the application until it exits, and returns its log. An application that does not exit does not know the question.
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
         if listing_axum::console::console(&config, &listings, &routes)? {{\n        return Ok(());\n    }}\n\n{}",
        said.trim()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b501.
    #[test]
    fn of_several_programs_the_main_one_is_asked() {
        let program = |package: &str, name: &str| Program {
            package: format!("path+file:///{package}#0.1.0"),
            name: name.to_owned(),
            file: PathBuf::from(name),
        };
        let package = |name: &str, default_run: Option<&str>| {
            let id = format!("path+file:///{name}#0.1.0");
            serde_json::json!({ "id": id, "name": name, "default_run": default_run })
        };
        let choose = |programs: &[Program], default_run: Option<&str>| {
            let packages = [package("shop", default_run), package("bank", None)];
            let metadata = serde_json::json!({ "packages": packages });
            chosen(programs.to_vec(), &metadata)
        };
        let shop = [program("shop", "seed"), program("shop", "shop")];
        assert_eq!(choose(&shop, None).unwrap(), shop[1..]);
        assert_eq!(choose(&shop, Some("seed")).unwrap(), shop[..1]);
        let neither = [program("shop", "seed"), program("shop", "serve")];
        let both = [program("shop", "shop"), program("bank", "teller")];
        for (programs, names) in [(neither, "seed, serve"), (both, "shop, teller")] {
            let error = choose(&programs, None).unwrap_err().to_string();
            let wanted = format!(": {names}; choose one with `--bin`");
            assert!(error.ends_with(&wanted), "{error}");
        }
    }

    /// Rule b121.
    #[test]
    fn an_application_that_does_not_answer_is_ended_and_told_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let mut mute = Command::new("sleep");
        mute.arg("600");
        let begun = Instant::now();
        let error = run(mute, folder.path(), 0).unwrap_err().to_string();
        assert!(error.contains("listing_axum::console::console("), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
}
