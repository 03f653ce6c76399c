//! Every command in `README.md` and the guides gives the answer that stands below it, on every database.

use std::path::Path;

use axum::body::Body;
use axum::http::Request;
use listing_tests::{Reply, Service, on_each_database};

use crate::pattern::Pattern;

fn document(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    std::fs::read_to_string(path).unwrap()
}

/// The code blocks of a document, each with its language.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (language, after) = after.split_once('\n').unwrap();
        let (code, after) = after.split_once("\n```").unwrap();
        blocks.push((language, code));
        rest = after;
    }
    blocks
}

/// Sends what a `curl` command would send.
async fn curl(service: &Service, command: &str) -> Reply {
    let arguments = arguments(command);
    let mut arguments = arguments.iter().map(String::as_str);
    assert_eq!(arguments.next(), Some("curl"), "{command}");
    let (mut method, mut url, mut body) = (None, None, None);
    let mut headers = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument {
            "-g" | "-i" => {}
            "-X" => method = arguments.next(),
            "-d" => body = arguments.next(),
            "-H" => headers.push(arguments.next().unwrap().split_once(": ").unwrap()),
            address => url = address.strip_prefix("http://127.0.0.1:8080"),
        }
    }
    let path = url.unwrap_or_else(|| panic!("{command} has no address"));
    let method = method.unwrap_or(if body.is_some() { "POST" } else { "GET" });
    if body.is_none() && headers.is_empty() {
        return service.client().bare(method, path).await;
    }
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let body = Body::from(body.unwrap_or_default().to_owned());
    service.send(request.body(body).unwrap()).await
}

/// The words of a command; single quotes hold one together.
fn arguments(command: &str) -> Vec<String> {
    let mut arguments = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' | '\n' if !quoted => arguments.push(String::new()),
            _ => arguments.last_mut().unwrap().push(c),
        }
    }
    arguments.retain(|argument| !argument.is_empty());
    arguments
}

/// Rules d78, d85, d65, d72, d87.
#[test]
fn commands_in_the_documents_give_the_answers_below_them() {
    for (file, least) in [("README.md", 2), ("docs/query-strings.md", 20)] {
        let text = document(file);
        let blocks = blocks(&text);
        let pairs: Vec<_> = blocks
            .windows(2)
            .filter(|pair| pair[0].0 == "sh" && pair[0].1.starts_with("curl"))
            .filter(|pair| pair[1].1.starts_with('{'))
            .map(|pair| (pair[0].1, Pattern::read(pair[1].1)))
            .collect();
        assert!(pairs.len() >= least, "{file}: {}", pairs.len());
        on_each_database(async |service| {
            let mut wrong = Vec::new();
            for (command, expected) in &pairs {
                let reply = curl(service, command).await;
                if let Err(difference) = expected.matches(&reply.json()) {
                    wrong.push(format!("{command}\n{difference}\nin {}", reply.text()));
                }
            }
            assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n\n"));
        });
    }
}

/// Lines of examples without an answer: what is asked for is at least allowed.
/// Rules d65, d72, d78, d149.
#[test]
fn examples_without_an_answer_are_allowed() {
    let texts = [
        "docs/query-strings.md",
        "docs/from-directus.md",
        "docs/from-postgrest.md",
    ]
    .map(document);
    let examples: Vec<_> = texts
        .iter()
        .flat_map(|text| blocks(text))
        .filter(|(language, _)| *language == "text")
        .flat_map(|(_, lines)| lines.lines())
        .collect();
    assert!(examples.len() >= 30, "{examples:?}");
    on_each_database(async |service| {
        for example in &examples {
            let path = match example.starts_with('/') {
                true => (*example).to_owned(),
                false => format!("/api/articles?{example}"),
            };
            let reply = service.get(&path).await;
            assert_eq!(reply.status, 200, "{path}: {}", reply.text());
            assert_eq!(reply.meta().get("ignored"), None, "{path}");
        }
    });
}

/// The tables of parameters of other systems, whose last column tells what the refusal names.
/// Rule d151.
#[test]
fn words_of_other_systems_are_refused_with_the_right_ones() {
    for (file, least) in [("docs/from-directus.md", 5), ("docs/from-postgrest.md", 6)] {
        let text = document(file);
        let (_, table) = text
            .split_once("| sent | the answer names |\n|---|---|\n")
            .unwrap();
        let rows = table.lines().map_while(|line| {
            let line = line.strip_prefix("| `")?.strip_suffix("` |")?;
            line.split_once("` | `")
        });
        let rows: Vec<_> = rows.collect();
        assert!(rows.len() >= least, "{file}: {rows:?}");
        on_each_database(async |service| {
            for (sent, named) in &rows {
                let reply = service.get(&format!("/api/articles?{sent}")).await;
                let message = reply.error(400)["message"].to_string();
                assert!(message.contains(named), "{file}: {sent}: {message}");
            }
        });
    }
}

/// The tables of operators, whose last column tells how many articles are found.
/// Rules d25, d26, d65, d72, d75, d76.
#[test]
fn operators_find_as_many_rows_as_their_table_says() {
    let text = document("docs/query-strings.md");
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<_> = line
            .strip_prefix("| ")?
            .strip_suffix(" |")?
            .split(" | ")
            .collect();
        let found: u64 = cells.last()?.parse().ok()?;
        let query = cells
            .iter()
            .rev()
            .nth(1)?
            .strip_prefix('`')?
            .strip_suffix('`')?;
        query
            .starts_with("filters")
            .then(|| (query.to_owned(), found))
    });
    let rows: Vec<_> = rows.collect();
    assert!(rows.len() >= 17, "{rows:?}");
    on_each_database(async |service| {
        let mut wrong = Vec::new();
        for (query, found) in &rows {
            let reply = service.get(&format!("/api/articles?{query}")).await.ok();
            if reply.total() != *found {
                wrong.push(format!("{query} finds {}", reply.total()));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}
