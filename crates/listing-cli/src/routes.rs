//! Lists the named routes of the application in the current folder.

use anyhow::Result;

use crate::application;
use crate::arguments::RoutesArguments;
use crate::terminal;

pub(crate) fn run(arguments: &RoutesArguments) -> Result<()> {
    let answer = application::ask(&arguments.application, None, None)?;
    if arguments.json {
        terminal::line(&serde_json::to_string_pretty(&answer.routes)?);
        return Ok(());
    }
    let width = |text: fn(&listing_axum::console::ConsoleRoute) -> &str, least: usize| {
        let lengths = answer.routes.iter().map(|route| text(route).len());
        lengths.max().unwrap_or(0).max(least)
    };
    let (name, method) = (width(|r| &r.name, 4), width(|r| &r.method, 6));
    terminal::heading(&format!("{:<name$}  {:<method$}  path", "name", "method"));
    for route in &answer.routes {
        terminal::line(&format!(
            "{:<name$}  {:<method$}  {}",
            route.name, route.method, route.path
        ));
    }
    Ok(())
}
