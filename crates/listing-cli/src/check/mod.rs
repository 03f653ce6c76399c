//! Checks the application in the current folder, on request against a database, with an exit code for CI.

mod compare;

use std::process::ExitCode;

use anyhow::Result;
use listing_axum::ConsoleAnswer;

use self::compare::{Finding, compare};
use crate::arguments::CheckArguments;
use crate::database::{Database, without_password};
use crate::{application, terminal};

pub(crate) fn run(arguments: &CheckArguments) -> Result<ExitCode> {
    // An application with a mistake in a definition does not start, and says what it is.
    let answer = application::ask(&arguments.application, arguments.database.url(), None)?;
    let count = answer.listings.len();
    let listings = if count == 1 { "listing" } else { "listings" };
    terminal::good("ok", &format!("{count} {listings} against their entities"));
    if !arguments.database.is_asked() {
        println!("          `--database` holds them against the schema too.");
        return Ok(ExitCode::SUCCESS);
    }
    let url = &answer.database;
    let findings = findings(url, &answer)?;
    let (missing, wrong): (Vec<_>, Vec<_>) = findings.into_iter().partition(Finding::is_index);
    for finding in &wrong {
        terminal::bad("wrong", &finding.message);
        println!("          {}", finding.remedy);
    }
    for finding in &missing {
        terminal::doubtful("index", &finding.message);
    }
    if !missing.is_empty() {
        let mut statements: Vec<_> = missing.iter().map(|f| f.remedy.as_str()).collect();
        statements.sort_unstable();
        statements.dedup();
        println!("\n{}", statements.join("\n"));
    }
    let found = wrong.len() + missing.len();
    if found == 0 {
        let shown = without_password(url);
        terminal::good("ok", &format!("{count} {listings} against {shown}"));
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "\n{} wrong, {} without an index",
        wrong.len(),
        missing.len()
    );
    Ok(ExitCode::FAILURE)
}

fn findings(url: &str, answer: &ConsoleAnswer) -> Result<Vec<Finding>> {
    let _progress = terminal::Progress::new("reading the schema");
    crate::wait_for(async {
        let tables = Database::open(url).await?.tables().await?;
        Ok(compare(&answer.listings, &tables))
    })
}
