//! `listing serve` on a database that changes while it runs.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::shop::{on_sqlite, room};

/// The command, while it serves.
struct Serving {
    program: Child,
    address: String,
}

impl Serving {
    fn start(url: &str) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_listing"))
            .args(["serve", url, "--bind", "127.0.0.1:0"])
            .env_remove("RUST_LOG")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        let said = program.stdout.as_mut().unwrap();
        BufReader::new(said).read_line(&mut first).unwrap();
        let (_, address) = first.split_once("http://").unwrap();
        let (address, _) = address.split_once('/').unwrap();
        Self {
            program,
            address: address.to_owned(),
        }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
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
