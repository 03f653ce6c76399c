//! A generated application: made, built and started.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use listing::whitelist::ListingDescription;
use listing_axum::console::{CONSOLE, ConsoleAnswer, ConsoleQuestion};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use serde_json::Value;

use crate::shop::{Ended, cargo, listing, room, target, with_dependencies_of_shop};

/// An application whose sources are written.
pub(crate) struct Application {
    name: String,
    folder: PathBuf,
    url: String,
}

/// Makes the application of a database, with endpoints that write. Files that are as they were are not touched, so that an
/// application is compiled again only where the generator writes it otherwise.
pub(crate) fn generate(name: &str, url: &str, drivers: Drivers) -> Application {
    let fresh = room().join("fresh");
    fs::create_dir_all(&fresh).unwrap();
    let _ = fs::remove_dir_all(fresh.join(name));
    let said = listing(&fresh, &["new", name, "--from-database", url, "--crud"]).well();
    assert!(
        said.out.contains("Nothing was written to the database"),
        "{}",
        said.out
    );
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lock = fresh.join(name).join("Cargo.lock");
    fs::copy(workspace.join("Cargo.lock"), lock).unwrap();
    let manifest = fresh.join(name).join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, in_tests(&text, name, drivers)).unwrap();
    let folder = room().join(name);
    copy_changes(&fresh.join(name), &folder);
    Application {
        name: name.to_owned(),
        folder,
        url: url.to_owned(),
    }
}

/// For which databases the dependencies are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drivers {
    /// That of the application: for SQLite they were compiled for the other tests already.
    Own,
    /// All of them, once for several applications.
    All,
}

/// The manifest with no more to compile than these tests need: the library and the program have no tests.
fn in_tests(manifest: &str, name: &str, drivers: Drivers) -> String {
    let targets = format!(
        "\n[lib]\ntest = false\ndoctest = false\n\n[[bin]]\nname = \"{name}\"\npath = \"src/main.rs\"\ntest = false\n"
    );
    let manifest = format!("{manifest}{targets}");
    if drivers == Drivers::Own {
        return with_dependencies_of_shop(&manifest);
    }
    let all = r#""mysql", "postgres", "sqlite""#;
    let known = ["mysql", "postgres", "sqlite"];
    let manifest = known.iter().fold(manifest, |text, driver| {
        let only = format!("features = [\"{driver}\"]");
        let text = text.replace(&only, &format!("features = [{all}]"));
        let only = format!("\"log\", \"{driver}\"");
        text.replace(&only, &format!("\"log\", {all}"))
    });
    let arrays = r#""postgres-array", "#;
    let plain = manifest.replace(arrays, "");
    plain.replace(
        r#""runtime-tokio", "#,
        &format!(r#"{arrays}"runtime-tokio", "#),
    )
}

/// Makes one folder like another.
fn copy_changes(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for old in fs::read_dir(to).unwrap() {
        let old = old.unwrap();
        let is_gone = !from.join(old.file_name()).exists();
        if is_gone && old.file_type().unwrap().is_file() {
            fs::remove_file(old.path()).unwrap();
        }
    }
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_changes(&entry.path(), &target);
            continue;
        }
        let text = fs::read(entry.path()).unwrap();
        if fs::read(&target).ok().as_ref() != Some(&text) {
            fs::write(target, text).unwrap();
        }
    }
}

impl Application {
    /// The command, in its folder.
    pub(crate) fn listing(&self, arguments: &[&str]) -> Ended {
        listing(&self.folder, arguments)
    }

    /// Builds it without warnings, runs its own tests and `listing check`, and starts it.
    pub(crate) fn start(&self) -> Served {
        cargo(&self.folder, &["test", "--quiet"])
            .well()
            .says("1 passed");
        // What was generated agrees with its schema, and asks for no index on tables of a few rows.
        listing(&self.folder, &["check", "--database", "--strict"])
            .well()
            .says("agrees");
        let mut program = Command::new(target().join("debug").join(&self.name));
        program
            .current_dir(&self.folder)
            .env_remove("DATABASE_URL")
            .env("LISTING_BIND", "127.0.0.1:0")
            .env("API_TOKEN", "secret")
            // What is read can be sent back, with what the payload does not have.
            .env("LISTING_STRICT", "false");
        Served::start(program, &self.url)
    }
}

/// An application that runs.
pub(crate) struct Served {
    program: Child,
    address: String,
    pub(crate) database: Hand,
    description: ConsoleAnswer,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// A table, as the application serves it.
pub(crate) struct Table {
    /// `/api/film`
    pub(crate) path: String,
    pub(crate) listing: ListingDescription,
    pub(crate) writable: bool,
}

impl Served {
    /// Asks the program what it serves, and starts it.
    pub(crate) fn start(mut program: Command, url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let answer = folder.path().join("answer.json");
        let question = ConsoleQuestion {
            answer: answer.clone(),
            explain: None,
        };
        let question = serde_json::to_string(&question).unwrap();
        let ended = program.env(CONSOLE, question).output().unwrap();
        assert!(ended.status.success(), "{ended:?}");
        let description = serde_json::from_slice(&fs::read(answer).unwrap()).unwrap();
        let mut program = program
            .env_remove(CONSOLE)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let said = BufReader::new(program.stdout.as_mut().unwrap()).lines();
        let mut said = said.map(Result::unwrap);
        let first = said.find(|line| line.contains("http://")).unwrap();
        let address = first.split("http://").nth(1).unwrap();
        let address = address.split('/').next().unwrap().to_owned();
        Self {
            program,
            address,
            database: Hand::open(url),
            description,
        }
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn tables(&self) -> Vec<Table> {
        let routes = &self.description.routes;
        let lists: Vec<_> = routes
            .iter()
            .filter(|r| r.name.ends_with(".index"))
            .collect();
        assert_eq!(lists.len(), self.description.listings.len());
        let listings = self.description.listings.iter();
        let tables = lists.iter().zip(listings).map(|(route, listing)| Table {
            path: route.path.clone(),
            listing: listing.clone(),
            writable: routes
                .iter()
                .any(|other| other.path == route.path && other.method == "POST"),
        });
        tables.collect()
    }

    /// What a request is answered with 200.
    #[track_caller]
    pub(crate) fn get(&self, target: &str) -> Value {
        let (status, body) = self.send("GET", target, None);
        assert_eq!(status, 200, "{target}: {body}");
        body
    }

    /// A request of a caller who is signed in.
    pub(crate) fn send(&self, method: &str, target: &str, body: Option<&Value>) -> (u16, Value) {
        let body = body.map_or_else(String::new, Value::to_string);
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} {} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nauthorization: Bearer secret\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            encoded(target),
            self.address,
            body.len()
        )
        .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        assert!(status < 500, "{method} {target}: {reply}");
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }
}

/// A target whose odd letters are percent-encoded; what separates its parts stays.
fn encoded(target: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/?&=[]%$,:*".contains(&byte);
    target.bytes().fold(String::new(), |mut all, byte| {
        if plain(byte) {
            all.push(char::from(byte));
        } else {
            all.push_str(&format!("%{byte:02X}"));
        }
        all
    })
}

/// A value as it can stand in a target.
pub(crate) fn in_target(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~,".contains(&byte);
    value.bytes().fold(String::new(), |mut all, byte| {
        if plain(byte) {
            all.push(char::from(byte));
        } else {
            all.push_str(&format!("%{byte:02X}"));
        }
        all
    })
}

/// The database, asked by hand.
pub(crate) struct Hand {
    connection: DatabaseConnection,
    runtime: tokio::runtime::Runtime,
}

impl Hand {
    fn open(url: &str) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let connection = runtime.block_on(Database::connect(url)).unwrap();
        Self {
            connection,
            runtime,
        }
    }

    pub(crate) fn backend(&self) -> DbBackend {
        self.connection.get_database_backend()
    }

    /// The rows of a statement that selects text.
    pub(crate) fn rows(&self, sql: &str) -> Vec<Vec<Option<String>>> {
        let statement = Statement::from_string(self.backend(), sql);
        let rows = self
            .runtime
            .block_on(self.connection.query_all_raw(statement));
        let rows = rows.unwrap_or_else(|error| panic!("{sql}: {error}"));
        let row = |row: &sea_orm::QueryResult| {
            let columns = 0..row.column_names().len();
            columns
                .map(|at| row.try_get_by_index(at).unwrap())
                .collect()
        };
        rows.iter().map(row).collect()
    }

    /// Runs a statement that changes rows.
    pub(crate) fn execute(&self, sql: &str) {
        let done = self.connection.execute_unprepared(sql);
        self.runtime.block_on(done).unwrap();
    }

    pub(crate) fn count(&self, from: &str) -> u64 {
        let count = self.text("COUNT(*)");
        let rows = self.rows(&format!("SELECT {count} FROM {from}"));
        rows[0][0].as_ref().unwrap().parse().unwrap()
    }

    /// An expression as text.
    pub(crate) fn text(&self, expression: &str) -> String {
        let text = match self.backend() {
            DbBackend::MySql => "CHAR",
            _ => "TEXT",
        };
        format!("CAST({expression} AS {text})")
    }

    /// A name as SQL writes it.
    pub(crate) fn name(&self, name: &str) -> String {
        match self.backend() {
            DbBackend::MySql => format!("`{name}`"),
            _ => format!("\"{name}\""),
        }
    }

    pub(crate) fn table(&self, schema: Option<&str>, name: &str) -> String {
        let name = self.name(name);
        schema.map_or(name.clone(), |schema| {
            format!("{}.{name}", self.name(schema))
        })
    }
}
