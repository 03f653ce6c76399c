//! Checks every text file of the tree against the project's own rules.

mod first_line;
mod leftovers;
mod links;
mod machine_paths;
mod map;
mod rooms;
mod rules;
mod shape;
mod source;
mod surface;
mod walls;

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace_root;

/// Folders that hold no source.
const SKIPPED: &[&str] = &[".git", "node_modules", "target"];

/// One file: its path from the root, with `/`, and what is in it.
struct File {
    path: String,
    text: String,
}

struct Complaint {
    path: String,
    line: usize,
    message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// `write` brings `docs/rules.md` up to date first.
pub(crate) fn run(write: bool) -> Result<ExitCode> {
    let root = workspace_root();
    let mut files = read_tree(&root)?;
    if write {
        rules::write_page(&root, &files)?;
        files = read_tree(&root)?;
    }
    let mut complaints = check(&root, &files);
    complaints.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    for complaint in &complaints {
        println!("{complaint}");
    }
    if complaints.is_empty() {
        println!("tidy: {} files, no complaints", files.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!("tidy: {} complaints", complaints.len());
    Ok(ExitCode::FAILURE)
}

fn check(root: &Path, files: &[File]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files {
        complaints.extend(machine_paths::check(root, file));
        if file.is("rs") {
            complaints.extend(walls::check(file));
            complaints.extend(first_line::check(file));
            complaints.extend(shape::check(file));
            complaints.extend(surface::check(file));
            complaints.extend(leftovers::check(file));
        }
        if file.is("md") {
            complaints.extend(links::check(root, file));
            complaints.extend(map::check(root, file));
        }
    }
    complaints.extend(rules::check(files));
    complaints
}

impl File {
    fn is(&self, extension: &str) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|e| e == extension)
    }

    fn complain(&self, line: usize, message: impl Into<String>) -> Complaint {
        Complaint {
            path: self.path.clone(),
            line,
            message: message.into(),
        }
    }
}

/// All text files, in the order of their paths. Reads the folders rather than asking git, so that a file counts
/// before it is added, and an exported tree can be checked too.
fn read_tree(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if kind.is_dir() && !SKIPPED.iter().any(|name| entry.file_name() == *name) {
                folders.push(path);
            } else if kind.is_file() {
                // Files that are not UTF-8 are not text, such as the demo's database.
                let Ok(text) = fs::read_to_string(&path) else {
                    continue;
                };
                let path = path.strip_prefix(root).unwrap_or(&path);
                let path = path.to_string_lossy().into_owned();
                files.push(File { path, text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::File;

    impl File {
        pub(super) fn new(path: &str, text: &str) -> Self {
            let (path, text) = (path.to_owned(), text.to_owned());
            Self { path, text }
        }
    }

    /// Complaints as text, which is how they are read.
    pub(super) fn texts(complaints: impl IntoIterator<Item = super::Complaint>) -> Vec<String> {
        complaints.into_iter().map(|c| c.to_string()).collect()
    }
}
