//! Finds the indexes that listings need to search for parts of texts, and that tables lack.

use super::inside::Inside;
use super::missing::{MissingIndex, MissingKind, allows, table_of};
use crate::catalogue::IndexNames;
use crate::catalogue::{Finds, IndexedTable};
use crate::define::ListingDescription;

/// The missing indexes of these tables. PostgreSQL finds a part of a text with a trigram index, and a prefix with a pattern index
/// (b492). For padded texts it has only the latter. The other databases have no trigrams, and find prefixes with ordinary
/// indexes.
pub(super) fn missing(
    listings: &[ListingDescription],
    tables: &[IndexedTable],
    inside: &[Inside<'_>],
    names: &mut IndexNames,
) -> Vec<MissingIndex> {
    let mut found: Vec<MissingIndex> = inside_json(inside, names).collect();
    for listing in listings {
        let Some(table) = table_of(tables, &listing.table) else {
            continue;
        };
        let is_served = |column: &str, kind| {
            table.finds_inside(column)
                || (kind == MissingKind::Starts
                    && (table.finds_start(column) || table.trigrams.is_none()))
        };
        for (place, column, kind) in looked_for(listing, table) {
            if !table.columns.contains(column) || is_served(column, kind) {
                continue;
            }
            let missing = MissingIndex {
                place,
                schema: table.schema.clone().filter(|_| table.hidden),
                table: table.name.clone(),
                columns: vec![column.clone()],
                descending: Vec::new(),
                kind,
                statement: None,
                is_found: false,
            };
            let what = |known: &MissingIndex| {
                (
                    known.schema.clone(),
                    known.table.clone(),
                    known.columns.clone(),
                    known.kind,
                )
            };
            let same = found.iter().find(|known| what(known) == what(&missing));
            let statement = match same {
                Some(same) => same.statement.clone(),
                None if table.trigrams.is_none() => None,
                None => statement(table, column, &names.quoted(column), kind, names),
            };
            found.push(MissingIndex {
                statement,
                ..missing
            });
        }
    }
    found
}

/// The same for texts inside JSON columns. SQLite finds their prefixes with ordinary indexes, too.
fn inside_json(all: &[Inside<'_>], names: &mut IndexNames) -> impl Iterator<Item = MissingIndex> {
    let texts = all.iter().filter(|one| !one.is_array);
    texts.filter_map(|one| {
        let name = one.name.as_deref()?;
        let kind = match (one.allows(Finds::Inside), one.allows(Finds::Start)) {
            (true, _) => MissingKind::Trigrams,
            (false, true) if one.table.trigrams.is_some() => MissingKind::Starts,
            (false, _) => return None,
        };
        let is_start = kind == MissingKind::Starts && one.table.finds_start(name);
        if is_start || one.table.finds_inside(name) {
            return None;
        }
        let statement = one.table.trigrams.is_some().then(|| {
            let written = format!("({})", one.written);
            statement(one.table, &one.words(), &written, kind, names)
        });
        Some(one.missing(kind, statement.flatten()))
    })
}

/// The statements that create an index; `None` if there is no operator class for the column.
fn statement(
    table: &IndexedTable,
    column: &str,
    written: &str,
    kind: MissingKind,
    names: &mut IndexNames,
) -> Option<String> {
    let (word, method, class) = match (kind, table.is_filled(column)) {
        (MissingKind::Trigrams, true) => return None,
        (MissingKind::Trigrams, false) => ("trigrams", "USING gin ", "gin_trgm_ops"),
        (_, true) => ("start", "", "bpchar_pattern_ops"),
        (_, false) => ("start", "", "text_pattern_ops"),
    };
    let name = names.index(table, &[&table.name, column, word]);
    let table = names.table(table);
    let index = format!("CREATE INDEX {name} ON {table} {method}({written} {class});");
    Some(match kind {
        MissingKind::Trigrams => format!("CREATE EXTENSION IF NOT EXISTS pg_trgm; {index}"),
        _ => index,
    })
}

/// The columns in which a listing searches for a part of a text. Trigrams find prefixes, too.
fn looked_for<'d>(
    listing: &'d ListingDescription,
    table: &'d IndexedTable,
) -> impl Iterator<Item = (String, &'d String, MissingKind)> {
    let filters = listing.filters.iter();
    let filters = filters.filter_map(|filter| Some((filter, filter.column.as_ref()?)));
    let filters = filters.flat_map(move |(filter, column)| {
        let place = format!("{}: filter `{}`", listing.listing, filter.key);
        let inside = allows(&filter.operators, Finds::Inside);
        let start = allows(&filter.operators, Finds::Start) && (!inside || table.is_filled(column));
        let kinds = [
            inside.then_some(MissingKind::Trigrams),
            start.then_some(MissingKind::Starts),
        ];
        let kinds = kinds.into_iter().flatten();
        kinds.map(move |kind| (place.clone(), column, kind))
    });
    let search = listing.search.as_ref().filter(|s| s.full_text.is_none());
    let searched = search.into_iter().flat_map(|search| &search.columns);
    let place = || format!("{}: search", listing.listing);
    filters.chain(searched.map(move |column| (place(), column, MissingKind::Trigrams)))
}
