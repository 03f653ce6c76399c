//! In: one source file. Out: a complaint if its first line does not say what the file is for.

use super::walls::{is_test_file, room_of};
use super::{Complaint, File};

pub(super) fn check(file: &File) -> Option<Complaint> {
    if !is_source(&file.path) {
        return None;
    }
    let first = file.text.lines().next().unwrap_or_default();
    let Some(says) = first.strip_prefix("//! ") else {
        return Some(file.complain(1, "starts without a `//!` line that says what it is for"));
    };
    let is_engine = file.path.starts_with("crates/listing/");
    if !is_engine || room_of(&file.path).is_none() || is_test_file(&file.path) {
        return None;
    }
    let in_and_out = says.starts_with("In: ") && says.contains(" Out: ");
    (!in_and_out).then(|| file.complain(1, "starts without `//! In: … Out: …` in one line"))
}

fn is_source(path: &str) -> bool {
    let mut folders = path.split('/');
    match folders.next() {
        Some("xtask") => folders.next() == Some("src"),
        Some("crates" | "examples") => folders.nth(1) == Some("src"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complains(path: &str, text: &str) -> bool {
        check(&File::new(path, text)).is_some()
    }

    #[test]
    fn sources_say_what_they_are_for() {
        assert!(complains("xtask/src/a.rs", "use b;\n"));
        assert!(complains("crates/x/src/a.rs", ""));
        assert!(complains("examples/x/src/a.rs", "// a comment\n"));
        assert!(!complains("examples/x/src/a.rs", "//! A thing.\n"));
        assert!(!complains("crates/x/build.rs", "use b;\n"));
    }

    #[test]
    fn rooms_say_what_goes_in_and_out() {
        let path = "crates/listing/src/plan/build.rs";
        assert!(complains(path, "//! Builds a plan.\n"));
        assert!(complains(
            path,
            "//! In: a checked request.\n//! Out: a plan.\n"
        ));
        assert!(!complains(
            path,
            "//! In: a checked request. Out: a plan.\n"
        ));
        assert!(!complains(
            "crates/listing/src/plan/tests.rs",
            "//! Plans.\n"
        ));
        assert!(!complains(
            "crates/listing/src/lib.rs",
            "//! List endpoints.\n"
        ));
    }
}
