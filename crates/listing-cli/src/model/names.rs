//! The names that clients have for the columns of an entity.

use std::collections::BTreeSet;

use listing::Names;

use super::entity::{Column, Entity};

impl Entity {
    /// Gives a column an alias where clients could not use its own name, in this form: `id`, which is the key of a row
    /// (b160), one that another column has, and one that a query string cannot have (b571).
    pub(crate) fn name_columns(&mut self, names: Names) {
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let is_free = |name: &str| !self.columns.iter().any(|other| other.field == name);
        let own = |column: &Column| (!column.is_id).then(|| names.of(&column.name));
        let shown: Vec<_> = self.columns.iter().map(own).collect();
        let mut aliases = Vec::new();
        for (column, shown) in self.columns.iter().zip(&shown) {
            let Some(shown) = shown else {
                aliases.push(None);
                continue;
            };
            let is_id = Names::SnakeCase.of(&column.name) == "id" && !self.keyless;
            if !is_id && is_usable(shown) && taken.insert(shown.clone()) {
                aliases.push(None);
                continue;
            }
            let mut alias = match is_id {
                true => format!("{}_id", self.module),
                false => column.field.clone(),
            };
            while (is_id && !is_free(&alias)) || taken.contains(&alias) {
                alias.push_str("_column");
            }
            taken.insert(alias.clone());
            aliases.push(Some(alias));
        }
        for (column, alias) in self.columns.iter_mut().zip(aliases) {
            column.alias = alias;
        }
    }

    /// The notes about names that clients see in another form.
    pub(crate) fn notes_on_names(&self) -> Vec<String> {
        let named = |column: &Column| {
            let alias = column.alias.as_ref()?;
            Some(format!(
                "`{}.{}` is `{alias}` to clients",
                self.table, column.name
            ))
        };
        self.columns.iter().filter_map(named).collect()
    }
}

/// Whether a client can send a name in every parameter.
fn is_usable(name: &str) -> bool {
    let means_more = |letter: char| ",:*[].".contains(letter) || letter.is_control();
    !name.is_empty() && !name.contains(means_more) && !name.starts_with('$') && name.trim() == name
}
