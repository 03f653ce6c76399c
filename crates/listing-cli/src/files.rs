//! Writes generated files all together or not at all, and reports each one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::terminal;

/// What is to be written. Nothing is written before [`Files::apply`], so that an error leaves nothing half done.
#[derive(Debug)]
pub(crate) struct Files {
    root: PathBuf,
    force: bool,
    changes: Vec<Change>,
}

#[derive(Debug)]
struct Change {
    path: PathBuf,
    /// What it holds now.
    before: Option<String>,
    after: String,
}

impl Files {
    pub(crate) fn new(root: &Path, force: bool) -> Self {
        Self {
            root: root.to_path_buf(),
            force,
            changes: Vec::new(),
        }
    }

    /// Writes one file that is made anew each time; `-` is the standard output.
    pub(crate) fn replace(path: &Path, text: String) -> Result<()> {
        if path.as_os_str() == "-" {
            terminal::raw(text.as_bytes());
            return Ok(());
        }
        let mut files = Self::new(Path::new(""), true);
        files.edit(&path.to_string_lossy(), text);
        files.apply(false)
    }

    /// What a file will hold, or holds already.
    pub(crate) fn read(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        match self.changes.iter().find(|change| change.path == path) {
            Some(change) => Some(change.after.clone()),
            None => fs::read_to_string(self.root.join(path)).ok(),
        }
    }

    /// The files that are about to be written.
    pub(crate) fn pending(&self) -> Vec<String> {
        let changes = self.changes.iter();
        changes
            .map(|change| change.path.to_string_lossy().replace('\\', "/"))
            .collect()
    }

    /// A new file. One that exists is replaced only with `--force`.
    pub(crate) fn create(&mut self, path: &str, text: String) -> Result<()> {
        if !self.force && self.is_edited(path, &text) {
            bail!("{path} already exists; `--force` replaces it");
        }
        self.edit(path, text);
        Ok(())
    }

    /// Whether a file exists and is not what would be written.
    fn is_edited(&self, path: &str, text: &str) -> bool {
        let Some(before) = self.read(path) else {
            return false;
        };
        before != text && !(path.ends_with(".rs") && before == formatted(text))
    }

    /// A new file, unless it was edited after it was created. Whether it is kept.
    pub(crate) fn create_or_keep(&mut self, path: &str, text: String) -> bool {
        let keep = !self.force && self.is_edited(path, &text);
        if !keep {
            self.edit(path, text);
        }
        keep
    }

    /// A file that exists, with something added.
    pub(crate) fn edit(&mut self, path: &str, after: String) {
        let path = PathBuf::from(path);
        if let Some(change) = self.changes.iter_mut().find(|change| change.path == path) {
            change.after = after;
            return;
        }
        let before = fs::read_to_string(self.root.join(&path)).ok();
        self.changes.push(Change {
            path,
            before,
            after,
        });
    }

    /// Writes everything, or with `dry_run` shows it; names each file.
    pub(crate) fn apply(mut self, dry_run: bool) -> Result<()> {
        for change in &mut self.changes {
            if change.path.extension().is_some_and(|e| e == "rs") {
                change.after = formatted(&change.after);
            }
        }
        for change in &self.changes {
            let path = self.root.join(&change.path);
            if !dry_run && change.before.as_ref() != Some(&change.after) {
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)
                        .with_context(|| format!("cannot create {}", folder.display()))?;
                }
                fs::write(&path, &change.after)
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            change.tell(dry_run);
        }
        if dry_run {
            terminal::line("Nothing was written.");
        }
        Ok(())
    }
}

impl Change {
    fn tell(&self, in_full: bool) {
        let path = self.path.display().to_string();
        match &self.before {
            None => terminal::good("created", &path),
            Some(before) if *before == self.after => terminal::good("kept", &path),
            Some(_) => terminal::doubtful("changed", &path),
        }
        if !in_full {
            return;
        }
        let before: Vec<_> = self.before.iter().flat_map(|text| text.lines()).collect();
        for line in self.after.lines().filter(|line| !before.contains(line)) {
            terminal::more(&format!("+ {line}"));
        }
    }
}

/// The text as `cargo fmt` would have it, where that is installed.
fn formatted(text: &str) -> String {
    use std::io::{Read, Write};
    let rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut rustfmt) = rustfmt else {
        return text.to_owned();
    };
    let mut result = String::new();
    let sent = rustfmt
        .stdin
        .take()
        .is_some_and(|mut stdin| stdin.write_all(text.as_bytes()).is_ok());
    let read = rustfmt
        .stdout
        .take()
        .is_some_and(|mut stdout| stdout.read_to_string(&mut result).is_ok());
    let ended_well = rustfmt.wait().is_ok_and(|status| status.success());
    if sent && read && ended_well && !result.is_empty() {
        result
    } else {
        text.to_owned()
    }
}
