//! Checks the licences and sources of everything that is linked, as `deny.toml` allows them.
//!
//! `cargo deny` does this and looks for known vulnerabilities too, but it takes minutes to install and a download of its
//! database. These checks need nothing beyond cargo, so that every run of CI has them; where `cargo deny` is installed it
//! is run as well.

use std::collections::BTreeMap;
use std::fs;
use std::process::{ExitCode, Stdio};

use anyhow::{Context, Result};

use crate::metadata::{self, Package};
use crate::{cargo, interrupt, workspace_root};

const CRATES_IO: &[&str] = &[
    "registry+https://github.com/rust-lang/crates.io-index",
    "sparse+https://index.crates.io/",
];

pub(crate) fn run() -> Result<ExitCode> {
    let allowed = allowed_licences()?;
    let packages = metadata::of_everything()?.packages;
    let complaints: Vec<_> = packages
        .iter()
        .flat_map(|package| check(package, &allowed))
        .collect();
    for complaint in &complaints {
        println!("{complaint}");
    }
    for (name, versions) in duplicates(&packages) {
        println!("note: {name} is compiled in {}", versions.join(" and "));
    }
    if !complaints.is_empty() {
        println!("dependencies: {} complaints", complaints.len());
        return Ok(ExitCode::FAILURE);
    }
    println!(
        "dependencies: licences and sources of {} packages are allowed",
        packages.len()
    );
    cargo_deny()
}

fn cargo_deny() -> Result<ExitCode> {
    let mut version = cargo();
    version.args(["deny", "--version"]);
    let found = version.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        println!("dependencies: `cargo deny` is not installed, so advisories were NOT checked");
        return Ok(ExitCode::SUCCESS);
    }
    let mut deny = cargo();
    deny.args(["deny", "--offline", "check", "bans", "licenses", "sources"]);
    if !interrupt::run(&mut deny)?.success() {
        return Ok(ExitCode::FAILURE);
    }
    println!("dependencies: advisories need a download: run `cargo deny check advisories`");
    Ok(ExitCode::SUCCESS)
}

/// `licenses.allow` of `deny.toml`, so that the list is written once.
fn allowed_licences() -> Result<Vec<String>> {
    let text = fs::read_to_string(workspace_root().join("deny.toml"))?;
    let deny: toml::Table = text.parse().context("cannot read deny.toml")?;
    let allow = deny
        .get("licenses")
        .and_then(|licenses| licenses.get("allow"))
        .and_then(toml::Value::as_array)
        .context("deny.toml has no list `licenses.allow`")?;
    let names = allow.iter().filter_map(toml::Value::as_str);
    Ok(names.map(str::to_owned).collect())
}

fn check(package: &Package, allowed: &[String]) -> Vec<String> {
    let label = format!("{} {}", package.name, package.version);
    let mut complaints = Vec::new();
    if let Some(source) = package.source.as_deref() {
        if !CRATES_IO.contains(&source) {
            complaints.push(format!("{label}: comes from {source}, not from crates.io"));
        }
        match package.license.as_deref() {
            None => complaints.push(format!("{label}: names no licence")),
            Some(licence) if !is_allowed(licence, allowed) => {
                complaints.push(format!("{label}: its licence `{licence}` is not allowed"));
            }
            Some(_) => {}
        }
    } else {
        let anything = package
            .dependencies
            .iter()
            .filter(|one| one.req == "*" && one.path.is_none());
        for dependency in anything {
            let name = &dependency.name;
            complaints.push(format!("{label}: takes any version of {name}"));
        }
    }
    complaints
}

fn duplicates(packages: &[Package]) -> Vec<(&str, Vec<&str>)> {
    let mut versions = BTreeMap::<_, Vec<_>>::new();
    for package in packages {
        versions
            .entry(package.name.as_str())
            .or_default()
            .push(package.version.as_str());
    }
    let several = versions.into_iter().filter(|(_, list)| list.len() > 1);
    several.collect()
}

/// Whether an SPDX expression can be met with these licences. The old `/` means `OR`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let tokens: Vec<_> = spaced.split_whitespace().collect();
    let mut rest = tokens.as_slice();
    either(&mut rest, allowed) && rest.is_empty()
}

fn either(tokens: &mut &[&str], allowed: &[String]) -> bool {
    let mut met = both(tokens, allowed);
    while let ["OR", rest @ ..] = *tokens {
        *tokens = rest;
        met |= both(tokens, allowed);
    }
    met
}

fn both(tokens: &mut &[&str], allowed: &[String]) -> bool {
    let mut met = one(tokens, allowed);
    while let ["AND", rest @ ..] = *tokens {
        *tokens = rest;
        met &= one(tokens, allowed);
    }
    met
}

fn one(tokens: &mut &[&str], allowed: &[String]) -> bool {
    match *tokens {
        ["(", rest @ ..] => {
            *tokens = rest;
            let met = either(tokens, allowed);
            if let [")", rest @ ..] = *tokens {
                *tokens = rest;
                return met;
            }
            false
        }
        [licence, "WITH", exception, rest @ ..] => {
            *tokens = rest;
            let whole = format!("{licence} WITH {exception}");
            allowed.contains(&whole)
        }
        [licence, rest @ ..] => {
            *tokens = rest;
            allowed.iter().any(|name| name == licence)
        }
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(expression: &str) -> bool {
        is_allowed(expression, &["MIT".to_owned(), "Zlib".to_owned()])
    }

    /// Rule b232.
    #[test]
    fn expressions_are_met_or_not() {
        for expression in [
            "MIT",
            "Apache-2.0 OR MIT",
            "Apache-2.0/MIT",
            "MIT AND Zlib",
            "(GPL-3.0 OR MIT) AND Zlib",
            "Apache-2.0 WITH LLVM-exception OR MIT",
        ] {
            assert!(allows(expression), "{expression}");
        }
        for expression in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR Zlib) AND GPL-3.0",
            "(MIT",
            "MIT WITH GPL",
            "MIT Zlib",
        ] {
            assert!(!allows(expression), "{expression}");
        }
    }

    /// Rule b232.
    #[test]
    fn packages_from_elsewhere_are_found() {
        let package = |source: &str, license: Option<&str>| Package {
            name: "x".to_owned(),
            version: "1.0.0".to_owned(),
            source: Some(source.to_owned()),
            license: license.map(str::to_owned),
            ..Package::default()
        };
        let complaints = |package: &Package| check(package, &["MIT".to_owned()]).join("; ");
        assert_eq!(complaints(&package(CRATES_IO[0], Some("MIT"))), "");
        assert_eq!(
            complaints(&package("git+https://example.com/x", Some("MIT"))),
            "x 1.0.0: comes from git+https://example.com/x, not from crates.io"
        );
        assert_eq!(
            complaints(&package(CRATES_IO[0], None)),
            "x 1.0.0: names no licence"
        );
        assert_eq!(
            complaints(&package(CRATES_IO[0], Some("GPL-3.0"))),
            "x 1.0.0: its licence `GPL-3.0` is not allowed"
        );
    }

    #[test]
    fn any_version_is_a_complaint_unless_it_is_a_folder() {
        let dependency = |path: Option<&str>| metadata::Dependency {
            name: "y".to_owned(),
            req: "*".to_owned(),
            path: path.map(Into::into),
        };
        let package = |path| Package {
            dependencies: vec![dependency(path)],
            ..Package::default()
        };
        assert_eq!(check(&package(None), &[]).len(), 1);
        assert_eq!(check(&package(Some("y")), &[]).len(), 0);
    }
}
