//! Counts the names at the root of a crate: what a stranger has to read before anything else.

use std::collections::BTreeSet;

use super::{Complaint, File};

/// The roots, with the most names that each of them has.
const ROOTS: [(&str, usize); 2] = [
    ("crates/listing/src/lib.rs", 80),
    ("crates/listing-axum/src/lib.rs", 50),
];

pub(super) fn check(file: &File) -> Option<Complaint> {
    let (_, most) = ROOTS.iter().find(|(path, _)| *path == file.path)?;
    let names = names(&file.text).len();
    let message =
        format!("{names} names at the root; {most} is the most: which of them belong in a module?");
    (names > *most).then(|| file.complain(1, message))
}

/// The names that a root gives on. A trait and its derive have one name, and what is hidden is for other crates of this project.
fn names(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices("\npub use ") {
        if text[..at].ends_with("#[doc(hidden)]") {
            continue;
        }
        let used = &text[at + 1 + "pub use ".len()..];
        let used = used.split(';').next().unwrap_or_default();
        let inside = used.split(['{', '}']).nth(1);
        let last = used.rsplit("::").next().unwrap_or_default();
        let all = inside.unwrap_or(last).split(',').map(str::trim);
        names.extend(all.filter(|name| !name.is_empty()));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b1084.
    #[test]
    fn names_at_a_root_are_counted_once() {
        let text = "mod a;\npub use a::{\n    B, C,\n    d,\n};\npub use macros::B;\n#[doc(hidden)]\npub use a::E;\npub mod f {\n    pub use a::G;\n}\n";
        assert_eq!(names(text).into_iter().collect::<Vec<_>>(), ["B", "C", "d"]);
        let many: String = (0..51).map(|at| format!("\npub use a::N{at};")).collect();
        let root = |text: &str| check(&File::new("crates/listing-axum/src/lib.rs", text));
        assert!(root(&many).is_some());
        assert!(root(&many.replace("::N50", "::N49")).is_none());
        assert!(check(&File::new("crates/other/src/lib.rs", &many)).is_none());
    }
}
