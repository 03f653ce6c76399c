//! Sends requests that schemathesis, from PyPI, makes from the OpenAPI document, and holds the answers against it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::interrupt;
use crate::machine::install::{Packages, install};
use crate::machine::programs::{programs, version};
use crate::machine::temp::Folder;

/// The version that is installed.
const PACKAGE: &str = "schemathesis==4.32.5";

/// What schemathesis requires.
const OLDEST: (u32, u32) = (3, 10);

/// Answers are never a fault of the service, and always as the document says. That every request of the document's form is
/// accepted cannot be asked: a name may be taken, and `page` cannot stand next to `start`.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance";

const PACKAGES: Packages = Packages {
    brings: "Python 3.10 or newer with venv, for schemathesis",
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

/// Installs schemathesis into the folder, and returns its program.
pub(super) fn bring(folder: &Folder, python: &Path) -> Result<PathBuf> {
    eprintln!("clients: pip install {PACKAGE}");
    let place = folder.join("schemathesis");
    let mut create = Command::new(python);
    create.args(["-m", "venv"]).arg(&place);
    folder.run(create.stdin(Stdio::null()))?;
    let mut pip = Command::new(place.join("bin/python"));
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        // Only what is used is compiled, when it is used.
        "--no-compile",
        PACKAGE,
    ]);
    folder.run(pip.stdin(Stdio::null()))?;
    Ok(place.join("bin/schemathesis"))
}

/// Whether the service at that address answers as its document says.
pub(super) fn run(program: &Path, folder: &Path, blog: &str) -> Result<bool> {
    let mut run = Command::new(program);
    run.args(["run", &format!("{blog}/api/openapi.json")])
        // Python 3.11 now and then fails when two threads parse Python at the same time (python/cpython#106905), as its
        // workers do.
        .args(["--checks", CHECKS, "--workers", "1"])
        .args(["--phases", "examples,coverage,fuzzing,stateful"])
        .args(["--seed", "1", "--no-color", "--warnings", "off"])
        .args([
            "--generation-database",
            "none",
            "--suppress-health-check",
            "all",
        ])
        // There it reads how many cases to try (`schemathesis.toml`), and keeps what it found.
        .current_dir(folder)
        .env("no_proxy", "127.0.0.1")
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::null());
    Ok(interrupt::run(&mut run)?.success())
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
