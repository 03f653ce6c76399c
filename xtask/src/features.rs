//! Checks that the libraries compile without warnings in every combination of features that matters.
//!
//! Features of a database are checked as none, each alone and all together: each set compiles another SeaORM, which takes
//! most of the time. All other features are cheap, so every combination of them is checked, on SQLite.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::metadata::{self, Package};
use crate::{cargo, interrupt};

/// The crate that has every feature: those of `listing` are handed on to it, and clippy checks it with the same ones.
const PACKAGES: &[&str] = &["listing-axum"];

const DATABASES: &[&str] = &["postgres", "mysql", "sqlite"];

/// More features than this would make too many combinations; then each is checked alone, and all together.
const MOST_COMBINED: usize = 4;

/// `wanted` names what to check instead of everything, as in `listing-axum:sqlite,jwt`.
pub(crate) fn run(wanted: Option<&str>) -> Result<ExitCode> {
    let metadata = metadata::of_workspace()?;
    let mut sets = Vec::new();
    for name in PACKAGES {
        let package = metadata.packages.iter().find(|one| one.name == *name);
        let package = package.with_context(|| format!("there is no package {name}"))?;
        sets.extend(combinations(package).into_iter().map(|set| (*name, set)));
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

fn combinations(package: &Package) -> Vec<Vec<&str>> {
    let features = package.features.keys().map(String::as_str);
    let (databases, others): (Vec<_>, Vec<_>) = features
        .filter(|name| *name != "default")
        .partition(|name| DATABASES.contains(name));

    let mut sets = each_and_all(&databases);
    let base = databases.iter().copied().filter(|name| *name == "sqlite");
    let base: Vec<_> = base.collect();
    let extra = if others.len() <= MOST_COMBINED {
        subsets(&others)
    } else {
        each_and_all(&others)
    };
    for set in extra {
        let set = base.iter().copied().chain(set).collect();
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    let everything: Vec<_> = databases.iter().chain(&others).copied().collect();
    if !sets.contains(&everything) {
        sets.push(everything);
    }
    sets
}

/// None, each alone, all.
fn each_and_all<'f>(features: &[&'f str]) -> Vec<Vec<&'f str>> {
    let mut sets = vec![Vec::new()];
    sets.extend(features.iter().map(|one| vec![*one]));
    if features.len() > 1 {
        sets.push(features.to_vec());
    }
    sets
}

fn subsets<'f>(features: &[&'f str]) -> Vec<Vec<&'f str>> {
    features.iter().fold(vec![Vec::new()], |sets, feature| {
        let with = sets.iter().map(|set: &Vec<_>| {
            let mut set = set.clone();
            set.push(*feature);
            set
        });
        let with: Vec<_> = with.collect();
        sets.into_iter().chain(with).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(features: &[&str]) -> Vec<String> {
        let features = features.iter().map(|one| ((*one).to_owned(), Vec::new()));
        let package = Package {
            features: features.collect(),
            ..Package::default()
        };
        combinations(&package)
            .iter()
            .map(|set| set.join("+"))
            .collect()
    }

    #[test]
    fn databases_are_checked_as_none_each_and_all() {
        assert_eq!(
            sets(&["default", "postgres", "mysql", "sqlite"]),
            ["", "mysql", "postgres", "sqlite", "mysql+postgres+sqlite"]
        );
    }

    #[test]
    fn other_features_are_combined_on_sqlite() {
        assert_eq!(
            sets(&["sqlite", "jwt", "console"]),
            [
                "",
                "sqlite",
                "sqlite+console",
                "sqlite+jwt",
                "sqlite+console+jwt"
            ]
        );
        assert_eq!(
            sets(&["mysql", "sqlite", "jwt"]),
            [
                "",
                "mysql",
                "sqlite",
                "mysql+sqlite",
                "sqlite+jwt",
                "mysql+sqlite+jwt"
            ]
        );
    }

    #[test]
    fn too_many_features_are_not_all_combined() {
        assert_eq!(sets(&["a", "b", "c", "d"]).len(), 16);
        assert_eq!(sets(&["a", "b", "c", "d", "e"]).len(), 7);
    }
}
