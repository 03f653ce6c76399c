//! A private temporary folder, owned by the user that its programs run as, removed when dropped.

use std::fs::{self, DirBuilder};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;
use std::{env, io};

use anyhow::{Context, Result, bail};

use crate::interrupt;

pub(crate) struct Folder {
    path: PathBuf,
    user: Option<User>,
}

/// The user that root switches to: database servers refuse to run as root.
#[derive(Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

impl Folder {
    /// For programs that run as the current user.
    pub(crate) fn create(name: &str) -> Result<Self> {
        Self::create_for(name, None)
    }

    /// For programs that refuse to run as root: what root creates belongs to `nobody`.
    pub(crate) fn create_unprivileged(name: &str) -> Result<Self> {
        let user = if am_root() { Some(nobody()?) } else { None };
        Self::create_for(name, user)
    }

    fn create_for(name: &str, user: Option<User>) -> Result<Self> {
        // Root's own temporary folder may be closed to the other user.
        let parent = match user {
            Some(_) => PathBuf::from("/tmp"),
            None => env::temp_dir(),
        };
        let path = parent.join(unique(name));
        DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .with_context(|| format!("cannot create {}", path.display()))?;
        let folder = Self { path, user };
        if let Some(user) = folder.user {
            chown(&folder.path, Some(user.uid), Some(user.gid))?;
        }
        Ok(folder)
    }

    /// Creates a folder that is kept, for the programs that run here.
    pub(crate) fn share(&self, path: &Path) -> Result<()> {
        fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))?;
        if let Some(user) = self.user {
            chown(path, Some(user.uid), Some(user.gid))?;
        }
        Ok(())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file that only the programs that run here can read.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.join(name);
        let mut file = fs::File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        file.write_all(text.as_bytes())?;
        if let Some(user) = self.user {
            chown(&path, Some(user.uid), Some(user.gid))?;
        }
        Ok(())
    }

    /// Where the output of everything that runs here is collected.
    pub(crate) fn log(&self) -> PathBuf {
        self.join("log")
    }

    /// A command that runs in this folder, as its owner, and sees no other user's settings.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.path)
            .env("HOME", &self.path)
            .env("TMPDIR", &self.path)
            .env("LC_ALL", "C")
            .stdin(Stdio::null());
        if let Some(user) = self.user {
            command.uid(user.uid).gid(user.gid);
        }
        command
    }

    /// Runs a command to its end; says with the last lines of its output why it failed.
    pub(crate) fn run(&self, command: &mut Command) -> Result<()> {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.log())?;
        if let Some(user) = self.user {
            chown(self.log(), Some(user.uid), Some(user.gid))?;
        }
        command.stdout(log.try_clone()?).stderr(log);
        let status = interrupt::run(command)?;
        if !status.success() {
            let program = command.get_program().display();
            bail!("{program} failed ({status}):\n{}", self.log_tail());
        }
        Ok(())
    }

    pub(crate) fn log_tail(&self) -> String {
        let bytes = fs::read(self.log()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<_> = text.lines().collect();
        lines[lines.len().saturating_sub(30)..].join("\n")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        match fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                eprintln!("could not remove {}: {error}", self.path.display());
            }
            _ => {}
        }
    }
}

/// Whether every user can reach a file, and run it if it is a program.
pub(crate) fn is_for_all(path: &Path) -> bool {
    let can_enter =
        |path: &Path| fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o001 != 0);
    path.canonicalize()
        .is_ok_and(|path| path.ancestors().all(can_enter))
}

/// A name that no other folder has.
fn unique(name: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    // Another process may have had the same number, and left its folder behind when it was killed.
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    let (process, moment) = (process::id(), now.as_micros());
    format!("listing-{name}-{process}-{moment:x}-{number}")
}

pub(crate) fn am_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// `nobody` rather than `postgres` or `mysql`: it cannot reach the files of a server that already exists.
fn nobody() -> Result<User> {
    let users = fs::read_to_string("/etc/passwd")?;
    users
        .lines()
        .find_map(|line| {
            let mut columns = line.split(':');
            let name = columns.next()?;
            let uid = columns.nth(1)?.parse().ok()?;
            let gid = columns.next()?.parse().ok()?;
            (name == "nobody").then_some(User { uid, gid })
        })
        .context(
            "a database server refuses to run as root, and there is no user `nobody` to run it",
        )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn folders_of_the_same_moment_have_their_own_names() {
        let names: HashSet<_> = (0..1_000).map(|_| unique("test")).collect();
        assert_eq!(names.len(), 1_000);
    }
}
