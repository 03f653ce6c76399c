//! The reference service as a process that can be killed and started again on the same port.

use std::fs::{self, File};
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

/// Runs a program with a disk of its own, as large as the first argument says, in the folder that is the second. It is gone
/// when the program ends, however it ends.
const WITH_SMALL_DISK: &str = r#"mount -t tmpfs -o size="$0" none "$1" && exec "$2""#;

pub(super) struct Service {
    pub(super) address: SocketAddr,
    pub(super) database: String,
    /// How many connections it has for writing, if not as many as usual.
    pub(super) connections: Option<u32>,
    program: PathBuf,
    folder: Folder,
    /// How large its disk is, and where.
    disk: Option<(&'static str, PathBuf)>,
    child: Option<Child>,
}

impl Service {
    pub(super) fn new(program: PathBuf, database: &str) -> Result<Self> {
        Ok(Self {
            address: SocketAddr::from(([127, 0, 0, 1], free_port()?)),
            program,
            database: database.to_owned(),
            folder: Folder::create("faults-service")?,
            connections: None,
            disk: None,
            child: None,
        })
    }

    /// On a SQLite file on a small disk; none where this user may not have one.
    pub(super) fn on_small_disk(program: PathBuf, size: &'static str) -> Result<Option<Self>> {
        let may = Command::new("unshare")
            .args(["-rm", "mount", "-t", "tmpfs", "none", "/mnt"])
            .stderr(Stdio::null())
            .status();
        if !may.is_ok_and(|status| status.success()) {
            return Ok(None);
        }
        let mut service = Self::new(program, "")?;
        let disk = service.folder.join("disk");
        fs::create_dir(&disk)?;
        service.database = format!("sqlite:{}?mode=rwc", disk.join("blog.sqlite").display());
        service.disk = Some((size, disk));
        Ok(Some(service))
    }

    /// A file on that disk, as others see it.
    pub(super) fn on_disk(&self, name: &str) -> Result<PathBuf> {
        let (_, disk) = self.disk.as_ref().context("no disk")?;
        let child = self.child.as_ref().context("the service is not running")?;
        let root = format!("/proc/{}/root{}", child.id(), disk.display());
        Ok(PathBuf::from(root).join(name))
    }

    /// Starts it without waiting.
    pub(super) fn launch(&mut self) -> Result<()> {
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.folder.log())?;
        let mut blog = match &self.disk {
            None => Command::new(&self.program),
            Some((size, disk)) => {
                let mut blog = Command::new("unshare");
                blog.args(["-rm", "sh", "-c", WITH_SMALL_DISK, size])
                    .args([disk, &self.program]);
                blog
            }
        };
        // The current user's settings are for their own blog.
        for (variable, _) in std::env::vars_os() {
            if variable.to_string_lossy().starts_with("LISTING_") {
                blog.env_remove(variable);
            }
        }
        if let Some(connections) = self.connections {
            blog.env("LISTING_DATABASE_CONNECTIONS", connections.to_string());
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
