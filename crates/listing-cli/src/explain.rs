//! Shows what each stage of the application makes of a query string, and on request the database's plan.

use std::process::ExitCode;

use anyhow::{Result, bail};
use listing::{Explanation, Note};
use listing_axum::{ExplainQuestion, Explained};

use crate::arguments::ExplainArguments;
use crate::database::Database;
use crate::{application, terminal};

pub(crate) fn run(arguments: &ExplainArguments) -> Result<ExitCode> {
    let question = ExplainQuestion {
        resource: arguments.resource.clone(),
        query: query_of(&arguments.query).to_owned(),
        dialect: arguments.dialect.clone(),
    };
    let url = arguments.database.url();
    let answer = application::ask(&arguments.application, url, Some(question))?;
    let explanation = match answer.explanation {
        Some(Explained::Explanation(explanation)) => explanation,
        Some(Explained::Unknown { message }) => bail!(message),
        Some(refused @ Explained::Refused { .. }) if arguments.json => {
            terminal::line(&serde_json::to_string_pretty(&refused)?);
            return Ok(ExitCode::FAILURE);
        }
        Some(Explained::Refused { code, message }) => {
            terminal::bad("refused", &format!("{code}: {message}"));
            return Ok(ExitCode::FAILURE);
        }
        None => {
            bail!(
                "the application sent no explanation; build it and this command from the same version"
            )
        }
    };
    if arguments.json {
        terminal::line(&serde_json::to_string_pretty(&explanation)?);
        return Ok(ExitCode::SUCCESS);
    }
    let plans = if arguments.database.is_asked() {
        plans(&answer.database, &explanation)?
    } else {
        Vec::new()
    };
    show(&explanation, &plans);
    Ok(ExitCode::SUCCESS)
}

/// The database's plan of each statement.
fn plans(url: &str, explanation: &Explanation) -> Result<Vec<Vec<String>>> {
    crate::wait_for(async {
        let database = Database::open(url).await?;
        let mut plans = Vec::new();
        for statement in &explanation.statements {
            plans.push(database.plan(&statement.literal).await?);
        }
        Ok(plans)
    })
}

fn show(explanation: &Explanation, plans: &[Vec<String>]) {
    stage("parsed", &explanation.parsed);
    stage(
        &format!("checked by {}", explanation.listing),
        &explanation.checked,
    );
    stage("ignored", &explanation.ignored);
    stage("planned", &explanation.plan);
    for (at, statement) in explanation.statements.iter().enumerate() {
        terminal::heading(&format!("sql: {}", statement.purpose));
        terminal::line(&format!("  {}", statement.text));
        if !statement.values.is_empty() {
            terminal::line(&format!("  with {}", statement.values.join(", ")));
        }
        for line in plans.get(at).into_iter().flatten() {
            terminal::line(&format!("  plan: {line}"));
        }
    }
}

fn stage(name: &str, notes: &[Note]) {
    if notes.is_empty() {
        return;
    }
    terminal::heading(name);
    for note in notes {
        terminal::line(&format!("  {:<12} {}", note.about, note.text));
    }
}

/// The query string of an address, or of what follows its question mark.
fn query_of(text: &str) -> &str {
    match text.split_once('?') {
        Some((path, query)) if path.is_empty() || path.contains('/') => query,
        _ => text,
    }
}
