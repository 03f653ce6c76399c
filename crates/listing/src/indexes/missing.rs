//! Finds the indexes that listings need and tables lack.

use super::inside::{self, Inside};
use super::texts;
use crate::catalogue::IndexNames;
use crate::catalogue::{Directed, Finds, IndexedTable, Wanted};
use crate::define::{ListingDescription, RelationDescription, SortDescription, TableDescription};
use crate::vocabulary::FilterOperator;

/// An index that a table lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingIndex {
    /// What it is needed for: ``ArticleListing: filter `title` ``.
    pub place: String,
    /// The table's schema, if its name must be qualified.
    pub schema: Option<String>,
    /// The table.
    pub table: String,
    /// Its first columns. A value inside a column includes its path: `data.address.city`.
    pub columns: Vec<String>,
    /// Those of its columns in descending order, if not all have the same direction.
    pub descending: Vec<String>,
    /// The kind of index.
    pub kind: MissingKind,
    /// The statements that create it. Another proposed index may cover it as well. `None` if no index can.
    pub statement: Option<String>,
    /// Whether few rows are read even without it, because another index begins with its first column.
    pub is_found: bool,
}

/// A kind of index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingKind {
    /// An ordered index.
    Ordered,
    /// A trigram index, which finds a part of a text. If the database has none, no other index can do it.
    Trigrams,
    /// An index of PostgreSQL that finds text prefixes.
    Starts,
    /// A GIN index of PostgreSQL, which finds elements of arrays; or an index on a value inside a column that the database cannot
    /// have.
    Inside,
}

impl MissingIndex {
    /// A description of what is missing. `size` is the size of the table, in parentheses.
    #[must_use]
    pub fn message(&self, size: &str) -> String {
        let place = &self.place;
        let table = match &self.schema {
            Some(schema) => format!("{schema}.{}", self.table),
            None => self.table.clone(),
        };
        let is_descending = |column: &String| self.descending.contains(column);
        let columns = self
            .columns
            .iter()
            .map(|column| match is_descending(column) {
                true => format!("{column} DESC"),
                false => column.clone(),
            });
        let columns = columns.collect::<Vec<_>>().join(", ");
        match (self.kind, &self.statement) {
            (MissingKind::Ordered, _) => {
                format!("{place}: no index of `{table}`{size} begins with {columns}")
            }
            (MissingKind::Starts, _) => format!(
                "{place}: no index finds the beginning of `{table}.{columns}`, so every row{size} is read"
            ),
            (MissingKind::Inside, _) => format!(
                "{place}: no index finds what is in `{table}.{columns}`, so every row{size} is read"
            ),
            (MissingKind::Trigrams, Some(_)) => format!(
                "{place}: no index of trigrams on `{table}.{columns}`, so every row{size} is read"
            ),
            (MissingKind::Trigrams, None) => format!(
                "{place}: no index finds a part of `{table}.{columns}`, so every row{size} is read"
            ),
        }
    }
}

/// The missing indexes of these tables. An index for several needs is proposed once.
#[must_use]
pub fn missing_indexes(
    listings: &[ListingDescription],
    tables: &[IndexedTable],
    mut names: IndexNames,
) -> Vec<MissingIndex> {
    let inside = inside::all(listings, tables, &names);
    let mut needs: Vec<_> = listings
        .iter()
        .flat_map(|listing| needs(listing, tables))
        .collect();
    needs.extend(inside.iter().filter_map(Need::inside));
    // The longest first, because an index also serves what any of its prefixes would serve.
    needs.sort_by_key(|need| std::cmp::Reverse(need.wanted.columns.len()));
    let mut proposed: Vec<(Need<'_>, String)> = Vec::new();
    let mut found = Vec::new();
    for need in needs {
        let (table, columns) = (need.table, &need.wanted.columns);
        let is_there = |column: &Directed<'_>| {
            table.columns.iter().any(|c| c == column.name) || need.expression(column).is_some()
        };
        if !columns.iter().all(is_there) || table.serves(&need.wanted) {
            continue;
        }
        let same = proposed.iter().find(|(other, _)| {
            std::ptr::eq(other.table, table) && need.wanted.is_served_by(other.all())
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
            columns: columns
                .iter()
                .map(|column| match need.expression(column) {
                    Some(inside) => inside.shown.clone(),
                    None => column.name.to_owned(),
                })
                .collect(),
            descending: columns
                .iter()
                .filter(|column| column.descending)
                .map(|column| column.name.to_owned())
                .collect(),
            kind: MissingKind::Ordered,
            statement: Some(statement.clone()),
            is_found: need.wanted.ends_in.is_none() && table.finds(columns[0].name),
        });
        if is_new {
            proposed.push((need, statement));
        }
    }
    found.extend(inside::missing(&inside, &mut names));
    found.extend(texts::missing(listings, tables, &inside, &mut names));
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

pub(super) fn table_of<'d>(
    tables: &'d [IndexedTable],
    declared: &TableDescription,
) -> Option<&'d IndexedTable> {
    find(tables, declared.schema.as_deref(), &declared.name)
}

/// An index that something needs.
#[derive(Debug)]
struct Need<'d> {
    /// What needs it.
    place: String,
    table: &'d IndexedTable,
    /// Its first columns.
    wanted: Wanted<'d>,
    /// The columns of the primary key, which come last, as in every order.
    key: Vec<&'d str>,
    /// The value inside a column that its first column stands for, if that is an expression.
    inside: Option<&'d Inside<'d>>,
}

impl<'d> Need<'d> {
    /// An index that finds the rows with a value, in an order.
    fn by_value(
        place: String,
        table: &'d IndexedTable,
        value: &'d str,
        order: impl IntoIterator<Item = Directed<'d>>,
        key: impl IntoIterator<Item = &'d str>,
    ) -> Self {
        let mut wanted = Wanted::value(value);
        let order: Vec<_> = order.into_iter().collect();
        // A column has an effect on an order only once.
        for column in in_one_direction(order) {
            if wanted.columns.iter().all(|known| known.name != column.name) {
                wanted.columns.push(column);
            }
        }
        Self {
            place,
            table,
            wanted,
            key: key.into_iter().collect(),
            inside: None,
        }
    }

    /// An index that finds rows by a value inside a column.
    fn inside(inside: &'d Inside<'d>) -> Option<Self> {
        let name = inside.name.as_deref().filter(|_| !inside.is_array)?;
        if !(inside.allows(Finds::Value) || inside.allows(Finds::Range)) {
            return None;
        }
        let order = (!inside.allows(Finds::Range)).then(|| default_order(inside.listing));
        let order = order.into_iter().flatten();
        let key = key_of(inside.listing);
        Some(Self {
            inside: Some(inside),
            ..Self::by_value(inside.place(), inside.table, name, order, key)
        })
    }

    /// The value that a column stands for, if it is an expression.
    fn expression(&self, column: &Directed<'_>) -> Option<&'d Inside<'d>> {
        let is_it = |inside: &&Inside<'_>| inside.name.as_deref() == Some(column.name);
        self.inside.filter(is_it)
    }

    /// An index that returns all rows in an order.
    fn in_order(
        place: String,
        table: &'d IndexedTable,
        order: Vec<Directed<'d>>,
        key: impl IntoIterator<Item = &'d str>,
    ) -> Self {
        let key: Vec<_> = key.into_iter().collect();
        Self {
            place,
            table,
            wanted: Wanted::order(in_one_direction(order), key.clone()),
            key,
            inside: None,
        }
    }

    /// The columns and the key.
    fn all(&self) -> Vec<Directed<'d>> {
        let mut all = self.wanted.columns.clone();
        let descending = all.last().is_some_and(|last| last.descending);
        for name in &self.key {
            if all.iter().all(|known| known.name != *name) {
                all.push(Directed { name, descending });
            }
        }
        all
    }

    fn statement(&self, names: &mut IndexNames) -> String {
        let inside = self.inside.map(Inside::words);
        let columns = self.wanted.columns.iter();
        let columns = columns.map(|column| match (&inside, self.expression(column)) {
            (Some(words), Some(_)) => words,
            _ => column.name,
        });
        let words: Vec<_> = std::iter::once(&*self.table.name).chain(columns).collect();
        let name = names.index(self.table, &words);
        let table = names.table(self.table);
        let columns = self.all().into_iter().map(|column| {
            let what = match self.expression(&column) {
                Some(inside) => format!("({})", inside.written),
                None => names.quoted(column.name),
            };
            match column.descending {
                true => format!("{what} DESC"),
                false => what,
            }
        });
        let columns: Vec<_> = columns.collect();
        format!("CREATE INDEX {name} ON {table} ({});", columns.join(", "))
    }
}

/// An index can be read from either end, so directions matter only if they differ.
fn in_one_direction(mut order: Vec<Directed<'_>>) -> Vec<Directed<'_>> {
    if order.iter().all(|column| column.descending) {
        for column in &mut order {
            column.descending = false;
        }
    }
    order
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

/// The needs of the listing's own table.
fn own_needs<'d>(listing: &'d ListingDescription, own: &'d IndexedTable) -> Vec<Need<'d>> {
    let key = || key_of(listing);
    let mut needs = Vec::new();
    for filter in &listing.filters {
        let Some(column) = &filter.column else {
            continue;
        };
        let allows = |finds| allows(&filter.operators, finds);
        // An index does not help to find half of the rows. On PostgreSQL, text prefixes need another kind of index.
        let by_start = allows(Finds::Start) && own.trigrams.is_none();
        if is_boolean(listing, column)
            || !(allows(Finds::Value) || allows(Finds::Range) || by_start)
        {
            continue;
        }
        let place = format!("{}: filter `{}`", listing.listing, filter.key);
        // Rows with one value come in the default order. Rows of a range cannot: they are sorted, or found in that order.
        let only_values = allows(Finds::Value) && !allows(Finds::Range);
        let order = only_values.then(|| default_order(listing));
        let order = order.into_iter().flatten();
        needs.push(Need::by_value(place, own, column, order, key()));
    }
    for sort in &listing.sorts {
        if let Some(column) = &sort.column {
            let place = format!("{}: sort `{}`", listing.listing, sort.name);
            let by = vec![Directed::ascending(column)];
            needs.push(Need::in_order(place, own, by, key()));
        }
    }
    // An order of one column is a sort like any other. An index returns rows in the whole order or not at all.
    let order = default_order(listing);
    let mut defaults = defaults(listing);
    if order.len() > 1 && defaults.all(|sort| sort.column.is_some()) {
        let place = format!("{}: default order", listing.listing);
        needs.push(Need::in_order(place, own, order, key()));
    }
    for relation in &listing.related_filters {
        if relation.through.is_none() && relation.owns_key {
            // From the related rows that match to the rows that lead to them.
            let place = format!("{}: filter through `{}`", listing.listing, relation.name);
            needs.push(Need::by_value(place, own, &relation.from, [], key()));
        }
    }
    needs
}

/// The index that finds the related rows of a row, in the order in which they are shown.
fn rows_of<'d>(
    place: String,
    relation: &'d RelationDescription,
    in_order: bool,
    tables: &'d [IndexedTable],
) -> Option<Need<'d>> {
    if let Some(through) = &relation.through {
        let table = find(tables, through.schema.as_deref(), &through.name)?;
        let (value, key) = (&through.to_parent, [through.to_target.as_str()]);
        return Some(Need::by_value(place, table, value, [], key));
    }
    if relation.owns_key {
        return None;
    }
    let other = table_of(tables, &relation.table)?;
    let order = (in_order && relation.to_many).then_some(&relation.order);
    let order = order.into_iter().flatten().map(|name| Directed {
        name,
        descending: relation.descending.contains(name),
    });
    let key = other.key.iter().map(String::as_str);
    Some(Need::by_value(place, other, &relation.to, order, key))
}

/// The sorts that apply if the client requests none. Without a search, relevance is not one of them.
fn defaults(listing: &ListingDescription) -> impl Iterator<Item = &SortDescription> {
    let sorts = listing.sorts.iter();
    sorts.filter(|sort| sort.default && !sort.relevance)
}

/// The columns of the default order, as far as an index can have them.
fn default_order(listing: &ListingDescription) -> Vec<Directed<'_>> {
    let columns = defaults(listing).map_while(|sort| {
        Some(Directed {
            name: sort.column.as_deref()?,
            descending: sort.descending,
        })
    });
    let mut order: Vec<Directed<'_>> = Vec::new();
    for column in columns {
        // Anything after the whole key has no effect on the order.
        if key_of(listing).all(|part| order.iter().any(|known| known.name == part)) {
            break;
        }
        order.push(column);
    }
    // The key ends every index, in the direction of the column before it.
    let key: Vec<_> = key_of(listing).collect();
    let is_end = |column: &Directed<'_>| key == [column.name];
    if let [.., before, last] = &order[..] {
        if is_end(last) && before.descending == last.descending {
            order.pop();
        }
    } else if order.first().is_some_and(is_end) {
        order.clear();
    }
    order
}

/// The columns of the primary key, if there is one. An application of an earlier version returns only one.
fn key_of(listing: &ListingDescription) -> impl Iterator<Item = &str> {
    let parts = match &listing.key_columns[..] {
        [] if listing.key.is_empty() => &[],
        [] => std::slice::from_ref(&listing.key),
        parts => parts,
    };
    parts.iter().map(String::as_str)
}

fn is_boolean(listing: &ListingDescription, name: &str) -> bool {
    let mut columns = listing.table.columns.iter();
    columns.any(|column| column.name == name && column.kind == "boolean")
}

pub(super) fn allows(operators: &[String], finds: Finds) -> bool {
    let known = |operator: &String| FilterOperator::from_wire(operator);
    let mut known = operators.iter().filter_map(known);
    known.any(|operator| operator.finds() == Some(finds))
}
