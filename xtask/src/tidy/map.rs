//! Checks that ARCHITECTURE.md is true: the files that it names exist, and its table of rooms is that of the walls.

use std::path::Path;

use super::{Complaint, File, walls};

const MAP: &str = "ARCHITECTURE.md";

/// Where the paths of the map begin, besides the root.
const FOLDERS: &[&str] = &[
    "crates/listing/src",
    "crates/listing/src/drivers",
    "crates/listing-axum/src",
    "crates/listing-cli/src",
];

pub(super) fn check(root: &Path, file: &File) -> Vec<Complaint> {
    if file.path != MAP {
        return Vec::new();
    }
    let exists = |path: &str| {
        let below = |folder: &&str| root.join(folder).join(path).exists();
        root.join(path).exists() || FOLDERS.iter().any(below)
    };
    let missing = paths(&file.text).filter(|(_, path)| !exists(path));
    let missing = missing
        .map(|(line, path)| file.complain(line, format!("names `{path}`, which does not exist")));
    let rows = walls::rows().filter(|row| !file.text.lines().any(|line| line.ends_with(row)));
    let rows = rows.map(|row| file.complain(1, format!("its table of rooms lacks `…{row}`")));
    missing.chain(rows).collect()
}

/// What looks like the path of a source file: code with a slash that ends in `.rs`.
fn paths(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(number, line)| {
        // Every second piece between backticks is code.
        let code = line.split('`').skip(1).step_by(2);
        code.filter(|code| code.contains('/') && code.ends_with(".rs") && !code.contains('*'))
            .map(move |code| (number + 1, code))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::texts;
    use super::*;
    use crate::workspace_root;

    /// Rule b234.
    #[test]
    fn files_that_are_gone_are_found() {
        let rows: Vec<_> = walls::rows().map(|row| format!("| what{row}\n")).collect();
        let text = format!(
            "`xtask/src/main.rs` `define/listing.rs`\n`attic/plan.rs` `drivers/*/row.rs` `a.rs`\n{}",
            rows.concat()
        );
        let found = texts(check(&workspace_root(), &File::new(MAP, &text)));
        assert_eq!(
            found,
            ["ARCHITECTURE.md:2: names `attic/plan.rs`, which does not exist"]
        );
        let elsewhere = check(&workspace_root(), &File::new("README.md", "`a/b.rs`"));
        assert_eq!(texts(elsewhere), [""; 0]);
    }

    /// Rule b234.
    #[test]
    fn rooms_that_the_table_lacks_are_found() {
        let found = texts(check(&workspace_root(), &File::new(MAP, "")));
        assert_eq!(found.len(), walls::rows().count());
        let request = " | `listing/request` | `vocabulary` |";
        assert!(
            found.iter().any(|complaint| complaint.contains(request)),
            "{found:?}"
        );
    }
}
