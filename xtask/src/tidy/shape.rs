//! Finds source files that are too long, or whose name says nothing.

use super::source::{code, identifiers, line_of};
use super::{Complaint, File};

/// A file answers one question; one that needs more lines than this answers several.
const MOST_LINES: usize = 450;

/// Names under which anything can be put, and in time is.
const EMPTY_NAMES: &[&str] = &["common", "helper", "helpers", "util", "utils"];

pub(super) fn check(file: &File) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let lines = file.text.lines().count();
    if lines > MOST_LINES {
        let message =
            format!("{lines} lines; {MOST_LINES} is the most: does it answer two questions?");
        complaints.push(file.complain(lines, message));
    }
    let path = file.path.strip_suffix(".rs").unwrap_or(&file.path);
    for name in path.split('/').filter(|name| EMPTY_NAMES.contains(name)) {
        complaints.push(file.complain(
            1,
            format!("`{name}` says nothing: name it after what it does"),
        ));
    }
    let code = code(&file.text);
    let mut after_mod = false;
    for (offset, word) in identifiers(&code) {
        if after_mod && EMPTY_NAMES.contains(&word) {
            let message = format!("module `{word}` says nothing: name it after what it does");
            complaints.push(file.complain(line_of(&code, offset), message));
        }
        after_mod = word == "mod";
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::super::tests::texts;
    use super::*;

    #[test]
    fn long_files_are_found() {
        let text = "//! x\n".repeat(MOST_LINES);
        assert_eq!(check(&File::new("a.rs", &text)).len(), 0);
        assert_eq!(check(&File::new("a.rs", &(text + "x"))).len(), 1);
    }

    #[test]
    fn empty_names_are_found() {
        assert_eq!(check(&File::new("a/utils.rs", "")).len(), 1);
        assert_eq!(check(&File::new("a/common/mod.rs", "")).len(), 1);
        assert_eq!(check(&File::new("a/utilities_of_trains.rs", "")).len(), 0);
        let found = texts(check(&File::new("a.rs", "// mod common\n\nmod helpers;")));
        assert_eq!(
            found,
            ["a.rs:3: module `helpers` says nothing: name it after what it does"]
        );
    }
}
