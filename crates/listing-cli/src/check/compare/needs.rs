//! Tests which indexes are proposed.

use sea_orm::sea_query::ColumnType;

use super::tests::{column, compare, index, listings, right, with_relation};
use super::*;
use crate::database::{ForeignKey, Index};

/// Rule b126.
#[test]
fn a_missing_index_is_found() {
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

/// Rule b261.
#[test]
fn a_filter_by_value_needs_the_default_order_and_the_key_after_its_column() {
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

/// Rule b261.
#[test]
fn a_filter_by_a_range_needs_its_column_alone() {
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

/// Rule b261.
#[test]
fn an_order_has_nothing_but_the_key_after_its_column() {
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

/// Rule b261.
#[test]
fn an_index_is_proposed_once_and_the_longest_serves_the_others() {
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

/// Rule b262.
#[test]
fn a_filter_inside_a_text_needs_trigrams_where_the_database_has_them() {
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

/// Rule b126.
#[test]
fn a_relation_to_many_needs_an_index_in_its_order() {
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

/// Rule b369.
#[test]
fn a_table_of_few_rows_needs_no_index() {
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

/// Rule b369.
#[test]
fn an_index_ends_in_every_column_of_the_key() {
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

/// Rule b490.
#[test]
fn what_is_proposed_can_be_run_whatever_names_are_there() {
    let mut listings = listings();
    let mut tables = right();
    listings[0].table.schema = Some("hr".to_owned());
    listings[0].table.name = "order".to_owned();
    listings[0].filters.clear();
    listings[0].relations.clear();
    listings[0].sorts[0].column = Some("AlbumId".to_owned());
    tables[0].schema = Some("hr".to_owned());
    tables[0].home = Some("hr".to_owned());
    tables[0].name = "order".to_owned();
    for name in ["AlbumId", "author", "name", "author_name"] {
        tables[0].columns.push(column(name, ColumnType::BigInteger));
    }
    let found = compare(&listings, &tables);
    let statement = r#"CREATE INDEX "order_AlbumId" ON hr."order" ("AlbumId", id);"#;
    assert_eq!(statements(&found), [statement]);
    let message = "sort `views`: no index of `hr.order` begins with AlbumId";
    assert!(found[0].message.contains(message), "{found:#?}");
    // Two proposals, and an existing index.
    listings[0].sorts[0].column = Some("author_name".to_owned());
    let sort = listings[0].sorts[0].clone();
    listings[0].sorts.push(sort);
    listings[0].sorts[1].column = Some("author".to_owned());
    let taken = [("hr".to_owned(), "order_author".to_owned())];
    let names = IndexNames::new(sea_orm::DbBackend::Postgres, taken);
    let found = super::compare(&listings, &tables, names);
    let both = [
        r#"CREATE INDEX order_author_name ON hr."order" (author_name, id);"#,
        r#"CREATE INDEX order_author_2 ON hr."order" (author, id);"#,
    ];
    assert_eq!(statements(&found), both);
}

/// The listings with a default order of these columns, and without filters.
fn ordered(columns: &[(&str, bool)]) -> Vec<ListingDescription> {
    let mut listings = listings();
    listings[0].filters.clear();
    let sorts = columns.iter().map(|(column, descending)| {
        serde_json::json!({ "name": column, "column": column, "default": true, "descending": descending })
    });
    listings[0].sorts = serde_json::from_value(sorts.collect()).unwrap();
    listings
}

/// Rule b491.
#[test]
fn a_default_order_of_several_columns_needs_an_index_of_all() {
    let mut tables = right();
    tables[0].indexes = vec![
        index("by_active", &["is_active", "id"]),
        index("by_views", &["views", "id"]),
        index("by_title", &["title", "id"]),
    ];
    let (active, views) = ("is_active", "views");
    for (order, wanted) in [
        (vec![(views, true)], None),
        (vec![(views, true), ("id", true)], None),
        (vec![("id", true), (views, true)], None),
        (
            vec![(active, true), (views, true)],
            Some("is_active, views, id"),
        ),
        (
            vec![(active, false), (views, false)],
            Some("is_active, views, id"),
        ),
        (
            vec![(active, true), (views, false)],
            Some("is_active DESC, views, id"),
        ),
        (
            vec![(active, false), (views, true)],
            Some("is_active, views DESC, id DESC"),
        ),
        (
            vec![(active, true), (views, true), ("id", true)],
            Some("is_active, views, id"),
        ),
        (vec![(views, true), ("id", false)], Some("views DESC, id")),
    ] {
        let found = compare(&ordered(&order), &tables);
        let Some(columns) = wanted else {
            assert_eq!(found, [], "{order:?}");
            continue;
        };
        let name = match columns.contains("is_active") {
            true => "articles_is_active_views",
            false => "articles_views_id",
        };
        let statement = format!("CREATE INDEX {name} ON articles ({columns});");
        assert_eq!(statements(&found), [statement], "{order:?}");
        assert!(
            found[0]
                .message
                .starts_with("ArticleListing: default order: no index")
        );
    }
    let found = compare(&ordered(&[(active, true), (views, false)]), &tables);
    assert!(
        found[0]
            .message
            .ends_with("begins with is_active DESC, views")
    );
    tables[0]
        .indexes
        .push(index("both", &[active, views, "id"]));
    assert_eq!(
        compare(&ordered(&[(active, true), (views, true)]), &tables),
        []
    );
    // A filter by value ends in that order, and an order with a computed field has no index.
    let mut listings = ordered(&[(active, true), (views, false)]);
    listings[0].filters = by_views(&["$eq"])[0].filters[1..2].to_vec();
    listings[0].sorts[1].column = None;
    let found = compare(&listings, &tables);
    let statement = "CREATE INDEX articles_title_is_active ON articles (title, is_active, id);";
    assert_eq!(statements(&found), [statement]);
    listings[0].sorts[1].column = Some(views.to_owned());
    let found = compare(&listings, &tables);
    let statement = "CREATE INDEX articles_title_is_active_views ON articles (title, is_active DESC, views, id);";
    assert_eq!(statements(&found)[0], statement);
}

/// Rule b491.
#[test]
fn relevance_is_not_a_part_of_the_default_order() {
    let mut listings = by_views(&["$eq"]);
    let relevance = serde_json::json!({ "name": "relevance", "column": null, "default": true, "relevance": true });
    let relevance = serde_json::from_value(relevance).unwrap();
    listings[0].sorts.insert(0, relevance);
    let found = compare(&listings, &right());
    let statement = "CREATE INDEX articles_title_views ON articles (title, views, id);";
    assert_eq!(statements(&found), [statement]);
}

/// Rule b127.
#[test]
fn a_descending_column_counts_where_the_whole_order_is_turned() {
    let mut tables = right();
    for (descending, is_served) in [(&["views", "id"][..], true), (&["views"], false)] {
        tables[0].indexes[0].descending = descending.iter().map(ToString::to_string).collect();
        let found = compare(&listings(), &tables);
        assert_eq!(found.is_empty(), is_served, "{found:#?}");
        assert!(
            found
                .iter()
                .all(|found| found.message.contains("sort `views`"))
        );
    }
}

/// Rule b492.
#[test]
fn the_beginning_of_a_text_needs_an_index_that_finds_it() {
    let listings = |operators: &[&str]| {
        let mut listings = by_views(operators);
        listings[0].sorts[0].default = false;
        listings
    };
    let starts = listings(&["$startsWith"]);
    // By an ordinary one, where the database has no other.
    let mut tables = right();
    let ordinary = "CREATE INDEX articles_title ON articles (title, id);";
    assert_eq!(statements(&compare(&starts, &tables)), [ordinary]);
    tables[0].indexes.push(index("by_title", &["title"]));
    assert_eq!(compare(&starts, &tables), []);
    // By one of patterns on PostgreSQL, or by trigrams.
    tables[0].trigrams = Some(Vec::new());
    let patterns = "CREATE INDEX articles_title_start ON articles (title text_pattern_ops);";
    for operators in [&["$startsWith"][..], &["$startsWith", "$eq"]] {
        let found = compare(&listings(operators), &tables);
        assert_eq!(statements(&found), [patterns]);
        let message = "filter `title`: no index finds the beginning of `articles.title`";
        assert!(found[0].message.contains(message), "{found:#?}");
    }
    let found = compare(&listings(&["$startsWith", "$contains"]), &tables);
    assert!(
        found[0].remedy.contains("gin_trgm_ops") && found.len() == 1,
        "{found:#?}"
    );
    let mut trigrams = tables.clone();
    trigrams[0].trigrams = Some(vec!["title".to_owned()]);
    assert_eq!(compare(&starts, &trigrams), []);
    tables[0].starts = vec!["title".to_owned()];
    assert_eq!(compare(&starts, &tables), []);
}

/// `char(n)` takes other classes of operators, and none of trigrams.
/// Rules b490, b492.
#[test]
fn a_text_that_is_filled_up_has_an_index_of_its_own() {
    let mut tables = right();
    tables[0].trigrams = Some(Vec::new());
    tables[0].filled = vec!["title".to_owned()];
    let index = "CREATE INDEX articles_title_start ON articles (title bpchar_pattern_ops);";
    for operators in [&["$startsWith"][..], &["$startsWith", "$contains"]] {
        let found = compare(&by_views(operators), &tables);
        assert_eq!(statements(&found), [index], "{operators:?}");
    }
    assert_eq!(compare(&by_views(&["$contains"]), &tables), []);
}
