//! Finds the indexes that listings need for filters inside JSON columns and arrays (d149).

use sea_orm::DbBackend;

use super::missing::{MissingIndex, MissingKind, allows, table_of};
use crate::catalogue::{Finds, IndexNames, IndexedTable, expression};
use crate::define::{FilterDescription, ListingDescription};
use crate::vocabulary::{Kind, inside};

/// A place inside a column that filters use.
#[derive(Debug)]
pub(super) struct Inside<'d> {
    pub(super) listing: &'d ListingDescription,
    pub(super) filter: &'d FilterDescription,
    pub(super) table: &'d IndexedTable,
    /// The name of its expression in the catalogue of indexes; `None` if the database has no such index.
    pub(super) name: Option<String>,
    /// Its column and path, as people read them.
    pub(super) shown: String,
    /// Its expression, as statements contain it.
    pub(super) written: String,
    /// Whether it is an array, and filters look for its elements.
    pub(super) is_array: bool,
}

impl Inside<'_> {
    pub(super) fn place(&self) -> String {
        format!("{}: filter `{}`", self.listing.listing, self.filter.key)
    }

    /// Whether clients can use an operator that works in this way.
    pub(super) fn allows(&self, finds: Finds) -> bool {
        allows(&self.filter.operators, finds)
    }

    /// Its missing index.
    pub(super) fn missing(&self, kind: MissingKind, statement: Option<String>) -> MissingIndex {
        MissingIndex {
            place: self.place(),
            schema: self.table.schema.clone().filter(|_| self.table.hidden),
            table: self.table.name.clone(),
            columns: vec![self.shown.clone()],
            descending: Vec::new(),
            kind,
            statement,
            is_found: false,
        }
    }
}

/// The places inside columns of these tables that listings filter by, except for booleans: no index helps to find half of the
/// rows.
pub(super) fn all<'d>(
    listings: &'d [ListingDescription],
    tables: &'d [IndexedTable],
    names: &IndexNames,
) -> Vec<Inside<'d>> {
    let mut all = Vec::new();
    for listing in listings {
        let Some(table) = table_of(tables, &listing.table) else {
            continue;
        };
        for filter in &listing.filters {
            let Some(of) = filter.inside.as_ref().filter(|of| of.kind != "boolean") else {
                continue;
            };
            if !table.columns.contains(&of.column) {
                continue;
            }
            let kind = match of.kind.as_str() {
                "integer" | "decimal" => Kind::Integer,
                "array" => Kind::Array(Box::new(Kind::Text)),
                _ => Kind::Text,
            };
            let is_array = matches!(kind, Kind::Array(_));
            let template = match (names.backend(), is_array, &of.cast) {
                (DbBackend::Postgres, true, None) => "@".to_owned(),
                (DbBackend::Postgres, true, Some(cast)) if of.path.is_empty() => {
                    format!("@::{cast}")
                }
                (DbBackend::Postgres, true, _) => inside::postgres_json(&of.path),
                (DbBackend::Postgres, false, _) => inside::postgres(&kind, &of.path),
                _ => inside::sqlite(&kind, &of.path),
            };
            let path = of.path.iter().map(String::as_str);
            let shown: Vec<_> = std::iter::once(&*of.column).chain(path).collect();
            all.push(Inside {
                listing,
                filter,
                table,
                name: expression(names.backend(), &of.column, &of.path, &kind),
                shown: shown.join("."),
                written: template.replace('@', &names.quoted(&of.column)),
                is_array,
            });
        }
    }
    all
}

/// The indexes that are missing: for places that no index serves, and for arrays, which need an index of another kind.
pub(super) fn missing(all: &[Inside<'_>], names: &mut IndexNames) -> Vec<MissingIndex> {
    let mut found: Vec<MissingIndex> = Vec::new();
    for one in all {
        let is_asked = [Finds::Value, Finds::Range, Finds::Start, Finds::Inside];
        let is_asked = is_asked.into_iter().any(|finds| one.allows(finds));
        let is_served = match &one.name {
            Some(name) => !one.is_array || one.table.finds_held(name),
            None => false,
        };
        if !is_asked || is_served {
            continue;
        }
        let mut missing = one.missing(MissingKind::Inside, None);
        let is_same = |known: &&MissingIndex| {
            (&known.schema, &known.table, &known.columns)
                == (&missing.schema, &missing.table, &missing.columns)
        };
        missing.statement = match found.iter().find(is_same) {
            Some(same) => same.statement.clone(),
            None => one.name.is_some().then(|| {
                let name = names.index(one.table, &[&one.table.name, &one.words()]);
                let (table, what) = (names.table(one.table), &one.written);
                format!("CREATE INDEX {name} ON {table} USING gin (({what}));")
            }),
        };
        found.push(missing);
    }
    found
}

impl Inside<'_> {
    /// Its part of an index name.
    pub(super) fn words(&self) -> String {
        self.shown.replace(['.', '-'], "_")
    }
}
