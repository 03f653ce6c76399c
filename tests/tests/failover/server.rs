//! Starts servers that a test may kill, pause and start again, each with a folder of its own.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio, id};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a server may take to start, stop or change what it is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A folder of a server that refuses to run as root.
#[derive(Debug)]
pub(crate) struct Home {
    pub(crate) path: PathBuf,
    nobody: Option<u32>,
}

impl Home {
    pub(crate) fn new(name: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // Root's own temporary folder may be closed to other users.
        let path = PathBuf::from(format!("/tmp/listing-{name}-{}-{number}", id()));
        fs::create_dir_all(&path).unwrap();
        let is_root = fs::metadata(&path).unwrap().uid() == 0;
        let nobody = is_root.then_some(65_534);
        chown(&path, nobody, nobody).unwrap();
        Self { path, nobody }
    }

    /// A command that runs as the folder's owner, and tells its log.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let log = self.path.join("log");
        let log = File::options().create(true).append(true).open(log).unwrap();
        let mut command = Command::new(program);
        command
            .current_dir(&self.path)
            .env("LC_ALL", "C")
            // That of the tests may be closed to other users.
            .env("TMPDIR", &self.path)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        if let Some(nobody) = self.nobody {
            command.uid(nobody).gid(nobody);
        }
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, command: &mut Command) {
        let status = command.status().unwrap();
        assert!(status.success(), "{command:?}: {}", self.log());
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path.join("log")).unwrap_or_default()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A running program, which is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    /// At once, as if the machine had stopped.
    pub(crate) fn kill(&mut self) {
        if !self.has_ended() {
            self.resume();
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Stops it and its children where they are: they keep their connections, and answer nothing.
    pub(crate) fn pause(&self) {
        self.signal("-STOP");
    }

    pub(crate) fn resume(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let own = self.0.id().to_string();
        let children = fs::read_to_string(format!("/proc/{own}/task/{own}/children"));
        let children = children.unwrap_or_default();
        let all = children.split_whitespace().chain([own.as_str()]);
        let _ = Command::new("kill")
            .arg(signal)
            .args(all)
            .stderr(Stdio::null())
            .status();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// Waits until something is so.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        sleep(Duration::from_millis(20));
    }
}
