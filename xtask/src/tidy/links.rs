//! Finds links in a Markdown file to files that do not exist.

use std::path::Path;

use super::{Complaint, File};

pub(super) fn check(root: &Path, file: &File) -> Vec<Complaint> {
    let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
    links(&file.text)
        .into_iter()
        .filter(|(_, target)| {
            let path = match target.strip_prefix('/') {
                Some(from_root) => root.join(from_root),
                None => root.join(folder).join(target),
            };
            !path.exists()
        })
        .map(|(line, target)| {
            file.complain(line, format!("links to `{target}`, which is not there"))
        })
        .collect()
}

/// The links to files: line and path, without the part after `#`. Code does not count.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    let mut in_code = false;
    for (number, line) in text.lines().enumerate() {
        let fence = ["```", "~~~"]
            .iter()
            .any(|f| line.trim_start().starts_with(f));
        in_code ^= fence;
        if in_code || fence {
            continue;
        }
        // Every second piece between backticks is code.
        for piece in line.split('`').step_by(2) {
            let inline = piece
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split([')', ' ']).next());
            links.extend(inline.map(|target| (number + 1, target)));
        }
        if let Some((name, target)) = line.split_once("]: ")
            && name.starts_with('[')
        {
            let target = target.split_whitespace().next().unwrap_or_default();
            links.push((number + 1, target));
        }
    }
    links
        .into_iter()
        .map(|(line, target)| (line, target.split('#').next().unwrap_or_default()))
        .filter(|(_, target)| !target.is_empty() && !target.contains(':'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_are_found() {
        let text =
            "[a](a.md) and [b](docs/b.md#part \"title\")\n\n[`c`](c.rs), [d][d]\n\n[d]: d.md\n";
        assert_eq!(
            links(text),
            [(1, "a.md"), (1, "docs/b.md"), (3, "c.rs"), (5, "d.md")]
        );
    }

    #[test]
    fn addresses_anchors_and_code_are_no_links_to_files() {
        let text =
            "[a](https://a.example) [b](#b) `x[0](y)`\n```\n[c](c.md)\n```\n[d](mailto:d@e)\n";
        assert_eq!(links(text), []);
    }

    #[test]
    fn a_missing_file_is_a_complaint() {
        let root = crate::workspace_root();
        let found = check(
            &root,
            &File::new("docs/x.md", "[a](../Cargo.toml)\n[b](b.md) [c](/xtask)"),
        );
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].to_string(),
            "docs/x.md:2: links to `b.md`, which is not there"
        );
    }
}
