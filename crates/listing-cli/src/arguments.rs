//! Every command and option, from which help and completions are made.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Generates, checks and explains list endpoints that are defined by one whitelist per entity.
#[derive(Debug, Parser)]
#[command(name = "listing", version, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Create an application that runs and passes its tests at once
    New(NewArguments),
    /// Create the listing of an entity, or a new entity with everything that serves it
    Make(MakeArguments),
    /// Serve the tables of a database, read-only, without a project
    Serve(ServeArguments),
    /// Compare every listing with its entity and, if asked, with the schema of a database
    Check(CheckArguments),
    /// Show the named routes of the application
    Routes(RoutesArguments),
    /// Show what each stage makes of a request: parsed, checked, ignored, planned, as SQL
    Explain(ExplainArguments),
    /// Write the OpenAPI document of the application
    Openapi(OpenApiArguments),
    /// Write a client of the application, or of a service that runs
    Client(ClientArguments),
    /// Download all rows of a list of a service that runs
    Export(ExportArguments),
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

    /// Depend on the crates in this checkout of the project, not on published ones
    #[arg(long, value_name = "FOLDER")]
    pub(crate) listing_path: Option<PathBuf>,

    /// Serve the tables and views of this database (`sqlite:…`, `postgres://…`, `mysql://…`)
    #[arg(long, value_name = "URL")]
    pub(crate) from_database: Option<String>,

    /// Every table but these (`log`, `hr.person`)
    #[arg(
        long,
        value_name = "TABLE",
        value_delimiter = ',',
        requires = "from_database"
    )]
    pub(crate) except: Vec<String>,

    /// Create the endpoints that write too; without it everything is read-only
    #[arg(long, requires = "from_database")]
    pub(crate) crud: bool,

    /// Let everybody read; without it only callers who are signed in read
    #[arg(long)]
    pub(crate) public: bool,

    /// Write listings and payloads as functions and structs in files of their own, not as words at the columns
    #[arg(long)]
    pub(crate) explicit: bool,

    /// Show what would be written without writing it
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ServeArguments {
    /// The database (`sqlite:…`, `postgres://…`, `mysql://…`)
    pub(crate) url: String,

    /// These tables and no others (`film`, `hr.person`)
    #[arg(long, value_name = "TABLE", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// Every table but these (`log`, `hr.person`)
    #[arg(long, value_name = "TABLE", value_delimiter = ',')]
    pub(crate) except: Vec<String>,

    /// Where to listen. Everybody who can reach the address can read the tables
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) bind: String,

    /// Ask callers for this token, as `Authorization: Bearer TOKEN`; in the explorer people sign in with it
    #[arg(long, value_name = "TOKEN", env = "API_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MakeArguments {
    /// The entity, such as `Article`; with `--from-database` it can be left out, which means every table
    #[arg(required_unless_present = "from_database")]
    pub(crate) entity: Option<String>,

    /// Columns of an entity that does not exist yet, such as `name:string price:decimal? author:references`: creates its
    /// source, migration, listing, endpoints and test
    #[arg(value_name = "COLUMN", conflicts_with = "from_database")]
    pub(crate) columns: Vec<String>,

    /// Create the endpoints too: payload, rules, resource and routes
    #[arg(long)]
    pub(crate) crud: bool,

    /// Let everybody read what is served; without it only callers who are signed in read
    #[arg(long)]
    pub(crate) public: bool,

    /// Write the listing and the payload as functions and structs in files of their own, not as words at the columns
    #[arg(long)]
    pub(crate) explicit: bool,

    /// Create the entity too, from its table in this database (`sqlite:…`, `postgres://…`, `mysql://…`)
    #[arg(long, value_name = "URL")]
    pub(crate) from_database: Option<String>,

    /// The table, if it is not the plural of the entity's name
    #[arg(
        long,
        value_name = "TABLE",
        requires = "from_database",
        requires = "entity"
    )]
    pub(crate) table: Option<String>,

    /// Every table but these (`log`, `hr.person`)
    #[arg(
        long,
        value_name = "TABLE",
        value_delimiter = ',',
        requires = "from_database",
        conflicts_with = "entity"
    )]
    pub(crate) except: Vec<String>,

    /// Replace files that already exist
    #[arg(long)]
    pub(crate) force: bool,

    /// Show what would be written without writing it
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// How the application is found.
#[derive(Debug, Args)]
pub(crate) struct ApplicationArguments {
    /// The package to start, if the folder has several
    #[arg(long, short, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,

    /// The program to start, if there are several and none has the same name as its package
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) bin: Option<String>,

    /// Build with the release profile
    #[arg(long)]
    pub(crate) release: bool,

    /// Seconds to wait for the application's answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) timeout: u64,
}

/// Which database to ask.
#[derive(Debug, Args)]
pub(crate) struct DatabaseArguments {
    /// Ask a database too: the one at this URL, or the application's own if none is given
    #[arg(long, value_name = "URL", num_args = 0..=1, default_missing_value = "")]
    database: Option<String>,
}

impl DatabaseArguments {
    /// Whether to ask a database at all.
    pub(crate) fn is_asked(&self) -> bool {
        self.database.is_some()
    }

    /// The URL that was given; none means the application's own.
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

    /// Fail on advice, such as a missing index, too
    #[arg(long, requires = "database")]
    pub(crate) strict: bool,
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

    /// The resource: its path segment, table or listing
    #[arg(long, short)]
    pub(crate) resource: String,

    /// The SQL dialect to show; by default that of the application's database
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

#[derive(Debug, Args)]
pub(crate) struct OpenApiArguments {
    /// The file to write; `-` prints it
    #[arg(default_value = "openapi.json")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) application: ApplicationArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ClientArguments {
    #[command(subcommand)]
    pub(crate) language: ClientLanguage,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClientLanguage {
    /// TypeScript: one file without dependencies
    Ts(ClientOptions),
}

#[derive(Debug, Args)]
pub(crate) struct ClientOptions {
    /// The file to write; `-` prints it
    #[arg(default_value = "client.ts")]
    pub(crate) file: PathBuf,

    /// Ask the running service at this address, and need neither sources nor a build
    #[arg(long, value_name = "URL", conflicts_with_all = ["package", "bin", "release"])]
    pub(crate) from: Option<String>,

    /// A token for `--from`, for what its caller may do; better in the variable API_TOKEN, which others cannot see
    #[arg(long, value_name = "TOKEN", requires = "from")]
    pub(crate) token: Option<String>,

    #[command(flatten)]
    pub(crate) application: ApplicationArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// The address of the service (`http://127.0.0.1:8080`) or of its API (`https://example.com/v2`)
    #[arg(value_name = "URL")]
    pub(crate) from: String,

    /// The list and its query string: `articles?filters[is_active]=true`
    pub(crate) list: String,

    /// The format; without it that of the name of the file, or CSV
    #[arg(long, value_enum)]
    pub(crate) format: Option<ExportFormat>,

    /// The file to write, which appears once all of it is there; without it, the rows are printed
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// A token of the caller; better in the variable API_TOKEN, which others cannot see
    #[arg(long, value_name = "TOKEN")]
    pub(crate) token: Option<String>,
}

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    Csv,
    Ndjson,
    Xlsx,
}
