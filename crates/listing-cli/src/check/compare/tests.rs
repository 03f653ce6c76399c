//! Changes one thing at a time in a correct schema and checks that the change is found.

use sea_orm::sea_query::{ColumnType, StringLen};

use super::*;
use crate::database::{Column, ForeignKey, Index};

/// An article that belongs to an author, as the application describes itself.
fn listings() -> Vec<ListingDescription> {
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

fn column(name: &str, column_type: ColumnType) -> Column {
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

fn text() -> ColumnType {
    ColumnType::String(StringLen::N(255))
}

fn right() -> Vec<Table> {
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

#[test]
fn b126_what_agrees_is_not_found() {
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

#[test]
fn b128_a_wrong_type_is_found() {
    let mut tables = right();
    tables[0].columns[3].column_type = text();
    finds(&tables, "`articles.views` is `its type`", "migration");
    let mut tables = right();
    tables[0].columns[3].nullable = true;
    finds(&tables, "`articles.views` can be null", "Option");
}

#[test]
fn b367_a_type_that_the_driver_cannot_read_is_found() {
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
fn b126_a_missing_index_is_found() {
    let mut tables = right();
    tables[0].indexes.clear();
    let found = compare(&listings(), &tables);
    assert_eq!(
        found.len(),
        2,
        "one for the filter, one for the sort: {found:#?}"
    );
    let statement = "CREATE INDEX articles_views ON articles (views, id);";
    assert!(found.iter().all(|f| f.is_advice() && f.remedy == statement));
}

/// The listings with a filter on the title, and a default order by views.
fn by_views(operators: &[&str]) -> Vec<ListingDescription> {
    let mut listings = listings();
    listings[0].filters[1].operators = operators.iter().map(ToString::to_string).collect();
    listings[0].sorts[0].default = true;
    listings
}

fn statements(found: &[Finding]) -> Vec<&str> {
    assert!(found.iter().all(Finding::is_advice), "{found:#?}");
    found
        .iter()
        .map(|finding| finding.remedy.as_str())
        .collect()
}

#[test]
fn b261_a_filter_by_value_needs_the_default_order_and_the_key_after_its_column() {
    let mut tables = right();
    let wanted = ["CREATE INDEX articles_title_views ON articles (title, views, id);"];
    for operators in [&["$eq", "$contains"][..], &["$in"]] {
        let found = compare(&by_views(operators), &tables);
        assert_eq!(statements(&found), wanted, "{operators:?}");
    }
    // The column alone is not enough, and neither is another order.
    tables[0].indexes.push(index("by_title", &["title", "id"]));
    assert_eq!(statements(&compare(&by_views(&["$eq"]), &tables)), wanted);
    for columns in [&["title", "views"][..], &["title", "views", "id"]] {
        let mut tables = right();
        tables[0].indexes.push(index("by_title", columns));
        assert_eq!(compare(&by_views(&["$eq"]), &tables), [], "{columns:?}");
    }
    // One row needs no order.
    let mut tables = right();
    let unique = Index {
        unique: true,
        ..index("by_title", &["title"])
    };
    tables[0].indexes.push(unique);
    assert_eq!(compare(&by_views(&["$eq"]), &tables), []);
}

#[test]
fn b261_a_filter_by_a_range_needs_its_column_alone() {
    let mut tables = right();
    let found = compare(&by_views(&["$eq", "$gte"]), &tables);
    let statement = "CREATE INDEX articles_title ON articles (title, id);";
    assert_eq!(statements(&found), [statement]);
    tables[0]
        .indexes
        .push(index("by_title", &["title", "author_id"]));
    assert_eq!(compare(&by_views(&["$eq", "$gte"]), &tables), []);
    assert_eq!(compare(&by_views(&["$ne", "$null"]), &right()), []);
}

#[test]
fn b261_an_order_has_nothing_but_the_key_after_its_column() {
    let mut tables = right();
    tables[0].indexes = vec![index("other", &["views", "title", "id"])];
    let found = compare(&listings(), &tables);
    let statement = "CREATE INDEX articles_views ON articles (views, id);";
    assert_eq!(statements(&found), [statement], "the filter is served");
    for columns in [&["views"][..], &["views", "id", "title"]] {
        tables[0].indexes = vec![index("in_order", columns)];
        assert_eq!(compare(&listings(), &tables), [], "{columns:?}");
    }
}

#[test]
fn b261_an_index_is_proposed_once_and_the_longest_serves_the_others() {
    let mut listings = by_views(&["$eq"]);
    let author =
        serde_json::json!({ "key": "author_id", "column": "author_id", "operators": ["$eq"] });
    listings[0]
        .filters
        .push(serde_json::from_value(author).unwrap());
    listings[0].related_filters = listings[0].relations.clone();
    let found = compare(&listings, &right());
    let mut statements = statements(&found);
    assert_eq!(found.len(), 3, "{found:#?}");
    statements.sort_unstable();
    statements.dedup();
    let author = "CREATE INDEX articles_author_id_views ON articles (author_id, views, id);";
    let title = "CREATE INDEX articles_title_views ON articles (title, views, id);";
    assert_eq!(statements, [author, title]);
    assert!(
        found
            .iter()
            .any(|f| f.message.contains("filter through `author`"))
    );
}

#[test]
fn b262_a_filter_inside_a_text_needs_trigrams_where_the_database_has_them() {
    let mut tables = right();
    assert_eq!(compare(&listings(), &tables), [], "not on this database");
    tables[0].trigrams = Some(Vec::new());
    let found = compare(&listings(), &tables);
    assert!(
        found[0]
            .message
            .contains("filter `title`: no index of trigrams on `articles.title`")
    );
    let statement = "CREATE EXTENSION IF NOT EXISTS pg_trgm; \
                     CREATE INDEX articles_title_trigrams ON articles USING gin (title gin_trgm_ops);";
    assert_eq!(statements(&found), [statement]);
    let mut indexed = tables.clone();
    indexed[0].trigrams = Some(vec!["title".to_owned()]);
    assert_eq!(compare(&listings(), &indexed), []);
    // The same for a search by letters.
    let mut searched = listings();
    searched[0].filters.remove(1);
    assert_eq!(compare(&searched, &tables), []);
    let search = serde_json::json!({ "columns": ["title"], "full_text": null });
    searched[0].search = serde_json::from_value(search).unwrap();
    assert_eq!(statements(&compare(&searched, &tables)), [statement]);
    // Long texts have too many.
    let mut long = listings();
    long[0].filters[1].column = Some("body".to_owned());
    tables[0].columns.push(column("body", ColumnType::Text));
    assert_eq!(compare(&long, &tables), []);
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
fn with_relation(relation: serde_json::Value) -> Vec<ListingDescription> {
    let mut listings = listings();
    listings[0].relations = vec![serde_json::from_value(relation).unwrap()];
    listings
}

fn index(name: &str, columns: &[&str]) -> Index {
    Index {
        name: name.to_owned(),
        unique: false,
        columns: columns.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn b126_a_relation_to_many_needs_an_index_in_its_order() {
    let comments = serde_json::json!({
        "name": "comments", "to_many": true, "owns_key": false, "from": "id", "to": "article_id",
        "table": { "schema": null, "name": "comments", "columns": [] },
        "through": null, "order": ["created_at"],
    });
    let listings = with_relation(comments);
    let mut tables = right();
    tables.push(Table {
        name: "comments".to_owned(),
        columns: vec![
            column("id", ColumnType::BigInteger),
            column("article_id", ColumnType::BigInteger),
            column("created_at", ColumnType::DateTime),
        ],
        key: vec!["id".to_owned()],
        indexes: vec![index("by_article", &["article_id"])],
        foreign_keys: vec![ForeignKey {
            columns: vec!["article_id".to_owned()],
            table: "articles".to_owned(),
            table_schema: None,
            // To the primary key, which SQLite need not name.
            references: Vec::new(),
        }],
        ..Table::default()
    });
    let found = compare(&listings, &tables);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(
        found[0].remedy,
        "CREATE INDEX comments_article_id_created_at ON comments (article_id, created_at, id);"
    );
    tables[2].indexes = vec![index("in_order", &["article_id", "created_at"])];
    assert_eq!(compare(&listings, &tables), []);
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

#[test]
fn d87_a_full_text_search_without_its_index_is_found() {
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

#[test]
fn b369_a_table_of_few_rows_needs_no_index() {
    let mut tables = right();
    tables[0].indexes.clear();
    let advice = |tables: &[Table]| compare(&listings(), tables);
    // Nothing is known of the size of an empty table.
    for (rows, told) in [(None, ""), (Some(0), ""), (Some(1_000), " (1000 rows)")] {
        tables[0].rows = rows;
        let found = advice(&tables);
        assert!(
            found.iter().all(Finding::is_advice) && !found.is_empty(),
            "{found:#?}"
        );
        let message = format!("no index of `articles`{told} begins with views");
        assert!(found[0].message.contains(&message), "{found:#?}");
    }
    tables[0].rows = Some(999);
    assert_eq!(advice(&tables), []);
}

#[test]
fn b369_an_index_ends_in_every_column_of_the_key() {
    let mut listings = listings();
    listings[0].key_columns = vec!["author_id".to_owned(), "id".to_owned()];
    let mut tables = right();
    tables[0].key = listings[0].key_columns.clone();
    let found = compare(&listings, &tables);
    let remedy = "CREATE INDEX articles_views ON articles (views, author_id, id);";
    assert!(
        found.iter().any(|finding| finding.remedy == remedy),
        "{found:#?}"
    );
    for column in ["author_id", "id"] {
        tables[0].indexes[0].columns.retain(|known| known != column);
        tables[0].indexes[0].columns.push(column.to_owned());
    }
    assert_eq!(compare(&listings, &tables), []);
}
