//! Changes one thing at a time in a correct schema and checks that the change is found.

use sea_orm::DbBackend;
use sea_orm::sea_query::{ColumnType, StringLen};

use super::*;
use crate::database::{Column, ForeignKey, Index};

pub(super) fn compare(listings: &[ListingDescription], tables: &[Table]) -> Vec<Finding> {
    super::compare(listings, tables, IndexNames::new(DbBackend::Postgres, []))
}

/// An article that belongs to an author, as the application describes itself.
pub(super) fn listings() -> Vec<ListingDescription> {
    let columns = |names: &[(&str, &str)]| {
        let column = |(name, kind): &(&str, &str)| serde_json::json!({ "name": name, "kind": kind, "nullable": false });
        names.iter().map(column).collect::<Vec<_>>()
    };
    let authors = serde_json::json!({
        "schema": null, "name": "authors", "columns": columns(&[("id", "integer"), ("name", "text")]),
    });
    let description = serde_json::json!([{
        "listing": "ArticleListing",
        "table": {
            "schema": null, "name": "articles",
            "columns": columns(&[("id", "integer"), ("author_id", "integer"), ("title", "text"), ("views", "integer"), ("is_active", "boolean")]),
        },
        "key": "id", "soft_delete": null, "fields": [],
        "filters": [
            { "key": "views", "column": "views", "operators": ["$gt"] },
            { "key": "title", "column": "title", "operators": ["$contains"] },
            { "key": "is_active", "column": "is_active", "operators": ["$eq"] },
        ],
        "sorts": [{ "name": "views", "column": "views", "default": false }],
        "relations": [{
            "name": "author", "to_many": false, "owns_key": true, "from": "author_id", "to": "id",
            "table": authors, "through": null, "order": [],
        }],
    }]);
    serde_json::from_value(description).unwrap()
}

pub(super) fn column(name: &str, column_type: ColumnType) -> Column {
    Column {
        name: name.to_owned(),
        column_type,
        declared: "its type".to_owned(),
        nullable: false,
        default: None,
        numbered: false,
        computed: false,
        readable_as: &[],
    }
}

pub(super) fn text() -> ColumnType {
    ColumnType::String(StringLen::N(255))
}

pub(super) fn right() -> Vec<Table> {
    vec![
        Table {
            name: "articles".to_owned(),
            columns: vec![
                column("id", ColumnType::BigInteger),
                column("author_id", ColumnType::BigInteger),
                column("title", text()),
                column("views", ColumnType::Integer),
                column("is_active", ColumnType::Boolean),
            ],
            key: vec!["id".to_owned()],
            indexes: vec![Index {
                name: "articles_views".to_owned(),
                unique: false,
                columns: vec!["views".to_owned(), "id".to_owned()],
                ..Index::default()
            }],
            foreign_keys: vec![ForeignKey {
                columns: vec!["author_id".to_owned()],
                table: "authors".to_owned(),
                table_schema: None,
                references: vec!["id".to_owned()],
            }],
            ..Table::default()
        },
        Table {
            name: "authors".to_owned(),
            columns: vec![column("id", ColumnType::BigInteger), column("name", text())],
            key: vec!["id".to_owned()],
            ..Table::default()
        },
    ]
}

#[track_caller]
fn finds(tables: &[Table], message: &str, remedy: &str) {
    let found = compare(&listings(), tables);
    assert!(
        found
            .iter()
            .any(|f| f.message.contains(message) && f.remedy.contains(remedy)),
        "{found:#?}"
    );
}

/// Rule b126.
#[test]
fn what_agrees_is_not_found() {
    assert_eq!(compare(&listings(), &right()), []);
}

#[test]
fn a_wrong_column_is_found() {
    let mut tables = right();
    tables[0].columns[2].name = "titel".to_owned();
    finds(
        &tables,
        "the column `articles.title` does not exist",
        "did you mean `titel`?",
    );
    tables.remove(0);
    finds(
        &tables,
        "the table `articles` does not exist",
        "run the migrations",
    );
}

/// Rule b128.
#[test]
fn a_wrong_type_is_found() {
    let mut tables = right();
    tables[0].columns[3].column_type = text();
    finds(&tables, "`articles.views` is `its type`", "migration");
    let mut tables = right();
    tables[0].columns[3].nullable = true;
    finds(&tables, "`articles.views` can be null", "Option");
}

/// Rule b367.
#[test]
fn a_type_that_the_driver_cannot_read_is_found() {
    let mut listings = listings();
    listings[0].table.columns[3].rust_type = Some("i64".to_owned());
    let mut tables = right();
    assert_eq!(compare(&listings, &tables), []);
    tables[0].columns[3].readable_as = &["i32"];
    let found = compare(&listings, &tables);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].message.contains("`articles.views`"), "{found:#?}");
    assert!(
        found[0].message.contains("cannot read as `i64`"),
        "{found:#?}"
    );
    assert_eq!(found[0].remedy, "make the field `i32`");
    assert!(!found[0].is_advice());
}

#[test]
fn a_relation_without_its_foreign_key_is_found() {
    let mut tables = right();
    tables[0].foreign_keys.clear();
    finds(
        &tables,
        "relation `author`: `articles.author_id` has no foreign key to `authors.id`",
        "REFERENCES authors (id)",
    );
}

/// The listings with one more relation.
pub(super) fn with_relation(relation: serde_json::Value) -> Vec<ListingDescription> {
    let mut listings = listings();
    listings[0].relations = vec![serde_json::from_value(relation).unwrap()];
    listings
}

pub(super) fn index(name: &str, columns: &[&str]) -> Index {
    Index {
        name: name.to_owned(),
        columns: columns.iter().map(ToString::to_string).collect(),
        ..Index::default()
    }
}

#[test]
fn a_junction_needs_both_foreign_keys_and_an_index() {
    let tags = serde_json::json!({
        "name": "tags", "to_many": true, "owns_key": false, "from": "id", "to": "id",
        "table": { "schema": null, "name": "authors", "columns": [] },
        "through": { "schema": null, "name": "pairs", "to_parent": "article_id", "to_target": "tag_id" },
        "order": [],
    });
    let mut tables = right();
    tables.push(Table {
        name: "pairs".to_owned(),
        columns: vec![
            column("article_id", ColumnType::BigInteger),
            column("tag_id", ColumnType::BigInteger),
        ],
        key: vec!["tag_id".to_owned(), "article_id".to_owned()],
        ..Table::default()
    });
    let found = compare(&with_relation(tags), &tables);
    let said: Vec<_> = found
        .iter()
        .map(|finding| finding.remedy.as_str())
        .collect();
    assert_eq!(said.len(), 3, "{found:#?}");
    assert!(said[0].contains("REFERENCES articles (id)"), "{said:?}");
    assert!(said[1].contains("REFERENCES authors (id)"), "{said:?}");
    assert_eq!(
        said[2],
        "CREATE INDEX pairs_article_id ON pairs (article_id, tag_id);"
    );
}

/// Rule d87.
#[test]
fn a_full_text_search_without_its_index_is_found() {
    let mut listings = listings();
    let search = serde_json::json!({ "columns": ["title"], "full_text": "simple" });
    listings[0].search = serde_json::from_value(search).unwrap();
    let said = |tables: &[Table]| -> Vec<_> {
        let found = compare(&listings, tables).into_iter();
        found.map(|finding| finding.message).collect()
    };
    assert_eq!(
        said(&right()),
        ["ArticleListing: search: `articles` has no full-text index"]
    );
    for name in ["search_vector", "search_title"] {
        let mut tables = right();
        tables[0].columns.push(column(name, text()));
        assert_eq!(said(&tables), [""; 0], "{name}");
    }
    let mut tables = right();
    let fts5 = Table {
        name: "articles_search".to_owned(),
        ..tables[0].clone()
    };
    tables.push(fts5);
    assert_eq!(said(&tables), [""; 0]);
}

/// The right schema, and the same tables in the schema `hr`, where authors have no names and articles no foreign key.
fn twice() -> Vec<Table> {
    let mut tables = right();
    for table in &mut tables {
        table.home = Some("public".to_owned());
    }
    for mut table in right() {
        table.schema = Some("hr".to_owned());
        table.home = table.schema.clone();
        table.foreign_keys.clear();
        table.indexes.clear();
        table.columns.retain(|column| column.name != "name");
        tables.insert(0, table);
    }
    tables
}

/// Rule b493.
#[test]
fn tables_of_one_name_in_two_schemas_are_told_apart() {
    let tables = twice();
    for schema in [None, Some("public")] {
        let mut listings = listings();
        listings[0].table.schema = schema.map(str::to_owned);
        assert_eq!(compare(&listings, &tables), [], "{schema:?}");
    }
    let mut listings = listings();
    listings[0].table.schema = Some("hr".to_owned());
    let found = compare(&listings, &tables);
    let said: Vec<_> = found.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "ArticleListing: relation `author`: `hr.articles.author_id` has no foreign key to `authors.id`",
            "ArticleListing: filter `views`: no index of `hr.articles` begins with views",
            "ArticleListing: sort `views`: no index of `hr.articles` begins with views",
        ]
    );
    // A listing of the other authors does not stand for these.
    listings[0].relations[0].table.schema = Some("hr".to_owned());
    let mut authors = listings[0].clone();
    authors.table = listings[0].relations[0].table.clone();
    authors.table.schema = None;
    authors.relations.clear();
    authors.filters.clear();
    authors.sorts.clear();
    listings.push(authors);
    let found = compare(&listings, &tables);
    let message = "the column `hr.authors.name` does not exist";
    assert!(
        found.iter().any(|found| found.message == message),
        "{found:#?}"
    );
    listings[0].table.schema = Some("away".to_owned());
    let found = compare(&listings, &tables);
    let message = "the table `away.articles` does not exist";
    assert!(
        found.iter().any(|found| found.message == message),
        "{found:#?}"
    );
}

/// Rule b494.
#[test]
fn nothing_is_asked_of_a_view_that_views_cannot_say() {
    for view in [0, 1] {
        let mut tables = right();
        tables[0].foreign_keys.clear();
        assert_eq!(compare(&listings(), &tables).len(), 1);
        tables[view].view = true;
        for column in &mut tables[view].columns {
            column.nullable = true;
        }
        assert_eq!(compare(&listings(), &tables), [], "{}", tables[view].name);
        tables[view].columns.remove(1);
        assert_eq!(
            compare(&listings(), &tables).len(),
            1,
            "a column is missing"
        );
    }
}

/// Rule b496.
#[test]
fn a_foreign_key_of_several_columns_is_that_of_each() {
    let mut tables = right();
    let key = &mut tables[0].foreign_keys[0];
    key.columns = ["title", "author_id"].map(str::to_owned).to_vec();
    key.references = ["name", "id"].map(str::to_owned).to_vec();
    assert_eq!(compare(&listings(), &tables), []);
    tables[0].foreign_keys[0].references.reverse();
    assert_eq!(compare(&listings(), &tables).len(), 1, "to another column");
    tables[0].foreign_keys[0].references.clear();
    tables[1].key = vec!["name".to_owned(), "id".to_owned()];
    assert_eq!(compare(&listings(), &tables), [], "to the primary key");
}
