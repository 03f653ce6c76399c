//! Finds or starts a PostgreSQL and a MariaDB server to test against.
//!
//! A server named in the environment is used as it is. Otherwise a private one is started in a temporary
//! folder; servers that already run on the machine are neither used nor touched. Measurements load many rows, and
//! have the servers keep them in a folder that stays.

mod mariadb;
mod postgres;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::{env, thread};

use anyhow::{Context, Result, anyhow};

use crate::interrupt;
use crate::machine::install::install;
use crate::machine::supervise::Supervised;
use crate::machine::temp::Folder;

pub(crate) const POSTGRES_URL: &str = "LISTING_TEST_POSTGRES_URL";
pub(crate) const MYSQL_URL: &str = "LISTING_TEST_MYSQL_URL";

/// Both servers; those that were started here stop when this is dropped.
pub(crate) struct Databases {
    pub(crate) postgres: Server,
    pub(crate) mariadb: Server,
}

pub(crate) struct Server {
    pub(crate) url: String,
    /// Which server it is, for the summary.
    pub(crate) description: String,
    _process: Option<Supervised>,
}

impl Databases {
    /// The variables that the tests read.
    pub(crate) fn variables(&self) -> [(&'static str, &str); 2] {
        [
            (POSTGRES_URL, &self.postgres.url),
            (MYSQL_URL, &self.mariadb.url),
        ]
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

/// Where the two servers come from.
pub(crate) struct Sources {
    postgres: Source<postgres::Programs>,
    mariadb: Source<mariadb::Programs>,
}

enum Source<Programs> {
    Given { variable: &'static str, url: String },
    Start(Programs),
}

/// Looks in the environment, then for the server programs, and installs those that are missing.
pub(crate) fn find_or_install() -> Result<Sources> {
    let postgres = find(POSTGRES_URL, postgres::find);
    let mariadb = find(MYSQL_URL, mariadb::find);
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
            .or_else(|| find(POSTGRES_URL, postgres::find))
            .with_context(|| format!("PostgreSQL {lost}"))?,
        mariadb: mariadb
            .or_else(|| find(MYSQL_URL, mariadb::find))
            .with_context(|| format!("MariaDB {lost}"))?,
    })
}

fn find<P>(variable: &'static str, programs: fn() -> Option<P>) -> Option<Source<P>> {
    match env::var(variable) {
        Ok(url) if !url.is_empty() => Some(Source::Given { variable, url }),
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
            Self::Given { variable, url } => Ok(Server {
                url: url.clone(),
                description: format!("the server named in {variable}"),
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
    let databases = bring_up(&find_or_install()?, None)?;
    for (variable, url) in databases.variables() {
        println!("export {variable}='{url}'");
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
