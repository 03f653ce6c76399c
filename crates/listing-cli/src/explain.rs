//! Shows what each stage of the application makes of a query string, and on request the database's plan.

use std::process::ExitCode;

use anyhow::{Result, bail};
use listing::explain::{Explanation, Note};
use listing_axum::console::{ExplainQuestion, Explained};
use serde_json::{Value, json};

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
    let plans = if arguments.database.is_asked() {
        plans(&answer.database, &explanation)?
    } else {
        Vec::new()
    };
    if arguments.json {
        let json = as_json(&explanation, &plans)?;
        terminal::line(&serde_json::to_string_pretty(&json)?);
    } else {
        show(&explanation, &plans);
    }
    Ok(ExitCode::SUCCESS)
}

/// The database's plan of each statement.
fn plans(url: &str, explanation: &Explanation) -> Result<Vec<Vec<String>>> {
    crate::wait::wait_for(async {
        let database = Database::open(url).await?;
        let mut plans = Vec::new();
        for statement in &explanation.statements {
            plans.push(database.plan(&statement.literal).await?);
        }
        Ok(plans)
    })
}

/// The explanation, each statement with its plan if the database was asked (b502).
fn as_json(explanation: &Explanation, plans: &[Vec<String>]) -> Result<Value> {
    let mut json = serde_json::to_value(explanation)?;
    let statements = json["statements"].as_array_mut().into_iter().flatten();
    for (statement, plan) in statements.zip(plans) {
        statement["plan"] = json!(plan);
    }
    Ok(json)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b502.
    #[test]
    fn plans_are_in_the_json_of_their_statements() {
        let statement = json!({ "purpose": "page", "text": "SELECT ?", "values": ["1"], "literal": "SELECT 1" });
        let told = json!({
            "listing": "A", "parsed": [], "checked": [], "ignored": [], "plan": [],
            "statements": [statement, statement],
        });
        let explanation: Explanation = serde_json::from_value(told.clone()).unwrap();
        assert_eq!(as_json(&explanation, &[]).unwrap(), told);
        let plans = [vec!["SCAN a".to_owned()], vec!["SEARCH b".to_owned()]];
        let json = as_json(&explanation, &plans).unwrap();
        assert_eq!(json["statements"][0]["plan"], json!(["SCAN a"]));
        assert_eq!(json["statements"][1]["plan"], json!(["SEARCH b"]));
    }
}
