//! Counts the instructions that each stage takes for a request.
//!
//! Instructions, unlike time, are the same in every run and on a busy machine: a change of a percent can be seen.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};

use super::build;
use crate::interrupt;
use crate::machine::programs::programs;
use crate::machine::temp::Folder;

/// The function that a stage starts at, and what the stage is called.
const STAGES: &[(&str, &str)] = &[
    ("listing::request::text::parse_query", "parse"),
    ("listing::check::against", "check"),
    ("listing::plan::build", "plan"),
    ("listing::sql::render", "SQL"),
];

const REQUESTS: &[&str] = &["small", "300 bytes", "large"];

/// How often the program walks through the stages.
const TIMES: u64 = 100;

pub(super) fn run(target: &Path) -> Result<ExitCode> {
    let valgrind = programs("valgrind").next().context(
        "valgrind counts the instructions, and it is not installed: `apt-get install valgrind`, or what your system has",
    )?;
    let annotate = programs("callgrind_annotate")
        .next()
        .context("valgrind is there, but its `callgrind_annotate` is not")?;
    build()?;
    let folder = Folder::create("instructions")?;
    print!("{:<12}", "instructions");
    for (_, stage) in STAGES {
        print!(" {stage:>10}");
    }
    println!();
    for request in REQUESTS {
        let counts = folder.join("counts");
        let mut count = folder.command(&valgrind);
        count
            .args(["--tool=callgrind", "--quiet"])
            .arg(format!("--callgrind-out-file={}", counts.display()))
            .arg(target.join("release/bench-stages"))
            .arg(request);
        folder.run(&mut count)?;
        let report = annotated(folder.command(&annotate).arg(&counts))?;
        print!("{request:<12}");
        for (function, _) in STAGES {
            match instructions(&report, function) {
                Some(count) => print!(" {:>10}", count / TIMES),
                // The compiler has put it into its caller.
                None => print!(" {:>10}", "-"),
            }
        }
        println!();
        interrupt::check()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn annotated(command: &mut Command) -> Result<String> {
    let output = command
        .args(["--inclusive=yes", "--threshold=100"])
        .stdin(Stdio::null())
        .output()?;
    ensure!(
        output.status.success(),
        "callgrind_annotate failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A line is `1,234,567 (12.34%)  file:function [object]`.
fn instructions(report: &str, function: &str) -> Option<u64> {
    let line = report.lines().find(|line| {
        line.split_once(function)
            .is_some_and(|(before, after)| before.ends_with(':') && !after.starts_with(':'))
    })?;
    let count = line.split_whitespace().next()?;
    count.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_report_is_found_by_its_function() {
        let report = "9,999 (50.00%)  ???:listing::sql::render::{{closure}} [x]\n\
                      1,234,567 (12.34%)  ???:listing::sql::render [x]\n";
        assert_eq!(
            instructions(report, "listing::sql::render"),
            Some(1_234_567)
        );
        assert_eq!(instructions(report, "listing::plan::build"), None);
    }
}
