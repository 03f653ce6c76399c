//! Finds paths that exist only on the machine where they were written.

use std::path::Path;

use super::source::{is_word, line_of};
use super::{Complaint, File};

/// Where home folders are; taken apart so that this file does not complain about itself.
const HOMES: &[&str] = &[
    concat!("/", "home/"),
    concat!("/", "root/"),
    concat!("/", "Users/"),
    concat!("\\", "Users\\"),
];

pub(super) fn check(root: &Path, file: &File) -> Vec<Complaint> {
    let root = root.to_string_lossy();
    // A checkout right under `/` has a name that other paths may well contain.
    let root = Some(&*root).filter(|root| root.matches('/').count() > 1);
    let places = HOMES.iter().copied().chain(root);
    places
        .flat_map(|place| file.text.match_indices(place))
        .filter(|(at, _)| begins_path(&file.text[..*at]))
        .map(|(at, place)| {
            let line = line_of(&file.text, at);
            file.complain(line, format!("`{place}` is a path of one machine"))
        })
        .collect()
}

/// `examples/home/x` is a path of the tree, and `https://host/home/x` one of another machine.
fn begins_path(before: &str) -> bool {
    !before.ends_with(|c: char| is_word(c) || "./-}>".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: String) -> usize {
        check(Path::new("/builds/listing"), &File::new("a.md", &text)).len()
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        assert_eq!(count(format!("see {}me/notes", HOMES[0])), 1);
        assert_eq!(count(format!("C:{}me", HOMES[3])), 1);
        assert_eq!(count("cd /builds/listing && cargo test".to_owned()), 1);
    }

    #[test]
    fn paths_of_the_tree_and_of_the_web_pass() {
        assert_eq!(count(format!("examples{}x", HOMES[0])), 0);
        assert_eq!(count(format!("http://localhost{}x", HOMES[0])), 0);
        assert_eq!(
            count("/usr/sbin and /etc/passwd are everywhere".to_owned()),
            0
        );
    }
}
