//! The reference service as a process that can be killed and started again on the same port.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::Signal;

use crate::machine::client::{Answer, Client};
use crate::machine::family;
use crate::machine::ports::free_port;
use crate::machine::supervise::Supervised;
use crate::machine::temp::Folder;

/// Much longer than `shutdown_timeout_seconds`.
const TIME_TO_END: Duration = Duration::from_secs(30);

/// Longer than a service takes to say that it is ready.
const LOOK: Duration = Duration::from_secs(5);

/// Runs a program with a disk of its own, as large as the first argument says, in the folder that is the second. It is gone
/// when the program ends, however it ends.
const WITH_SMALL_DISK: &str = r#"mount -t tmpfs -o size="$0" none "$1" && exec "$2""#;

pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    pub(crate) database: String,
    /// How many connections it has for writing, if not as many as usual.
    pub(crate) connections: Option<u32>,
    /// What else its environment says.
    pub(crate) variables: Vec<(&'static str, String)>,
    program: PathBuf,
    running: Option<Supervised>,
    /// The articles of whose changes the service has told in its log.
    told: BTreeSet<u64>,
    /// How large its disk is, and where.
    disk: Option<(&'static str, Folder)>,
}

impl Service {
    pub(crate) fn new(program: PathBuf, database: &str) -> Result<Self> {
        Ok(Self {
            address: SocketAddr::from(([127, 0, 0, 1], free_port()?)),
            program,
            database: database.to_owned(),
            connections: None,
            variables: Vec::new(),
            running: None,
            told: BTreeSet::new(),
            disk: None,
        })
    }

    /// On a SQLite file on a small disk; none where this user may not have one.
    pub(crate) fn on_small_disk(program: PathBuf, size: &'static str) -> Result<Option<Self>> {
        let may = Command::new("unshare")
            .args(["-rm", "mount", "-t", "tmpfs", "none", "/mnt"])
            .stderr(Stdio::null())
            .status();
        if !may.is_ok_and(|status| status.success()) {
            return Ok(None);
        }
        let mut service = Self::new(program, "")?;
        let disk = Folder::create("faults-disk")?;
        service.database = format!("sqlite:{}?mode=rwc", disk.join("blog.sqlite").display());
        service.disk = Some((size, disk));
        Ok(Some(service))
    }

    /// A file on that disk, as others see it.
    pub(crate) fn on_disk(&self, name: &str) -> Result<PathBuf> {
        let (_, disk) = self.disk.as_ref().context("no disk")?;
        let running = self
            .running
            .as_ref()
            .context("the service is not running")?;
        let pid = running.server().as_raw_pid();
        let root = format!("/proc/{pid}/root{}", disk.path().display());
        Ok(PathBuf::from(root).join(name))
    }

    /// Starts it without waiting.
    pub(crate) fn launch(&mut self) -> Result<()> {
        let mut blog = match &self.disk {
            None => Command::new(&self.program),
            Some((size, disk)) => {
                let mut blog = Command::new("unshare");
                blog.args(["-rm", "sh", "-c", WITH_SMALL_DISK, size])
                    .args([disk.path(), &self.program]);
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
        blog.envs(self.variables.iter().map(|(name, value)| (name, value)));
        blog.env("DATABASE_URL", &self.database)
            .env("LISTING_BIND", self.address.to_string())
            // It says at `info` of which events it was told.
            .env("RUST_LOG", "warn,blog=info");
        let folder = Folder::create("faults-service")?;
        // It ends when this process does, however that happens.
        self.running = Some(Supervised::start(folder, "TERM", &blog)?);
        Ok(())
    }

    pub(crate) fn start(&mut self) -> Result<()> {
        self.launch()?;
        self.wait_until_ready()
    }

    pub(crate) fn wait_until_ready(&self) -> Result<()> {
        let running = self
            .running
            .as_ref()
            .context("the service is not running")?;
        running
            .wait_until(|| self.is_ready())
            .context("the service")
    }

    pub(crate) fn is_ready(&self) -> bool {
        let answer = Client::with_patience(self.address, LOOK).get("/readyz");
        matches!(answer, Answer::Whole { status: 200, .. })
    }

    /// `kill -9`
    pub(crate) fn kill(&mut self) {
        if let Some(running) = self.running.take() {
            running.kill();
            self.told.extend(told(&running.log()));
        }
    }

    /// Stops it in the middle of whatever it does.
    pub(crate) fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    pub(crate) fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        if let Some(running) = &self.running {
            family::signal(&[running.server()], signal);
        }
    }

    /// The end of its log.
    pub(crate) fn log_tail(&self) -> String {
        let log = self.running.as_ref().map(Supervised::log_tail);
        log.unwrap_or_default()
    }

    /// SIGTERM, and its end: whether it was in order, and how long it took.
    pub(crate) fn terminate(&mut self) -> Result<Duration> {
        let running = self.running.take().context("the service is not running")?;
        let took = running.terminate(TIME_TO_END).context("the service")?;
        self.told.extend(told(&running.log()));
        Ok(took)
    }

    /// The articles of whose changes it was told so far, before and after it was killed.
    pub(crate) fn told(&self) -> BTreeSet<u64> {
        let log = self.running.as_ref().map(Supervised::log);
        let mut all = self.told.clone();
        all.extend(told(&log.unwrap_or_default()));
        all
    }
}

/// The articles in lines such as `… an article has changed operation="store" article=7 …`.
fn told(log: &str) -> impl Iterator<Item = u64> {
    let lines = log
        .lines()
        .filter(|line| line.contains("an article has changed"));
    lines.filter_map(|line| {
        let (_, rest) = line.split_once(" article=")?;
        rest.split(' ').next()?.parse().ok()
    })
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}
