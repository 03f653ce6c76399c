//! Which indexes listings need, and which of them tables lack.

use crate::define::{ListingDescription, RelationDescription};
use crate::vocabulary::{FilterOperator, Finds, IndexedTable, is_served};

/// An index that a table lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingIndex {
    /// What it would serve: ``ArticleListing: filter `title` ``.
    pub place: String,
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
        let Self { place, table, .. } = self;
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
) -> Vec<MissingIndex> {
    let find = |name: &str| tables.iter().find(|table| table.name == name);
    let mut needs: Vec<_> = listings
        .iter()
        .flat_map(|listing| needs(listing, tables))
        .collect();
    // The longest first: an index serves whatever its beginning serves.
    needs.sort_by_key(|need| std::cmp::Reverse(need.columns.len()));
    let mut proposed: Vec<Need<'_>> = Vec::new();
    let mut found = Vec::new();
    for need in needs {
        let Some(table) = find(need.table) else {
            continue;
        };
        let is_there = |column: &&str| table.columns.iter().any(|known| known == column);
        if !need.columns.iter().all(is_there) || table.serves(&need.columns, need.ends_in()) {
            continue;
        }
        let same = proposed.iter().find(|other| {
            other.table == need.table && is_served(&need.columns, need.ends_in(), &other.all())
        });
        found.push(MissingIndex {
            place: need.place.clone(),
            table: table.name.clone(),
            columns: need.columns.iter().map(ToString::to_string).collect(),
            kind: MissingKind::Ordered,
            statement: Some(same.unwrap_or(&need).statement()),
            is_found: !need.is_order && table.finds(need.columns[0]),
        });
        if same.is_none() {
            proposed.push(need);
        }
    }
    for listing in listings {
        if let Some(table) = find(&listing.table.name) {
            found.extend(trigrams(listing, table));
        }
    }
    found
}

/// An index that would serve something.
#[derive(Debug)]
struct Need<'d> {
    /// What it would serve.
    place: String,
    table: &'d str,
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
        table: &'d str,
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

    fn statement(&self) -> String {
        let table = self.table;
        let name = self.columns.join("_");
        let columns = self.all().join(", ");
        format!("CREATE INDEX {table}_{name} ON {table} ({columns});")
    }
}

fn needs<'d>(listing: &'d ListingDescription, tables: &'d [IndexedTable]) -> Vec<Need<'d>> {
    let own = listing.table.name.as_str();
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
    for relation in &listing.relations {
        let place = format!("{}: relation `{}`", listing.listing, relation.name);
        needs.extend(rows_of(place, relation, true, tables));
    }
    for relation in &listing.related_filters {
        let place = format!("{}: filter through `{}`", listing.listing, relation.name);
        match (&relation.through, relation.owns_key) {
            (None, true) => {
                // From the related rows that are found to the rows that lead to them.
                let from = std::iter::once(relation.from.as_str());
                needs.push(Need::new(place, own, from, key()));
            }
            _ => needs.extend(rows_of(place, relation, false, tables)),
        }
    }
    for relation in &listing.counted {
        let place = format!("{}: field `{}`", listing.listing, relation.name);
        needs.extend(rows_of(place, relation, false, tables));
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
        let (columns, key) = ([through.to_parent.as_str()], [through.to_target.as_str()]);
        return Some(Need::new(place, &through.name, columns, key));
    }
    if relation.owns_key {
        return None;
    }
    let other = relation.table.name.as_str();
    let order = (in_order && relation.to_many).then_some(&relation.order);
    let order = order.into_iter().flatten().map(String::as_str);
    let key = tables.iter().find(|table| table.name == other);
    let key = key.into_iter().flat_map(|table| &table.key);
    Some(Need::new(
        place,
        other,
        std::iter::once(relation.to.as_str()).chain(order),
        key.map(String::as_str),
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
fn trigrams(listing: &ListingDescription, table: &IndexedTable) -> Vec<MissingIndex> {
    let mut found = Vec::new();
    let mut need = |place: String, column: &str| {
        let is_there = table.columns.iter().any(|known| known == column);
        if !is_there || table.finds_inside(column) {
            return;
        }
        let name = &table.name;
        let statement = || {
            format!(
                "CREATE EXTENSION IF NOT EXISTS pg_trgm; \
                 CREATE INDEX {name}_{column}_trigrams ON {name} USING gin ({column} gin_trgm_ops);"
            )
        };
        found.push(MissingIndex {
            place,
            table: name.clone(),
            columns: vec![column.to_owned()],
            kind: MissingKind::Trigrams,
            statement: table.trigrams.is_some().then(statement),
            is_found: false,
        });
    };
    for filter in &listing.filters {
        if let Some(column) = &filter.column
            && allows(&filter.operators, Finds::Inside)
        {
            need(
                format!("{}: filter `{}`", listing.listing, filter.key),
                column,
            );
        }
    }
    if let Some(search) = listing.search.as_ref().filter(|s| s.full_text.is_none()) {
        for column in &search.columns {
            need(format!("{}: search", listing.listing), column);
        }
    }
    found
}
