//! Answers a question of the `listing` command with the definitions that are really used.
//!
//! The `listing` command starts the application with the question, so that its output cannot differ from what is served. The
//! answer is written to a file, because an application may print anything.

use std::path::PathBuf;

use listing::explain::Explanation;
use listing::whitelist::{ListingDescription, Whitelist};
use listing::{Complaint, Dialect, Listings, nearest};
use serde::{Deserialize, Serialize};

use super::Config;
use crate::describe::ApiDescription;
use crate::records::RouteTable;

/// The environment variable that holds the question, as JSON.
pub const CONSOLE: &str = "LISTING_CONSOLE";

/// A question of the `listing` command to an application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleQuestion {
    /// The file for the answer.
    pub answer: PathBuf,
    /// The request to explain, if any.
    pub explain: Option<ExplainQuestion>,
}

/// A request to explain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainQuestion {
    /// A path segment (`articles`), a table, or the type of a listing.
    pub resource: String,
    /// The query string.
    pub query: String,
    /// `postgres`, `mysql` or `sqlite`; `None` for the configured database.
    pub dialect: Option<String>,
}

/// The answer of an application.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConsoleAnswer {
    /// The configured database.
    pub database: String,
    /// The named routes.
    pub routes: Vec<ConsoleRoute>,
    /// The listings, verified.
    pub listings: Vec<ListingDescription>,
    /// The explanation, if it was requested.
    pub explanation: Option<Explained>,
    /// The API, as its developers see it.
    pub description: ApiDescription,
}

/// A named route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleRoute {
    /// `articles.show`
    pub name: String,
    /// `GET`
    pub method: String,
    /// `/api/articles/{id}`
    pub path: String,
}

/// The result of an explanation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Explained {
    /// Stage by stage.
    Explanation(Box<Explanation>),
    /// The error that a client would get.
    Refused {
        /// Stable and greppable.
        code: String,
        /// One sentence.
        message: String,
    },
    /// There is no such resource or dialect.
    Unknown {
        /// The unknown name, and the known ones.
        message: String,
    },
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConsoleError {
    /// The variable does not contain a question.
    #[error(
        "the variable {CONSOLE} holds no question of the `listing` command ({0}): unset it to serve"
    )]
    Question(serde_json::Error),
    /// The answer could not be written.
    #[error("cannot write the answer of the console to {file}: {error}")]
    Answer {
        /// The file.
        file: String,
        /// The reason.
        error: std::io::Error,
    },
}

/// Answers a question of the `listing` command, if the program was started with one. Returns `true` if so, and the program should
/// end. Call it when the listings are verified, before anything is opened:
///
/// ```
/// # use listing::Listings;
/// # use listing_axum::{Config, routes::RouteTable};
/// # use listing_axum::console::console;
/// # fn main_of(config: &Config, listings: &Listings, routes: &RouteTable) -> Result<(), Box<dyn std::error::Error>> {
/// if console(config, listings, routes)? {
///     return Ok(());
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the question is malformed, or the answer cannot be written.
pub fn console(
    config: &Config,
    listings: &Listings,
    routes: &RouteTable,
) -> Result<bool, ConsoleError> {
    let Some(text) = std::env::var_os(CONSOLE) else {
        return Ok(false);
    };
    let question: ConsoleQuestion =
        serde_json::from_slice(text.as_encoded_bytes()).map_err(ConsoleError::Question)?;
    let answer = answer(config, listings, routes, question.explain.as_ref());
    let bytes = serde_json::to_vec(&answer).map_err(ConsoleError::Question)?;
    std::fs::write(&question.answer, bytes).map_err(|error| ConsoleError::Answer {
        file: question.answer.display().to_string(),
        error,
    })?;
    Ok(true)
}

fn answer(
    config: &Config,
    listings: &Listings,
    routes: &RouteTable,
    question: Option<&ExplainQuestion>,
) -> ConsoleAnswer {
    ConsoleAnswer {
        database: config.database.expose().to_owned(),
        routes: routes
            .iter()
            .map(|route| ConsoleRoute {
                name: route.name.clone(),
                method: route.method.to_owned(),
                path: route.path.clone(),
            })
            .collect(),
        listings: listings.describe(),
        explanation: question.map(|question| {
            explain(config, listings, routes, question)
                .unwrap_or_else(|message| Explained::Unknown { message })
        }),
        description: ApiDescription::for_developers(listings, routes),
    }
}

fn explain(
    config: &Config,
    listings: &Listings,
    routes: &RouteTable,
    question: &ExplainQuestion,
) -> Result<Explained, String> {
    let whitelist = find(listings, routes, &question.resource)?;
    let dialect = dialect(config, question.dialect.as_deref())?;
    Ok(
        match listings.explain(whitelist, &question.query, dialect) {
            Ok(explanation) => Explained::Explanation(Box::new(explanation)),
            Err(error) => {
                let complaint = error.complaint();
                let code = complaint.as_ref().map_or("internal_error", |c| c.code);
                Explained::Refused {
                    code: code.to_owned(),
                    message: complaint.map_or_else(|| error.to_string(), told),
                }
            }
        },
    )
}

fn told(complaint: Complaint) -> String {
    complaint.message
}

/// The listing that a segment, a table or a type names.
fn find<'l>(
    listings: &'l Listings,
    routes: &RouteTable,
    name: &str,
) -> Result<&'l Whitelist, String> {
    let by_table = |table: &str| listings.iter().find(|w| w.table_name() == table);
    let segments: Vec<_> = routes
        .iter()
        .filter_map(|route| Some((route.name.strip_suffix(".index")?, route.table.as_ref())))
        .collect();
    let by_segment = segments.iter().find(|(segment, _)| *segment == name);
    let by_type = || {
        listings.iter().find(|whitelist| {
            let listing = whitelist.listing_name();
            // The type of a derived listing is `blog_post::Entity`, but its developer calls it `BlogPost`.
            let module = listing.strip_suffix("::Entity");
            let is_module =
                module.is_some_and(|module| module.replace('_', "").eq_ignore_ascii_case(name));
            listing == name || listing.strip_suffix("Listing") == Some(name) || is_module
        })
    };
    by_segment
        .and_then(|(_, table)| by_table(table))
        .or_else(|| by_table(name))
        .or_else(by_type)
        .ok_or_else(|| {
            let mut known: Vec<_> = segments.iter().map(|(segment, _)| *segment).collect();
            known.extend(listings.iter().map(Whitelist::table_name));
            known.sort_unstable();
            known.dedup();
            let remedy = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("valid names: {}", known.join(", ")),
            };
            format!("there is no resource `{name}`; {remedy}")
        })
}

fn dialect(config: &Config, named: Option<&str>) -> Result<Dialect, String> {
    let name = named.unwrap_or_else(|| {
        config
            .database
            .expose()
            .split(':')
            .next()
            .unwrap_or_default()
    });
    match name {
        "postgres" | "postgresql" => Ok(Dialect::Postgres),
        "mysql" | "mariadb" => Ok(Dialect::Mysql),
        "sqlite" => Ok(Dialect::Sqlite),
        other => Err(format!(
            "`{other}` is not a dialect; valid names: postgres, mysql, sqlite"
        )),
    }
}
