//! `listing export`, which downloads a list, and leaves nothing that looks like a file when it breaks off.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

/// Answers one request with these bytes, and gives back its head.
fn answering(answer: &'static str) -> (String, thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(head).unwrap()
    });
    (address, served)
}

fn export(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_listing"))
        .arg("export")
        .args(arguments)
        .current_dir(folder)
        .env("API_TOKEN", "a-token")
        .output()
        .unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

const WHOLE: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/csv; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n4\r\nid\r\n\r\n3\r\n1\r\n\r\n0\r\n\r\n";
const LINES: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ncontent-length: 3\r\n\r\n{}\n";
const BROKEN: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/csv; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n4\r\nid\r\n\r\n3\r\n1\r\n\r\n";

/// Rule b1045.
#[test]
fn a_list_is_downloaded_into_a_file_or_printed() {
    let folder = tempfile::tempdir().unwrap();
    let (address, served) = answering(WHOLE);
    let list = "articles?filters[title][$contains]=a b";
    let done = export(&[&address, list, "--output", "all.csv"], folder.path());
    assert!(done.status.success(), "{done:?}");
    assert!(done.stdout.is_empty() && done.stderr.is_empty(), "{done:?}");
    let file = std::fs::read_to_string(folder.path().join("all.csv")).unwrap();
    assert_eq!(file, "id\r\n1\r\n");
    assert_eq!(names(folder.path()), ["all.csv"]);
    let head = served.join().unwrap();
    let asked = "GET /api/articles.csv?filters[title][$contains]=a%20b HTTP/1.1\r\n";
    assert!(head.starts_with(asked), "{head}");
    assert!(head.contains("Bearer a-token"), "{head}");

    let (address, served) = answering(LINES);
    let done = export(&[&address, "articles", "--format", "ndjson"], folder.path());
    assert_eq!(done.stdout, b"{}\n");
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    assert!(
        served
            .join()
            .unwrap()
            .starts_with("GET /api/articles.ndjson ")
    );
}

/// Rules d117, b1045.
#[test]
fn what_breaks_off_is_an_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["--output", "all.csv"][..], &[]] {
        let (address, served) = answering(BROKEN);
        let done = export(
            &[&[&*address, "articles"], arguments].concat(),
            folder.path(),
        );
        served.join().unwrap();
        assert!(!done.status.success(), "{done:?}");
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(said.contains("broke off after 7 bytes"), "{said}");
        assert!(names(folder.path()).is_empty());
    }
    // A file that was there stays as it was.
    std::fs::write(folder.path().join("all.csv"), "before").unwrap();
    let (address, served) = answering(BROKEN);
    export(
        &[&address, "articles", "--output", "all.csv"],
        folder.path(),
    );
    served.join().unwrap();
    let file = std::fs::read_to_string(folder.path().join("all.csv")).unwrap();
    assert_eq!(file, "before");
}

/// Rule b1045.
#[test]
fn an_error_of_the_service_is_told_in_its_words() {
    let folder = tempfile::tempdir().unwrap();
    for (answer, said) in [
        (
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 39\r\n\r\n{\"message\":\"More than 10 rows match.\"}  ",
            "More than 10 rows match.",
        ),
        (
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "no such list",
        ),
        (
            "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n",
            "does not accept the token",
        ),
    ] {
        let (address, served) = answering(answer);
        let done = export(
            &[&address, "articles", "--output", "all.xlsx"],
            folder.path(),
        );
        served.join().unwrap();
        assert!(!done.status.success());
        let told = String::from_utf8(done.stderr).unwrap();
        assert!(told.contains(said), "{told}");
        assert!(names(folder.path()).is_empty());
    }
    let done = export(
        &["http://127.0.0.1:9", "articles", "--output", "all.txt"],
        folder.path(),
    );
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(
        told.contains("`all.txt`") && told.contains("--format"),
        "{told}"
    );
}

/// Rule b1045.
#[test]
fn what_is_not_a_file_or_has_no_end_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    for (answer, told) in [
        (
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi",
            "answers with text/html instead of text/csv",
        ),
        (
            "HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\n\r\nid\r\n",
            "does not say where its answer ends",
        ),
    ] {
        let (address, served) = answering(answer);
        let done = export(
            &[&address, "articles", "--output", "all.csv"],
            folder.path(),
        );
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && said.contains(told), "{said}");
        assert_eq!(names(folder.path()), [""; 0]);
        served.join().unwrap();
    }
    let to = folder.path().join("file");
    std::fs::create_dir(&to).unwrap();
    let (address, served) = answering(WHOLE);
    let arguments = [&address, "articles", "--format", "csv", "--output", "file"];
    let done = export(&arguments, folder.path());
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(said.contains("it is not a plain file"), "{said}");
    assert!(to.is_dir());
    served.join().unwrap();
}
