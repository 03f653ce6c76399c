//! A server of the cluster, with all of its processes, that can be killed, frozen and started again with the same rows.

use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal};

use crate::interrupt;
use crate::machine::family::{self, family, noted_process};
use crate::machine::supervise::Supervised;
use crate::machine::temp::Folder;

/// How long what was killed may take to leave.
const TIME_TO_LEAVE: Duration = Duration::from_secs(10);

pub(super) struct Member {
    pub(super) name: String,
    /// How it is started from now on.
    pub(super) command: Command,
    /// Where a server that the first process has left to itself notes its process, and where its rows are.
    noted: Option<(PathBuf, PathBuf)>,
    running: Option<Supervised>,
}

impl Member {
    pub(super) fn new(name: &str, command: Command) -> Self {
        Self {
            name: name.to_owned(),
            command,
            noted: None,
            running: None,
        }
    }

    /// One whose database server is not a child of its first process.
    pub(super) fn with_noted(mut self, file: PathBuf, rows: PathBuf) -> Self {
        self.noted = Some((file, rows));
        self
    }

    /// Starts it, and does not wait until it is ready.
    pub(super) fn launch(&mut self) -> Result<()> {
        let folder = Folder::create_unprivileged("cluster-run")?;
        let running = Supervised::start(folder, "TERM", &self.command);
        self.running = Some(running.with_context(|| self.name.clone())?);
        Ok(())
    }

    pub(super) fn wait_until(&self, ready: impl Fn() -> bool) -> Result<()> {
        let running = self.running.as_ref().context("it was not started")?;
        running.wait_until(ready).with_context(|| self.name.clone())
    }

    /// `kill -9` of everything at once, as when a machine goes down.
    pub(super) fn kill(&mut self) -> Result<()> {
        // What is frozen starts nothing more, and tells nobody that the others end.
        self.freeze();
        let all = self.processes();
        family::signal(&all, Signal::KILL);
        if let Some(running) = self.running.take() {
            running.kill();
        }
        let begun = Instant::now();
        while self.database().is_some() && begun.elapsed() < TIME_TO_LEAVE {
            interrupt::check()?;
            thread::sleep(interrupt::POLL);
        }
        Ok(())
    }

    /// `kill -9` of the database server alone; what watches over it lives on.
    pub(super) fn kill_database(&self) {
        let server = self.database();
        let server = server.or_else(|| self.running.as_ref().map(Supervised::server));
        family::signal(server.as_slice(), Signal::KILL);
    }

    pub(super) fn freeze(&self) {
        // Once more for what was started meanwhile.
        for _ in 0..2 {
            family::signal(&self.processes(), Signal::STOP);
        }
    }

    pub(super) fn thaw(&self) {
        family::signal(&self.processes(), Signal::CONT);
    }

    pub(super) fn log_tail(&self) -> String {
        let log = self.running.as_ref().map(Supervised::log_tail);
        log.unwrap_or_default()
    }

    fn processes(&self) -> Vec<Pid> {
        let first = self.running.as_ref().map(Supervised::server);
        let roots = first.into_iter().chain(self.database());
        roots.flat_map(family).collect()
    }

    fn database(&self) -> Option<Pid> {
        let (file, rows) = self.noted.as_ref()?;
        noted_process(file, rows)
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        // Its rows are thrown away: there is nothing to end in order.
        let _ = self.kill();
    }
}
