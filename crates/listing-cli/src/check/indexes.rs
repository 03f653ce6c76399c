//! Finds the indexes that listings need and a schema lacks.

use listing::indexes::{IndexNames, IndexedTable, MissingIndex, MissingKind, missing_indexes};
use listing::whitelist::ListingDescription;
use sea_orm::sea_query::ColumnType;

use super::compare::Finding;
use crate::database::Table;
use crate::model::entity::is_long;

/// The missing indexes, those of the largest tables first.
pub(super) fn missing(
    listings: &[ListingDescription],
    tables: &[Table],
    names: IndexNames,
) -> Vec<Finding> {
    // Views have no indexes, and a few rows are read just as quickly without one.
    let could_use = |table: &&Table| !table.view && !table.is_small();
    let tables: Vec<_> = tables.iter().filter(could_use).collect();
    let indexed: Vec<_> = tables.iter().map(|table| indexed(table)).collect();
    let mut found: Vec<_> = missing_indexes(listings, &indexed, names)
        .into_iter()
        .filter_map(|missing| {
            let schema = missing.schema.as_deref();
            let mut tables = tables.iter();
            let table = tables.find(|table| table.is(schema, &missing.table))?;
            if is_in_long_text(&missing, table) {
                return None;
            }
            let message = missing.message(&table.size());
            Some((table.rows, Finding::advice(message, missing.statement?)))
        })
        .collect();
    found.sort_by_key(|(rows, _)| std::cmp::Reverse(*rows));
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// Searching in long texts is a matter of full-text search.
fn is_in_long_text(missing: &MissingIndex, table: &Table) -> bool {
    let is_long_text = |name: &String| {
        let column = table.column(name);
        column.is_some_and(|column| column.column_type == ColumnType::Text && is_long(name))
    };
    missing.kind != MissingKind::Ordered && missing.columns.iter().any(is_long_text)
}

fn indexed(table: &Table) -> IndexedTable {
    let mut indexed = IndexedTable::new(&table.name);
    indexed.schema = table.home.clone().or_else(|| table.schema.clone());
    indexed.hidden = table.schema.is_some();
    indexed.columns = table.columns.iter().map(|c| c.name.clone()).collect();
    indexed.key.clone_from(&table.key);
    if let (true, Some(rowid)) = (table.key.is_empty(), table.rowid) {
        indexed.key = vec![rowid.to_owned()];
    }
    indexed.indexes.clone_from(&table.indexes);
    indexed.starts.clone_from(&table.starts);
    indexed.trigrams.clone_from(&table.trigrams);
    indexed.inverted.clone_from(&table.inverted);
    indexed.filled.clone_from(&table.filled);
    indexed.rows = table.rows;
    indexed
}

#[cfg(test)]
mod tests {
    use sea_orm::DbBackend;

    use super::*;
    use crate::database::Column;

    /// A listing with a sort that needs an index.
    fn listing(table: &str) -> ListingDescription {
        let description = serde_json::json!({
            "listing": table, "table": { "schema": null, "name": table, "columns": [] }, "key": "id",
            "soft_delete": null, "fields": [], "filters": [], "relations": [],
            "sorts": [{ "name": "views", "column": "views", "default": false }],
        });
        serde_json::from_value(description).unwrap()
    }

    fn table(name: &str, rows: u64) -> Table {
        let views = Column {
            name: "views".to_owned(),
            column_type: ColumnType::BigInteger,
            declared: "bigint".to_owned(),
            nullable: false,
            default: None,
            numbered: false,
            computed: false,
            readable_as: &[],
        };
        Table {
            name: name.to_owned(),
            columns: vec![views],
            rows: Some(rows),
            ..Table::default()
        }
    }

    /// Rule b369.
    #[test]
    fn the_largest_table_comes_first_and_a_view_has_no_index() {
        let listings = ["small", "view", "large", "middle"].map(listing);
        let mut tables = [
            table("small", 1_000),
            table("view", 9_000),
            table("large", 3_000),
            table("middle", 2_000),
        ];
        tables[1].view = true;
        let names = IndexNames::new(DbBackend::Sqlite, []);
        let found = missing(&listings, &tables, names);
        let remedies: Vec<_> = found.iter().map(|found| found.remedy.as_str()).collect();
        let index = |table: &str| format!("CREATE INDEX {table}_views ON {table} (views, id);");
        assert_eq!(remedies, ["large", "middle", "small"].map(index));
    }
}
