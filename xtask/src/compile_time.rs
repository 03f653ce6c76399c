//! Measures how long a newcomer waits: builds from an empty target folder.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::machine::temp::Folder;
use crate::{cargo, interrupt, metadata, workspace_root};

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Build {
    /// What `cargo run` builds in this workspace
    Blog,
    /// What `cargo run` builds in the application of `listing new`, on SQLite
    New,
    /// An empty application with the other dependencies of that one (axum, SeaORM, migrations): what nobody can go below
    Without,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Measure one of them only
    #[arg(long, value_enum)]
    only: Option<Build>,
    /// Measure another checkout of this project, to compare with
    #[arg(long, value_name = "FOLDER")]
    checkout: Option<PathBuf>,
    /// Keep cargo's report on each crate as `target/compile-time-<build>.html`
    #[arg(long)]
    timings: bool,
}

struct Measured {
    time: Duration,
    /// Of all cores together; it hardly changes when the machine is busy with other things.
    processor: Duration,
    crates: usize,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let root = match &options.checkout {
        Some(folder) => folder
            .canonicalize()
            .with_context(|| format!("cannot find {}", folder.display()))?,
        None => workspace_root(),
    };
    let builds = [Build::Blog, Build::New, Build::Without];
    let builds = builds
        .into_iter()
        .filter(|build| options.only.is_none_or(|only| only == *build));
    let mut lines = Vec::new();
    for build in builds {
        let (label, measured) = match build {
            Build::Blog => ("the blog", blog(&root, options.timings)?),
            Build::New => ("`listing new`, SQLite", new(&root, true, options.timings)?),
            Build::Without => ("the same without us", new(&root, false, options.timings)?),
        };
        let seconds = measured.time.as_secs_f64();
        let processor = measured.processor.as_secs_f64();
        lines.push(format!(
            "{label:<24} {seconds:6.1} s  {processor:6.1} s of processor time  {:4} crates",
            measured.crates
        ));
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    println!("cargo build from an empty target folder, {cores} cores:");
    for line in lines {
        println!("  {line}");
    }
    Ok(ExitCode::SUCCESS)
}

fn blog(root: &Path, timings: bool) -> Result<Measured> {
    let folder = Folder::create("compile-time")?;
    let mut build = cargo();
    build
        .args(["build", "--locked", "--package", "blog"])
        .current_dir(root);
    measure(&folder, build, timings.then_some("blog"))
}

fn new(root: &Path, with_us: bool, timings: bool) -> Result<Measured> {
    // The command is not what is measured, so it may be there already.
    let target = root.join("target");
    let mut command = cargo();
    command
        .args(["build", "--locked", "--package", "listing-cli"])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(root);
    if !interrupt::run(&mut command)?.success() {
        bail!("the command could not be built");
    }
    let folder = Folder::create("compile-time")?;
    let mut listing = Command::new(target.join("debug").join("listing"));
    listing
        .args(["new", "shop"])
        .current_dir(folder.path())
        .stdout(Stdio::null());
    if !interrupt::run(&mut listing)?.success() {
        bail!("`listing new` failed");
    }
    let shop = folder.join("shop");
    // The versions that the workspace compiles, which are downloaded already.
    fs::copy(root.join("Cargo.lock"), shop.join("Cargo.lock"))?;
    if !with_us {
        empty(&shop)?;
    }
    let mut build = cargo();
    build.arg("build").current_dir(&shop);
    let report = if with_us { "new" } else { "without" };
    measure(&folder, build, timings.then_some(report))
}

/// Leaves nothing of an application but its dependencies on others.
fn empty(application: &Path) -> Result<()> {
    let manifest = application.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    let others = text.lines().filter(|line| !line.starts_with("listing"));
    fs::write(&manifest, others.collect::<Vec<_>>().join("\n"))?;
    for folder in ["src", "tests"] {
        let folder = application.join(folder);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
    }
    fs::create_dir(application.join("src"))?;
    fs::write(application.join("src/main.rs"), "fn main() {}\n")?;
    Ok(())
}

/// Runs a build into an empty target folder. What it says goes into a file, whose lines tell how many crates there were.
fn measure(folder: &Folder, mut build: Command, report: Option<&str>) -> Result<Measured> {
    download(&build)?;
    let target = folder.join("target");
    let said = folder.join("said");
    build
        .arg("--target-dir")
        .arg(&target)
        .stderr(File::create(&said)?);
    if report.is_some() {
        build.arg("--timings");
    }
    let before = processor_time_of_children()?;
    let start = Instant::now();
    let status = interrupt::run(&mut build)?;
    let time = start.elapsed();
    let said = fs::read_to_string(&said)?;
    if !status.success() {
        bail!("the build failed:\n{said}");
    }
    if let Some(name) = report {
        keep_report(&target, name)?;
    }
    Ok(Measured {
        time,
        processor: processor_time_of_children()?.saturating_sub(before),
        crates: compiled(&said),
    })
}

/// What the processes that this one has waited for, and theirs, have used so far.
fn processor_time_of_children() -> Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").context("cannot read the processor time")?;
    children_in(&stat).context("the processor time cannot be understood")
}

/// Fields 16 and 17 of `/proc/self/stat`, in hundredths of a second. The second field is a name in brackets, and may
/// itself contain blanks.
fn children_in(stat: &str) -> Option<Duration> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(13);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(Duration::from_millis((user + system) * 10))
}

/// Downloads are not what is measured.
fn download(build: &Command) -> Result<()> {
    let mut fetch = cargo();
    fetch.args(["fetch", "--quiet", "--target", &metadata::host()?]);
    if let Some(folder) = build.get_current_dir() {
        fetch.current_dir(folder);
    }
    if !interrupt::run(&mut fetch)?.success() {
        bail!("`cargo fetch` failed");
    }
    Ok(())
}

fn keep_report(target: &Path, name: &str) -> Result<()> {
    let from = target.join("cargo-timings").join("cargo-timing.html");
    let to = metadata::of_workspace()?
        .target_directory
        .join(format!("compile-time-{name}.html"));
    fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
    println!("{}", to.display());
    Ok(())
}

fn compiled(said: &str) -> usize {
    let lines = said.lines().map(str::trim_start);
    lines.filter(|line| line.starts_with("Compiling ")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b233.
    #[test]
    fn dependencies_are_compiled_without_debug_information_and_few_with_optimisation() {
        let manifest = fs::read_to_string(workspace_root().join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let dev = manifest["profile"]["dev"].as_table().unwrap();
        assert!(!dev.contains_key("opt-level"));
        let packages = dev["package"].as_table().unwrap();
        let all = packages["*"].as_table().unwrap();
        assert_eq!(all["debug"].as_bool(), Some(false));
        assert!(!all.contains_key("opt-level"));
        let mut optimised: Vec<_> = packages.keys().map(String::as_str).collect();
        optimised.retain(|name| *name != "*");
        optimised.sort_unstable();
        // What is written in C, compresses or encrypts.
        let expected = [
            "aes-gcm-siv",
            "brotli",
            "libsqlite3-sys",
            "sha2",
            "zstd-sys",
        ];
        assert_eq!(optimised, expected);
    }

    #[test]
    fn the_processor_time_of_children_is_read() {
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194304 100 200 0 0 11 12 150 25 20 0 1 0";
        assert_eq!(children_in(stat), Some(Duration::from_millis(1750)));
        assert_eq!(children_in("7 (a"), None);
    }

    #[test]
    fn crates_are_counted_by_what_cargo_says() {
        let said = "   Compiling a v1.0.0\n Downloaded b\n   Compiling c v0.1.0 (/x)\n    Finished `dev`\n";
        assert_eq!(compiled(said), 2);
    }
}
