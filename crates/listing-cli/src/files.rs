//! Writes generated files all together or not at all, and reports each one.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::terminal;

/// The files to write. Nothing is written before [`Files::apply`], so that an error leaves nothing half done.
#[derive(Debug)]
pub(crate) struct Files {
    root: PathBuf,
    force: bool,
    changes: Vec<Change>,
}

#[derive(Debug)]
struct Change {
    path: PathBuf,
    /// Its current content.
    before: Option<String>,
    after: String,
    /// Whether all of it is generated, so that nothing of a developer's is in it.
    generated: bool,
}

impl Files {
    pub(crate) fn new(root: &Path, force: bool) -> Self {
        Self {
            root: root.to_path_buf(),
            force,
            changes: Vec::new(),
        }
    }

    /// Writes one file that is always generated; `-` is the standard output.
    pub(crate) fn replace(path: &Path, text: String) -> Result<()> {
        if path.as_os_str() == "-" {
            terminal::raw(text.as_bytes());
            return Ok(());
        }
        // A pipe or a device is written to, not replaced.
        if fs::metadata(path).is_ok_and(|known| !known.is_file()) {
            return fs::write(path, text).with_context(|| cannot_write(path));
        }
        let mut files = Self::new(Path::new(""), true);
        files.edit(&path.to_string_lossy(), text);
        files.apply(false)
    }

    /// The future or current content of a file.
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
        self.change(path, text, true);
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
            self.change(path, text, true);
        }
        keep
    }

    /// A file that exists, with something added.
    pub(crate) fn edit(&mut self, path: &str, after: String) {
        self.change(path, after, false);
    }

    fn change(&mut self, path: &str, after: String, generated: bool) {
        let path = PathBuf::from(path);
        if let Some(change) = self.changes.iter_mut().find(|change| change.path == path) {
            change.after = after;
            change.generated |= generated;
            return;
        }
        let before = fs::read_to_string(self.root.join(&path)).ok();
        self.changes.push(Change {
            generated: generated || before.is_none(),
            path,
            before,
            after,
        });
    }

    /// Writes everything, or with `dry_run` shows it; names each file.
    pub(crate) fn apply(mut self, dry_run: bool) -> Result<()> {
        format(&mut self.changes);
        if !dry_run {
            let mut staged = Staged::default();
            for change in self.changes.iter().filter(|change| !change.is_kept()) {
                staged.add(&self.root.join(&change.path), &change.after)?;
            }
            staged.finish()?;
        }
        for change in &self.changes {
            change.tell(dry_run);
        }
        if dry_run {
            terminal::line("Nothing was written.");
        }
        Ok(())
    }
}

/// Formats many files at the same time: a large schema has a thousand of them, and each is a call of another program.
fn format(changes: &mut [Change]) {
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    let share = changes.len().div_ceil(at_once).max(1);
    thread::scope(|scope| {
        for part in changes.chunks_mut(share) {
            scope.spawn(|| part.iter_mut().for_each(Change::format));
        }
    });
}

impl Change {
    /// Formats generated code. A developer's code is formatted with it only if it was formatted before (b499).
    fn format(&mut self) {
        let is_source = self.path.extension().is_some_and(|e| e == "rs");
        let is_formatted = |text: &String| formatted(text) == *text;
        if is_source
            && !self.is_kept()
            && (self.generated || self.before.as_ref().is_some_and(is_formatted))
        {
            self.after = formatted(&self.after);
        }
    }

    fn is_kept(&self) -> bool {
        self.before.as_ref() == Some(&self.after)
    }

    fn tell(&self, in_full: bool) {
        let path = self.path.display().to_string();
        match &self.before {
            None => terminal::good("created", &path),
            Some(_) if self.is_kept() => terminal::good("kept", &path),
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

/// New texts, each next to the file whose place it will take. What is not finished leaves nothing behind.
#[derive(Default)]
struct Staged {
    /// Temporary files, and the files that they become.
    files: Vec<(PathBuf, PathBuf)>,
    /// Folders that were not there.
    folders: Vec<PathBuf>,
    finished: bool,
}

impl Staged {
    fn add(&mut self, path: &Path, text: &str) -> Result<()> {
        // A link stays one: the file that it leads to is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let known = fs::metadata(&path).ok();
        if known
            .as_ref()
            .is_some_and(|one| one.permissions().readonly())
        {
            bail!("{}: it is read-only", cannot_write(&path));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let is_new = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let new = folder.ancestors().take_while(is_new);
        self.folders.extend(new.map(Path::to_path_buf));
        if !folder.as_os_str().is_empty() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = folder.join(format!(".{name}.{}.new", std::process::id()));
        self.files.push((temporary.clone(), path.clone()));
        fs::write(&temporary, text).with_context(|| cannot_write(&path))?;
        if let Some(known) = known {
            #[cfg(unix)]
            keep_owner(&temporary, &known);
            fs::set_permissions(&temporary, known.permissions())
                .with_context(|| cannot_write(&path))?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        for (temporary, path) in &self.files {
            fs::rename(temporary, path).with_context(|| cannot_write(path))?;
        }
        self.finished = true;
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        for (temporary, _) in &self.files {
            let _ = fs::remove_file(temporary);
        }
        // Those inside others first. One that has something in it stays.
        self.folders
            .sort_by_key(|one| Reverse(one.components().count()));
        for folder in &self.folders {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// As far as it can be kept: only root can give a file away.
#[cfg(unix)]
fn keep_owner(path: &Path, known: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt as _, chown};
    let _ = chown(path, Some(known.uid()), Some(known.gid()));
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    /// Rule b122.
    #[test]
    fn one_file_that_cannot_be_written_leaves_all_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let locked = folder.path().join("lib.rs");
        fs::write(&locked, "mod a;\n").unwrap();
        fs::write(folder.path().join("open.rs"), "mod a;\n").unwrap();
        let mut permissions = fs::metadata(&locked).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&locked, permissions).unwrap();

        let mut files = Files::new(folder.path(), false);
        files
            .create("deep/er/new.rs", "mod b;\n".to_owned())
            .unwrap();
        files.edit("open.rs", "mod a;\nmod b;\n".to_owned());
        files.edit("lib.rs", "mod a;\nmod b;\n".to_owned());
        let error = files.apply(false).unwrap_err().to_string();
        assert!(error.ends_with("lib.rs: it is read-only"), "{error}");
        assert_eq!(names(folder.path()), ["lib.rs", "open.rs"]);
        let open = fs::read_to_string(folder.path().join("open.rs")).unwrap();
        assert_eq!(open, "mod a;\n");

        // A file that stays as it is need not be writable.
        let mut files = Files::new(folder.path(), false);
        files.create("new.rs", "mod b;\n".to_owned()).unwrap();
        files.edit("lib.rs", "mod a;\n".to_owned());
        files.apply(false).unwrap();
        assert_eq!(names(folder.path()), ["lib.rs", "new.rs", "open.rs"]);
    }

    /// Rule b499.
    #[test]
    fn what_a_developer_wrote_is_not_formatted() {
        let folder = tempfile::tempdir().unwrap();
        let mine = "fn  mine( ){ }\r\n";
        fs::write(folder.path().join("mine.rs"), mine).unwrap();
        let mut files = Files::new(folder.path(), false);
        let text = format!("{mine}mod b;\r\n");
        files.edit("mine.rs", text.clone());
        files.apply(false).unwrap();
        let written = fs::read_to_string(folder.path().join("mine.rs"));
        assert_eq!(written.unwrap(), text);
    }

    /// Rule b499.
    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_a_link_stays_one() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.json"), folder.path().join("b.json"));
        fs::write(&file, "1").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        Files::replace(&link, "2".to_owned()).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "2");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        Files::replace(Path::new("/dev/null"), "3".to_owned()).unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }
}
