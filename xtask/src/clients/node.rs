//! Finds a recent enough Node.js and npm, or installs them where that is possible.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::machine::install::{Packages, install};
use crate::machine::programs::{programs, version};

/// What the clients require.
const OLDEST: u32 = 20;

const PACKAGES: Packages = Packages {
    brings: "Node.js 20 or newer, with npm",
    names: &["nodejs", "npm"],
    variable: None,
};

pub(super) struct Node {
    node: PathBuf,
    npm: PathBuf,
    pub(super) version: String,
}

/// Looks for the programs and installs them if they are missing.
pub(super) fn find_or_install() -> Result<Node> {
    if let Some(node) = find() {
        return Ok(node);
    }
    install(&[&PACKAGES])?;
    find().with_context(|| {
        let versions: Vec<_> = programs("node").map(|node| version(&node)).collect();
        format!(
            "the clients need Node.js {OLDEST} or newer, with npm; \
             here are, after Debian's packages were installed: node {versions:?}, npm {:?}",
            programs("npm").collect::<Vec<_>>()
        )
    })
}

fn find() -> Option<Node> {
    let (node, version) = programs("node")
        .map(|node| (version(&node), node))
        .find(|(version, _)| major(version).is_some_and(|major| major >= OLDEST))
        .map(|(version, node)| (node, version))?;
    // The one that came with it, if there is one.
    let next_to_it = node.with_file_name("npm");
    let npm = Some(next_to_it)
        .filter(|npm| npm.is_file())
        .or_else(|| programs("npm").next())?;
    Some(Node { node, npm, version })
}

/// `v20.20.2` → 20
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

impl Node {
    pub(super) fn node(&self) -> Command {
        self.command(&self.node)
    }

    pub(super) fn npm(&self) -> Command {
        self.command(&self.npm)
    }

    /// npm is a script that takes the first `node` it sees: that must be this one.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("PATH", self.path(env::var_os("PATH").unwrap_or_default()));
        command
    }

    fn path(&self, path: OsString) -> OsString {
        let own = self.node.parent().map(Path::to_path_buf);
        let folders = own.into_iter().chain(env::split_paths(&path));
        // A folder whose name holds a colon cannot be on the path; then it stays as it is.
        env::join_paths(folders).unwrap_or(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_tells_its_major_number() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("v8.0.0-nightly"), Some(8));
        assert_eq!(major("20"), None);
        assert_eq!(major("/usr/bin/node"), None);
    }

    #[test]
    fn npm_sees_the_same_node_first() {
        let node = Node {
            node: PathBuf::from("/opt/node/bin/node"),
            npm: PathBuf::new(),
            version: String::new(),
        };
        assert_eq!(node.path("/bin:/x".into()), "/opt/node/bin:/bin:/x");
    }
}
