//! Finds a program and the version that it reports.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders where programs are looked for: PATH, and those that an unprivileged user's PATH often lacks.
pub(crate) fn program_folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain(["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin"].map(PathBuf::from))
        .collect()
}

/// Every program of this name, in the order of the folders.
pub(crate) fn programs(name: &str) -> impl Iterator<Item = PathBuf> {
    program_folders()
        .into_iter()
        .map(move |folder| folder.join(name))
        .filter(|program| program.is_file())
}

/// The version that a program reports.
pub(crate) fn version(program: &Path) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    text.unwrap_or_else(|_| program.display().to_string())
}
