//! The reference service as a process that can be killed and started again on the same port.

use std::fs::File;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};

use super::client::{Answer, Client};
use crate::machine::supervise::free_port;
use crate::machine::temp::Folder;

const TIME_TO_START: Duration = Duration::from_secs(60);

pub(super) struct Service {
    pub(super) address: SocketAddr,
    program: PathBuf,
    database: String,
    folder: Folder,
    child: Option<Child>,
}

impl Service {
    pub(super) fn new(program: PathBuf, database: &str) -> Result<Self> {
        Ok(Self {
            address: SocketAddr::from(([127, 0, 0, 1], free_port()?)),
            program,
            database: database.to_owned(),
            folder: Folder::create("faults-service")?,
            child: None,
        })
    }

    /// Starts it without waiting.
    pub(super) fn launch(&mut self) -> Result<()> {
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.folder.log())?;
        let mut blog = Command::new(&self.program);
        // The current user's settings are for their own blog.
        for (variable, _) in std::env::vars_os() {
            if variable.to_string_lossy().starts_with("LISTING_") {
                blog.env_remove(variable);
            }
        }
        let child = blog
            .current_dir(self.folder.path())
            .env("DATABASE_URL", &self.database)
            .env("LISTING_BIND", self.address.to_string())
            .env("RUST_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .context("cannot start the blog")?;
        self.child = Some(child);
        Ok(())
    }

    pub(super) fn start(&mut self) -> Result<()> {
        self.launch()?;
        self.wait_until_ready()
    }

    pub(super) fn wait_until_ready(&self) -> Result<()> {
        let begun = Instant::now();
        while !self.is_ready() {
            ensure!(
                begun.elapsed() < TIME_TO_START,
                "the service is not ready:\n{}",
                self.folder.log_tail()
            );
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    pub(super) fn is_ready(&self) -> bool {
        let answer = Client::new(self.address).get("/readyz");
        matches!(answer, Answer::Whole { status: 200, .. })
    }

    /// `kill -9`
    pub(super) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// SIGTERM, and its end: whether it was in order, and how long it took.
    pub(super) fn terminate(&mut self) -> Result<Duration> {
        let mut child = self.child.take().context("the service is not running")?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let begun = Instant::now();
        kill_process(pid.context("no process")?, Signal::TERM)?;
        let status = child.wait()?;
        ensure!(
            status.success(),
            "the service ended with {status}:\n{}",
            self.folder.log_tail()
        );
        Ok(begun.elapsed())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}
