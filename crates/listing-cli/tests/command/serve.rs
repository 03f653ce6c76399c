//! `listing serve` on a database that changes while it runs.

use std::io::{BufRead as _, BufReader, Lines, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};

use crate::shop::{on_sqlite, room};

/// The command, while it serves.
struct Serving {
    program: Child,
    log: Lines<BufReader<ChildStderr>>,
    address: String,
}

impl Serving {
    fn start(url: &str) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_listing"))
            .args(["serve", url, "--bind", "127.0.0.1:0"])
            .env_remove("RUST_LOG")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = BufReader::new(program.stderr.take().unwrap()).lines();
        let mut serving = Self {
            program,
            log,
            address: String::new(),
        };
        let line = serving.logged(" INFO ", "listening on http://");
        serving.address = line.split("http://").nth(1).unwrap().to_owned();
        serving
    }

    /// The next line of the log with these words.
    fn logged(&mut self, level: &str, words: &str) -> String {
        let mut seen = Vec::new();
        for line in self.log.by_ref() {
            let line = line.unwrap();
            if line.contains(level) && line.contains(words) {
                return line;
            }
            seen.push(line);
        }
        panic!("`{words}` is not in {seen:#?}");
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
    let mut serving = Serving::start(&format!("sqlite:{}", file.display()));
    let reply = serving.get("/api/pens");
    assert!(reply.starts_with("HTTP/1.1 200 "), "{reply}");
    let line = serving.logged(" INFO ", "answered");
    assert!(line.contains("/api/pens"), "{line}");
    assert!(line.contains("status=200"), "{line}");

    on_sqlite(&file, "DROP TABLE pens");
    let reply = serving.get("/api/pens");
    assert!(reply.starts_with("HTTP/1.1 500 "), "{reply}");
    let line = serving.logged(" ERROR ", "no such table: pens");
    assert!(!line.contains("\u{1b}"), "{line}");
    serving.logged(" ERROR ", "status=500");
}
