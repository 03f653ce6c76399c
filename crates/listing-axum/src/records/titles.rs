//! The names of a resource in messages, derived from its table's name (b141).
//!
//! A few rules of English, written by hand: the crates for this depend on regular expressions, and a wrong name takes one line in
//! a resource to correct.

use serde::{Deserialize, Serialize};

use super::Operation;

/// The names of a resource in messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Titles {
    /// The singular: `Article`.
    pub one: String,
    /// The plural: `Articles`.
    pub many: String,
}

impl Titles {
    /// `Titles::new("Person", "People")`
    #[must_use]
    pub fn new(one: &str, many: &str) -> Self {
        Self {
            one: one.to_owned(),
            many: many.to_owned(),
        }
    }

    /// `order_items` gives `Order item` and `Order items`.
    #[must_use]
    pub fn of_table(table: &str) -> Self {
        let words = table.replace(['_', '-'], " ");
        Self {
            one: capitalized(&singular(&words)),
            many: capitalized(&words),
        }
    }

    /// The message of a successful response.
    pub(super) fn message(&self, operation: Operation) -> String {
        let Self { one, many } = self;
        match operation {
            Operation::Index | Operation::Export => format!("{many} retrieved."),
            Operation::Import => format!("{many} imported."),
            Operation::Show => format!("{one} retrieved."),
            Operation::Store => format!("{one} created."),
            Operation::Update => format!("{one} updated."),
            Operation::Destroy | Operation::ForceDestroy => format!("{one} deleted."),
            Operation::Restore => format!("{one} restored."),
            Operation::History => format!("History of {} retrieved.", one.to_lowercase()),
        }
    }
}

/// The singular of a table's name. A name that is not a plural stays as it is.
fn singular(plural: &str) -> String {
    let ending = |from: &str, to: &str| {
        let stem = plural.strip_suffix(from)?;
        (stem.len() > 1).then(|| format!("{stem}{to}"))
    };
    // `status`, `analysis` and `address` are not plurals.
    if ["ss", "us", "is"].iter().any(|end| plural.ends_with(end)) {
        return plural.to_owned();
    }
    ending("ies", "y")
        .or_else(|| ending("sses", "ss"))
        .or_else(|| ending("shes", "sh"))
        .or_else(|| ending("ches", "ch"))
        .or_else(|| ending("xes", "x"))
        .or_else(|| ending("uses", "us"))
        .or_else(|| ending("s", ""))
        .unwrap_or_else(|| plural.to_owned())
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::Titles;

    /// Rule b141.
    #[test]
    fn names_are_made_from_the_tables_name() {
        for (table, one, many) in [
            ("articles", "Article", "Articles"),
            ("order_items", "Order item", "Order items"),
            ("categories", "Category", "Categories"),
            ("addresses", "Address", "Addresses"),
            ("boxes", "Box", "Boxes"),
            ("branches", "Branch", "Branches"),
            ("statuses", "Status", "Statuses"),
            ("seo", "Seo", "Seo"),
            ("status", "Status", "Status"),
            ("", "", ""),
        ] {
            assert_eq!(Titles::of_table(table), Titles::new(one, many), "{table}");
        }
    }
}
