//! Compares listings with a schema: columns, types, foreign keys and indexes.

#[cfg(test)]
mod inside;
#[cfg(test)]
mod kinds;
#[cfg(test)]
mod needs;
#[cfg(test)]
mod tests;

use listing::indexes::IndexNames;
use listing::nearest;
use listing::whitelist::{ListingDescription, RelationDescription, TableDescription};

use crate::database::{Table, kind};

/// Something that should be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) message: String,
    /// What to do; for an index, the statement that creates it.
    pub(crate) remedy: String,
    severity: Severity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Severity {
    /// Requests fail, or return wrong results.
    Error,
    /// Requests are slower than they need to be.
    Advice,
}

impl Finding {
    fn error(message: String, remedy: impl Into<String>) -> Self {
        Self {
            message,
            remedy: remedy.into(),
            severity: Severity::Error,
        }
    }

    /// A missing part without which requests are slow.
    pub(super) fn advice(message: String, remedy: String) -> Self {
        Self {
            message,
            remedy,
            severity: Severity::Advice,
        }
    }

    /// Whether everything works without it.
    pub(crate) fn is_advice(&self) -> bool {
        self.severity == Severity::Advice
    }
}

/// All differences between the listings and the schema.
pub(crate) fn compare(
    listings: &[ListingDescription],
    tables: &[Table],
    names: IndexNames,
) -> Vec<Finding> {
    let mut findings = Findings {
        tables,
        found: Vec::new(),
    };
    for listing in listings {
        findings.table(&listing.table, &listing.key_columns);
    }
    // Tables without their own listing are compared with what relations declare about them.
    for listing in listings {
        for relation in &listing.relations {
            let name = |table: &TableDescription| (table.schema.clone(), table.name.clone());
            let is_listed =
                |other: &ListingDescription| name(&other.table) == name(&relation.table);
            if !listings.iter().any(is_listed) {
                findings.table(&relation.table, &[]);
            }
        }
    }
    for listing in listings {
        for relation in &listing.relations {
            findings.relation(listing, relation);
        }
        findings.full_text(listing);
    }
    let mut found = findings.found;
    found.extend(super::indexes::missing(listings, tables, names));
    let mut seen = Vec::new();
    found.retain(|finding| {
        let new = !seen.contains(finding);
        seen.push(finding.clone());
        new
    });
    found
}

struct Findings<'t> {
    tables: &'t [Table],
    found: Vec<Finding>,
}

impl<'t> Findings<'t> {
    fn find(&self, declared: &TableDescription) -> Option<&'t Table> {
        self.find_in(declared.schema.as_deref(), &declared.name)
    }

    fn find_in(&self, schema: Option<&str>, name: &str) -> Option<&'t Table> {
        self.tables.iter().find(|table| table.is(schema, name))
    }

    fn error(&mut self, message: String, remedy: impl Into<String>) {
        self.found.push(Finding::error(message, remedy));
    }

    /// Whether the table exists, with the columns and types that the entity declares. A view does not say which of its columns
    /// are never null.
    fn table(&mut self, declared: &TableDescription, key: &[String]) {
        let name = &match &declared.schema {
            Some(schema) => format!("{schema}.{}", declared.name),
            None => declared.name.clone(),
        };
        let Some(table) = self.find(declared) else {
            let known: Vec<_> = self.tables.iter().map(Table::full_name).collect();
            let remedy = match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`? Otherwise run the migrations"),
                None => "run the migrations".to_owned(),
            };
            self.error(format!("the table `{name}` does not exist"), remedy);
            return;
        };
        for column in &declared.columns {
            let (own, place) = (&column.name, format!("`{name}.{}`", column.name));
            let Some(found) = table.column(own) else {
                if table.rowid.is_some_and(|rowid| rowid == own) {
                    continue;
                }
                let known = table.columns.iter().map(|column| column.name.as_str());
                let remedy = match nearest(own, known.clone()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("its columns are: {}", known.collect::<Vec<_>>().join(", ")),
                };
                self.error(format!("the column {place} does not exist"), remedy);
                continue;
            };
            if let Some(kind) = kind(&found.column_type)
                && !agree(&column.kind, kind)
                // An entity may read JSON of MariaDB as text, which is how MariaDB stores it.
                && !(column.kind == "text" && found.declared.starts_with("longtext"))
            {
                self.error(
                    format!(
                        "{place} is `{}` in the database, but {} in the entity",
                        found.declared, column.kind
                    ),
                    "change the entity's type, or the column's by a migration",
                );
            }
            if let Some(chosen) = &column.rust_type
                && !found.readable_as.is_empty()
                && !found.readable_as.contains(&chosen.as_str())
            {
                self.error(
                    format!(
                        "{place} is `{}` in the database, which SeaORM cannot read as `{chosen}`: lists show it, records fail",
                        found.declared
                    ),
                    format!("make the field `{}`", found.readable_as.join("` or `")),
                );
            }
            let in_key = table.key.contains(own) || key.contains(own);
            if found.nullable && !column.nullable && !in_key && !table.view {
                self.error(
                    format!("{place} can be null in the database, but not in the entity"),
                    "make the field an `Option`, or the column NOT NULL by a migration",
                );
            }
        }
    }

    /// Whether a relation has its foreign key.
    fn relation(&mut self, listing: &ListingDescription, relation: &RelationDescription) {
        let place = format!("{}: relation `{}`", listing.listing, relation.name);
        let (own, other) = (self.find(&listing.table), self.find(&relation.table));
        let (from, to) = (&relation.from, &relation.to);
        if let Some(through) = &relation.through {
            let junction = self.find_in(through.schema.as_deref(), &through.name);
            self.foreign_key(&place, (junction, &through.to_parent), (own, from));
            self.foreign_key(&place, (junction, &through.to_target), (other, to));
        } else if relation.owns_key {
            self.foreign_key(&place, (own, from), (other, to));
        } else {
            self.foreign_key(&place, (other, to), (own, from));
        }
    }

    /// Whether a column of one table has a foreign key to a column of another.
    fn foreign_key(
        &mut self,
        place: &str,
        (table, column): (Option<&Table>, &str),
        (target, to_column): (Option<&Table>, &str),
    ) {
        let (Some(table), Some(target)) = (table, target) else {
            return;
        };
        // Views have no foreign keys, and cannot be referenced by any.
        if table.column(column).is_none() || table.view || target.view {
            return;
        }
        let there = table.foreign_keys.iter().any(|key| {
            let references = match &key.references[..] {
                [] => &target.key,
                references => references,
            };
            let mut pairs = key.columns.iter().zip(references);
            (&key.table_schema, &key.table) == (&target.schema, &target.name)
                && pairs.any(|(from, to)| from == column && to == to_column)
        });
        if !there {
            let (from, to) = (table.full_name(), target.full_name());
            self.error(
                format!("{place}: `{from}.{column}` has no foreign key to `{to}.{to_column}`"),
                format!(
                    "add FOREIGN KEY ({column}) REFERENCES {to} ({to_column}) to `{from}` by a migration"
                ),
            );
        }
    }

    /// Whether a full-text search has its index: a column on PostgreSQL and MariaDB, a table on SQLite.
    fn full_text(&mut self, listing: &ListingDescription) {
        let TableDescription { schema, name, .. } = &listing.table;
        let (Some(search), Some(table)) = (&listing.search, self.find(&listing.table)) else {
            return;
        };
        let lowered = |column: &String| table.column(&format!("search_{column}")).is_some();
        let has_index = table.column("search_vector").is_some()
            || search.columns.iter().all(lowered)
            || self
                .find_in(schema.as_deref(), &format!("{name}_search"))
                .is_some();
        if search.full_text.is_some() && !has_index {
            let columns = search.columns.join("\", \"");
            self.error(
                format!("{}: search: `{name}` has no full-text index", listing.listing),
                format!(
                    "call `FullTextIndex::on(\"{name}\", [\"{columns}\"]).create(..)` in a migration"
                ),
            );
        }
    }
}

/// Kinds of an entity whose values a database may store as other kinds.
const STANDS_FOR: &[(&str, &str)] = &[
    // An enumeration is stored as text if there is no type for it, and may be read as text if there is one.
    ("enum", "text"),
    ("text", "enum"),
    // MariaDB stores JSON as text. Keys are stored as text or as bytes.
    ("json", "text"),
    ("uuid", "text"),
    ("uuid", "binary"),
    // For a database without this type.
    ("boolean", "integer"),
    ("decimal", "float"),
];

/// Whether the values of a column can have the type that the entity declares. The engine accepts some types as they are.
fn agree(declared: &str, found: &str) -> bool {
    declared == found || declared == "natural" || STANDS_FOR.contains(&(declared, found))
}
