//! Reads how much processor time and memory a set of processes uses.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use sea_orm::{ConnectionTrait, Statement};

use crate::data::{Databases, Engine};

/// Linux counts in hundredths of a second, whatever the kernel's own clock.
const TICK: Duration = Duration::from_millis(10);

/// Processor time of a process.
pub(crate) fn time_of(pid: u32) -> Duration {
    let (own, _) = times(pid).unwrap_or_default();
    own
}

/// Resident memory of a process, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    /// What it holds itself.
    pub(crate) own: u64,
    /// Pages of files.
    pub(crate) mapped: u64,
}

pub(crate) fn memory_of(pid: u32) -> Result<Memory> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kib = line
            .context("the process is gone")?
            .trim()
            .trim_end_matches(" kB");
        anyhow::Ok(kib.parse::<u64>()? * 1024)
    };
    Ok(Memory {
        own: bytes("RssAnon:")? + bytes("RssShmem:")?,
        mapped: bytes("RssFile:")?,
    })
}

/// The process of a database server, with all that it started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DatabaseProcess {
    /// None for a database that is read within the server, or that runs elsewhere.
    pid: Option<u32>,
}

impl DatabaseProcess {
    pub(crate) async fn find(databases: &Databases, engine: Engine) -> Self {
        let pid = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => postmaster(databases).await.ok(),
            Engine::Mysql => mariadb(databases).await.ok(),
        };
        Self { pid }
    }

    pub(crate) fn time(self) -> Duration {
        let Some(pid) = self.pid else {
            return Duration::ZERO;
        };
        // Of children that have ended the parent keeps the sum.
        let (own, ended) = times(pid).unwrap_or_default();
        let children = children_of(pid);
        children.into_iter().map(time_of).sum::<Duration>() + own + ended
    }
}

async fn postmaster(databases: &Databases) -> Result<u32> {
    let db = databases.connect(Engine::Postgres).await?;
    let row = db
        .query_one_raw(Statement::from_string(
            db.get_database_backend(),
            "SELECT pg_backend_pid() AS pid",
        ))
        .await?
        .context("no pid")?;
    let backend: i32 = row.try_get("", "pid")?;
    let stat = fs::read_to_string(format!("/proc/{backend}/stat"))?;
    Ok(fields(&stat)
        .and_then(|mut fields| fields.nth(1))
        .context("no parent")?
        .parse()?)
}

async fn mariadb(databases: &Databases) -> Result<u32> {
    let db = databases.connect(Engine::Mysql).await?;
    let row = db
        .query_one_raw(Statement::from_string(
            db.get_database_backend(),
            "SELECT @@pid_file AS pid_file",
        ))
        .await?
        .context("no file")?;
    let file: String = row.try_get("", "pid_file")?;
    Ok(fs::read_to_string(file)?.trim().parse()?)
}

fn children_of(parent: u32) -> Vec<u32> {
    let threads = format!("/proc/{parent}/task");
    let Ok(threads) = fs::read_dir(threads) else {
        return Vec::new();
    };
    threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|children| {
            children
                .split_whitespace()
                .filter_map(|pid| pid.parse().ok())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// A process's own time, and that of its children that have ended.
fn times(pid: u32) -> Option<(Duration, Duration)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut times = fields(&stat)?
        .skip(11)
        .map(|field| field.parse().unwrap_or(0));
    let mut next_two = || Some(TICK * (times.next()? + times.next()?));
    Some((next_two()?, next_two()?))
}

/// The fields after the program's name, which may contain anything.
fn fields(stat: &str) -> Option<impl Iterator<Item = &str>> {
    let (_, fields) = stat.rsplit_once(')')?;
    Some(fields.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_takes_memory() {
        let own = std::process::id();
        assert!(times(own).is_some());
        let memory = memory_of(own).unwrap();
        assert!(memory.own > 10_000 && memory.mapped > 10_000, "{memory:?}");
    }
}
