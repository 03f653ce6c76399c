//! Finds imports that go against the direction of flow.
//!
//! A request passes the rooms of `crates/listing/src` in one direction. A crate for each room would enforce that too, at
//! the price of as many public surfaces; this table does it for one.

use super::rooms::{CRATES, Room};
use super::source::{self, identifiers, is_word, line_of};
use super::{Complaint, File};

/// How each room ends its line in the table of ARCHITECTURE.md.
pub(super) fn rows() -> impl Iterator<Item = String> {
    CRATES.iter().flat_map(|(source, rooms)| {
        let name = source.split('/').nth(1).unwrap_or_default();
        rooms.iter().map(move |room| {
            let imports: Vec<_> = room
                .may_import
                .iter()
                .map(|one| format!("`{one}`"))
                .collect();
            let imports = match imports.as_slice() {
                [] => "nothing".to_owned(),
                _ => imports.join(", "),
            };
            format!(" | `{name}/{}` | {imports} |", room.name)
        })
    })
}

/// The rooms of the crate that a file belongs to, and its path below the crate's source folder.
fn crate_of(path: &str) -> Option<(&'static [Room], &str)> {
    CRATES
        .iter()
        .find_map(|(source, rooms)| Some((*rooms, path.strip_prefix(source)?)))
}

/// The room that a file belongs to; the files next to the rooms join them and belong to none.
fn room_of(path: &str) -> Option<&str> {
    let (rooms, inside) = crate_of(path)?;
    let (first, _) = inside.split_once('/').unwrap_or((inside, ""));
    let name = first.strip_suffix(".rs").unwrap_or(first);
    let is_folder = inside.contains('/');
    (is_folder || rooms.iter().any(|room| room.name == name)).then_some(name)
}

/// Tests may reach across: they often walk a request through several rooms.
fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

pub(super) fn check(file: &File) -> Vec<Complaint> {
    let (Some((rooms, _)), Some(name)) = (crate_of(&file.path), room_of(&file.path)) else {
        return Vec::new();
    };
    if is_test_file(&file.path) {
        return Vec::new();
    }
    let Some(room) = rooms.iter().find(|room| room.name == name) else {
        let message = format!("`{name}` is not a room: add it to xtask's table of walls");
        return vec![file.complain(1, message)];
    };
    let code = source::without_tests(&source::code(&file.text));
    references(&code, depth(&file.path))
        .filter(|(_, target)| *target != room.name && !room.may_import.contains(target))
        .map(|(offset, target)| {
            let message = if rooms.iter().any(|room| room.name == target) {
                let Room {
                    because,
                    may_import,
                    ..
                } = room;
                format!(
                    "`{name}` must not import `{target}`: {because} (it may import {may_import:?})"
                )
            } else {
                format!("`crate::{target}` hides the room it comes from: import it from there")
            };
            file.complain(line_of(&code, offset), message)
        })
        .collect()
}

/// How many `super` lead from a file to the root of its crate.
fn depth(path: &str) -> usize {
    let inside = crate_of(path).map_or(path, |(_, inside)| inside);
    let inside = inside.strip_suffix("/mod.rs").unwrap_or(inside);
    inside.split('/').count()
}

/// What a piece of code names at the root of its crate, by `crate::` or by enough `super::`.
fn references(code: &str, depth: usize) -> impl Iterator<Item = (usize, &str)> {
    identifiers(code)
        .filter_map(move |(offset, word)| {
            let rest = &code[offset + word.len()..];
            match word {
                "crate" => Some((offset, rest)),
                "super" if !code[..offset].trim_end().ends_with("::") => {
                    let mut rest = rest;
                    for _ in 1..depth {
                        rest = after_colons(rest)?.strip_prefix("super")?;
                    }
                    Some((offset, rest))
                }
                _ => None,
            }
        })
        .flat_map(|(offset, rest)| {
            let names = after_colons(rest).map(first_names).unwrap_or_default();
            names.into_iter().map(move |name| (offset, name))
        })
}

fn after_colons(rest: &str) -> Option<&str> {
    Some(rest.trim_start().strip_prefix("::")?.trim_start())
}

/// `a::b` names `a`; `{a::b, c::{d, e}}` names `a` and `c`.
fn first_names(path: &str) -> Vec<&str> {
    let Some(group) = path.strip_prefix('{') else {
        let end = path.find(|c| !is_word(c)).unwrap_or(path.len());
        return path
            .get(..end)
            .filter(|n| !n.is_empty())
            .into_iter()
            .collect();
    };
    let mut names = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (offset, c) in group.char_indices() {
        let ends_item = depth == 0 && matches!(c, ',' | '}');
        if ends_item {
            names.extend(first_names(group[start..offset].trim()));
            start = offset + 1;
        }
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            _ => {}
        }
    }
    names.retain(|name| *name != "self");
    names
}

#[cfg(test)]
mod tests {
    use super::super::tests::texts;
    use super::*;

    fn complaints(path: &str, text: &str) -> Vec<String> {
        texts(check(&File::new(path, text)))
    }

    #[test]
    fn imports_against_the_flow_are_found_in_every_spelling() {
        for text in [
            "use crate::request::Request;",
            "use crate::{plan::Plan, request::{Request, self}};",
            "use crate::{\n    request,\n};",
            "fn f() { crate::request::parse(); }",
            "use super::super::request;",
        ] {
            let found = complaints("crates/listing/src/sql/render.rs", text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].starts_with(
                "crates/listing/src/sql/render.rs:1: `sql` must not import `request`"
            ));
        }
        assert_eq!(
            complaints("crates/listing/src/sql/mod.rs", "use super::request;").len(),
            1
        );
        assert_eq!(
            complaints("crates/listing/src/sql.rs", "\nuse super::request;")[0]
                .split(':')
                .nth(1),
            Some("2")
        );
    }

    #[test]
    fn imports_with_the_flow_tests_and_comments_pass() {
        for text in [
            "use crate::plan::Plan; use crate::vocabulary::{Bounds, Settings};",
            "use super::dialect; use super::super::plan::Plan;",
            "use crate::sql::dialect::Dialect;",
            "// crate::request is far away",
            "#[cfg(test)]\nmod tests { use crate::request::parse; }",
            "pub(crate) fn f() {}",
        ] {
            assert_eq!(
                complaints("crates/listing/src/sql/render.rs", text),
                [""; 0],
                "{text}"
            );
        }
        let text = "use crate::request;";
        assert_eq!(complaints("crates/listing/src/sql/tests.rs", text), [""; 0]);
        assert_eq!(complaints("crates/listing/src/lib.rs", text), [""; 0]);
        assert_eq!(complaints("crates/listing-axum/src/lib.rs", text), [""; 0]);
    }

    #[test]
    fn each_crate_has_its_own_rooms() {
        let path = "crates/listing-axum/src/http/status.rs";
        assert_eq!(complaints(path, "use crate::records::Api;").len(), 1);
        assert_eq!(complaints(path, "use crate::ApiError;").len(), 1);
        let path = "crates/listing-axum/src/records/api.rs";
        let text = "use crate::http::ApiError; use crate::list::list_methods;";
        assert_eq!(complaints(path, text), [""; 0]);
        assert_eq!(complaints(path, "use crate::service::Config;").len(), 1);
    }

    #[test]
    fn detours_and_unknown_rooms_are_found() {
        let found = complaints("crates/listing/src/sql/mod.rs", "use crate::Request;");
        assert!(found[0].contains("hides the room"), "{found:?}");
        let found = complaints("crates/listing/src/attic/mod.rs", "");
        assert!(found[0].contains("is not a room"), "{found:?}");
    }

    #[test]
    fn rooms_name_rooms() {
        for (_, rooms) in CRATES {
            let names: Vec<_> = rooms.iter().map(|room| room.name).collect();
            for room in *rooms {
                let known = room.may_import.iter().all(|name| names.contains(name));
                assert!(known, "{}", room.name);
            }
        }
    }
}
