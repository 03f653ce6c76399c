//! Tells which columns were left out because they look like secrets, and where they are put back.

use crate::model::entity::Entity;
use crate::terminal;

/// A column that was left out.
#[derive(Debug, Clone)]
pub(crate) struct LeftOut(String);

impl LeftOut {
    /// Those of an entity; `file` has its listing, if it is in one.
    pub(crate) fn of(entity: &Entity, file: Option<&str>) -> Vec<Self> {
        let place = file.map_or_else(String::new, |file| format!(": {file}"));
        let columns = entity.columns.iter().filter(|column| !column.is_id);
        let left_out = columns.filter_map(|column| {
            let why = column.secret.as_ref()?;
            Some(Self(format!(
                "`{}.{}` ({why}){place}",
                entity.table, column.name
            )))
        });
        left_out.collect()
    }
}

/// The command's last note about its output.
pub(crate) fn tell(left_out: &[LeftOut], remedy: &str) {
    if left_out.is_empty() {
        return;
    }
    terminal::heading("\nLeft out, because they look like secrets:");
    for LeftOut(column) in left_out {
        terminal::line(&format!("  {column}"));
    }
    terminal::line(remedy);
}

/// The remedy for columns whose listings are files.
pub(crate) const IN_FILES: &str =
    "Each is a comment in its file: delete the slashes to show the column.";
