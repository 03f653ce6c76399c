//! Every command and option, from which help and completions are made.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

/// Lists endpoints from one checked whitelist per entity: generates, checks and explains them.
#[derive(Debug, Parser)]
#[command(name = "listing", version, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Create an application that runs, and passes its tests, at once
    New(NewArguments),
    /// Create the listing of an entity, filled from what the entity says
    Make(MakeArguments),
    /// Hold every listing against its entity and, with a database, against the schema; exit code 1 if something is wrong
    Check(CheckArguments),
    /// Show the named routes of the application
    Routes(RoutesArguments),
    /// Show what each stage makes of a request: parsed, checked, ignored, planned, as SQL
    Explain(ExplainArguments),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// The folder to create; its last part is the application's name
    pub(crate) path: PathBuf,

    /// A checkout of the project, on whose crates the application depends
    #[arg(long, value_name = "FOLDER")]
    pub(crate) listing_path: Option<PathBuf>,

    /// Show what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MakeArguments {
    /// The entity, such as `Article`
    pub(crate) entity: String,

    /// Add the endpoints too: payload, rules, resource and routes
    #[arg(long)]
    pub(crate) crud: bool,

    /// Write the entity too, from the table of this database (`sqlite:…`, `postgres://…`, `mysql://…`)
    #[arg(long, value_name = "URL")]
    pub(crate) from_database: Option<String>,

    /// The table, where it is not the entity's name in the plural
    #[arg(long, value_name = "TABLE", requires = "from_database")]
    pub(crate) table: Option<String>,

    /// Replace files that are there already
    #[arg(long)]
    pub(crate) force: bool,

    /// Show what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// How the application is found.
#[derive(Debug, Args)]
pub(crate) struct ApplicationArguments {
    /// The package to start, where the folder has several
    #[arg(long, short, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,

    /// Build with the release profile
    #[arg(long)]
    pub(crate) release: bool,

    /// Seconds to wait for the application's answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) timeout: u64,
}

/// Which database is asked.
#[derive(Debug, Args)]
pub(crate) struct DatabaseArguments {
    /// Ask a database too: this one, or the application's own where no URL follows
    #[arg(long, value_name = "URL", num_args = 0..=1, default_missing_value = "")]
    database: Option<String>,
}

impl DatabaseArguments {
    /// Whether a database is asked at all.
    pub(crate) fn is_asked(&self) -> bool {
        self.database.is_some()
    }

    /// The one that is named; none for the application's own.
    pub(crate) fn url(&self) -> Option<&str> {
        self.database.as_deref().filter(|url| !url.is_empty())
    }
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) application: ApplicationArguments,

    #[command(flatten)]
    pub(crate) database: DatabaseArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RoutesArguments {
    #[command(flatten)]
    pub(crate) application: ApplicationArguments,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The query string, without its question mark
    #[arg(value_name = "QUERY STRING")]
    pub(crate) query: String,

    /// The resource: a segment of the path, a table or a listing
    #[arg(long, short)]
    pub(crate) resource: String,

    /// Whose SQL to show, where it is not that of the application's database
    #[arg(long, value_parser = ["postgres", "mysql", "sqlite"], conflicts_with = "database")]
    pub(crate) dialect: Option<String>,

    #[command(flatten)]
    pub(crate) application: ApplicationArguments,

    #[command(flatten)]
    pub(crate) database: DatabaseArguments,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
