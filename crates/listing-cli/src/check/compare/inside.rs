//! Tests which indexes are proposed for filters inside JSON columns and arrays.

use sea_orm::DbBackend;
use sea_orm::sea_query::ColumnType;

use super::tests::{column, listings, right};
use super::*;

/// The filters of a listing on values inside the column `Data`, and on an array.
fn filters() -> Vec<ListingDescription> {
    let inside = |key: &str, path: &[&str], kind: &str, operators: &[&str]| {
        let inside =
            serde_json::json!({ "column": "Data", "path": path, "kind": kind, "cast": "jsonb" });
        serde_json::json!({ "key": key, "column": null, "operators": operators, "inside": inside })
    };
    let mut listings = listings();
    let filters = [
        inside("data.city", &["city"], "text", &["$eq", "$startsWith"]),
        inside("data.size.beds", &["size", "beds"], "integer", &["$gte"]),
        inside("data.open", &["open"], "boolean", &["$eq"]),
        inside("data.tags", &["tags"], "array", &["$contains", "$null"]),
        inside("data.rooms", &["rooms"], "array", &["$null"]),
        inside("data", &[], "array", &["$in"]),
    ];
    listings[0].filters = filters
        .map(|filter| serde_json::from_value(filter).unwrap())
        .into();
    listings
}

fn tables() -> Vec<Table> {
    let mut tables = right();
    tables[0]
        .columns
        .push(column("Data", ColumnType::JsonBinary));
    tables
}

fn proposed(backend: DbBackend, tables: &[Table]) -> Vec<String> {
    let found = compare(&filters(), tables, IndexNames::new(backend, []));
    assert!(found.iter().all(Finding::is_advice), "{found:#?}");
    let mut statements: Vec<_> = found.into_iter().map(|one| one.remedy).collect();
    statements.sort();
    statements
}

/// Rule b1081.
#[test]
fn what_is_inside_a_column_gets_the_index_that_its_database_has() {
    let mut tables = tables();
    assert_eq!(
        proposed(DbBackend::Sqlite, &tables),
        [
            r#"CREATE INDEX "articles_Data_city" ON articles ((CASE CASE WHEN json_valid("Data") THEN json_type("Data", '$."city"') END WHEN 'text' THEN json_extract("Data", '$."city"') END), id);"#,
            r#"CREATE INDEX "articles_Data_size_beds" ON articles ((CASE CASE WHEN json_valid("Data") THEN json_type("Data", '$."size"."beds"') END WHEN 'integer' THEN json_extract("Data", '$."size"."beds"') WHEN 'real' THEN json_extract("Data", '$."size"."beds"') END), id);"#,
        ]
    );
    assert_eq!(proposed(DbBackend::MySql, &tables), [""; 0]);
    tables[0].trigrams = Some(Vec::new());
    assert_eq!(
        proposed(DbBackend::Postgres, &tables),
        [
            r#"CREATE INDEX "articles_Data" ON articles USING gin (("Data"::jsonb));"#,
            r#"CREATE INDEX "articles_Data_city" ON articles ((CASE jsonb_typeof(("Data" #> '{"city"}')::jsonb) WHEN 'string' THEN "Data" #>> '{"city"}' END), id);"#,
            r#"CREATE INDEX "articles_Data_city_start" ON articles ((CASE jsonb_typeof(("Data" #> '{"city"}')::jsonb) WHEN 'string' THEN "Data" #>> '{"city"}' END) text_pattern_ops);"#,
            r#"CREATE INDEX "articles_Data_size_beds" ON articles ((CASE jsonb_typeof(("Data" #> '{"size","beds"}')::jsonb) WHEN 'number' THEN ("Data" #>> '{"size","beds"}')::numeric END), id);"#,
            r#"CREATE INDEX "articles_Data_tags" ON articles USING gin ((("Data" #> '{"tags"}')::jsonb));"#,
        ]
    );
    // An index that exists is not proposed again.
    tables[0].inverted = vec!["Data".to_owned(), "Data#>'{tags}'".to_owned()];
    let left = proposed(DbBackend::Postgres, &tables);
    assert!(!left.iter().any(|one| one.contains("gin")), "{left:?}");
}
