//! Reads what `cargo metadata` says about packages.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::cargo;

#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub packages: Vec<Package>,
    pub target_directory: PathBuf,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Package {
    pub name: String,
    pub version: String,
    pub manifest_path: PathBuf,
    pub dependencies: Vec<Dependency>,
    pub features: BTreeMap<String, Vec<String>>,
    /// Where it comes from; nothing for a package of this workspace.
    pub source: Option<String>,
    /// The registries that it may be published to: all of them where the manifest does not say.
    pub publish: Option<Vec<String>>,
    pub description: Option<String>,
    pub documentation: Option<String>,
    pub license: Option<String>,
    pub readme: Option<PathBuf>,
    pub keywords: Vec<String>,
    pub categories: Vec<String>,
    pub rust_version: Option<String>,
    pub targets: Vec<Target>,
    /// `[package.metadata]`.
    pub metadata: Option<serde_json::Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Dependency {
    pub name: String,
    pub req: String,
    pub path: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Target {
    pub kind: Vec<String>,
}

impl Package {
    pub(crate) fn is_program(&self) -> bool {
        let kinds = self.targets.iter().flat_map(|target| &target.kind);
        kinds.into_iter().any(|kind| kind == "bin")
    }

    pub(crate) fn is_publishable(&self) -> bool {
        self.source.is_none() && self.publish.as_ref().is_none_or(|to| !to.is_empty())
    }
}

/// The packages of the workspace.
pub(crate) fn of_workspace() -> Result<Metadata> {
    read(&["--no-deps"])
}

/// The packages of the workspace and everything that they depend on, on this machine's platform.
pub(crate) fn of_everything() -> Result<Metadata> {
    read(&["--all-features", "--filter-platform", &host()?])
}

fn read(args: &[&str]) -> Result<Metadata> {
    let output = cargo()
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(args)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    if !output.status.success() {
        bail!("`cargo metadata` failed");
    }
    serde_json::from_slice(&output.stdout).context("cannot read what `cargo metadata` says")
}

/// The platform that this machine compiles for.
pub(crate) fn host() -> Result<String> {
    let output = cargo().arg("-vV").output().context("cannot run cargo")?;
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("`cargo -vV` does not name the host")
}
