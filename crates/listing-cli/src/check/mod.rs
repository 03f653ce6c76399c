//! Checks the application in the current folder, and its database if asked, and sets the exit code for CI.

mod compare;
mod counted;
mod indexes;
#[cfg(test)]
mod reference;
mod stored;

use std::process::ExitCode;

use anyhow::Result;
use listing::stored::SeenColumn;
use listing_axum::config::Secret;
use listing_axum::console::ConsoleAnswer;

use self::compare::{Finding, compare};
use crate::arguments::CheckArguments;
use crate::database::Database;
use crate::{application, terminal};

pub(crate) fn run(arguments: &CheckArguments) -> Result<ExitCode> {
    // An application with a mistake in a definition does not start, and reports the mistake.
    let answer = application::ask(&arguments.application, arguments.database.url(), None)?;
    let count = answer.listings.len();
    let agree = match count {
        1 => "1 listing agrees with its entity".to_owned(),
        _ => format!("{count} listings agree with their entities"),
    };
    terminal::good("ok", &agree);
    let notes = counted::notes(&answer.listings);
    for note in &notes {
        terminal::doubtful("note", note);
    }
    if !notes.is_empty() {
        terminal::more(
            "On large tables, `listing::migration::Counter` keeps the number in a column.",
        );
    }
    if !arguments.database.is_asked() {
        terminal::more("`--database` compares them with the schema too.");
        return Ok(ExitCode::SUCCESS);
    }
    let url = &answer.database;
    let (findings, seen) = findings(url, &answer)?;
    for column in &seen {
        let word = if column.unfit > 0 { "warning" } else { "note" };
        terminal::doubtful(word, &column.to_string());
    }
    let has_unfit = seen.iter().any(|column| column.unfit > 0);
    if has_unfit {
        terminal::more(
            "Such a record is shown, but cannot be changed; correct its value in the database.",
        );
    }
    let (advice, errors): (Vec<_>, Vec<_>) = findings.into_iter().partition(Finding::is_advice);
    for finding in &errors {
        terminal::bad("error", &finding.message);
        terminal::more(&finding.remedy);
    }
    for finding in &advice {
        terminal::doubtful("advice", &finding.message);
    }
    if !advice.is_empty() {
        let mut statements: Vec<_> = advice.iter().map(|f| f.remedy.as_str()).collect();
        statements.sort_unstable();
        statements.dedup();
        terminal::line(&format!("\n{}", statements.join("\n")));
    }
    if errors.is_empty() && advice.is_empty() {
        let shown = Secret::from(url.as_str()).as_shown_url();
        terminal::good("ok", &format!("the schema of {shown} agrees"));
        let failed = has_unfit && arguments.strict;
        return Ok(if failed {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        });
    }
    let (wrong, missing) = (errors.len(), advice.len());
    let plural = if wrong == 1 { "" } else { "s" };
    terminal::line(&format!(
        "\n{wrong} error{plural}, {missing} without an index"
    ));
    let failed = wrong > 0 || arguments.strict;
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// The differences between listings and schema, and the values that were found in the columns.
fn findings(url: &str, answer: &ConsoleAnswer) -> Result<(Vec<Finding>, Vec<SeenColumn>)> {
    let _progress = terminal::Progress::new("reading the schema");
    crate::wait::wait_for(async {
        let database = Database::open(url).await?;
        let mut tables = database.tables_and_parts().await?;
        database.count_rows(&mut tables).await;
        let names = database.index_names().await?;
        let findings = compare(&answer.listings, &tables, names);
        let seen = stored::seen(database.connection(), &answer.listings).await;
        Ok((findings, seen))
    })
}
