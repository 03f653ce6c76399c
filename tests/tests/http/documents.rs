//! Files that are generated from the code: `listing.toml`, `docs/configuration.md` and `docs/errors.md`.
//!
//! `UPDATE_DOCS=1 cargo test -p listing-tests --test http documents` regenerates them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use listing::reply::{ErrorBody, ErrorDetails};
use listing::request::{RequestError, parse_query};
use listing::{Bounds, CheckError, ErrorCode, ExecuteError};
use listing_axum::config::{KEYS, WEBHOOK_KEYS};
use listing_axum::reply::STATUSES;
use listing_axum::{ApiError, Config};

/// The file holds that text, or is given it.
#[track_caller]
fn is_made_of(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "{file} is out of date: run `UPDATE_DOCS=1 cargo test -p listing-tests --test http documents`"
    );
}

#[test]
fn the_project_file_has_every_key_at_its_default() {
    let text = project_file();
    is_made_of("listing.toml", &text);
    let config = Config::from_parts("listing.toml", &text, []).unwrap();
    assert_eq!(config, blog());
    for key in KEYS {
        assert!(text.contains(key.meaning), "{}", key.name);
        assert!(text.contains(key.variable), "{}", key.name);
        let (_, name) = key.name.rsplit_once('.').unwrap_or(("", key.name));
        let set = |line: &str| line.split(" = ").next() == Some(name);
        assert_eq!(
            text.lines().filter(|line| set(line)).count(),
            1,
            "{}",
            key.name
        );
    }
}

#[test]
fn the_page_of_configuration_is_made_from_the_keys() {
    is_made_of("docs/configuration.md", &configuration());
}

/// Rule d52.
#[test]
fn the_page_of_errors_is_made_from_the_codes() {
    let page = errors();
    is_made_of("docs/errors.md", &page);
    for code in codes() {
        assert!(page.contains(&format!("| `{}` |", code.code)), "{code:?}");
        assert!(page.contains(&cell(code.cause)), "{code:?}");
        assert!(page.contains(&cell(code.remedy)), "{code:?}");
    }
}

/// Beside this, every code that any test sees is looked for in the same lists (`Reply::error`).
/// Rule d52.
#[test]
fn every_code_in_the_source_is_on_the_page_of_errors() {
    let page = errors();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut found = 0;
    for source in sources(&crates) {
        let text = std::fs::read_to_string(&source).unwrap();
        for (_, rest) in text
            .match_indices("code: \"")
            .map(|(at, mark)| text.split_at(at + mark.len()))
        {
            let code = rest.split('"').next().unwrap();
            let place = source.display();
            assert!(page.contains(&format!("| `{code}` |")), "{code} in {place}");
            found += 1;
        }
    }
    assert!(found > 10, "{found}");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => sources(&path),
            Some(rust) if rust == "rs" => vec![path],
            _ => Vec::new(),
        })
        .collect()
}

/// The defaults, with the blog's own database.
fn blog() -> Config {
    let mut config = Config::default();
    assert!(!config.database.expose().contains("blog"));
    config.database = "sqlite:blog.sqlite?mode=rwc".into();
    config
}

fn project_file() -> String {
    let mut text = String::from(
        "# What the blog reads when it starts. Every key is here, at its default except for the database: delete what you do\n\
         # not change.\n\
         # The environment variable that is named with a key overrides it. An unknown key is an error.\n",
    );
    let mut table = "";
    for key in KEYS {
        let (of, name) = key.name.rsplit_once('.').unwrap_or(("", key.name));
        if of != table {
            let _ = write!(text, "\n[{of}]\n");
            table = of;
        }
        let value = match key.name {
            "database" => "\"sqlite:blog.sqlite?mode=rwc\"".to_owned(),
            _ => key.value(&Config::default()),
        };
        let (meaning, expected, variable) = (key.meaning, key.expected, key.variable);
        let _ = write!(
            text,
            "\n# {meaning} Takes {expected}.\n# {variable}\n{name} = {value}\n"
        );
    }
    text.push_str(
        "\n# Targets of webhooks, each in a table with a name of its own; docs/webhooks.md says more.\n# [webhooks.crm]\n",
    );
    for key in WEBHOOK_KEYS {
        let value = match key.name {
            "url" => "\"https://crm.example.org/hooks\"",
            "secret" => "\"whsec_…\"",
            "events" => "[\"articles.*\"]",
            _ => key.default.unwrap_or_default(),
        };
        let (meaning, expected, variable) = (key.meaning, key.expected, of_target(key.name, "CRM"));
        let _ = write!(
            text,
            "#\n# {meaning} Takes {expected}.\n# {variable}\n# {} = {value}\n",
            key.name
        );
    }
    text
}

/// The variable of a key of a target.
fn of_target(key: &str, name: &str) -> String {
    format!("LISTING_WEBHOOKS_{name}_{}", key.to_uppercase())
}

fn configuration() -> String {
    let mut page = String::from(
        "# Configuration\n\n\
         A service reads `listing.toml` from the folder that it is started in (the reference service accepts `--config FILE` for\n\
         another), and then the environment, which overrides the file key by key. What neither sets has its default. A key that\n\
         does not exist, or a value that its key does not accept, keeps the service from starting; the message names the place, the\n\
         key, and what would have been right. [listing.toml](../listing.toml) in this repository has every key at its default,\n\
         except for the database.\n\n\
         Some keys come with a feature of `listing-axum`, which is given in parentheses. Without the feature such a key does not\n\
         exist. Applications of `listing new` start with none of these features.\n\n\
         | key | default | takes | variable | meaning |\n|---|---|---|---|---|\n",
    );
    for key in KEYS {
        let value = key.value(&Config::default());
        let feature = key.feature.map(|feature| format!(" (feature `{feature}`)"));
        let _ = writeln!(
            page,
            "| `{}` | `{value}` | {} | `{}` | {}{} |",
            key.name,
            cell(key.expected),
            key.variable,
            cell(key.meaning),
            feature.unwrap_or_default()
        );
    }
    page.push_str(
        "\nA dotted key belongs to a table: `bounds.depth` is `depth` in `[bounds]`.\n\
         Times in seconds are at most a year.\n\
         A listing can have page sizes of its own, and a relation its own limit; set those in code.\n\n\
         ## Webhooks\n\n\
         With the feature `webhooks`, each table `[webhooks.<name>]` is a target that is told of events; see [webhooks](webhooks.md).\n\
         A name has lowercase letters, digits and `_`, and stands in capitals in variables.\n\n\
         | key | default | takes | variable | meaning |\n|---|---|---|---|---|\n",
    );
    for key in WEBHOOK_KEYS {
        let default = match key.default {
            None => "must be given".to_owned(),
            Some(words) if words.contains(' ') => words.to_owned(),
            Some(value) => format!("`{value}`"),
        };
        let _ = writeln!(
            page,
            "| `{}` | {default} | {} | `{}` | {} |",
            key.name,
            cell(key.expected),
            of_target(key.name, "<NAME>"),
            cell(key.meaning)
        );
    }
    page.push_str(
        "\nThis page is made from the code. `UPDATE_DOCS=1 cargo test -p listing-tests --test http documents` regenerates it.\n",
    );
    page
}

fn errors() -> String {
    let mut page = format!(
        "# Errors\n\n\
         Every error has one body. `error.code` is stable: look here for it. `error.details` is there for a request that can be\n\
         corrected, and says where the mistake is (`parameter`), what it is (`token`), what would have been right (`allowed`), and\n\
         which of those was probably meant (`nearest`). What a database says never reaches a client: it goes to the log,\n\
         with the `x-request-id` of the response.\n\n```json\n{}\n```\n",
        example()
    );
    let sections = [
        ("The request cannot be understood", RequestError::CODES),
        ("The listing does not allow it", CheckError::CODES),
        ("The database cannot run it", ExecuteError::CODES),
        ("Records and identity", ApiError::CODES),
    ];
    for (heading, codes) in sections {
        let _ = write!(
            page,
            "\n## {heading}\n\n| code | status | cause | remedy |\n|---|---|---|---|\n"
        );
        for code in codes {
            let (cause, remedy) = (cell(code.cause), cell(code.remedy));
            let _ = writeln!(
                page,
                "| `{}` | {} | {cause} | {remedy} |",
                code.code,
                status_of(code.code)
            );
        }
    }
    page.push_str(
        "\n## Everything else\n\n\
         Errors about which there is no more to say than their status, the framework's own among them.\n\n\
         | code | status | name | message | remedy |\n|---|---|---|---|---|\n",
    );
    for known in STATUSES {
        let (code, status, name) = (known.code, known.status, known.name);
        let (message, remedy) = (cell(known.message), cell(known.remedy));
        let _ = writeln!(
            page,
            "| `{code}` | {status} | {name} | {message} | {remedy} |"
        );
    }
    page.push_str(
        "\nA status that is not in this table, of an application's own, has the code `error`.\n\nThis page is made from the code.\n\
         `UPDATE_DOCS=1 cargo test -p listing-tests --test http documents` regenerates it.\n",
    );
    page
}

fn codes() -> impl Iterator<Item = &'static ErrorCode> {
    let stages = [
        RequestError::CODES,
        CheckError::CODES,
        ExecuteError::CODES,
        ApiError::CODES,
    ];
    stages.into_iter().flatten()
}

/// A code that is also a status's own has that status; every other is a bad request.
fn status_of(code: &str) -> u16 {
    let own = STATUSES.iter().find(|known| known.code == code);
    match code {
        "invalid_token" => 401,
        "route_not_found" => 404,
        "overloaded" | "outcome_unknown" => 503,
        "other_number" | "idempotency_key_under_way" => 409,
        "idempotency_key_reused" | "text_too_long" => 422,
        "unreadable_record" => 500,
        _ => own.map_or(400, |known| known.status),
    }
}

/// A real one, pretty.
fn example() -> String {
    let complaint = parse_query("pagination[pagesize]=5", &Bounds::default())
        .unwrap_err()
        .complaint();
    let known = STATUSES.iter().find(|known| known.status == 400).unwrap();
    let body = ErrorBody {
        status: known.status,
        name: known.name,
        code: complaint.code,
        message: complaint.message.clone(),
        details: Some(ErrorDetails::Query(complaint)),
    };
    let json: serde_json::Value = serde_json::from_slice(&body.to_json()).unwrap();
    serde_json::to_string_pretty(&json).unwrap()
}

/// Text in a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
