//! Finds or starts a PostgreSQL and a MariaDB server to test against.
//!
//! A server named in the environment is used as it is. Otherwise a private one is started in a temporary
//! folder; servers that already run on the machine are neither used nor touched. Measurements load many rows, and
//! have the servers keep them in a folder that stays.

mod certificates;
mod mariadb;
pub(crate) mod pgbouncer;
mod postgres;
pub(crate) mod replicas;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::{env, thread};

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;

use crate::interrupt;
use crate::machine::install::install;
use crate::machine::supervise::Supervised;
use crate::machine::temp::Folder;

pub(crate) const POSTGRES_URL: &str = "LISTING_TEST_POSTGRES_URL";
pub(crate) const MYSQL_URL: &str = "LISTING_TEST_MYSQL_URL";
const POSTGRES_TLS: &str = "LISTING_TEST_POSTGRES_TLS";
const MYSQL_TLS: &str = "LISTING_TEST_MYSQL_TLS";

/// Both servers; those that were started here stop when this is dropped.
pub(crate) struct Databases {
    pub(crate) postgres: Server,
    pub(crate) mariadb: Server,
}

pub(crate) struct Server {
    pub(crate) url: String,
    /// Which server it is, for the summary.
    pub(crate) description: String,
    /// Where its certificates are, if it was started for tests.
    tls: Option<PathBuf>,
    _process: Option<Supervised>,
}

impl Databases {
    /// The variables that the tests read.
    pub(crate) fn variables(&self) -> Vec<(&'static str, OsString)> {
        let folder = |variable, server: &Server| Some((variable, server.tls.clone()?.into()));
        let urls = [
            (POSTGRES_URL, self.postgres.url.clone().into()),
            (MYSQL_URL, self.mariadb.url.clone().into()),
        ];
        let folders = [
            folder(POSTGRES_TLS, &self.postgres),
            folder(MYSQL_TLS, &self.mariadb),
        ];
        urls.into_iter()
            .chain(folders.into_iter().flatten())
            .collect()
    }
}

/// Starts both servers at the same time, and fails if either cannot start. With a folder to `keep` their data in, the next
/// servers find it there.
pub(crate) fn bring_up(sources: &Sources, keep: Option<&Path>) -> Result<Databases> {
    let kept = |name| keep.map(|folder| folder.join(name));
    thread::scope(|scope| {
        let postgres = scope.spawn(|| sources.postgres.bring_up(postgres::start, kept("postgres")));
        let mariadb = scope.spawn(|| sources.mariadb.bring_up(mariadb::start, kept("mariadb")));
        let postgres = postgres.join().map_err(|_| anyhow!("a thread panicked"))?;
        let mariadb = mariadb.join().map_err(|_| anyhow!("a thread panicked"))?;
        Ok(Databases {
            postgres: postgres.context("PostgreSQL")?,
            mariadb: mariadb.context("MariaDB")?,
        })
    })
}

/// The databases that the service runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Postgres,
    Mariadb,
    Sqlite,
}

impl Engine {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Mariadb => "mariadb",
            Self::Sqlite => "sqlite",
        }
    }
}

/// The programs of both servers, whatever the environment names: these are started, stopped and killed.
pub(crate) fn find_programs() -> Result<Sources> {
    let own = |sources: Sources| match (&sources.postgres, &sources.mariadb) {
        (Source::Start(_), Source::Start(_)) => Some(sources),
        _ => None,
    };
    if let Some(sources) = own(find_or_install()?) {
        return Ok(sources);
    }
    Ok(Sources {
        postgres: Source::Start(postgres::find().context("PostgreSQL is not installed")?),
        mariadb: Source::Start(mariadb::find().context("MariaDB is not installed")?),
    })
}

/// A PostgreSQL server that loses nothing when it is killed, with its rows in this folder.
pub(crate) fn durable_postgres(sources: &Sources, folder: &Folder, port: u16) -> Result<Command> {
    match &sources.postgres {
        Source::Start(programs) => postgres::durable(programs, folder, port),
        Source::Given { variable, .. } => {
            bail!("the server named in {variable} is not ours to kill")
        }
    }
}

/// The same of MariaDB.
pub(crate) fn durable_mariadb(sources: &Sources, folder: &Folder, port: u16) -> Result<Command> {
    match &sources.mariadb {
        Source::Start(programs) => mariadb::durable(programs, folder, port),
        Source::Given { variable, .. } => {
            bail!("the server named in {variable} is not ours to kill")
        }
    }
}

/// The folder of `PostgreSQL`'s programs.
pub(crate) fn postgres_programs() -> Result<PathBuf> {
    let programs = postgres::find().context("PostgreSQL is not installed")?;
    programs.folder()
}

/// `MariaDB`'s server, and a folder of rows below this one that it can start with.
pub(crate) fn mariadb_rows(folder: &Folder, home: &Path) -> Result<(PathBuf, PathBuf)> {
    let programs = mariadb::find().context("MariaDB is not installed")?;
    let rows = programs.rows(folder, home)?;
    Ok((programs.server(), rows))
}

/// Where the two servers come from.
pub(crate) struct Sources {
    postgres: Source<postgres::Programs>,
    mariadb: Source<mariadb::Programs>,
}

enum Source<Programs> {
    Given {
        variable: &'static str,
        url: String,
        /// Where its certificates are, as `cargo xtask databases` says it.
        tls: Option<PathBuf>,
    },
    Start(Programs),
}

/// Looks in the environment, then for the server programs, and installs those that are missing.
pub(crate) fn find_or_install() -> Result<Sources> {
    let postgres = find(POSTGRES_URL, POSTGRES_TLS, postgres::find);
    let mariadb = find(MYSQL_URL, MYSQL_TLS, mariadb::find);
    let missing: Vec<_> = [
        postgres.is_none().then_some(&postgres::PACKAGES),
        mariadb.is_none().then_some(&mariadb::PACKAGES),
    ]
    .into_iter()
    .flatten()
    .collect();
    install(&missing)?;
    let lost = "was installed, but its programs are not where they should be";
    Ok(Sources {
        postgres: postgres
            .or_else(|| find(POSTGRES_URL, POSTGRES_TLS, postgres::find))
            .with_context(|| format!("PostgreSQL {lost}"))?,
        mariadb: mariadb
            .or_else(|| find(MYSQL_URL, MYSQL_TLS, mariadb::find))
            .with_context(|| format!("MariaDB {lost}"))?,
    })
}

fn find<P>(variable: &'static str, tls: &str, programs: fn() -> Option<P>) -> Option<Source<P>> {
    match env::var(variable) {
        Ok(url) if !url.is_empty() => Some(Source::Given {
            variable,
            url,
            tls: env::var_os(tls).map(PathBuf::from),
        }),
        _ => programs().map(Source::Start),
    }
}

impl<Programs> Source<Programs> {
    fn bring_up(
        &self,
        start: fn(&Programs, Option<PathBuf>) -> Result<Server>,
        keep: Option<PathBuf>,
    ) -> Result<Server> {
        match self {
            Self::Given { variable, url, tls } => Ok(Server {
                url: url.clone(),
                description: match tls {
                    Some(_) => format!("the server named in {variable}"),
                    None => format!("the server named in {variable}; TLS was not tried on it"),
                },
                tls: tls.clone(),
                _process: None,
            }),
            Self::Start(programs) => start(programs, keep),
        }
    }
}

/// Where a server's data is: in its temporary folder, or in one that stays. It is created if it does not exist; what an
/// interrupted run left half-made is not used.
fn data_folder(
    folder: &Folder,
    keep: Option<&Path>,
    make: impl Fn(&Path) -> Result<()>,
) -> Result<PathBuf> {
    if let Some(kept) = keep {
        folder.share(kept)?;
    }
    let parent = keep.unwrap_or(folder.path());
    let (data, unfinished) = (parent.join("data"), parent.join("unfinished"));
    if !data.exists() {
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished)?;
        }
        make(&unfinished)?;
        fs::rename(&unfinished, &data)?;
    }
    Ok(data)
}

/// `cargo xtask databases`: for work on a single test, where a server should outlive one run.
pub(crate) fn keep_running() -> Result<ExitCode> {
    pgbouncer::find_or_install()?;
    let sources = find_or_install()?;
    let (databases, replicated) = thread::scope(|scope| {
        let replicated = scope.spawn(replicas::bring_up);
        let databases = bring_up(&sources, None)?;
        let replicated = replicated
            .join()
            .map_err(|_| anyhow!("a thread panicked"))?;
        Ok::<_, anyhow::Error>((databases, replicated?))
    })?;
    let variables = databases.variables().into_iter();
    for (variable, value) in variables.chain(replicated.variables()) {
        println!("export {variable}='{}'", value.display());
    }
    eprintln!("# running until Ctrl-C or end of input");
    let (end_of_input, ended) = mpsc::channel();
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock().by_ref(), &mut io::sink());
        let _ = end_of_input.send(());
    });
    while interrupt::check().is_ok() {
        match ended.recv_timeout(interrupt::POLL) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    eprintln!("# stopping");
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b519.
    #[test]
    fn the_summary_tells_of_a_server_on_which_tls_is_not_tried() {
        let description = |tls: Option<PathBuf>| {
            let source = Source::<postgres::Programs>::Given {
                variable: POSTGRES_URL,
                url: "postgres://127.0.0.1/tests".to_owned(),
                tls,
            };
            let server = source.bring_up(postgres::start, None).unwrap();
            server.description
        };
        assert_eq!(
            description(None),
            "the server named in LISTING_TEST_POSTGRES_URL; TLS was not tried on it"
        );
        assert_eq!(
            description(Some(PathBuf::from("/certificates"))),
            "the server named in LISTING_TEST_POSTGRES_URL"
        );
    }
}
