//! Which indexes listings need, and which of them a schema lacks.

use listing::{ListingDescription, RelationDescription};
use sea_orm::sea_query::ColumnType;

use super::compare::Finding;
use crate::database::{Column, Table};
use crate::make::entity::is_long;

/// Operators that find a few rows by their value.
const EQUALITY: &[&str] = &["$eq", "$in"];
/// Operators that find a range of values. `$ne` and `$notIn` read every row anyway, and few clients filter by null alone.
const RANGE: &[&str] = &["$lt", "$lte", "$gt", "$gte", "$between"];
/// Operators that look inside a text.
const INSIDE: &[&str] = &["$contains", "$endsWith", "$startsWithi", "$endsWithi"];

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

/// What is missing, that of the largest tables first. An index that serves several needs is proposed once.
pub(super) fn missing(listings: &[ListingDescription], tables: &[Table]) -> Vec<Finding> {
    // A view has no indexes of its own, and a few rows are read as quickly without one.
    let could_use = |table: &&Table| !table.view && !table.is_small();
    let find = |name: &str| {
        let mut named = tables.iter().filter(|table| table.name == name);
        named.find(could_use)
    };
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
        let is_there = |column: &&str| table.column(column).is_some();
        if !need.columns.iter().all(is_there) || need.is_served_by(table) {
            continue;
        }
        let same = proposed
            .iter()
            .find(|other| other.table == need.table && need.is_served(&other.all()));
        let remedy = same.unwrap_or(&need).statement();
        let columns = need.columns.join(", ");
        let message = format!(
            "{}: no index of `{}`{} begins with {columns}",
            need.place,
            need.table,
            table.size()
        );
        found.push((table.rows, Finding::advice(message, remedy)));
        if same.is_none() {
            proposed.push(need);
        }
    }
    for listing in listings {
        if let Some(table) = find(&listing.table.name) {
            let trigrams = trigrams(listing, table).into_iter();
            found.extend(trigrams.map(|finding| (table.rows, finding)));
        }
    }
    found.sort_by_key(|(rows, _)| std::cmp::Reverse(*rows));
    found.into_iter().map(|(_, finding)| finding).collect()
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

    fn is_served_by(&self, table: &Table) -> bool {
        let key: Vec<_> = table.key.iter().map(String::as_str).collect();
        let by_key = self.is_served(&key) || key == [self.columns[0]];
        by_key
            || table.indexes.iter().any(|index| {
                let columns: Vec<_> = index.columns.iter().map(String::as_str).collect();
                // One row needs no order.
                self.is_served(&columns) || (index.unique && columns == [self.columns[0]])
            })
    }

    fn is_served(&self, index: &[&str]) -> bool {
        let Some(after) = index.strip_prefix(&self.columns[..]) else {
            return false;
        };
        let key = self.key.iter().filter(|part| !self.columns.contains(part));
        !self.is_order || after.iter().zip(key).all(|(next, part)| next == part)
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

fn needs<'d>(listing: &'d ListingDescription, tables: &'d [Table]) -> Vec<Need<'d>> {
    let own = listing.table.name.as_str();
    let key = || key_of(listing);
    let mut needs = Vec::new();
    for filter in &listing.filters {
        let Some(column) = &filter.column else {
            continue;
        };
        let allows = |known: &[&str]| filter.operators.iter().any(|o| known.contains(&o.as_str()));
        // An index does not help to find half of the rows.
        if is_boolean(listing, column) || !(allows(EQUALITY) || allows(RANGE)) {
            continue;
        }
        let place = format!("{}: filter `{}`", listing.listing, filter.key);
        // Rows of one value come in the default order. Of a range they cannot: they are sorted, or found in that order.
        let order = (!allows(RANGE)).then(|| default_order(listing));
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
    tables: &'d [Table],
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

/// PostgreSQL finds a part of a text by an index of trigrams. What long texts hold is a matter of full-text search.
fn trigrams(listing: &ListingDescription, table: &Table) -> Vec<Finding> {
    let Some(indexed) = &table.trigrams else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut need = |place: String, column: &str| {
        let is_short =
            |found: &Column| found.column_type != ColumnType::Text || !is_long(&found.name);
        let known = table.column(column).is_some_and(is_short);
        if !known || indexed.iter().any(|has| has == column) {
            return;
        }
        let name = &table.name;
        found.push(Finding::advice(
            format!(
                "{place}: no index of trigrams on `{name}.{column}`, so every row{} is read",
                table.size()
            ),
            format!(
                "CREATE EXTENSION IF NOT EXISTS pg_trgm; \
                 CREATE INDEX {name}_{column}_trigrams ON {name} USING gin ({column} gin_trgm_ops);"
            ),
        ));
    };
    for filter in &listing.filters {
        let inside = |operator: &String| INSIDE.contains(&operator.as_str());
        if let Some(column) = &filter.column
            && filter.operators.iter().any(inside)
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
