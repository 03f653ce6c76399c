//! The tutorial, word by word: its files are written, its commands run, its answers compared.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::shop::{cargo, listing, on_sqlite, room, shop, target, with_dependencies_of_shop};

/// What stands in a fence: its language, its text, and the last path that was named before it.
struct Block {
    language: String,
    text: String,
    file: Option<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut file = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block {
                language: language.to_owned(),
                text: text.join("\n") + "\n",
                file: file.take(),
            });
            continue;
        }
        for name in line.split('`').skip(1).step_by(2) {
            if name.starts_with("src/") && name.ends_with(".rs") {
                file = Some(name.to_owned());
            }
        }
    }
    blocks
}

#[test]
fn the_tutorial_can_be_followed_word_by_word() {
    follow("tutorial.md", "bookshop");
}

/// Rule b362.
#[test]
fn the_page_about_existing_databases_can_be_followed_word_by_word() {
    follow("existing-database.md", "rental");
}

/// Does what a page of the guides says, which makes that application.
fn follow(page: &str, application: &str) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(page);
    let blocks = blocks(&fs::read_to_string(page).unwrap());
    // The versions are those of the other application, without a network.
    let lock = shop().join("Cargo.lock");
    let mut reader = Reader {
        folder: room(),
        lock,
        served: None,
        answer: None,
        said: String::new(),
    };
    let _ = fs::remove_dir_all(room().join(application));
    for block in &blocks {
        match (block.language.as_str(), &block.file) {
            ("rust", Some(file)) => fs::write(reader.folder.join(file), &block.text).unwrap(),
            ("sh", _) => block.text.lines().for_each(|line| reader.run(line)),
            ("json", _) => {
                let expected: serde_json::Value = serde_json::from_str(&block.text).unwrap();
                let answer: serde_json::Value =
                    serde_json::from_str(&reader.answer.take().unwrap()).unwrap();
                assert_eq!(answer, expected);
            }
            ("sql", _) => {
                let file = reader.folder.join(format!("{application}.sqlite"));
                let _ = fs::remove_file(&file);
                on_sqlite(&file, &block.text);
            }
            ("text", _) => reader.has_seen(&block.text),
            (language, _) => panic!(
                "a block of `{language}` that is not tested:\n{}",
                block.text
            ),
        }
    }
    assert!(reader.served.is_some(), "the page serves nothing");
    for (page, element) in [("explorer", "<main>"), ("docs", "<rapi-doc ")] {
        let text = reader.curl(&[&format!("http://127.0.0.1:8080/{page}")]);
        assert!(text.contains(element), "{text}");
    }
}

/// A reader who follows the page.
struct Reader {
    folder: PathBuf,
    lock: PathBuf,
    served: Option<Served>,
    answer: Option<String>,
    /// What the command said, last.
    said: String,
}

struct Served {
    program: Child,
    address: String,
    /// Whether everybody may read, as with `listing serve`.
    is_open: bool,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Reader {
    fn run(&mut self, line: &str) {
        let words = words(line);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        match &words[..] {
            ["cd", folder] => {
                self.folder.push(folder);
                fs::copy(&self.lock, self.folder.join("Cargo.lock")).unwrap();
                let manifest = self.folder.join("Cargo.toml");
                let text = fs::read_to_string(&manifest).unwrap();
                if !text.contains("sea-orm-migration") {
                    fs::write(&manifest, with_dependencies_of_shop(&text)).unwrap();
                }
            }
            ["listing", "serve", arguments @ ..] => {
                let mut program = Command::new(env!("CARGO_BIN_EXE_listing"));
                let bind = ["--bind", "127.0.0.1:0"];
                program.arg("serve").args(arguments).args(bind);
                self.start(program, true);
            }
            ["listing", arguments @ ..] => {
                self.said = listing(&self.folder, arguments).well().out;
            }
            ["cargo", arguments @ ..] => {
                cargo(&self.folder, arguments).well();
            }
            [variables @ .., "cargo", "run"] => self.serve(variables),
            ["curl", arguments @ ..] => self.answer = Some(self.curl(arguments)),
            _ => panic!("this test cannot run `{line}`"),
        }
    }

    /// Whether the lines were said, or are in a listing. Commands and what is left out are not compared.
    fn has_seen(&self, text: &str) {
        let mut seen = self.said.clone();
        if let Ok(files) = fs::read_dir(self.folder.join("src/listings")) {
            for file in files {
                seen.push_str(&fs::read_to_string(file.unwrap().path()).unwrap());
            }
        }
        for line in text.lines().map(str::trim) {
            let skipped = line == "…" || line.starts_with("listing ");
            assert!(
                skipped || seen.contains(line),
                "`{line}` is not in:\n{seen}"
            );
        }
    }

    /// What `cargo run` would start, on a free port.
    fn serve(&mut self, variables: &[&str]) {
        let variables = variables.iter().map(|pair| pair.split_once('=').unwrap());
        let name = self.folder.file_name().unwrap();
        let mut program = Command::new(target().join("debug").join(name));
        program.envs(variables).env("LISTING_BIND", "127.0.0.1:0");
        self.start(program, false);
    }

    fn start(&mut self, mut program: Command, is_open: bool) {
        let mut program = program
            .current_dir(&self.folder)
            .env_remove("DATABASE_URL")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let said = BufReader::new(program.stdout.as_mut().unwrap()).lines();
        let mut said = said.map(Result::unwrap);
        let first = said.find(|line| line.contains("http://")).unwrap();
        let address = first.split("http://").nth(1).unwrap();
        let address = address.split('/').next().unwrap().to_owned();
        self.served = Some(Served {
            program,
            address,
            is_open,
        });
    }

    /// The little of curl that the page uses.
    fn curl(&self, arguments: &[&str]) -> String {
        let after = |flag: &str| {
            let at = arguments.iter().position(|word| *word == flag)?;
            arguments.get(at + 1).copied()
        };
        let url = arguments.iter().find(|word| word.starts_with("http://"));
        let target = url.unwrap().strip_prefix("http://127.0.0.1:8080").unwrap();
        let (method, body) = (after("-X").unwrap_or("GET"), after("-d").unwrap_or(""));
        let headers = arguments.windows(2).filter(|pair| pair[0] == "-H");
        let headers: String = headers.map(|pair| format!("{}\r\n", pair[1])).collect();
        let address = &self.served.as_ref().unwrap().address;
        let mut stream = TcpStream::connect(address).unwrap();
        write!(
            stream,
            "{method} {target} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        let is_page = ["/explorer", "/docs"].contains(&target);
        let is_open = is_page || self.served.as_ref().is_some_and(|served| served.is_open);
        let expected = match method {
            _ if !is_open && !headers.contains("Bearer") => "401",
            "POST" => "201",
            _ if target.contains("prize") => "400",
            _ => "200",
        };
        assert!(
            head.starts_with(&format!("HTTP/1.1 {expected} ")),
            "{reply}"
        );
        if expected == "400" {
            assert!(body.contains("\"nearest\":\"price\""), "{body}");
        }
        body.to_owned()
    }
}

/// The words of a line, as a shell divides it; single quotes are all that the page has.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
