//! Builds the reference service and runs it on a fresh SQLite file and a free port.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::machine::supervise::Supervised;
use crate::machine::temp::Folder;
use crate::{cargo, interrupt};

/// Builds the blog and returns the path of its program.
pub(crate) fn build() -> Result<PathBuf> {
    build_program("blog")
}

/// Builds a program of this workspace and returns its path.
pub(super) fn build_program(name: &str) -> Result<PathBuf> {
    let mut build = cargo();
    // `--workspace` for the features that the tests were built with: then there is little to build.
    build.args(["build", "--workspace", "--bin", name]);
    let status = interrupt::run(build.stdin(Stdio::null()))?;
    if !status.success() {
        bail!("`{name}` does not build");
    }
    let here = env::current_exe().context("cannot find out where cargo builds")?;
    Ok(here.with_file_name(name))
}

/// Stops when it is dropped.
pub(super) struct Blog {
    pub(super) url: String,
    process: Supervised,
}

impl Blog {
    pub(super) fn start(folder: Folder, program: &Path) -> Result<Self> {
        let mut blog = Command::new(program);
        // The current user's settings are for their own blog.
        for (variable, _) in env::vars_os() {
            if variable.to_string_lossy().starts_with("LISTING_") {
                blog.env_remove(variable);
            }
        }
        let database = folder.join("blog.sqlite");
        blog.env("DATABASE_URL", format!("sqlite:{}", database.display()))
            // The system picks a port that is free, and the blog says which.
            .env("LISTING_BIND", "127.0.0.1:0")
            // Only warnings: a line for each request would bury them.
            .env("RUST_LOG", "warn");
        let process = Supervised::start(folder, "TERM", &blog)?;
        process.wait_until(|| address(&process.log()).is_some())?;
        let url = address(&process.log()).context("the blog does not say where it listens")?;
        Ok(Self { url, process })
    }

    pub(super) fn last_words(&self) -> String {
        self.process.log_tail()
    }
}

/// The address in the line that the blog prints when it starts.
fn address(log: &str) -> Option<String> {
    let (_, rest) = log.split_once("Listening on ")?;
    let (address, _) = rest.split_once(". ")?;
    Some(address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blog_says_where_it_listens() {
        let log =
            "INFO blog: loaded\nListening on http://127.0.0.1:4711. Three lists to look at:\n";
        assert_eq!(address(log).as_deref(), Some("http://127.0.0.1:4711"));
        assert_eq!(address("Listening on http://127.0.0.1:47"), None);
    }
}
