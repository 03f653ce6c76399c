//! Lists, page walks, relations, filters and sorts of one table, compared with SQL.

use listing::whitelist::RelationDescription;
use serde_json::Value;

use super::application::{Served, Table, in_target};

pub(super) fn are_right(served: &Served, table: &Table) {
    rows(served, table);
    pages(served, table);
    for relation in &table.listing.relations {
        populated(served, table, relation);
    }
    for filter in &table.listing.filters {
        let Some(column) = &filter.column else {
            continue;
        };
        for operator in &filter.operators {
            filtered(served, table, &filter.key, column, operator);
        }
    }
    for sort in &table.listing.sorts {
        if let Some(column) = &sort.column {
            sorted(served, table, &sort.name, column);
        }
    }
}

/// The table as SQL names it.
pub(super) fn from(served: &Served, table: &Table) -> String {
    let described = &table.listing.table;
    served
        .database
        .table(described.schema.as_deref(), &described.name)
}

/// The `id` of an item as text.
pub(super) fn id_of(item: &Value) -> String {
    let id = &item["id"];
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

pub(super) fn ids(reply: &Value) -> Vec<String> {
    reply["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(id_of)
        .collect()
}

/// The ids that rows have in an order, as SQL gives them.
fn ids_by_hand(served: &Served, table: &Table, order: &str) -> Vec<String> {
    let database = &served.database;
    let keys = &table.listing.key_columns;
    let keys: Vec<_> = keys
        .iter()
        .map(|key| database.text(&database.name(key)))
        .collect();
    let from = from(served, table);
    let sql = format!("SELECT {} FROM {from} ORDER BY {order}", keys.join(", "));
    let rows = database.rows(&sql).into_iter();
    rows.map(|row| match row.len() {
        1 => row[0].clone().unwrap(),
        _ => listing::join_id(row.iter().map(|part| part.as_deref().unwrap())),
    })
    .collect()
}

fn key_order(served: &Served, table: &Table, direction: &str) -> String {
    let keys = table.listing.key_columns.iter();
    let keys: Vec<_> = keys
        .map(|key| format!("{} {direction}", served.database.name(key)))
        .collect();
    keys.join(", ")
}

/// Every row is there, and is null where the database says so.
fn rows(served: &Served, table: &Table) {
    let path = &table.path;
    let reply = served.get(&format!("{path}?fields=*&sort=&pagination[pageSize]=100"));
    let from = from(served, table);
    let total = served.database.count(&from);
    assert_eq!(reply["meta"]["pagination"]["total"], total, "{path}");
    assert!(total > 0, "{path} has no rows");
    for field in &table.listing.fields {
        let Some(column) = &field.column else {
            continue;
        };
        let name = served.database.name(column);
        let nulls = served
            .database
            .count(&format!("{from} WHERE {name} IS NULL"));
        let items = reply["data"].as_array().unwrap().iter();
        let shown = items.filter(|item| item[&field.alias].is_null()).count();
        assert_eq!(shown as u64, nulls, "{path}: {}: {reply}", field.alias);
    }
}

/// Page by page and by cursor, each row is met once, in the order of the key.
fn pages(served: &Served, table: &Table) {
    if table.listing.key_columns.is_empty() {
        return pages_without_key(served, table);
    }
    let path = &table.path;
    let default = table.listing.sorts.iter().any(|sort| {
        let is_key = |column: &String| table.listing.key_columns == [column.as_str()];
        sort.default && !sort.column.as_ref().is_some_and(is_key)
    });
    let expected = ids_by_hand(served, table, &key_order(served, table, "ASC"));
    let mut by_page = Vec::new();
    for page in 1..=expected.len() {
        let target = format!("{path}?pagination[page]={page}&pagination[pageSize]=1");
        by_page.extend(ids(&served.get(&target)));
    }
    let mut by_cursor = Vec::new();
    let mut cursor = String::new();
    loop {
        let target = format!("{path}?pagination[cursor]={cursor}&pagination[pageSize]=2");
        let reply = served.get(&target);
        by_cursor.extend(ids(&reply));
        match reply["meta"]["pagination"]["nextCursor"].as_str() {
            Some(next) => cursor = in_target(next),
            None => break,
        }
    }
    assert_eq!(by_page, by_cursor, "{path}");
    if !default {
        assert_eq!(by_page, expected, "{path}");
    }
}

/// Page by page each row is met once, in the order of all columns. There are no cursors (d152, b570).
fn pages_without_key(served: &Served, table: &Table) {
    let path = &table.path;
    let all = served.get(&format!("{path}?fields=*&pagination[pageSize]=100"));
    let all = all["data"].as_array().unwrap();
    let mut by_page = Vec::new();
    for page in 1..=all.len() {
        let target = format!("{path}?fields=*&pagination[page]={page}&pagination[pageSize]=1");
        let reply = served.get(&target);
        by_page.extend_from_slice(reply["data"].as_array().unwrap());
    }
    assert_eq!(&by_page, all, "{path}");
    let (status, reply) = served.send("GET", &format!("{path}?pagination[cursor]="), None);
    assert_eq!(status, 400, "{path}: {reply}");
    assert_eq!(reply["error"]["code"], "cursor_without_key", "{reply}");
}

/// As many related rows are shown as a join finds.
fn populated(served: &Served, table: &Table, relation: &RelationDescription) {
    let database = &served.database;
    let target = format!(
        "{}?populate={}&pagination[pageSize]=100",
        table.path, relation.name
    );
    let reply = served.get(&target);
    let shown: usize = reply["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| match &item[&relation.name] {
            Value::Array(rows) => rows.len(),
            Value::Null => 0,
            _ => 1,
        })
        .sum();
    let here = from(served, table);
    let there = database.table(relation.table.schema.as_deref(), &relation.table.name);
    let column = |table: &str, column: &str| format!("{table}.{}", database.name(column));
    let (from_column, to_column) = (column("h", &relation.from), column("t", &relation.to));
    let joined = match &relation.through {
        None => format!("{here} h JOIN {there} t ON {from_column} = {to_column}"),
        Some(through) => {
            let link = database.table(through.schema.as_deref(), &through.name);
            let (one, other) = (
                column("l", &through.to_parent),
                column("l", &through.to_target),
            );
            format!(
                "{here} h JOIN {link} l ON {one} = {from_column} JOIN {there} t ON {other} = {to_column}"
            )
        }
    };
    assert_eq!(shown as u64, database.count(&joined), "{target}: {reply}");
}

fn filtered(served: &Served, table: &Table, key: &str, column: &str, operator: &str) {
    let (database, path) = (&served.database, &table.path);
    let (from, name) = (from(served, table), database.name(column));
    let total = |value: &str| {
        let target = format!("{path}?filters[{key}][{operator}]{value}&pagination[pageSize]=1");
        let reply = served.get(&target);
        (
            reply["meta"]["pagination"]["total"].as_u64().unwrap(),
            target,
        )
    };
    if ["$null", "$notNull"].contains(&operator) {
        let not = if operator == "$null" { "" } else { "NOT " };
        let expected = database.count(&format!("{from} WHERE {name} IS {not}NULL"));
        let (found, target) = total("=true");
        assert_eq!(found, expected, "{target}");
        return;
    }
    // A value that is there, as the list shows it and as the database has it.
    let alias = table
        .listing
        .fields
        .iter()
        .find(|field| field.column.as_deref() == Some(column));
    let Some(alias) = alias.map(|field| &field.alias) else {
        return;
    };
    let reply = served.get(&format!("{path}?fields={alias}&pagination[pageSize]=100"));
    let items = reply["data"].as_array().unwrap();
    let Some(value) = items
        .iter()
        .map(|item| &item[alias])
        .find(|value| !value.is_null())
    else {
        return;
    };
    let value = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    let sent = in_target(&value);
    let list = ["$in", "$notIn", "$between"].contains(&operator);
    let (found, target) = match operator {
        "$between" => total(&format!("[0]={sent}&filters[{key}][$between][1]={sent}")),
        _ if list => total(&format!("[0]={sent}")),
        _ => total(&format!("={sent}")),
    };
    let literal = literal(served, table, column, &value);
    let is_it = |sign: &str| database.count(&format!("{from} WHERE {name} {sign} {literal}"));
    let expected = match operator {
        "$eq" | "$in" | "$between" => is_it("="),
        "$ne" | "$notIn" => database.count(&from) - is_it("="),
        "$lt" => is_it("<"),
        "$lte" => is_it("<="),
        "$gt" => is_it(">"),
        "$gte" => is_it(">="),
        "$notContains" => {
            let place = match served.database.backend() {
                sea_orm::DbBackend::Postgres => "strpos",
                _ => "instr",
            };
            let has = format!("{from} WHERE {place}(lower({name}), lower({literal})) > 0");
            database.count(&from) - database.count(&has)
        }
        _ => {
            assert!(found > 0, "{target}");
            return;
        }
    };
    assert_eq!(found, expected, "{target}: {literal}");
}

/// A value that was shown, as SQL writes it.
fn literal(served: &Served, table: &Table, column: &str, value: &str) -> String {
    let columns = &table.listing.table.columns;
    let described = columns.iter().find(|known| known.name == column).unwrap();
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    match described.kind.as_str() {
        "boolean" if served.database.backend() == sea_orm::DbBackend::Postgres => value.to_owned(),
        "boolean" => u8::from(value == "true").to_string(),
        "integer" | "decimal" => value.to_owned(),
        // The digits that a float of four bytes shows are not the number that it is.
        "float" if described.rust_type.as_deref() == Some("f32") => match served.database.backend()
        {
            sea_orm::DbBackend::Postgres => format!("CAST({value} AS real)"),
            sea_orm::DbBackend::MySql => format!("CAST({value} AS FLOAT)"),
            _ => value.to_owned(),
        },
        "timestamp" => {
            let text = value.replace('T', " ");
            let text = text.trim_end_matches('Z');
            let zone = match described.rust_type.as_deref() {
                Some("DateTimeUtc")
                    if served.database.backend() == sea_orm::DbBackend::Postgres =>
                {
                    "+00"
                }
                _ => "",
            };
            let text = match served.database.backend() {
                sea_orm::DbBackend::Sqlite => text.trim_end_matches(".000000"),
                _ => text,
            };
            quoted(&format!("{text}{zone}"))
        }
        _ => quoted(value),
    }
}

fn sorted(served: &Served, table: &Table, sort: &str, column: &str) {
    if table.listing.key_columns.is_empty() {
        return sorted_without_key(served, table, sort, column);
    }
    let name = served.database.name(column);
    for (direction, nulls) in [("asc", "ASC"), ("desc", "DESC")] {
        let target = format!(
            "{}?sort={sort}:{direction}&pagination[pageSize]=100",
            table.path
        );
        let order = format!(
            "{name} IS NULL {nulls}, {name} {direction}, {}",
            key_order(served, table, direction)
        );
        let reply = served.get(&target);
        assert_eq!(ids(&reply), ids_by_hand(served, table, &order), "{target}");
    }
}

/// The values of the column are in their order; which of two rows with the same value is first, the other columns say.
fn sorted_without_key(served: &Served, table: &Table, sort: &str, column: &str) {
    let fields = &table.listing.fields;
    let field = fields
        .iter()
        .find(|field| field.column.as_deref() == Some(column));
    let Some(field) = field else {
        return;
    };
    let (name, from) = (served.database.name(column), from(served, table));
    let text = served.database.text(&name);
    let sql = format!("SELECT {text} FROM {from} ORDER BY {name} IS NULL, {name}");
    let expected = served.database.rows(&sql);
    let target = format!(
        "{}?fields={}&sort={sort}&pagination[pageSize]=100",
        table.path, field.alias
    );
    let reply = served.get(&target);
    let items = reply["data"].as_array().unwrap();
    assert_eq!(items.len(), expected.len(), "{target}");
    for (item, row) in items.iter().zip(&expected) {
        let shown = &item[&field.alias];
        assert_eq!(shown.is_null(), row[0].is_none(), "{target}: {reply}");
        // Other kinds are written in other ways.
        if let (Some(shown), Some(text)) = (shown.as_i64(), &row[0]) {
            assert_eq!(shown.to_string(), *text, "{target}: {reply}");
        }
    }
}
