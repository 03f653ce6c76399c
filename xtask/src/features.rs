//! Checks that the libraries compile without warnings in every combination of features that matters.
//!
//! Those are each database alone and each other feature on SQLite. All features at once are what the workspace is checked
//! with. Features that bring many crates are checked alone before a release, with `--each`, as is a build without any.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::metadata::{self, Package};
use crate::{cargo, interrupt};

/// The crate that has every feature: those of `listing` are handed on to it, and clippy checks it with the same ones.
const PACKAGES: &[&str] = &["listing-axum"];

const DATABASES: &[&str] = &["postgres", "mysql", "sqlite"];

/// Features that bring many crates along: each alone would take half a minute.
const LARGE: &[&str] = &[
    "compression",
    "https",
    "jwt",
    "opentelemetry",
    "time",
    "tls",
    "webhooks",
];

/// The database on which other features are checked: it compiles in the shortest time.
const BASE: &str = "sqlite";

/// `wanted` names what to check instead of everything, as in `listing-axum:sqlite,jwt`.
pub(crate) fn run(wanted: Option<&str>, each: bool) -> Result<ExitCode> {
    let metadata = metadata::of_workspace()?;
    let mut sets = Vec::new();
    for name in PACKAGES {
        let package = metadata.packages.iter().find(|one| one.name == *name);
        let package = package.with_context(|| format!("there is no package {name}"))?;
        let each = each || wanted.is_some();
        let combined = combinations(package, each).into_iter();
        sets.extend(combined.map(|set| (*name, set)));
    }
    if let Some(wanted) = wanted {
        sets.retain(|(package, set)| format!("{package}:{}", set.join(",")) == wanted);
        if sets.is_empty() {
            bail!("`{wanted}` is not one of the combinations that are checked");
        }
    }
    let mut failed = Vec::new();
    for (package, set) in &sets {
        let label = format!("{package}:{}", set.join(","));
        let start = Instant::now();
        let ok = check(package, set)?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{} {seconds:5.1} s  {label}",
            if ok { "ok    " } else { "FAILED" }
        );
        if !ok {
            failed.push(label);
        }
    }
    if failed.is_empty() {
        println!(
            "features: {} combinations compile without warnings",
            sets.len()
        );
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "features: {} of {} failed; to repeat one:",
        failed.len(),
        sets.len()
    );
    for label in failed {
        println!("  cargo xtask features {label}");
    }
    Ok(ExitCode::FAILURE)
}

/// With clippy, because it can deny warnings in our own crates without compiling all others again.
fn check(package: &str, features: &[&str]) -> Result<bool> {
    let mut clippy = cargo();
    clippy
        .args([
            "clippy",
            "--quiet",
            "--locked",
            "--package",
            package,
            "--lib",
        ])
        .args(["--no-default-features", "--features", &features.join(",")])
        .args(["--", "-D", "warnings"]);
    Ok(interrupt::run(&mut clippy)?.success())
}

fn combinations(package: &Package, each: bool) -> Vec<Vec<&str>> {
    let features = package.features.keys().map(String::as_str);
    let features = features.filter(|name| *name != "default" && (each || !LARGE.contains(name)));
    let mut sets = Vec::from_iter(each.then(Vec::new));
    sets.extend(features.map(|one| match one {
        one if DATABASES.contains(&one) => vec![one],
        one => vec![BASE, one],
    }));
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(features: &[&str], each: bool) -> Vec<String> {
        let features = features.iter().map(|one| ((*one).to_owned(), Vec::new()));
        let package = Package {
            features: features.collect(),
            ..Package::default()
        };
        combinations(&package, each)
            .iter()
            .map(|set| set.join("+"))
            .collect()
    }

    /// Rule b230.
    #[test]
    fn each_feature_is_checked_alone_and_large_ones_when_asked() {
        let features = ["default", "postgres", "sqlite", "console", "jwt"];
        let small = ["sqlite+console", "postgres", "sqlite"];
        assert_eq!(sets(&features, false), small);
        let each = ["", "sqlite+console", "sqlite+jwt", "postgres", "sqlite"];
        assert_eq!(sets(&features, true), each);
    }
}
