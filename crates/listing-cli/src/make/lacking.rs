//! Finds the lines that the manifest and the configuration lack for generated code.

use crate::files::Files;

/// The source of the lines.
const MANIFEST: &str = include_str!("../new/template/existing/Cargo.toml.txt");

/// The requirements of generated code, besides those of every application.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    /// Payloads have rules.
    pub(crate) payloads: bool,
    /// Enumerations are read from JSON.
    pub(crate) enumerations: bool,
    /// PostgreSQL has columns of several values.
    pub(crate) arrays: bool,
    /// Columns in any case are snake case for clients.
    pub(crate) snake_case: bool,
}

impl Needs {
    /// A note on each that is missing, with what to add.
    pub(crate) fn missing(&self, files: &Files) -> Vec<String> {
        let manifest = files.read("Cargo.toml").unwrap_or_default();
        let mut notes = Vec::new();
        for (is_needed, name) in [(self.payloads, "garde"), (self.enumerations, "serde")] {
            let line = MANIFEST.lines().find(|line| is_key(line, name));
            if let Some(line) = line
                && is_needed
                && !depends(&manifest, name)
            {
                notes.push(format!("add to `[dependencies]` in Cargo.toml: {line}"));
            }
        }
        if self.arrays && !manifest.contains("postgres-array") {
            notes.push(
                "add \"postgres-array\" to the features of `sea-orm` in Cargo.toml".to_owned(),
            );
        }
        let configuration = files.read("listing.toml").unwrap_or_default();
        if self.snake_case && !configuration.lines().any(|line| is_key(line, "names")) {
            notes.push("add to the top of listing.toml: names = \"snake_case\"".to_owned());
        }
        notes
    }
}

fn depends(manifest: &str, name: &str) -> bool {
    let table = format!("[dependencies.{name}]");
    let mut lines = manifest.lines();
    lines.any(|line| is_key(line, name) || line.trim() == table)
}

/// Whether a line of TOML begins with this key.
fn is_key(line: &str, key: &str) -> bool {
    let rest = line.trim_start().strip_prefix(key);
    rest.is_some_and(|rest| rest.trim_start().starts_with(['=', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b500.
    #[test]
    fn what_the_manifest_and_the_configuration_lack_is_told_line_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Files::new(folder.path(), false);
        let needs = Needs {
            payloads: true,
            enumerations: true,
            arrays: true,
            snake_case: true,
        };
        files.edit("Cargo.toml", "garde_x = \"1\"\nserde_json = \"1\"\n".into());
        files.edit("listing.toml", "# names = \"snake_case\"\n".into());
        assert_eq!(
            needs.missing(&files),
            [
                "add to `[dependencies]` in Cargo.toml: garde = { version = \"0.23\", \
                 default-features = false, features = [\"derive\"] }",
                "add to `[dependencies]` in Cargo.toml: serde = { version = \"1\", features = [\"derive\"] }",
                "add \"postgres-array\" to the features of `sea-orm` in Cargo.toml",
                "add to the top of listing.toml: names = \"snake_case\"",
            ]
        );
        let manifest = "garde.workspace = true\n[dependencies.serde]\n[dependencies.sea-orm]\n\
                        features = [\"postgres-array\"]\n";
        files.edit("Cargo.toml", manifest.into());
        files.edit("listing.toml", "names= \"snake_case\"\n".into());
        assert_eq!(needs.missing(&files), Vec::<String>::new());
        files.edit("Cargo.toml", String::new());
        assert_eq!(Needs::default().missing(&files), Vec::<String>::new());
    }
}
