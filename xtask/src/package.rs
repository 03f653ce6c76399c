//! Packages the crates as they would be published, and checks that the packages compile on their own.
//!
//! Cargo's own verification would compile every dependency again for each crate. Here the packages are unpacked into one
//! workspace in which they replace what crates.io would have, and are checked together with this workspace's target
//! folder, where the dependencies already are.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::metadata::{self, Package};
use crate::{cargo, interrupt, workspace_root};

pub(crate) fn run(quick: bool) -> Result<ExitCode> {
    let metadata = metadata::of_workspace()?;
    let packages = metadata.packages.iter().filter(|one| one.is_publishable());
    let packages: Vec<_> = packages.collect();
    let complaints: Vec<_> = packages.iter().flat_map(|one| missing(one)).collect();
    if !complaints.is_empty() {
        for complaint in &complaints {
            println!("{complaint}");
        }
        return Ok(ExitCode::FAILURE);
    }

    let target = &metadata.target_directory;
    let mut package = cargo();
    package.args([
        "package",
        "--locked",
        "--no-verify",
        "--allow-dirty",
        "--quiet",
    ]);
    package.arg("--target-dir").arg(target);
    for one in &packages {
        package.args(["--package", &one.name]);
    }
    succeed(&mut package)?;

    if quick {
        println!("package: {} crates can be packaged", packages.len());
        return Ok(ExitCode::SUCCESS);
    }

    let folder = target.join("package").join("check");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for one in &packages {
        let archive = format!("../{}-{}.crate", one.name, one.version);
        let mut tar = Command::new("tar");
        tar.args(["-xzf", &archive]).current_dir(&folder);
        succeed(&mut tar)?;
    }
    let root = workspace_root();
    let own = fs::read_to_string(root.join("Cargo.toml"))?;
    fs::write(folder.join("Cargo.toml"), workspace(&packages, &own))?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut check = cargo();
    check
        .args(["check", "--workspace", "--all-features", "--target-dir"])
        .arg(target)
        .current_dir(&folder);
    succeed(&mut check)?;

    for one in &packages {
        let archive = format!("{}-{}.crate", one.name, one.version);
        let size = fs::metadata(target.join("package").join(&archive))?.len();
        println!("{archive}  {} KiB", size.div_ceil(1024));
    }
    println!(
        "package: {} crates are complete and compile on their own",
        packages.len()
    );
    Ok(ExitCode::SUCCESS)
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = interrupt::run(command)?;
    if !status.success() {
        bail!("{} failed ({status})", command.get_program().display());
    }
    Ok(())
}

/// What crates.io asks for, and what a reader of its pages looks for.
fn missing(package: &Package) -> Vec<String> {
    let folder = package.manifest_path.parent().unwrap_or(Path::new(""));
    let readme = package.readme.as_ref().is_some_and(|path| {
        // One of its own, not the workspace's.
        path.components().count() == 1 && folder.join(path).is_file()
    });
    let on_docs_rs = package
        .metadata
        .as_ref()
        .is_some_and(|metadata| metadata.pointer("/docs/rs").is_some());
    // A program has no page there.
    let on_docs_rs = on_docs_rs || package.is_program();
    let has = [
        ("description", package.description.is_some()),
        ("license", package.license.is_some()),
        ("documentation", package.documentation.is_some()),
        ("rust-version", package.rust_version.is_some()),
        ("keywords", matches!(package.keywords.len(), 1..=5)),
        ("categories", matches!(package.categories.len(), 1..=5)),
        ("readme = \"README.md\" and that file", readme),
        ("[package.metadata.docs.rs]", on_docs_rs),
    ];
    has.into_iter()
        .filter(|(_, there)| !there)
        .map(|(what, _)| format!("{}: its manifest lacks {what}", package.name))
        .collect()
}

/// A workspace of the unpacked packages, with this workspace's profiles, on which compiled dependencies depend.
fn workspace(packages: &[&Package], own: &str) -> String {
    let folder = |one: &Package| format!("{}-{}", one.name, one.version);
    let members: Vec<_> = packages.iter().map(|one| folder(one)).collect();
    let mut text =
        format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n[patch.crates-io]\n");
    for one in packages {
        let _ = writeln!(text, "{} = {{ path = {:?} }}", one.name, folder(one));
    }
    if let Some(start) = own.find("\n[profile.") {
        text.push_str(&own[start..]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_must_say_what_readers_look_for() {
        let bare = Package {
            name: "x".to_owned(),
            ..Package::default()
        };
        let complaints = missing(&bare);
        assert_eq!(complaints.len(), 8);
        assert_eq!(complaints[0], "x: its manifest lacks description");
    }

    /// Rule b231.
    #[test]
    fn packages_replace_what_the_registry_has() {
        let package = Package {
            name: "x".to_owned(),
            version: "1.0.0".to_owned(),
            ..Package::default()
        };
        let own = "[workspace]\nmembers = []\n\n[profile.dev]\ndebug = false\n";
        let text = workspace(&[&package], own);
        assert!(text.contains("members = [\"x-1.0.0\"]"), "{text}");
        assert!(text.contains("x = { path = \"x-1.0.0\" }"), "{text}");
        assert!(text.ends_with("[profile.dev]\ndebug = false\n"), "{text}");
    }
}
