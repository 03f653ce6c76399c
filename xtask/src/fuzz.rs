//! Fuzzes what reads a client's text and a database's bytes, guided by the branches that inputs reach.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread::{self, ScopedJoinHandle, available_parallelism};

use anyhow::{Context, Result, bail};

use crate::machine::temp::Folder;
use crate::{cargo, interrupt, workspace_root};

/// `fuzz/README.md` says what each is.
const TARGETS: [&str; 5] = ["query", "json", "sql", "cursor", "wire"];

/// For all together, a minute.
const SECONDS: u64 = 12;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// One target only
    target: Option<String>,
    /// For how long each target is fuzzed
    #[arg(long, default_value_t = SECONDS)]
    seconds: u64,
    /// Put inputs that reached something new into fuzz/corpus
    #[arg(long)]
    keep: bool,
}

impl Options {
    /// What is part of the tests.
    pub(crate) fn short() -> Self {
        Self {
            target: None,
            seconds: SECONDS,
            keep: false,
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let targets: Vec<_> = TARGETS
        .into_iter()
        .filter(|name| options.target.as_ref().is_none_or(|only| only == name))
        .collect();
    if targets.is_empty() {
        bail!("the targets are {}", TARGETS.join(", "));
    }
    let program = build()?;
    // Next to the folder of the program.
    let crashes = program.parent().map(|folder| folder.with_file_name("fuzz"));
    let crashes = crashes.context("cannot tell where cargo builds")?;
    fs::create_dir_all(&crashes)?;
    let at_once = available_parallelism().map_or(1, std::num::NonZero::get);
    let mut failed = Vec::new();
    for some in targets.chunks(at_once) {
        let (program, crashes) = (&program, &crashes);
        let results: Vec<_> = thread::scope(|scope| {
            let running: Vec<_> = (some.iter().copied())
                .map(|name| scope.spawn(move || fuzz(program, name, options, crashes)))
                .collect();
            running.into_iter().map(ScopedJoinHandle::join).collect()
        });
        for (name, result) in some.iter().zip(results) {
            match result {
                Ok(Ok(said)) => println!("{name:7} {said}"),
                Ok(Err(error)) => {
                    println!("{name:7} FAILED: {error:#}");
                    failed.push(*name);
                }
                Err(_) => bail!("a thread panicked"),
            }
        }
    }
    Ok(if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// With all crates of the workspace, whose features are then those that the tests were built with: there is little to build.
fn build() -> Result<PathBuf> {
    let root = workspace_root();
    let here = env::current_exe().context("cannot tell where cargo builds")?;
    let mut build = cargo();
    build
        .args(["build", "--workspace", "--bin", "fuzz"])
        .env("RUSTC_WORKSPACE_WRAPPER", root.join("fuzz/rustc"));
    if !interrupt::run(build.stdin(Stdio::null()))?.success() {
        bail!("the fuzzer does not build");
    }
    Ok(here.with_file_name("fuzz"))
}

/// What the fuzzer said in the end: how many inputs it tried, and how many of them are worth keeping.
fn fuzz(program: &Path, target: &str, options: &Options, crashes: &Path) -> Result<String> {
    let corpus = workspace_root().join("fuzz/corpus").join(target);
    fs::create_dir_all(&corpus)?;
    let scratch = Folder::create("fuzz")?;
    let log = scratch.log();
    let found = scratch.join("found");
    fs::create_dir(&found)?;
    let mut fuzzer = Command::new(program);
    fuzzer
        .env("LISTING_FUZZ_TARGET", target)
        .arg(format!("-max_total_time={}", options.seconds))
        .arg(format!("-artifact_prefix={}/{target}-", crashes.display()))
        .args(["-max_len=4096", "-timeout=10", "-print_final_stats=1"])
        .args([&found, &corpus])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log)?);
    let status = interrupt::run(&mut fuzzer)?;
    let said = fs::read_to_string(&log).unwrap_or_default();
    if !status.success() {
        let lines: Vec<_> = said.lines().collect();
        bail!("{}", lines[lines.len().saturating_sub(40)..].join("\n"));
    }
    if options.keep {
        let mut merge = Command::new(program);
        merge
            .env("LISTING_FUZZ_TARGET", target)
            .args(["-merge=1", "-max_len=4096"])
            .args([&corpus, &found])
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        if !interrupt::run(&mut merge)?.success() {
            bail!("what was found could not be kept");
        }
    }
    let stat = |name: &str| {
        let line = said.lines().find(|line| line.contains(name));
        let number = line.and_then(|line| line.split_whitespace().last());
        number.unwrap_or("?").to_owned()
    };
    let (tried, new) = (stat("number_of_executed_units"), stat("new_units_added"));
    Ok(format!("{tried} inputs, {new} new"))
}
