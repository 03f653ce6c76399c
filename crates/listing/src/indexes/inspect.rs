//! Inspects the database once, at start-up: the sizes of tables (d153), and missing indexes of large ones (b410).

use sea_orm::{ConnectionTrait, DbErr};

use super::missing::{MissingKind, missing_indexes};
use crate::catalogue;
use crate::catalogue::IndexNames;
use crate::catalogue::{IndexedTable, LargeTables, about};
use crate::define::{EntityId, Listings, SortSource, Whitelist};
use crate::vocabulary::{CountMode, Unindexed};

/// The contents of the catalogue.
struct Found {
    large: Vec<IndexedTable>,
    /// The tables without rows or indexes in it.
    views: Vec<String>,
    /// The names of indexes.
    names: IndexNames,
}

impl Listings {
    /// Reads the indexes of the database and the approximate sizes of its tables, and logs a warning for each filter, sort,
    /// search and relation of a large table that has no index, together with the index that it needs. With `unindexed =
    /// "refuse"`, requests that would read every row of such a table are refused from now on; otherwise they are read on separate
    /// connections ([`ReadOptions::unindexed`](crate::ReadOptions::unindexed)). With `"allow"`, no indexes are read.
    ///
    /// [`CountMode::Auto`] uses the sizes as well. Until this is called, it counts every row.
    ///
    /// On SQLite, it also checks the forms in which columns store their values ([`inspect_forms`](Self::inspect_forms)), and logs
    /// those that differ from SeaORM's.
    ///
    /// Call it once, after the migrations. The results of later calls are ignored.
    ///
    /// # Errors
    /// When the catalogue cannot be read and requests are to be refused. Otherwise, this is only a warning, too.
    pub async fn inspect_indexes(&self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        match self.inspect_forms(db).await {
            Ok(seen) => {
                for column in seen {
                    column.log();
                }
            }
            Err(error) => tracing::warn!(%error, "could not look at what the columns hold"),
        }
        let settings = self.settings();
        if settings.unindexed == Unindexed::Allow {
            self.inspect_sizes(db).await;
            return Ok(());
        }
        let is_refused = settings.unindexed == Unindexed::Refuse;
        match self.look(db).await {
            Ok(Found {
                large,
                views,
                names,
            }) => {
                self.warn(&large, names);
                let backend = db.get_database_backend();
                self.keep_large_tables(LargeTables::new(backend, large, views));
                Ok(())
            }
            Err(error) if is_refused => Err(error),
            Err(error) => {
                tracing::warn!(%error, "could not read the database's indexes");
                Ok(())
            }
        }
    }

    /// Whether the database itself refuses a second row with the same values in these columns, because of an index that
    /// [`inspect_indexes`](Self::inspect_indexes) has found.
    #[must_use]
    pub fn keeps_unique(&self, entity: EntityId, columns: &[&str]) -> bool {
        let indexes = self
            .by_id(entity)
            .and_then(|whitelist| whitelist.unique_indexes.get());
        let is_it = |index: &Vec<String>| {
            index.len() == columns.len() && index.iter().all(|part| columns.contains(&&**part))
        };
        indexes.is_some_and(|indexes| indexes.iter().any(is_it))
    }

    /// Whether a row stays as the statement that wrote it returned it, because nothing in the database changes it afterwards, as far
    /// as [`inspect_indexes`](Self::inspect_indexes) has found.
    #[must_use]
    pub fn stays_as_written(&self, entity: EntityId) -> bool {
        let whitelist = self.by_id(entity);
        whitelist.is_some_and(|whitelist| whitelist.is_settled.get() == Some(&true))
    }

    /// Reads only the sizes of tables, if they decide how rows are counted. This is a part of
    /// [`inspect_indexes`](Self::inspect_indexes), for programs that do not need the rest. If the catalogue cannot be read, this
    /// is a warning.
    pub async fn inspect_sizes(&self, db: &impl ConnectionTrait) {
        let is_auto = |whitelist: &Whitelist| whitelist.count == CountMode::Auto;
        if !self.iter().any(is_auto) {
            return;
        }
        let mut tables = self.named();
        match catalogue::read_sizes(db, &mut tables).await {
            Ok(()) => self.keep_sizes(&tables),
            Err(error) => {
                tracing::warn!(%error, "could not read how large the database's tables are");
            }
        }
    }

    /// Stores which listings have a large table, and its unique columns. The tables are those that `named` returns, in that
    /// order.
    fn keep_sizes(&self, tables: &[IndexedTable]) {
        let names = self.named();
        for (whitelist, listing) in self.iter().zip(self.describe()) {
            let table = &listing.table;
            let is_it =
                |known: &IndexedTable| known.schema == table.schema && known.name == table.name;
            let at = names.iter().position(is_it);
            let Some(found) = at.and_then(|at| tables.get(at)) else {
                continue;
            };
            if let Some(rows) = found.rows {
                let _ = whitelist.is_large.set(self.is_large(rows));
            }
            if !found.indexes.is_empty() {
                let unique = found.indexes.iter().filter(|index| index.unique);
                let columns = unique.map(|index| index.columns.clone()).collect();
                let _ = whitelist.unique_indexes.set(columns);
            }
            if found.is_settled {
                let _ = whitelist.is_settled.set(true);
            }
        }
    }

    fn is_large(&self, rows: u64) -> bool {
        rows >= self.settings().unindexed_rows
    }

    /// The information about tables. A large one whose name exists in two schemas is left out, because conditions name tables
    /// without their schema.
    async fn look(&self, db: &impl ConnectionTrait) -> Result<Found, DbErr> {
        let names = catalogue::index_names(db).await?;
        let mut tables = self.named();
        catalogue::fill(db, &mut tables).await?;
        self.keep_sizes(&tables);
        let is_alone = |table: &IndexedTable| {
            let known =
                |table: &IndexedTable| (table.key.clone(), table.indexes.clone(), table.rows);
            let mut others = tables.iter().filter(|other| other.name == table.name);
            others.all(|other| known(other) == known(table))
        };
        let mut large: Vec<_> = tables
            .iter()
            .filter(|table| table.rows.is_some_and(|rows| self.is_large(rows)) && is_alone(table))
            .cloned()
            .collect();
        // The same table, with and without its schema.
        large.sort_by(|a, b| a.name.cmp(&b.name));
        large.dedup_by(|a, b| a.name == b.name);
        let is_unknown = |table: &&IndexedTable| {
            table.rows.is_none() && table.key.is_empty() && table.indexes.is_empty()
        };
        let views = tables.iter().filter(is_unknown);
        let views = views.map(|table| table.name.clone()).collect();
        Ok(Found {
            large,
            views,
            names,
        })
    }

    /// Every table that the listings read, with the columns that they know.
    fn named(&self) -> Vec<IndexedTable> {
        let mut all: Vec<IndexedTable> = Vec::new();
        let mut add = |schema: &Option<String>, name: &str, columns: Vec<&str>| {
            let known = all
                .iter_mut()
                .find(|known| known.schema == *schema && known.name == name);
            let columns = columns.into_iter().map(str::to_owned);
            if let Some(known) = known {
                known.columns.extend(columns);
                return;
            }
            let mut table = IndexedTable::new(name);
            table.schema.clone_from(schema);
            table.columns.extend(columns);
            all.push(table);
        };
        for listing in self.describe() {
            let relations = [
                &listing.relations,
                &listing.related_filters,
                &listing.counted,
            ];
            let tables = relations.into_iter().flatten().map(|one| &one.table);
            for table in std::iter::once(&listing.table).chain(tables) {
                let columns = table.columns.iter();
                let columns = columns.map(|column| column.name.as_str()).collect();
                add(&table.schema, &table.name, columns);
            }
            let through = relations.into_iter().flatten();
            for through in through.filter_map(|relation| relation.through.as_ref()) {
                let columns = vec![through.to_parent.as_str(), through.to_target.as_str()];
                add(&through.schema, &through.name, columns);
            }
        }
        all
    }

    fn warn(&self, large: &[IndexedTable], names: IndexNames) {
        let size = |table: &str| {
            let rows = large.iter().find(|known| known.name == table);
            let rows = rows.and_then(|table| table.rows);
            rows.map_or_else(String::new, |rows| format!(" (about {} rows)", about(rows)))
        };
        let missing = missing_indexes(&self.describe(), large, names);
        for missing in missing.iter().filter(|missing| !missing.is_found) {
            let other = match missing.kind {
                MissingKind::Inside => "keep it in a column or a table of its own",
                _ => "use `Search::full_text`, or allow other operators",
            };
            let remedy = missing.statement.as_deref().unwrap_or(other);
            tracing::warn!("{}; {remedy}", missing.message(&size(&missing.table)));
        }
        for whitelist in self.iter() {
            let table = whitelist.table_name();
            if !large.iter().any(|large| large.name == table) {
                continue;
            }
            let computed = |source| matches!(source, SortSource::Computed(_));
            for sort in whitelist.sorts.iter().filter(|sort| computed(sort.source)) {
                tracing::warn!(
                    "{}: sort `{}`: is computed for every row of `{table}`{}; keep it in a column with an index",
                    whitelist.listing_name(),
                    sort.name,
                    size(table)
                );
            }
        }
    }
}
