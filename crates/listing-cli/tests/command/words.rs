//! Help, completions and mistakes on the command line.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::shop::listing;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_task_is_in_the_help_and_in_the_guide() {
    let help = listing(here(), &["--help"]).well().out;
    let guide = std::fs::read_to_string(here().join("../../docs/command.md")).unwrap();
    for task in [
        "new",
        "make",
        "check",
        "routes",
        "explain",
        "export",
        "completions",
    ] {
        assert!(help.contains(&format!("\n  {task} ")), "{help}");
        assert!(guide.contains(&format!("listing {task}")), "{task}");
        let help = listing(here(), &[task, "--help"]).well().out;
        for option in help
            .split_whitespace()
            .filter(|word| word.starts_with("--"))
        {
            let option = option.trim_matches(|c: char| !c.is_alphanumeric() && c != '-');
            let known = ["--help", "--version"].contains(&option);
            assert!(
                known || guide.contains(option),
                "{option} of {task} is not in the guide"
            );
        }
    }
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = listing(here(), &["completions", shell]).well().out;
        assert!(script.contains("from-database"), "{shell}: {script}");
    }
    listing(here(), &["completions", "tcsh"])
        .badly()
        .says("possible values");
}

#[test]
fn an_unknown_task_is_told_with_the_nearest() {
    listing(here(), &["mak"]).badly().says("make");
    listing(here(), &["make"]).badly().says("<ENTITY>");
}

/// Rule b226.
#[test]
fn a_reader_that_has_seen_enough_is_not_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["completions", "zsh"][..], &["new", "shop"], &["--help"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_listing"))
            .args(arguments)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(command.stdout.take());
        let ended = command.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{arguments:?}: {said}");
        assert_eq!(said, "", "{arguments:?}");
    }
    // What was to be done is done.
    assert!(folder.path().join("shop/src/resources/mod.rs").is_file());
}
