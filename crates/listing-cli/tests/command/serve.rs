//! `listing serve` on a database that changes while it runs.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::shop::{on_sqlite, room};

/// The command, while it serves.
struct Serving {
    program: Child,
    address: String,
    /// What it said before it listened.
    said: Vec<String>,
}

impl Serving {
    fn start(url: &str) -> Self {
        Self::start_with(url, &[])
    }

    fn start_with(url: &str, arguments: &[&str]) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_listing"))
            .args(["serve", url, "--bind", "127.0.0.1:0"])
            .args(arguments)
            .env_remove("RUST_LOG")
            .env_remove("API_TOKEN")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(program.stdout.as_mut().unwrap()).lines();
        let mut said = Vec::new();
        let mut address = None;
        for line in lines {
            let line = line.unwrap();
            if let Some((_, rest)) = line.split_once("Listening on http://") {
                address = rest.split('/').next().map(str::to_owned);
                break;
            }
            said.push(line);
        }
        Self {
            program,
            address: address.unwrap(),
            said,
        }
    }

    fn get(&self, path: &str) -> String {
        self.get_with("", path)
    }

    /// Asks with one more line in the head.
    fn get_with(&self, header: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {host}\r\n{header}connection: close\r\n\r\n"
        )
        .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    /// Ends it, and gives back what it logged.
    fn log(mut self) -> String {
        self.program.kill().unwrap();
        let mut log = String::new();
        let said = self.program.stderr.as_mut().unwrap();
        said.read_to_string(&mut log).unwrap();
        log
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Rule b621.
#[test]
fn serving_logs_where_it_listens_each_request_and_why_one_failed() {
    std::fs::create_dir_all(room()).unwrap();
    let file = room().join("logged.sqlite");
    let _ = std::fs::remove_file(&file);
    on_sqlite(
        &file,
        "CREATE TABLE pens (id integer PRIMARY KEY, name text NOT NULL)",
    );
    let serving = Serving::start(&format!("sqlite:{}", file.display()));
    let reply = serving.get("/api/pens");
    assert!(reply.starts_with("HTTP/1.1 200 "), "{reply}");
    on_sqlite(&file, "DROP TABLE pens");
    let reply = serving.get("/api/pens");
    assert!(reply.starts_with("HTTP/1.1 500 "), "{reply}");

    let address = serving.address.clone();
    let log = serving.log();
    let listening = format!("listening on http://{address}");
    for words in [
        ["INFO", &listening, ""],
        ["INFO", "/api/pens", "status=200"],
        ["ERROR", "no such table: pens", ""],
        ["ERROR", "/api/pens", "status=500"],
    ] {
        let has_words = |line: &str| words.iter().all(|word| line.contains(word));
        assert!(log.lines().any(has_words), "{words:?} is not in:\n{log}");
    }
    // Nobody looks: no colours.
    assert!(!log.contains('\u{1b}'), "{log}");
}

/// Rule b582.
#[test]
fn columns_that_look_like_secrets_are_told_where_a_database_is_served() {
    std::fs::create_dir_all(room()).unwrap();
    let file = room().join("told.sqlite");
    let _ = std::fs::remove_file(&file);
    on_sqlite(
        &file,
        "CREATE TABLE users (id integer PRIMARY KEY, name text, pass_crypt text)",
    );
    let serving = Serving::start(&format!("sqlite:{}", file.display()));
    let told = "  `users.pass_crypt` (`pass_crypt` in its name)";
    assert!(
        serving.said.iter().any(|line| line == told),
        "{:?}",
        serving.said
    );
}

/// A database of two tables, under a name of its own.
fn music(name: &str) -> (std::path::PathBuf, String) {
    std::fs::create_dir_all(room()).unwrap();
    let file = room().join(format!("{name}.sqlite"));
    let _ = std::fs::remove_file(&file);
    on_sqlite(
        &file,
        "CREATE TABLE kunde (id integer PRIMARY KEY, name text NOT NULL); \
         CREATE TABLE alben (id integer PRIMARY KEY, title text NOT NULL, kunde_id integer NOT NULL REFERENCES kunde (id)); \
         INSERT INTO kunde VALUES (1, 'Zoe'), (2, 'Adam'); \
         INSERT INTO alben VALUES (1, 'First light', 1), (2, 'Second', 2)",
    );
    let url = format!("sqlite:{}", file.display());
    (file, url)
}

/// Rule b650.
#[test]
fn what_is_served_is_as_rich_as_an_application() {
    let (_, url) = music("rich");
    let serving = Serving::start(&url);
    let has = |path: &str, wanted: &[&str]| {
        let reply = serving.get(path);
        assert!(reply.starts_with("HTTP/1.1 200 "), "{path}: {reply}");
        for text in wanted {
            assert!(reply.contains(text), "{path}: {text} is not in {reply}");
        }
    };
    // The row of a foreign key is there at once.
    has("/api/alben", &[r#""kunde":{"id":1,"name":"Zoe"}"#]);
    has(
        "/api/alben?sort=kunde.name",
        &[r#""data":[{"id":2,"title":"Second""#],
    );
    for query in [
        "filters[kunde][name]=Adam",
        "filters[title][$ne]=First%20light",
        "search=sec",
    ] {
        has(
            &format!("/api/alben?{query}"),
            &[r#""data":[{"id":2,"#, r#""total":1"#],
        );
    }
    // Titles are the tables' names, and the API is called as the database is. Nobody can sign in.
    has(
        "/api/_describe",
        &[
            r#""title":"rich""#,
            r#""title":{"one":"Alben","many":"Alben"}"#,
            r#""authentication":null"#,
        ],
    );
    has("/explorer", &[r#"<meta name="sign-in" content="no">"#]);
    has("/docs", &["<"]);
}

/// Rules d109, b980.
#[test]
fn numbers_are_served_of_what_repeats_and_of_what_can_be_added() {
    let (file, url) = music("numbers");
    on_sqlite(
        &file,
        "CREATE TABLE songs (id integer PRIMARY KEY, alben_id integer NOT NULL REFERENCES alben (id), name text NOT NULL, \
           genre text NOT NULL, loud boolean NOT NULL, code text NOT NULL UNIQUE, price decimal(6, 2) NOT NULL, weight double, pin text NOT NULL); \
         INSERT INTO songs VALUES (1, 1, 'One', 'jazz', 1, 'a', 1.50, 1.5, 'x'), (2, 1, 'Two', 'jazz', 0, 'b', 2.25, 2.5, 'x'), \
           (3, 2, 'Three', 'folk', 1, 'c', 0.25, NULL, 'x'), (4, 2, 'Four', 'jazz', 1, 'd', 1.00, NULL, 'x')",
    );
    let serving = Serving::start(&url);
    let facets = serving.get("/api/songs/_facets?facets=genre,loud,alben&totals[price]=sum,avg,min,max&totals[weight]=min,max");
    for wanted in [
        r#"{"key":"genre","values":[{"value":"jazz","label":"jazz","count":3,"selected":false},{"value":"folk","label":"folk","count":1,"#,
        r#"{"key":"loud","values":[{"value":"true","label":"true","count":3,"#,
        r#"{"key":"alben","values":[{"value":"1","label":"First light","count":2,"#,
        r#""price":{"sum":"5.00","avg":"1.250000","min":"0.25","max":"2.25"}"#,
        r#""weight":{"min":1.5,"max":2.5}"#,
    ] {
        assert!(facets.contains(wanted), "{wanted} is not in {facets}");
    }
    // Names differ in each row, codes are unique, and a secret is nowhere.
    for unwanted in [r#""key":"name""#, r#""key":"code""#, "pin"] {
        assert!(!facets.contains(unwanted), "{unwanted} is in {facets}");
    }
    let groups = serving.get("/api/songs/_groups?by=genre&totals[price]=sum&sort=count:desc");
    assert!(
        groups.contains(r#""count":3,"totals":{"price":{"sum":"4.75"}}"#),
        "{groups}"
    );
}

/// Rule b651.
#[test]
fn a_schema_that_changed_is_served_from_the_next_description_on() {
    let (file, url) = music("changing");
    let serving = Serving::start(&url);
    on_sqlite(
        &file,
        "CREATE TABLE pens (id integer PRIMARY KEY, name text NOT NULL)",
    );
    assert!(serving.get("/api/pens").starts_with("HTTP/1.1 404 "));
    let described = serving.get("/api/_describe");
    assert!(described.contains("/api/pens"), "{described}");
    assert!(serving.get("/api/pens").starts_with("HTTP/1.1 200 "));
}

/// Rule b652.
#[test]
fn a_token_is_asked_for_where_one_is_given() {
    let (_, url) = music("closed");
    let serving = Serving::start_with(&url, &["--token", "open sesame"]);
    for path in ["/api/kunde", "/api/kunde/1", "/api/_describe"] {
        let status = |header: &str| serving.get_with(header, path)[9..12].to_owned();
        assert_eq!(status(""), "401", "{path}");
        assert_eq!(status("authorization: Bearer open\r\n"), "401", "{path}");
        assert_eq!(
            status("authorization: Bearer open sesame\r\n"),
            "200",
            "{path}"
        );
    }
    // The page itself is for everybody; people sign in there.
    assert!(serving.get("/explorer").starts_with("HTTP/1.1 200 "));
}
