//! Builds the benchmark programs, prepares databases with many rows, and runs the measurement.

mod instructions;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};

use crate::machine::install::{Packages, install};
use crate::machine::programs::programs;
use crate::machine::temp::{am_root, is_for_all};
use crate::{cargo, databases, interrupt, workspace_root};

const ARTICLES: &str = "1000000";
const FEW_ARTICLES: &str = "100000";

const WRK: Packages = Packages {
    brings: "the HTTP client wrk",
    names: &["wrk"],
    variable: None,
};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// 100,000 articles instead of a million, and short rounds: under two minutes
    #[arg(long)]
    quick: bool,
    /// Measure these works only (`--only pg_page,mysql_page`)
    #[arg(long, value_name = "WORK", value_delimiter = ',')]
    only: Vec<String>,
    /// Send the requests with `wrk`
    #[arg(long)]
    wrk: bool,
    /// How many times the two sides of a work take turns
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    /// Put the results into docs/performance.md
    #[arg(long)]
    write_docs: bool,
    /// Instead, send requests for this long, on PostgreSQL and on SQLite, and watch the service's memory
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["only", "rounds", "write_docs"])]
    soak: Option<u64>,
    /// Instead, let this many clients disconnect in the middle of a request while others compare their responses
    #[arg(long, value_name = "REQUESTS", conflicts_with_all = ["only", "rounds", "write_docs", "soak"])]
    disconnect: Option<u64>,
    /// Instead, ask for pages for this long, on each database, without and with slow lists next to them
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect"])]
    slow: Option<u64>,
    /// Instead, have this many clients ask for large lists at the same time, and watch the service's memory
    #[arg(long, value_name = "CLIENTS", conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect", "slow"])]
    crowd: Option<usize>,
    /// Instead, send twice as many requests as the service can answer, for this long on each database
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect", "slow", "crowd"])]
    overload: Option<u64>,
    /// Instead, compare the times of everyday requests with those on a tenth of the rows
    #[arg(long, conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect"])]
    growth: bool,
    /// Instead, ask for each filter with each sort and each way of counting, next to statements written by hand
    /// (`--shapes postgres` for one database)
    #[arg(long, value_name = "DATABASE", num_args = 0.., value_delimiter = ',', conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect"])]
    shapes: Option<Vec<String>>,
    /// Instead, download exports, next to programs written by hand, and watch the service's memory
    #[arg(long, conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect"])]
    exports: bool,
    /// Instead, create and change records, one by one and many at once, next to programs written by hand
    #[arg(long, conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect"])]
    writes: bool,
    /// Instead, ask for facets and totals, next to one count by hand
    #[arg(long, conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect"])]
    numbers: bool,
    /// Instead, ask for lists of a service with a replica of PostgreSQL, and of one without
    #[arg(long, conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect"])]
    replicas: bool,
    /// Instead, ask for the same lists of another build of the reference service, such as an older one
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect"])]
    against: Option<PathBuf>,
    /// Instead, count the instructions of each stage (needs valgrind)
    #[arg(long, conflicts_with_all = ["only", "rounds", "write_docs", "soak", "disconnect"])]
    instructions: bool,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let target = target_folder()?;
    if options.instructions {
        return instructions::run(&target);
    }
    // Before compiling, so that a missing program is reported at once.
    let sources = databases::find_or_install()?;
    if options.wrk && programs("wrk").next().is_none() {
        install(&[&WRK])?;
    }
    let kept = kept_folder(&target);
    let (built, databases) = thread::scope(|scope| {
        let databases = scope.spawn(|| databases::bring_up(&sources, Some(&kept)));
        let built = build();
        let databases = databases.join().map_err(|_| anyhow!("a thread panicked"))?;
        Ok::<_, anyhow::Error>((built, databases?))
    })?;
    built?;

    // They keep nothing for the next run: no other measurement needs a server that writes a log for them.
    let replicated = options
        .replicas
        .then(databases::replicas::of_postgres)
        .transpose()?;
    let postgres = replicated.as_ref().map(|servers| &servers.primary);
    let sqlite = target.join("bench-data");
    fs::create_dir_all(&sqlite)?;
    let mut bench = Command::new(target.join("release/bench"));
    bench
        .current_dir(workspace_root())
        .arg("--postgres")
        .arg(postgres.unwrap_or(&databases.postgres.url))
        .args(["--mysql", &databases.mariadb.url])
        .arg("--folder")
        .arg(&sqlite)
        .args([
            "--rows",
            if options.quick {
                FEW_ARTICLES
            } else {
                ARTICLES
            },
        ])
        .stdin(Stdio::null());
    match &replicated {
        Some(servers) => {
            bench.arg("replicas").args(servers.replicas.first());
        }
        None => options.say_task(&mut bench, &target),
    }
    let status = interrupt::run(&mut bench)?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

impl Options {
    fn say_task(&self, bench: &mut Command, target: &Path) {
        if self.growth {
            bench.arg("growth");
        } else if self.exports {
            bench.arg("exports");
        } else if self.writes {
            bench.arg("writes");
        } else if self.numbers {
            bench.arg("numbers");
        } else if let Some(program) = &self.against {
            bench.arg("against").arg(program);
        } else if let Some(databases) = &self.shapes {
            bench.arg("shapes").args(databases);
        } else if let Some(seconds) = self.soak {
            bench.args(["soak", &seconds.to_string()]);
        } else if let Some(requests) = self.disconnect {
            bench.args(["disconnect", &requests.to_string()]);
        } else if let Some(seconds) = self.slow {
            bench.args(["slow", &seconds.to_string()]);
        } else if let Some(seconds) = self.overload {
            bench.args(["overload", &seconds.to_string()]);
        } else if let Some(clients) = self.crowd {
            bench.args(["crowd", &clients.to_string()]);
        } else {
            let (rounds, slice) = if self.quick { (5, "400") } else { (9, "2000") };
            bench
                .arg("run")
                .args(["--rounds", &self.rounds.unwrap_or(rounds).to_string()])
                .args(["--slice-milliseconds", slice])
                .arg("--json")
                .arg(target.join("bench.json"));
            if self.wrk {
                bench.arg("--wrk");
            }
            for work in &self.only {
                bench.args(["--only", work]);
            }
            if self.write_docs {
                bench.args(["--document", "docs/performance.md"]);
                let quick = if self.quick { " --quick" } else { "" };
                let rounds = self.rounds.map(|rounds| format!(" --rounds {rounds}"));
                let wrk = if self.wrk { " --wrk" } else { "" };
                let rounds = rounds.unwrap_or_default();
                let command = format!("cargo xtask bench{quick}{wrk}{rounds}");
                bench.args(["--command", &command]);
            }
        }
    }
}

/// The blog, the baselines and the program that measures them.
fn build() -> Result<()> {
    let mut build = cargo();
    build.args(["build", "--release", "-p", "blog", "-p", "listing-bench"]);
    build.args(["--features", "listing-bench/jemalloc"]);
    let status = interrupt::run(build.stdin(Stdio::null()))?;
    if !status.success() {
        bail!("the programs do not build");
    }
    Ok(())
}

/// Where cargo builds: this program is in a folder of it.
fn target_folder() -> Result<PathBuf> {
    let here = env::current_exe().context("cannot tell where cargo builds")?;
    let target = here.parent().and_then(Path::parent);
    Ok(target
        .context("cannot tell where cargo builds")?
        .to_path_buf())
}

/// Where the servers keep their rows. As root they run as `nobody`, who may not be able to reach the project.
fn kept_folder(target: &Path) -> PathBuf {
    if am_root() && !is_for_all(target) {
        return PathBuf::from("/tmp/listing-bench-data");
    }
    target.join("bench-data")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b113.
    #[test]
    fn rows_are_kept_in_the_target_folder_where_servers_can_reach_it() {
        assert_eq!(kept_folder(Path::new("/")), Path::new("/bench-data"));
        // Nobody else can reach what is not there.
        let kept = kept_folder(Path::new("/no such folder/target"));
        let expected = match am_root() {
            true => "/tmp/listing-bench-data",
            false => "/no such folder/target/bench-data",
        };
        assert_eq!(kept, Path::new(expected));
    }
}
