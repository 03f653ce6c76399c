//! Which indexes listings need, and which of them tables lack.

use super::names::IndexNames;
use crate::define::{ListingDescription, RelationDescription, TableDescription};
use crate::vocabulary::{FilterOperator, Finds, IndexedTable, is_served};

/// An index that a table lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingIndex {
    /// What it would serve: ``ArticleListing: filter `title` ``.
    pub place: String,
    /// The table's schema, where a bare name does not mean the table.
    pub schema: Option<String>,
    /// The table.
    pub table: String,
    /// What it begins with.
    pub columns: Vec<String>,
    /// What kind of index it is.
    pub kind: MissingKind,
    /// The statements that create it; another index may be proposed that serves this, too. None where no index can.
    pub statement: Option<String>,
    /// Whether few rows are read without it all the same, because another index begins with its first column.
    pub is_found: bool,
}

/// A kind of index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingKind {
    /// An ordered one.
    Ordered,
    /// One of trigrams, which finds a part of a text; where the database has none, no index does.
    Trigrams,
}

impl MissingIndex {
    /// What is missing, in words; `size` tells how large the table is, in brackets.
    #[must_use]
    pub fn message(&self, size: &str) -> String {
        let place = &self.place;
        let table = match &self.schema {
            Some(schema) => format!("{schema}.{}", self.table),
            None => self.table.clone(),
        };
        let columns = self.columns.join(", ");
        match (self.kind, &self.statement) {
            (MissingKind::Ordered, _) => {
                format!("{place}: no index of `{table}`{size} begins with {columns}")
            }
            (MissingKind::Trigrams, Some(_)) => format!(
                "{place}: no index of trigrams on `{table}.{columns}`, so every row{size} is read"
            ),
            (MissingKind::Trigrams, None) => format!(
                "{place}: no index finds a part of `{table}.{columns}`, so every row{size} is read"
            ),
        }
    }
}

/// What is missing of these tables. An index that serves several needs is proposed once.
#[must_use]
pub fn missing_indexes(
    listings: &[ListingDescription],
    tables: &[IndexedTable],
    mut names: IndexNames,
) -> Vec<MissingIndex> {
    let mut needs: Vec<_> = listings
        .iter()
        .flat_map(|listing| needs(listing, tables))
        .collect();
    // The longest first: an index serves whatever its beginning serves.
    needs.sort_by_key(|need| std::cmp::Reverse(need.columns.len()));
    let mut proposed: Vec<(Need<'_>, String)> = Vec::new();
    let mut found = Vec::new();
    for need in needs {
        let table = need.table;
        let is_there = |column: &&str| table.columns.iter().any(|known| known == column);
        if !need.columns.iter().all(is_there) || table.serves(&need.columns, need.ends_in()) {
            continue;
        }
        let same = proposed.iter().find(|(other, _)| {
            std::ptr::eq(other.table, table)
                && is_served(&need.columns, need.ends_in(), &other.all())
        });
        let statement = match same {
            Some((_, statement)) => statement.clone(),
            None => need.statement(&mut names),
        };
        let is_new = same.is_none();
        found.push(MissingIndex {
            place: need.place.clone(),
            schema: table.schema.clone().filter(|_| table.hidden),
            table: table.name.clone(),
            columns: need.columns.iter().map(ToString::to_string).collect(),
            kind: MissingKind::Ordered,
            statement: Some(statement.clone()),
            is_found: !need.is_order && table.finds(need.columns[0]),
        });
        if is_new {
            proposed.push((need, statement));
        }
    }
    found.extend(trigrams(listings, tables, &mut names));
    found
}

/// The table that an entity names, if it is one of these.
fn find<'d>(
    tables: &'d [IndexedTable],
    schema: Option<&str>,
    name: &str,
) -> Option<&'d IndexedTable> {
    tables.iter().find(|table| table.is(schema, name))
}

fn table_of<'d>(
    tables: &'d [IndexedTable],
    declared: &TableDescription,
) -> Option<&'d IndexedTable> {
    find(tables, declared.schema.as_deref(), &declared.name)
}

/// An index that would serve something.
#[derive(Debug)]
struct Need<'d> {
    /// What it would serve.
    place: String,
    table: &'d IndexedTable,
    /// What it begins with.
    columns: Vec<&'d str>,
    /// The columns of the primary key, with which it ends, as every order does.
    key: Vec<&'d str>,
    /// Whether rows are read in its order alone: then only the key may follow the columns.
    is_order: bool,
}

impl<'d> Need<'d> {
    fn new(
        place: String,
        table: &'d IndexedTable,
        columns: impl IntoIterator<Item = &'d str>,
        key: impl IntoIterator<Item = &'d str>,
    ) -> Self {
        let mut own = Vec::new();
        // A row has its place in an order once.
        for column in columns {
            if !own.contains(&column) {
                own.push(column);
            }
        }
        Self {
            place,
            table,
            columns: own,
            key: key.into_iter().collect(),
            is_order: false,
        }
    }

    fn ends_in(&self) -> Option<&[&'d str]> {
        self.is_order.then_some(&self.key[..])
    }

    /// The columns, and the key.
    fn all(&self) -> Vec<&'d str> {
        let mut all = self.columns.clone();
        for part in &self.key {
            if !all.contains(part) {
                all.push(part);
            }
        }
        all
    }

    fn statement(&self, names: &mut IndexNames) -> String {
        let words: Vec<_> = std::iter::once(self.table.name.as_str())
            .chain(self.columns.iter().copied())
            .collect();
        let name = names.index(self.table, &words);
        let table = names.table(self.table);
        let columns: Vec<_> = self.all().iter().map(|part| names.quoted(part)).collect();
        format!("CREATE INDEX {name} ON {table} ({});", columns.join(", "))
    }
}

fn needs<'d>(listing: &'d ListingDescription, tables: &'d [IndexedTable]) -> Vec<Need<'d>> {
    let mut needs = Vec::new();
    if let Some(own) = table_of(tables, &listing.table) {
        needs.extend(own_needs(listing, own));
    }
    for relation in &listing.relations {
        let place = format!("{}: relation `{}`", listing.listing, relation.name);
        needs.extend(rows_of(place, relation, true, tables));
    }
    for relation in &listing.related_filters {
        let place = format!("{}: filter through `{}`", listing.listing, relation.name);
        needs.extend(rows_of(place, relation, false, tables));
    }
    for relation in &listing.counted {
        let place = format!("{}: field `{}`", listing.listing, relation.name);
        needs.extend(rows_of(place, relation, false, tables));
    }
    needs
}

/// What the listing's own table needs.
fn own_needs<'d>(listing: &'d ListingDescription, own: &'d IndexedTable) -> Vec<Need<'d>> {
    let key = || key_of(listing);
    let mut needs = Vec::new();
    for filter in &listing.filters {
        let Some(column) = &filter.column else {
            continue;
        };
        let allows = |finds| allows(&filter.operators, finds);
        // An index does not help to find half of the rows.
        if is_boolean(listing, column) || !(allows(Finds::Value) || allows(Finds::Range)) {
            continue;
        }
        let place = format!("{}: filter `{}`", listing.listing, filter.key);
        // Rows of one value come in the default order. Of a range they cannot: they are sorted, or found in that order.
        let order = (!allows(Finds::Range)).then(|| default_order(listing));
        let columns = std::iter::once(column.as_str()).chain(order.into_iter().flatten());
        needs.push(Need::new(place, own, columns, key()));
    }
    for sort in &listing.sorts {
        if let Some(column) = &sort.column {
            let place = format!("{}: sort `{}`", listing.listing, sort.name);
            needs.push(Need {
                is_order: true,
                ..Need::new(place, own, [column.as_str()], key())
            });
        }
    }
    for relation in &listing.related_filters {
        if relation.through.is_none() && relation.owns_key {
            // From the related rows that are found to the rows that lead to them.
            let place = format!("{}: filter through `{}`", listing.listing, relation.name);
            needs.push(Need::new(place, own, [relation.from.as_str()], key()));
        }
    }
    needs
}

/// What finds the related rows of a row, in their order where they are shown.
fn rows_of<'d>(
    place: String,
    relation: &'d RelationDescription,
    in_order: bool,
    tables: &'d [IndexedTable],
) -> Option<Need<'d>> {
    if let Some(through) = &relation.through {
        let table = find(tables, through.schema.as_deref(), &through.name)?;
        let (columns, key) = ([through.to_parent.as_str()], [through.to_target.as_str()]);
        return Some(Need::new(place, table, columns, key));
    }
    if relation.owns_key {
        return None;
    }
    let other = table_of(tables, &relation.table)?;
    let order = (in_order && relation.to_many).then_some(&relation.order);
    let order = order.into_iter().flatten().map(String::as_str);
    Some(Need::new(
        place,
        other,
        std::iter::once(relation.to.as_str()).chain(order),
        other.key.iter().map(String::as_str),
    ))
}

/// The columns of the default order, as far as an index has them.
fn default_order(listing: &ListingDescription) -> impl Iterator<Item = &str> {
    let defaults = listing.sorts.iter().filter(|sort| sort.default);
    let columns = defaults.map_while(|sort| sort.column.as_deref());
    // The key ends every index, and nothing comes after it.
    columns.take_while(|column| key_of(listing).all(|part| part != *column))
}

/// The columns of the primary key; an application of an earlier version tells only one.
fn key_of(listing: &ListingDescription) -> impl Iterator<Item = &str> {
    let parts = match &listing.key_columns[..] {
        [] => std::slice::from_ref(&listing.key),
        parts => parts,
    };
    parts.iter().map(String::as_str)
}

fn is_boolean(listing: &ListingDescription, name: &str) -> bool {
    let mut columns = listing.table.columns.iter();
    columns.any(|column| column.name == name && column.kind == "boolean")
}

fn allows(operators: &[String], finds: Finds) -> bool {
    let known = |operator: &String| FilterOperator::from_wire(operator);
    let mut known = operators.iter().filter_map(known);
    known.any(|operator| operator.finds() == Some(finds))
}

/// PostgreSQL finds a part of a text by an index of trigrams; the others have none.
fn trigrams(
    listings: &[ListingDescription],
    tables: &[IndexedTable],
    names: &mut IndexNames,
) -> Vec<MissingIndex> {
    let mut found: Vec<MissingIndex> = Vec::new();
    for listing in listings {
        let Some(table) = table_of(tables, &listing.table) else {
            continue;
        };
        let is_missing =
            |column: &String| table.columns.contains(column) && !table.finds_inside(column);
        for (place, column) in parts_of_text(listing) {
            if !is_missing(column) {
                continue;
            }
            let schema = table.schema.clone().filter(|_| table.hidden);
            let columns = vec![column.clone()];
            let same = found.iter().find(|known| {
                (&known.schema, &known.table, &known.columns) == (&schema, &table.name, &columns)
            });
            let statement = match same {
                Some(same) => same.statement.clone(),
                None if table.trigrams.is_none() => None,
                None => Some(trigram_statement(table, column, names)),
            };
            found.push(MissingIndex {
                place,
                schema,
                table: table.name.clone(),
                columns,
                kind: MissingKind::Trigrams,
                statement,
                is_found: false,
            });
        }
    }
    found
}

fn trigram_statement(table: &IndexedTable, column: &str, names: &mut IndexNames) -> String {
    let name = names.index(table, &[&table.name, column, "trigrams"]);
    let (table, column) = (names.table(table), names.quoted(column));
    format!(
        "CREATE EXTENSION IF NOT EXISTS pg_trgm; \
         CREATE INDEX {name} ON {table} USING gin ({column} gin_trgm_ops);"
    )
}

/// The columns in which a listing looks for a part of a text.
fn parts_of_text(listing: &ListingDescription) -> impl Iterator<Item = (String, &String)> {
    let filters = listing.filters.iter();
    let filters = filters.filter(|filter| allows(&filter.operators, Finds::Inside));
    let filters = filters.filter_map(|filter| {
        let place = format!("{}: filter `{}`", listing.listing, filter.key);
        Some((place, filter.column.as_ref()?))
    });
    let search = listing.search.as_ref().filter(|s| s.full_text.is_none());
    let searched = search.into_iter().flat_map(|search| &search.columns);
    filters.chain(searched.map(|column| (format!("{}: search", listing.listing), column)))
}
