//! Finds a recent enough Python, or installs it where that is possible, and brings packages from PyPI into a folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::install::{Packages, install};
use super::programs::{programs, version};
use super::temp::{Folder, is_for_all};

/// What is used from PyPI requires it.
const OLDEST: (u32, u32) = (3, 10);

const PACKAGES: Packages = Packages {
    brings: "Python 3.10 or newer with venv, for programs from PyPI",
    names: &["python3", "python3-venv"],
    variable: None,
};

/// Looks for a Python that every user may run, and installs it if it is missing.
pub(crate) fn find_or_install() -> Result<PathBuf> {
    if let Some(python) = find() {
        return Ok(python);
    }
    install(&[&PACKAGES])?;
    find().context("programs from PyPI need Python 3.10 or newer with venv")
}

fn find() -> Option<PathBuf> {
    programs("python3").find(|python| {
        let is_new = number(&version(python)).is_some_and(|found| found >= OLDEST);
        is_new && is_for_all(python) && has_venv(python)
    })
}

/// Debian has it in a package of its own.
fn has_venv(python: &Path) -> bool {
    let mut import = Command::new(python);
    import.args(["-c", "import ensurepip, venv"]);
    let status = import.stdin(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// `Python 3.11.2` → (3, 11)
fn number(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.strip_prefix("Python ")?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Installs packages into the folder, and returns the folder of their programs.
pub(crate) fn bring(folder: &Folder, python: &Path, packages: &[&str]) -> Result<PathBuf> {
    eprintln!("pip install {}", packages.join(" "));
    let place = folder.join("python");
    let mut create = Command::new(python);
    create.args(["-m", "venv"]).arg(&place);
    folder.run(create.stdin(Stdio::null()))?;
    let programs = place.join("bin");
    let mut pip = Command::new(programs.join("python"));
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        // Only what is used is compiled, when it is used.
        "--no-compile",
    ]);
    folder.run(pip.args(packages).stdin(Stdio::null()))?;
    Ok(programs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_of_python_tells_its_numbers() {
        assert_eq!(number("Python 3.11.2"), Some((3, 11)));
        assert_eq!(number("Python 3.9.1"), Some((3, 9)));
        assert_eq!(number("pyenv: python3: command not found"), None);
        assert!(number("Python 3.9.1") < Some(OLDEST));
    }
}
